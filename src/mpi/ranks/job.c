/* An np_mpi as an np_job: how the rest of the library, which knows nothing of MPI, works on many processes. */
#include "base/memory.h"
#include "mpi/ranks/mpi.h"

enum { ALIGNED = 8 };

/* in[r] gets a place among what arrived, for in[r].bytes bytes. */
static np_status place(np_mpi *mpi, np_job_part *in)
{
    uint64_t room = 0;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        room += r == mpi->rank ? 0 : (in[r].bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (room > mpi->arrived_room) {
        mpi->arrived_room = 0;
        if ((st = np_memory_grow(&mpi->arrived, 0, room, 1, "what other ranks send")))
            return st;
        mpi->arrived_room = room;
    }
    room = 0;
    for (int r = 0; r < mpi->size; r++)
        if (r != mpi->rank) {
            in[r].data = mpi->arrived + room;
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

static np_status reduce(np_mpi *mpi, MPI_Op op, size_t count, uint64_t *values)
{
    enum { AT_ONCE = 1 << 27 };
    np_status st = NP_OK;
    for (size_t at = 0; at < count && !st; at += AT_ONCE)
        st = np_mpi_check(MPI_Allreduce(MPI_IN_PLACE, values + at, (int)(count - at < AT_ONCE ? count - at : AT_ONCE),
                                        MPI_UINT64_T, op, mpi->comm),
                          "MPI_Allreduce");
    return st;
}

static np_status sum(void *context, size_t count, uint64_t *values) { return reduce(context, MPI_SUM, count, values); }

static np_status most(void *context, size_t count, uint64_t *values) { return reduce(context, MPI_MAX, count, values); }

static np_status agree(void *context, np_status status) { return np_mpi_agree(context, status); }

void np_mpi_job_init(np_mpi *mpi)
{
    mpi->job = (np_job){(uint32_t)mpi->rank, (uint32_t)mpi->size,      mpi, exchange, sum, most, agree,
                        np_mpi_stream,       (uint32_t)mpi->neighbours};
}
