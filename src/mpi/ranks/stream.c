/*
 * np_job.stream: ranks send each other pieces of what they have, and nobody knows from whom something will come. A rank
 * sends by synchronous sends, so it knows when all of its pieces have arrived. Then it enters a reduction that does not
 * block, which ends when all ranks have entered it, and takes what comes until then (Hoefler, Siebert & Lumsdaine 2010,
 * with the sums of the call in place of the barrier).
 *
 * A rank that is through may begin the next stream, and its pieces may get to one that still waits for the reduction:
 * so the tags of two streams that follow each other differ.
 */
#include <sched.h>
#include <stdbool.h>

#include "base/memory.h"
#include "mpi/ranks/mpi.h"

enum {
    TAG = 3,            /* and 4; 1 and 2 are those of exchanges */
    PIECES = 16,        /* ours: pieces that are on their way at the same time */
    ROOM_MOST = 1 << 16 /* ours: bytes of a piece */
};

struct np_mpi_streams {
    size_t room;
    uint32_t begun;              /* streams */
    MPI_Request request[PIECES]; /* MPI_REQUEST_NULL: the piece is free */
    unsigned char *data;         /* [PIECES * room] */
    unsigned char *arrived;      /* [room] */
    bool *more;                  /* [size] may there be more for the rank? */
};

/* A stream that goes on. */
typedef struct flow {
    np_mpi *mpi;
    const np_job_stream *stream;
    int tag, to; /* the rank that is asked next */
    int open;    /* ranks for which there may be more */
    int sending; /* pieces on their way */
} flow;

static np_status create(np_mpi *mpi)
{
    np_mpi_streams *s;
    np_status st;
    size_t room = mpi->piece < ROOM_MOST ? mpi->piece : ROOM_MOST;
    room = room < NP_JOB_ROOM ? NP_JOB_ROOM : room;
    if ((st = np_memory_zeroed(&s, 1, sizeof *s, "what ranks send")))
        return st;
    mpi->streams = s;
    for (int i = 0; i < PIECES; i++)
        s->request[i] = MPI_REQUEST_NULL;
    if ((st = np_memory_array(&s->data, PIECES, room, "what ranks send")) ||
        (st = np_memory_array(&s->arrived, room, 1, "what ranks send")) ||
        (st = np_memory_array(&s->more, (size_t)mpi->size, sizeof *s->more, "what ranks send")))
        return st;
    s->room = room;
    return NP_OK;
}

void np_mpi_streams_free(np_mpi_streams *s)
{
    if (!s)
        return;
    NP_MEMORY_FREE(s->data, s->arrived, s->more, s);
}

/* A free piece is filled and sent, if there is anything to send. */
static np_status send_piece(flow *f)
{
    np_mpi *mpi = f->mpi;
    np_mpi_streams *s = mpi->streams;
    int piece = 0;
    while (piece < PIECES && s->request[piece] != MPI_REQUEST_NULL)
        piece++;
    if (piece == PIECES || !f->open)
        return NP_OK;
    while (!s->more[f->to])
        f->to = (f->to + 1) % mpi->size;
    unsigned char *data = s->data + (size_t)piece * s->room;
    size_t bytes = f->stream->fill(f->stream->object, (uint32_t)f->to, data, s->room);
    if (!bytes) {
        s->more[f->to] = false;
        f->open--;
        return NP_OK;
    }
    mpi->counts.messages_sent++;
    mpi->counts.bytes_sent += bytes;
    f->sending++;
    int to = f->to;
    f->to = (f->to + 1) % mpi->size;
    return np_mpi_check(MPI_Issend(data, (int)bytes, MPI_BYTE, to, f->tag, mpi->comm, &s->request[piece]),
                        "MPI_Issend");
}

/* Takes a piece if one has come; *some says so. */
static np_status take_piece(const flow *f, int *some)
{
    np_mpi *mpi = f->mpi;
    np_mpi_streams *s = mpi->streams;
    MPI_Message message;
    MPI_Status from;
    int bytes;
    np_status st = np_mpi_check(MPI_Improbe(MPI_ANY_SOURCE, f->tag, mpi->comm, some, &message, &from), "MPI_Improbe");
    if (st || !*some)
        return st;
    if ((st = np_mpi_check(MPI_Get_count(&from, MPI_BYTE, &bytes), "MPI_Get_count")) ||
        (st = np_mpi_check(MPI_Mrecv(s->arrived, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv")))
        return st;
    mpi->counts.messages_received++;
    mpi->counts.bytes_received += (uint64_t)bytes;
    f->stream->take(f->stream->object, (uint32_t)from.MPI_SOURCE, s->arrived, (size_t)bytes);
    return NP_OK;
}

static np_status free_pieces(flow *f)
{
    int arrived, which[PIECES];
    if (!f->sending)
        return NP_OK;
    np_status st = np_mpi_check(MPI_Testsome(PIECES, f->mpi->streams->request, &arrived, which, MPI_STATUSES_IGNORE),
                                "MPI_Testsome");
    if (!st && arrived != MPI_UNDEFINED)
        f->sending -= arrived;
    return st;
}

/* As much is taken as is sent, so that what comes finds the room of what has left. */
static np_status send_and_take(flow *f)
{
    np_status st = NP_OK;
    while (!st && (f->open || f->sending)) {
        int some = 1, open = f->open, sending = f->sending;
        st = send_piece(f);
        if (!st)
            st = take_piece(f, &some);
        if (!st)
            st = free_pieces(f);
        if (!some && open == f->open && sending == f->sending)
            sched_yield(); /* where ranks have to share a processor, the one that is waited for gets it */
    }
    return st;
}

/* All that this rank sent has arrived. Takes what others send until they can say the same. */
static np_status take_rest(flow *f, size_t count, uint64_t *values)
{
    MPI_Request reduction;
    uint64_t nothing = 0;
    int done = 0;
    np_status st = np_mpi_check(MPI_Iallreduce(MPI_IN_PLACE, count ? values : &nothing, count ? (int)count : 1,
                                               MPI_UINT64_T, MPI_SUM, f->mpi->comm, &reduction),
                                "MPI_Iallreduce");
    while (!st && !done) {
        int some = 1;
        while (!st && some)
            st = take_piece(f, &some);
        if (!st)
            st = np_mpi_check(MPI_Test(&reduction, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (!done)
            sched_yield();
    }
    return st;
}

np_status np_mpi_stream(void *context, const np_job_stream *stream, size_t count, uint64_t *values)
{
    np_mpi *mpi = context;
    np_status st;
    if (!mpi->streams && (st = np_mpi_agree(mpi, create(mpi))))
        return st;
    flow f = {.mpi = mpi,
              .stream = stream,
              .tag = TAG + (int)(mpi->streams->begun++ % 2),
              .to = (mpi->rank + 1) % mpi->size,
              .open = mpi->size - 1};
    mpi->counts.rounds++;
    for (int r = 0; r < mpi->size; r++)
        mpi->streams->more[r] = r != mpi->rank;
    st = send_and_take(&f);
    return st ? st : take_rest(&f, count, values);
}
