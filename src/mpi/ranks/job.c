/* An np_mpi as an np_job: how the rest of the library, which knows nothing of MPI, works on many processes. */
#include <string.h>

#include "mpi/ranks/mpi.h"

static np_status reduce_by(np_mpi *mpi, MPI_Datatype type, MPI_Op op, size_t count, uint64_t *values)
{
    enum { AT_ONCE = 1 << 27 };
    np_status st = NP_OK;
    for (size_t at = 0; at < count && !st; at += AT_ONCE)
        st = np_mpi_check(MPI_Allreduce(MPI_IN_PLACE, values + at, (int)(count - at < AT_ONCE ? count - at : AT_ONCE),
                                        type, op, mpi->comm),
                          "MPI_Allreduce");
    return st;
}

/* MPICH 4.0 compares unsigned numbers as if they were signed. So signed ones in the same order are compared. */
static void turn_sign(size_t count, uint64_t *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] ^= UINT64_C(1) << 63;
}

static np_status reduce(void *context, np_job_reduction to, size_t count, uint64_t *values)
{
    if (to == NP_JOB_SUM)
        return reduce_by(context, MPI_UINT64_T, MPI_SUM, count, values);
    turn_sign(count, values);
    np_status st = reduce_by(context, MPI_INT64_T, MPI_MAX, count, values);
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
static void lay(const np_mpi *mpi, size_t size, const void *data, const uint64_t *counts, np_mpi_part *part)
{
    const char *at = data;
    for (int r = 0; r < mpi->size; r++) {
        part[r] = (np_mpi_part){at, counts[r] * size};
        at += counts[r] * size;
    }
}

static void keep_own(const np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in)
{
    if (out[mpi->rank].bytes)
        memmove((void *)(uintptr_t)in[mpi->rank].data, out[mpi->rank].data, out[mpi->rank].bytes);
}

static np_status move(void *context, size_t size, const void *send, const uint64_t *sends, void *receive,
                      const uint64_t *receives)
{
    np_mpi *mpi = context;
    np_mpi_part *out = mpi->part, *in = mpi->part + mpi->size;
    lay(mpi, size, send, sends, out);
    lay(mpi, size, receive, receives, in);
    keep_own(mpi, out, in);
    return np_mpi_move(mpi, out, in);
}

static np_status gather(void *context, size_t size, const void *mine, const uint64_t *counts, void *all)
{
    np_mpi *mpi = context;
    np_mpi_part *out = mpi->part, *in = mpi->part + mpi->size;
    for (int r = 0; r < mpi->size; r++)
        out[r] = (np_mpi_part){mine, counts[mpi->rank] * size};
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
                        .reduce = reduce,
                        .agree = agree,
                        .meet = meet,
                        .move = move,
                        .gather = gather,
                        .sent = sent,
                        .stream = np_mpi_stream,
                        .neighbours = (uint32_t)mpi->neighbours};
}
