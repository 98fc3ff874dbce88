/*
 * Moves bytes between ranks whose sizes both ends know: receives first, then sends, the partners in rotated order, so
 * that no rank is the first one of all. A message longer than a piece goes as several with one tag, which MPI keeps in
 * order.
 */
#include <stdbool.h>

#include "base/memory.h"
#include "mpi/ranks/mpi.h"

enum { TAG = 1 };

static uint64_t pieces(const np_mpi *mpi, uint64_t bytes) { return bytes / mpi->piece + (bytes % mpi->piece != 0); }

np_status np_mpi_sizes(np_mpi *mpi, const uint64_t *out, uint64_t *in)
{
    return np_mpi_check(MPI_Alltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, mpi->comm), "MPI_Alltoall");
}

/* Begins the pieces of one message; *requests counts them. */
static np_status begin(np_mpi *mpi, bool sends, int partner, np_job_part part, size_t *requests)
{
    unsigned char *data = (unsigned char *)(uintptr_t)part.data; /* a receive's is not const */
    np_status st = NP_OK;
    for (uint64_t at = 0; at < part.bytes && !st; at += mpi->piece) {
        int count = (int)(part.bytes - at < mpi->piece ? part.bytes - at : mpi->piece);
        MPI_Request *request = &mpi->request[(*requests)++];
        st = sends ? np_mpi_check(MPI_Isend(data + at, count, MPI_BYTE, partner, TAG, mpi->comm, request), "MPI_Isend")
                   : np_mpi_check(MPI_Irecv(data + at, count, MPI_BYTE, partner, TAG, mpi->comm, request), "MPI_Irecv");
    }
    return st;
}

np_status np_mpi_move_room(np_mpi *mpi, const np_job_part *out, const np_job_part *in)
{
    uint64_t need = 0;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        if (r != mpi->rank)
            need += pieces(mpi, out[r].bytes) + pieces(mpi, in[r].bytes);
    if (need <= mpi->requests_room)
        return NP_OK;
    if ((st = np_memory_grow(&mpi->request, 0, need, sizeof *mpi->request, "requests of MPI")))
        return st;
    mpi->requests_room = need;
    return NP_OK;
}

/* MPI counts the requests of a wait in an int, too. */
static np_status wait_all(np_mpi *mpi, size_t requests)
{
    enum { AT_ONCE = 1 << 20 };
    np_status st = NP_OK;
    for (size_t at = 0; at < requests && !st; at += AT_ONCE) {
        int count = (int)(requests - at < AT_ONCE ? requests - at : AT_ONCE);
        st = np_mpi_check(MPI_Waitall(count, mpi->request + at, MPI_STATUSES_IGNORE), "MPI_Waitall");
    }
    return st;
}

np_status np_mpi_move(np_mpi *mpi, const np_job_part *out, const np_job_part *in)
{
    np_mpi_counts *counts = &mpi->counts;
    size_t requests = 0;
    np_status st = np_mpi_move_room(mpi, out, in);
    counts->rounds++;
    for (int k = 1; k < mpi->size && !st; k++) {
        int from = (mpi->rank + mpi->size - k) % mpi->size;
        st = begin(mpi, false, from, in[from], &requests);
        counts->messages_received += pieces(mpi, in[from].bytes);
        counts->bytes_received += in[from].bytes;
    }
    for (int k = 1; k < mpi->size && !st; k++) {
        int to = (mpi->rank + k) % mpi->size;
        st = begin(mpi, true, to, out[to], &requests);
        counts->messages_sent += pieces(mpi, out[to].bytes);
        counts->bytes_sent += out[to].bytes;
    }
    return st ? st : wait_all(mpi, requests);
}
