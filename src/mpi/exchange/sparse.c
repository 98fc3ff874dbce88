/*
 * The exchange of which receivers know nothing: the non-blocking consensus of Hoefler, Siebert & Lumsdaine 2010 (NBX,
 * "Scalable communication protocols for dynamic sparse data exchange"). Every rank sends synchronously, so that it
 * knows when its messages were received, and receives what it finds. When its own have all been received it enters a
 * non-blocking barrier, and goes on receiving until the barrier ends: then the messages of all have been received.
 *
 * All agree on a status behind the barrier. So nobody begins the next call, whose messages look alike, before all have
 * seen that the barrier ended.
 *
 * Cutting. A message goes as whole pieces and one that is shorter, which may be empty: so its receiver knows the end. A
 * source's pieces arrive in its order. All of a message have been begun when its first one is found, so that the
 * receiver may wait for the others at once.
 *
 * Errors. A rank that has an error sends nothing, or receives without keeping; it stays to the end, where all agree.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "mpi/exchange/exchange.h"

enum { TAG = 2, ALIGNED = 8 };

/* A message that has arrived. What the caller sees is made of it at the end. */
typedef struct arrival {
    np_mpi_message message;
    uint64_t at;     /* of its data in the buffer */
    uint64_t number; /* in order of arrival */
} arrival;

typedef struct sparse {
    np_mpi *mpi;
    size_t requests, ended; /* sends: begun, and known to have been received */
    arrival *arrival;
    size_t arrivals;
    unsigned char *data;
    uint64_t bytes; /* of data, that are used */
    bool waits;     /* in the barrier */
    MPI_Request barrier;
    np_status status; /* this rank's own */
} sparse;

static np_status check(const np_mpi *mpi, const np_mpi_message *out, size_t count)
{
    if (count && !out)
        return NP_RAISE(NP_ERROR_INPUT, "%zu messages are NULL", count);
    for (size_t i = 0; i < count; i++) {
        if (out[i].rank < 0 || out[i].rank >= mpi->size)
            return NP_RAISE(NP_ERROR_INPUT, "message %zu is for rank %d, and the ranks are 0..%d", i, out[i].rank,
                            mpi->size - 1);
        if (out[i].bytes && !out[i].data)
            return NP_RAISE(NP_ERROR_INPUT, "message %zu has %llu bytes at NULL", i, (unsigned long long)out[i].bytes);
    }
    return NP_OK;
}

static np_status make_requests(np_mpi *mpi, const np_mpi_message *out, size_t count)
{
    uint64_t need = 0;
    np_status st;
    for (size_t i = 0; i < count; i++)
        need += out[i].bytes / mpi->piece + 1;
    if (need <= mpi->requests_room)
        return NP_OK;
    if ((st = np_memory_grow(&mpi->request, 0, need, sizeof *mpi->request, "requests of MPI")))
        return st;
    mpi->requests_room = need;
    return NP_OK;
}

/* Where the next message may begin. */
static uint64_t aligned(uint64_t bytes) { return bytes + -bytes % ALIGNED; }

/* A new arrival from a rank. */
static np_status add(sparse *s, int from, arrival **out)
{
    np_status st = np_mpi_buffer_need(s->mpi, NP_MPI_BUFFER_ARRIVED, s->arrivals * sizeof **out, s->arrivals + 1,
                                      sizeof **out, &s->arrival);
    if (st)
        return st;
    *out = s->arrival + s->arrivals;
    s->bytes = aligned(s->bytes);
    **out = (arrival){.message.rank = from, .at = s->bytes, .number = s->arrivals++};
    return NP_OK;
}

static np_status send_all(sparse *s, const np_mpi_message *out, size_t count)
{
    np_mpi *mpi = s->mpi;
    np_status st = NP_OK;
    for (size_t i = 0; i < count && !st; i++) {
        const np_mpi_message *m = out + i;
        arrival *own;
        if (m->rank == mpi->rank) {
            if (!(st = add(s, m->rank, &own)))
                own->message = *m;
            continue;
        }
        for (uint64_t at = 0; at <= m->bytes && !st; at += mpi->piece) {
            int bytes = (int)(m->bytes - at < mpi->piece ? m->bytes - at : mpi->piece);
            st = np_mpi_check(MPI_Issend(bytes ? (const unsigned char *)m->data + at : NULL, bytes, MPI_BYTE, m->rank,
                                         TAG, mpi->comm, &mpi->request[s->requests]),
                              "MPI_Issend");
            s->requests += !st;
        }
        mpi->counts.messages_sent += m->bytes / mpi->piece + 1;
        mpi->counts.bytes_sent += m->bytes;
    }
    return st;
}

/* Receives a piece for its sender's sake. To cut it would be fatal. */
static np_status discard(MPI_Message *found, int bytes)
{
    unsigned char last;
    MPI_Datatype type;
    np_status st;
    if ((st = np_mpi_nowhere(bytes, &type)))
        return st;
    st = np_mpi_check(MPI_Mrecv(&last, 1, type, found, MPI_STATUS_IGNORE), "MPI_Mrecv");
    MPI_Type_free(&type);
    return st;
}

/* Receives one piece behind what is there. *bytes: its length. */
static np_status receive_piece(sparse *s, MPI_Message *found, const MPI_Status *about, int *bytes)
{
    np_status st;
    if ((st = np_mpi_check(MPI_Get_count(about, MPI_BYTE, bytes), "MPI_Get_count")))
        return st;
    if (!s->status)
        s->status =
            np_mpi_buffer_need(s->mpi, NP_MPI_BUFFER_DATA, s->bytes, aligned(s->bytes + (uint64_t)*bytes), 1, &s->data);
    if (s->status)
        return discard(found, *bytes);
    st = np_mpi_check(MPI_Mrecv(s->data + s->bytes, *bytes, MPI_BYTE, found, MPI_STATUS_IGNORE), "MPI_Mrecv");
    s->bytes += (uint64_t)*bytes;
    s->mpi->counts.messages_received++;
    s->mpi->counts.bytes_received += (uint64_t)*bytes;
    return st;
}

/* Receives the message whose first piece was found. */
static np_status receive(sparse *s, MPI_Message *found, MPI_Status *about)
{
    arrival *new = NULL;
    int bytes = 0, from = about->MPI_SOURCE;
    np_status st;
    if (!s->status)
        s->status = add(s, from, &new);
    st = receive_piece(s, found, about, &bytes);
    while (!st && (uint64_t)bytes == s->mpi->piece)
        if (!(st = np_mpi_check(MPI_Mprobe(from, TAG, s->mpi->comm, found, about), "MPI_Mprobe")))
            st = receive_piece(s, found, about, &bytes);
    if (new)
        new->message.bytes = s->bytes - new->at;
    return st;
}

/* Have all messages of this rank been received? Then it enters the barrier. *end: it is over. */
static np_status go_on(sparse *s, bool *end)
{
    int ended = 0;
    np_status st = NP_OK;
    if (s->waits) {
        st = np_mpi_check(MPI_Test(&s->barrier, &ended, MPI_STATUS_IGNORE), "MPI_Test");
        *end = ended;
        return st;
    }
    while (s->ended < s->requests && !st) {
        st = np_mpi_check(MPI_Test(s->mpi->request + s->ended, &ended, MPI_STATUS_IGNORE), "MPI_Test");
        if (st || !ended)
            return st;
        s->ended++;
    }
    s->waits = true;
    return np_mpi_check(MPI_Ibarrier(s->mpi->comm, &s->barrier), "MPI_Ibarrier");
}

static np_status receive_all(sparse *s)
{
    MPI_Message found;
    MPI_Status about;
    bool end = false;
    int any;
    np_status st = NP_OK;
    while (!end && !st) {
        st = np_mpi_check(MPI_Improbe(MPI_ANY_SOURCE, TAG, s->mpi->comm, &any, &found, &about), "MPI_Improbe");
        if (!st)
            st = any ? receive(s, &found, &about) : go_on(s, &end);
    }
    return st;
}

static int by_source(const void *a, const void *b)
{
    const arrival *x = a, *y = b;
    return np_order_pair(x->message.rank, y->message.rank, x->number, y->number);
}

/* Sorts what has arrived, and makes messages of it in its place: they are shorter. */
static np_mpi_message *finish(sparse *s)
{
    np_mpi_message *in = (np_mpi_message *)s->arrival;
    if (s->arrivals)
        qsort(s->arrival, s->arrivals, sizeof *s->arrival, by_source);
    for (size_t i = 0; i < s->arrivals; i++) {
        np_mpi_message m = s->arrival[i].message;
        if (m.rank != s->mpi->rank)
            m.data = s->data + s->arrival[i].at;
        in[i] = m;
    }
    return in;
}

np_status np_mpi_alltoall_sparse(np_mpi *mpi, const np_mpi_message *out, size_t count, const np_mpi_message **in,
                                 size_t *arrived)
{
    sparse s = {.mpi = mpi};
    np_status st;
    *in = NULL;
    *arrived = 0;
    mpi->counts.rounds++;
    if (!(s.status = check(mpi, out, count)) && !(s.status = make_requests(mpi, out, count)))
        s.status = send_all(&s, out, count);
    st = receive_all(&s);
    if ((st = np_mpi_agree(mpi, st ? st : s.status)))
        return st;
    *in = finish(&s);
    *arrived = s.arrivals;
    return NP_OK;
}
