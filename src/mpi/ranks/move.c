/*
 * Moves bytes between ranks whose sizes both ends know: receives first, then sends, the partners in rotated order, so
 * that no rank is the first one of all. A message longer than a piece goes as several with one tag, which MPI keeps in
 * order: first pieces of all messages, then second ones, and so on. So a move of one part a rank takes no memory, and
 * cannot fail for it on one rank while others wait.
 *
 * A message of several parts is one of a derived datatype, so that nobody packs it. Where a message is cut into pieces,
 * its parts are cut where the pieces are: the two ends need not have the same parts.
 */
#include <stdbool.h>

#include "base/memory.h"
#include "mpi/ranks/mpi.h"

enum {
    TAG = 1,
    TAG_EARLY = 16,      /* + the bytes of a message */
    EARLY_MOST = 1 << 20 /* bytes of a message; ours: the reduction beside a longer one costs nothing */
};

/* Where a message is cut next. */
typedef struct cursor {
    const np_mpi_part *part, *end; /* the parts that are left */
    uint64_t at;                   /* bytes of the first of them that are behind us */
} cursor;

/* What one piece consists of. */
typedef struct pieces_of_memory {
    MPI_Aint *address;
    int *length;
    int count;
} pieces_of_memory;

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

static np_status begin_piece(np_mpi *mpi, bool sends, int partner, int tag, const pieces_of_memory *memory,
                             MPI_Request *request)
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
    st = sends ? np_mpi_check(MPI_Isend(data, count, type, partner, tag, mpi->comm, request), "MPI_Isend")
               : np_mpi_check(MPI_Irecv(data, count, type, partner, tag, mpi->comm, request), "MPI_Irecv");
    if (type != MPI_BYTE) /* MPI keeps it as long as the message needs it */
        MPI_Type_free(&type);
    return st;
}

static size_t parts_of(np_mpi_lists lists, int rank)
{
    cursor all = begin_of(lists, rank);
    return (size_t)(all.end - all.part);
}

/* Places of all messages, [2 * size], and room for the pieces of memory of one piece. */
static np_status make_room(np_mpi *mpi, size_t parts, cursor **places, pieces_of_memory *memory)
{
    size_t ranks = (size_t)mpi->size;
    np_status st = np_mpi_buffer_need(
        mpi, NP_MPI_BUFFER_MOVE, 0, 2 * ranks * sizeof **places + parts * (sizeof(MPI_Aint) + sizeof(int)), 1, places);
    if (st)
        return st;
    memory->address = (MPI_Aint *)(*places + 2 * ranks);
    memory->length = (int *)(memory->address + parts);
    return NP_OK;
}

static size_t most_parts(const np_mpi *mpi, np_mpi_lists out, np_mpi_lists in)
{
    size_t most = 1;
    for (int r = 0; r < mpi->size; r++) {
        size_t more = parts_of(out, r) > parts_of(in, r) ? parts_of(out, r) : parts_of(in, r);
        most = more > most ? more : most;
    }
    return most;
}

np_status np_mpi_move_room(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in)
{
    cursor *places;
    pieces_of_memory memory;
    return make_room(mpi, out.first || in.first ? most_parts(mpi, out, in) : 1, &places, &memory);
}

np_status np_mpi_move_begin(np_mpi *mpi)
{
    const np_mpi_lists none = {NULL, NULL};
    int *tag_most, any;
    np_status st = np_memory_array(&mpi->request, (size_t)mpi->size, 2 * sizeof *mpi->request, "requests of MPI");
    mpi->requests_room = st ? 0 : 2 * (size_t)mpi->size;
    if (st || (st = np_mpi_check(MPI_Comm_get_attr(mpi->comm, MPI_TAG_UB, &tag_most, &any), "MPI_Comm_get_attr")))
        return st;
    mpi->early = any && *tag_most - TAG_EARLY < EARLY_MOST ? (uint64_t)(*tag_most - TAG_EARLY) : EARLY_MOST;
    return np_mpi_move_room(mpi, none, none);
}

/* May the message go before the ranks agree? It goes as one piece then. */
static bool is_early(const np_mpi *mpi, uint64_t bytes) { return bytes && bytes <= mpi->early && bytes <= mpi->piece; }

/* Begins the next piece of each message, if one is left; *requests counts them. early: of those that may go early. */
static np_status begin_pieces(np_mpi *mpi, bool sends, bool early, cursor *places, pieces_of_memory *memory,
                              int *requests)
{
    np_mpi_counts *c = &mpi->counts;
    uint64_t *messages = sends ? &c->messages_sent : &c->messages_received, bytes;
    uint64_t *all_bytes = sends ? &c->bytes_sent : &c->bytes_received;
    np_status st = NP_OK;
    for (int k = 1; k < mpi->size; k++) {
        int partner = (mpi->rank + (sends ? k : mpi->size - k)) % mpi->size;
        if (early && !is_early(mpi, places[partner].part->bytes))
            continue;
        if (!(bytes = cut(mpi, &places[partner], memory)))
            continue;
        if ((st = begin_piece(mpi, sends, partner, early ? TAG_EARLY + (int)bytes : TAG, memory,
                              &mpi->request[*requests])))
            break;
        ++*requests;
        ++*messages;
        *all_bytes += bytes;
    }
    return st;
}

static np_status begin_both(np_mpi *mpi, bool early, cursor *places, pieces_of_memory *memory, int *requests)
{
    np_status st = begin_pieces(mpi, false, early, places, memory, requests);
    return st ? st : begin_pieces(mpi, true, early, places + mpi->size, memory, requests);
}

/* Places at the beginning of all messages. */
static np_status place_all(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in, cursor **places, pieces_of_memory *memory)
{
    np_status st = make_room(mpi, out.first || in.first ? most_parts(mpi, out, in) : 1, places, memory);
    for (int r = 0; r < mpi->size && !st; r++) {
        (*places)[r] = begin_of(in, r);
        (*places)[mpi->size + r] = begin_of(out, r);
    }
    mpi->counts.rounds++;
    return st;
}

/* Moves what is left of the messages, of which `requests` pieces are on their way. */
static np_status move_rest(np_mpi *mpi, cursor *places, pieces_of_memory *memory, int requests)
{
    np_status st;
    while (!(st = begin_both(mpi, false, places, memory, &requests)) && requests) { /* the k-th pieces of all */
        st = np_mpi_check(MPI_Waitall(requests, mpi->request, MPI_STATUSES_IGNORE), "MPI_Waitall");
        requests = 0;
        if (st)
            break;
    }
    return st;
}

np_status np_mpi_move_lists(np_mpi *mpi, np_mpi_lists out, np_mpi_lists in)
{
    cursor *places;
    pieces_of_memory memory;
    np_status st = place_all(mpi, out, in, &places, &memory);
    return st ? st : move_rest(mpi, places, &memory, 0);
}

np_status np_mpi_move(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in)
{
    return np_mpi_move_lists(mpi, (np_mpi_lists){out, NULL}, (np_mpi_lists){in, NULL});
}

/*
 * ---- Moves that are begun before the ranks know that both ends agree ----
 *
 * The tag of such a message tells its bytes. So it meets a receive for as many, or none: it is never cut short, which
 * MPICH would end the job for.
 */

np_status np_mpi_move_early(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, int *requests)
{
    cursor *places;
    pieces_of_memory memory;
    np_status st = place_all(mpi, (np_mpi_lists){out, NULL}, (np_mpi_lists){in, NULL}, &places, &memory);
    *requests = 0;
    return st ? st : begin_both(mpi, true, places, &memory, requests);
}

np_status np_mpi_move_on(np_mpi *mpi, int requests)
{
    cursor *places; /* as np_mpi_move_early left them */
    pieces_of_memory memory;
    np_status st = make_room(mpi, 1, &places, &memory);
    return st ? st : move_rest(mpi, places, &memory, requests);
}

np_status np_mpi_nowhere(int bytes, MPI_Datatype *type)
{
    np_status st = np_mpi_check(MPI_Type_vector(bytes, 1, 0, MPI_BYTE, type), "MPI_Type_vector");
    if (st || !(st = np_mpi_check(MPI_Type_commit(type), "MPI_Type_commit")))
        return st;
    MPI_Type_free(type);
    return st;
}

static np_status receive_for_nobody(np_mpi *mpi, int from, int bytes)
{
    unsigned char last;
    MPI_Datatype type;
    np_status st;
    if ((st = np_mpi_nowhere(bytes, &type)))
        return st;
    st = np_mpi_check(MPI_Recv(&last, 1, type, from, TAG_EARLY + bytes, mpi->comm, MPI_STATUS_IGNORE), "MPI_Recv");
    MPI_Type_free(&type);
    return st;
}

np_status np_mpi_move_drop(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, int requests)
{
    uint64_t *sent = mpi->bytes, *comes = mpi->bytes + mpi->size;
    int receives = 0;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        sent[r] = requests && r != mpi->rank && is_early(mpi, out[r].bytes) ? out[r].bytes : 0;
    if ((st = np_mpi_sizes(mpi, sent, comes)))
        return st;
    for (int k = 1; k < mpi->size && requests && !st; k++) { /* in the order of begin_pieces */
        const int partner = (mpi->rank + mpi->size - k) % mpi->size;
        if (!is_early(mpi, in[partner].bytes))
            continue;
        if (comes[partner] == in[partner].bytes)
            comes[partner] = 0;
        else
            st = np_mpi_check(MPI_Cancel(&mpi->request[receives]), "MPI_Cancel");
        receives++;
    }
    for (int r = 0; r < mpi->size && !st; r++)
        if (comes[r])
            st = receive_for_nobody(mpi, r, (int)comes[r]);
    return st ? st : np_mpi_check(MPI_Waitall(requests, mpi->request, MPI_STATUSES_IGNORE), "MPI_Waitall");
}
