/* An np_mpi as an np_job: how the rest of the library, which knows nothing of MPI, works on many processes. */
#include <string.h>

#include "mpi/ranks/mpi.h"

enum { ALIGNED = 8 };

/* in[r] gets a place among what arrived, for in[r].bytes bytes. */
static np_status place(np_mpi *mpi, np_job_part *in)
{
    unsigned char *arrived;
    uint64_t room = 0;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        room += r == mpi->rank ? 0 : (in[r].bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    if ((st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_JOB, 0, room, 1, &arrived)))
        return st;
    room = 0;
    for (int r = 0; r < mpi->size; r++)
        if (r != mpi->rank) {
            in[r].data = arrived + room;
            room += (in[r].bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
        }
    return NP_OK;
}

static np_status exchange(void *context, const np_job_part *out, np_job_part *in)
{
    np_mpi *mpi = context;
    uint64_t *out_bytes = mpi->bytes, *in_bytes = mpi->bytes + mpi->size;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        out_bytes[r] = out[r].bytes;
    if ((st = np_mpi_sizes(mpi, out_bytes, in_bytes)))
        return st;
    for (int r = 0; r < mpi->size; r++)
        in[r] = (np_job_part){NULL, in_bytes[r]};
    in[mpi->rank] = out[mpi->rank];
    if ((st = np_mpi_agree(mpi, place(mpi, in))))
        return st;
    return np_mpi_move(mpi, out, in);
}

static np_status reduce(np_mpi *mpi, MPI_Datatype type, MPI_Op op, size_t count, uint64_t *values)
{
    enum { AT_ONCE = 1 << 27 };
    np_status st = NP_OK;
    for (size_t at = 0; at < count && !st; at += AT_ONCE)
        st = np_mpi_check(MPI_Allreduce(MPI_IN_PLACE, values + at, (int)(count - at < AT_ONCE ? count - at : AT_ONCE),
                                        type, op, mpi->comm),
                          "MPI_Allreduce");
    return st;
}

static np_status sum(void *context, size_t count, uint64_t *values)
{
    return reduce(context, MPI_UINT64_T, MPI_SUM, count, values);
}

/* MPICH 4.0 compares unsigned numbers as if they were signed. So signed ones in the same order are compared. */
static void turn_sign(size_t count, uint64_t *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] ^= UINT64_C(1) << 63;
}

static np_status most(void *context, size_t count, uint64_t *values)
{
    turn_sign(count, values);
    np_status st = reduce(context, MPI_INT64_T, MPI_MAX, count, values);
    turn_sign(count, values);
    return st;
}

static np_status agree(void *context, np_status status) { return np_mpi_agree(context, status); }

static np_status meet(void *context, size_t words, const uint64_t *say, uint64_t *hear)
{
    np_mpi *mpi = context;
    np_mpi_counts *counts = &mpi->counts;
    const uint64_t others = (uint64_t)mpi->size - 1;
    counts->rounds++;
    counts->messages_sent += others;
    counts->messages_received += others;
    counts->bytes_sent += others * words * sizeof *say;
    counts->bytes_received += others * words * sizeof *say;
    return np_mpi_check(MPI_Alltoall(say, (int)words, MPI_UINT64_T, hear, (int)words, MPI_UINT64_T, mpi->comm),
                        "MPI_Alltoall");
}

/* in[r] for counts[r] records of each rank, one rank's after the other's. */
static void lay(const np_mpi *mpi, size_t size, const void *data, const uint64_t *counts, np_job_part *part)
{
    const char *at = data;
    for (int r = 0; r < mpi->size; r++) {
        part[r] = (np_job_part){at, counts[r] * size};
        at += counts[r] * size;
    }
}

static void keep_own(const np_mpi *mpi, const np_job_part *out, const np_job_part *in)
{
    if (out[mpi->rank].bytes)
        memmove((void *)(uintptr_t)in[mpi->rank].data, out[mpi->rank].data, out[mpi->rank].bytes);
}

static np_status move(void *context, size_t size, const void *send, const uint64_t *sends, void *receive,
                      const uint64_t *receives)
{
    np_mpi *mpi = context;
    np_job_part *out = mpi->part, *in = mpi->part + mpi->size;
    lay(mpi, size, send, sends, out);
    lay(mpi, size, receive, receives, in);
    keep_own(mpi, out, in);
    return np_mpi_move(mpi, out, in);
}

static np_status gather(void *context, size_t size, const void *mine, const uint64_t *counts, void *all)
{
    np_mpi *mpi = context;
    np_job_part *out = mpi->part, *in = mpi->part + mpi->size;
    for (int r = 0; r < mpi->size; r++)
        out[r] = (np_job_part){mine, counts[mpi->rank] * size};
    lay(mpi, size, all, counts, in);
    keep_own(mpi, out, in);
    return np_mpi_move(mpi, out, in);
}

static void sent(void *context, uint64_t *messages, uint64_t *bytes)
{
    const np_mpi *mpi = context;
    *messages = mpi->counts.messages_sent;
    *bytes = mpi->counts.bytes_sent;
}

const np_job *np_mpi_job(np_mpi *mpi) { return &mpi->job; }

void np_mpi_job_init(np_mpi *mpi)
{
    mpi->job = (np_job){.rank = (uint32_t)mpi->rank,
                        .size = (uint32_t)mpi->size,
                        .context = mpi,
                        .exchange = exchange,
                        .sum = sum,
                        .most = most,
                        .agree = agree,
                        .meet = meet,
                        .move = move,
                        .gather = gather,
                        .sent = sent,
                        .stream = np_mpi_stream,
                        .neighbours = (uint32_t)mpi->neighbours};
}
