/*
 * Moves bytes between ranks whose sizes both ends know: receives first, then sends, the partners in rotated order, so
 * that no rank is the first one of all. A message longer than a piece goes as several with one tag, which MPI keeps in
 * order.
 *
 * A message of several parts is one of a derived datatype, so that nobody packs it. Where a message is cut into pieces,
 * its parts are cut where the pieces are: the two ends need not have the same parts.
 */
#include <stdbool.h>

#include "base/memory.h"
#include "mpi/ranks/mpi.h"

enum { TAG = 1 };

/* Where a message is cut next. */
typedef struct cursor {
    const np_job_part *part, *end; /* the parts that are left */
    uint64_t at;                   /* bytes of the first of them that are behind us */
} cursor;

/* What one piece consists of. */
typedef struct pieces_of_memory {
    MPI_Aint *address;
    int *length;
    int count;
} pieces_of_memory;

static uint64_t pieces(const np_mpi *mpi, uint64_t bytes) { return bytes / mpi->piece + (bytes % mpi->piece != 0); }

np_status np_mpi_sizes(np_mpi *mpi, const uint64_t *out, uint64_t *in)
{
    return np_mpi_check(MPI_Alltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, mpi->comm), "MPI_Alltoall");
}

static cursor begin_of(np_mpi_lists lists, int rank)
{
    size_t first = lists.first ? lists.first[rank] : (size_t)rank;
    size_t end = lists.first ? lists.first[rank + 1] : first + 1;
    return (cursor){lists.part + first, lists.part + end, 0};
}

static uint64_t bytes_of(np_mpi_lists lists, int rank)
{
    cursor all = begin_of(lists, rank);
    uint64_t bytes = 0;
    for (const np_job_part *part = all.part; part < all.end; part++)
        bytes += part->bytes;
    return bytes;
}

/* Cuts the next piece off: the pieces of memory in it. Returns its bytes, 0 at the end. */
static uint64_t cut(const np_mpi *mpi, cursor *place, pieces_of_memory *memory)
{
    uint64_t bytes = 0;
    memory->count = 0;
    while (place->part < place->end && bytes < mpi->piece) {
        uint64_t left = place->part->bytes - place->at, room = mpi->piece - bytes, take = left < room ? left : room;
        if (take) {
            memory->address[memory->count] = (MPI_Aint)((uintptr_t)place->part->data + place->at);
            memory->length[memory->count++] = (int)take;
        }
        bytes += take;
        place->at += take;
        if (place->at == place->part->bytes) {
            place->part++;
            place->at = 0;
        }
    }
    return bytes;
}

static np_status begin_piece(np_mpi *mpi, bool sends, int partner, const pieces_of_memory *memory, MPI_Request *request)
{
    MPI_Datatype type = MPI_BYTE;
    void *data = MPI_BOTTOM;
    int count = 1;
    np_status st = NP_OK;
    if (memory->count == 1) {
        data = (void *)(uintptr_t)memory->address[0];
        count = memory->length[0];
    } else if ((st = np_mpi_check(
                    MPI_Type_create_hindexed(memory->count, memory->length, memory->address, MPI_BYTE, &type),
                    "MPI_Type_create_hindexed")) ||
               (st = np_mpi_check(MPI_Type_commit(&type), "MPI_Type_commit"))) {
        return st;
    }
    st = sends ? np_mpi_check(MPI_Isend(data, count, type, partner, TAG, mpi->comm, request), "MPI_Isend")
               : np_mpi_check(MPI_Irecv(data, count, type, partner, TAG, mpi->comm, request), "MPI_Irecv");
    if (type != MPI_BYTE) /* MPI keeps it as long as the message needs it */
        MPI_Type_free(&type);
    return st;
}

/* Begins the pieces of one message; *requests counts them. */
static np_status begin(np_mpi *mpi, bool sends, int partner, np_mpi_lists lists, pieces_of_memory *memory,
                       size_t *requests)
{
    cursor place = begin_of(lists, partner);
    np_status st = NP_OK;
    while (!st && cut(mpi, &place, memory))
        st = begin_piece(mpi, sends, partner, memory, &mpi->request[(*requests)++]);
    return st;
}

static size_t parts_of(np_mpi_lists lists, int rank)
{
    cursor all = begin_of(lists, rank);
    return (size_t)(all.end - all.part);
}

static np_status make_room(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in, pieces_of_memory *memory)
{
    uint64_t need = 0;
    size_t most = 1;
    np_status st;
    for (int r = 0; r < mpi->size; r++) {
        size_t more = parts_of(out, r) > parts_of(in, r) ? parts_of(out, r) : parts_of(in, r);
        most = more > most ? more : most;
        if (r != mpi->rank)
            need += pieces(mpi, bytes_of(out, r)) + pieces(mpi, bytes_of(in, r));
    }
    if ((st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_TYPE, 0, most, sizeof(MPI_Aint) + sizeof(int), &memory->address)))
        return st;
    memory->length = (int *)(memory->address + most);
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

np_status np_mpi_move_room(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in)
{
    pieces_of_memory memory;
    return make_room(mpi, out, in, &memory);
}

np_status np_mpi_move_lists(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in)
{
    np_mpi_counts *counts = &mpi->counts;
    pieces_of_memory memory;
    size_t requests = 0;
    np_status st = make_room(mpi, out, in, &memory);
    counts->rounds++;
    for (int k = 1; k < mpi->size && !st; k++) {
        int from = (mpi->rank + mpi->size - k) % mpi->size;
        size_t before = requests;
        st = begin(mpi, false, from, in, &memory, &requests);
        counts->messages_received += requests - before;
        counts->bytes_received += bytes_of(in, from);
    }
    for (int k = 1; k < mpi->size && !st; k++) {
        int to = (mpi->rank + k) % mpi->size;
        size_t before = requests;
        st = begin(mpi, true, to, out, &memory, &requests);
        counts->messages_sent += requests - before;
        counts->bytes_sent += bytes_of(out, to);
    }
    return st ? st : wait_all(mpi, requests);
}

np_status np_mpi_move(np_mpi *mpi, const np_job_part *out, const np_job_part *in)
{
    return np_mpi_move_lists(mpi, (np_mpi_lists){out, NULL}, (np_mpi_lists){in, NULL});
}
