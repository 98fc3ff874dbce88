/*
 * The object: a duplicated communicator whose errors are returned, and one status of all ranks.
 *
 * An error of one rank becomes one of all by a reduction to the lowest rank that has one, which then tells the others
 * its status and message. So a call costs one reduction of an int where all goes well.
 */
#include "mpi/ranks/mpi.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/room.h"

enum { SEED = 1, PIECE_LEAST = 8 };

void np_mpi_options_init(np_mpi_options *options) { *options = (np_mpi_options){.seed = SEED}; }

np_status np_mpi_check(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return NP_OK;
    if (MPI_Error_string(code, text, &length))
        return NP_RAISE(NP_ERROR_IO, "%s failed with MPI's error %d", call, code);
    return NP_RAISE(NP_ERROR_IO, "%s failed: %.*s", call, length, text);
}

/* Has no object yet, so that nothing can be agreed on: what is wrong here is so on all ranks. */
static np_status check_communicator(MPI_Comm comm)
{
    int running = 0, between = 0;
    if (MPI_Initialized(&running) || !running)
        return NP_RAISE(NP_ERROR_INPUT, "MPI is not initialized: call MPI_Init first");
    if (MPI_Finalized(&running) || running)
        return NP_RAISE(NP_ERROR_INPUT, "MPI is finalized");
    if (comm == MPI_COMM_NULL)
        return NP_RAISE(NP_ERROR_INPUT, "the communicator is MPI_COMM_NULL");
    if (MPI_Comm_test_inter(comm, &between) || between)
        return NP_RAISE(NP_ERROR_INPUT, "an intercommunicator has two groups: merge them first (MPI_Intercomm_merge)");
    return NP_OK;
}

/* The least and the largest of each are compared. */
np_status np_mpi_same(np_mpi *mpi, size_t count, const uint64_t *values, const char *what)
{
    uint64_t most[2 * NP_MPI_SAME_MOST];
    np_status st;
    for (size_t i = 0; i < count; i++) {
        most[i] = values[i];
        most[count + i] = ~values[i];
    }
    st = np_job_most(&mpi->job, 2 * count, most);
    for (size_t i = 0; i < count && !st; i++)
        if (most[i] != ~most[count + i])
            st = NP_RAISE(NP_ERROR_INPUT, "%s must be the same on all ranks", what);
    return st;
}

/* Options must be in range, and the same everywhere. */
static np_status set_options(np_mpi *mpi, const np_mpi_options *options)
{
    const uint64_t mine[] = {options->seed, options->piece};
    np_status st = NP_OK;
    if (options->piece && (options->piece < PIECE_LEAST || options->piece > INT_MAX))
        st = NP_RAISE(NP_ERROR_INPUT, "piece is %llu bytes: it must be 0 or in %d..%d",
                      (unsigned long long)options->piece, PIECE_LEAST, INT_MAX);
    if ((st = np_mpi_agree(mpi, st)) || (st = np_mpi_same(mpi, 2, mine, "the seed and the piece")))
        return st;
    mpi->seed = options->seed;
    mpi->piece = options->piece ? options->piece : INT_MAX;
    return NP_OK;
}

static np_status count_neighbours(np_mpi *mpi)
{
    MPI_Comm machine;
    np_status st;
    if ((st = np_mpi_check(MPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, mpi->rank, MPI_INFO_NULL, &machine),
                           "MPI_Comm_split_type")))
        return st;
    st = np_mpi_check(MPI_Comm_size(machine, &mpi->neighbours), "MPI_Comm_size");
    MPI_Comm_free(&machine);
    return st;
}

static np_status make_inside(np_mpi *mpi, MPI_Comm comm)
{
    np_status st;
    if ((st = np_mpi_check(MPI_Comm_dup(comm, &mpi->comm), "MPI_Comm_dup")) ||
        (st = np_mpi_check(MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler")) ||
        (st = np_mpi_check(MPI_Comm_rank(mpi->comm, &mpi->rank), "MPI_Comm_rank")) ||
        (st = np_mpi_check(MPI_Comm_size(mpi->comm, &mpi->size), "MPI_Comm_size")))
        return st;
    return count_neighbours(mpi);
}

/* On a rank that has no memory for the object, too, the others learn of it: by one without memory of its own. */
static np_status allocate(MPI_Comm comm, np_mpi **out)
{
    np_mpi made = {.comm = MPI_COMM_NULL};
    np_status st = make_inside(&made, comm);
    if (!st)
        st = np_mpi_agree(&made, np_memory_zeroed(out, 1, sizeof **out, "ranks"));
    if (!st)
        **out = made;
    else if (made.comm != MPI_COMM_NULL)
        MPI_Comm_free(&made.comm);
    return st;
}

np_status np_mpi_create(MPI_Comm comm, const np_mpi_options *options, np_mpi **out)
{
    np_mpi_options usual;
    np_mpi *mpi = NULL;
    np_status st;
    *out = NULL;
    np_mpi_options_init(&usual);
    if ((st = check_communicator(comm)))
        return st;
    if ((st = allocate(comm, &mpi))) {
        np_memory_free(mpi);
        return st;
    }
    np_mpi_job_init(mpi);
    st = np_memory_array(&mpi->bytes, (size_t)mpi->size, 2 * sizeof *mpi->bytes, "counts of ranks");
    if (!st)
        st = np_memory_array(&mpi->part, (size_t)mpi->size, 2 * sizeof *mpi->part, "parts of ranks");
    if (!st)
        st = np_mpi_move_begin(mpi);
    if ((st = np_mpi_agree(mpi, st)) || (st = set_options(mpi, options ? options : &usual)))
        goto out;
    *out = mpi;
    mpi = NULL;
out:
    np_mpi_free(mpi);
    return st;
}

void np_mpi_free(np_mpi *mpi)
{
    if (!mpi)
        return;
    if (mpi->comm != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->comm);
    np_mpi_memory_free(mpi->memory);
    NP_MEMORY_FREE(mpi->bytes, mpi->part, mpi->request);
    np_mpi_streams_free(mpi->streams);
    for (size_t i = 0; i < NP_MPI_BUFFERS; i++)
        np_memory_free(mpi->buffer[i].data);
    np_memory_free(mpi);
}

np_status np_mpi_buffer_need(np_mpi *mpi, np_mpi_buffer which, size_t kept, size_t count, size_t size, void *out)
{
    void **data = &mpi->buffer[which].data;
    np_status st = NP_OK;
    if (count > SIZE_MAX / 2 / size)
        st = NP_RAISE(NP_ERROR_LIMIT, "a buffer of %zu items of %zu bytes is more than memory has", count, size);
    else
        st = np_memory_need(data, kept, count * size, &mpi->buffer[which].room, 1, "buffers of the ranks");
    memcpy(out, data, sizeof *data);
    return st;
}

int np_mpi_rank(const np_mpi *mpi) { return mpi->rank; }

int np_mpi_size(const np_mpi *mpi) { return mpi->size; }

/* The message as all ranks will have it: it names its rank, unless all have an error, or had this one before. */
static void name_rank(const np_mpi *mpi, bool all, char *text, size_t room)
{
    if (all || !strcmp(np_last_error(), mpi->agreed))
        snprintf(text, room, "%s", np_last_error());
    else
        snprintf(text, room, "rank %d: %s", mpi->rank, np_last_error());
}

np_status np_mpi_agree(np_mpi *mpi, np_status status)
{
    struct {
        int status;
        char text[sizeof mpi->agreed];
    } told = {0};
    int mine[2] = {status ? mpi->rank : mpi->size, status != NP_OK}, least[2] = {0, 0};
    np_status st = np_mpi_check(MPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, mpi->comm), "MPI_Allreduce");
    int first = least[0];
    if (st || first == mpi->size)
        return st;
    if (first == mpi->rank) {
        told.status = status;
        name_rank(mpi, least[1], told.text, sizeof told.text);
    }
    if ((st = np_mpi_check(MPI_Bcast(&told, sizeof told, MPI_BYTE, first, mpi->comm), "MPI_Bcast")))
        return st;
    memcpy(mpi->agreed, told.text, sizeof told.text);
    return NP_RAISE((np_status)told.status, "%s", told.text);
}

np_status np_mpi_statistics_get(np_mpi *mpi, np_mpi_statistics *out)
{
    const np_mpi_counts *c = &mpi->counts;
    uint64_t mine[] = {c->messages_sent, c->bytes_sent}, sum[2];
    uint64_t most[] = {c->rounds, c->messages_sent > c->messages_received ? c->messages_sent : c->messages_received,
                       c->bytes_sent > c->bytes_received ? c->bytes_sent : c->bytes_received};
    np_status st = np_mpi_check(MPI_Allreduce(mine, sum, 2, MPI_UINT64_T, MPI_SUM, mpi->comm), "MPI_Allreduce");
    if (!st)
        st = np_job_most(&mpi->job, 3, most);
    if (!st)
        *out = (np_mpi_statistics){most[0], sum[0], sum[1], most[1], most[2]};
    return st;
}

void np_mpi_statistics_reset(np_mpi *mpi) { mpi->counts = (np_mpi_counts){0}; }
