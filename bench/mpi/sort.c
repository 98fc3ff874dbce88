/*
 * Sorts of 64-bit keys, compared with MPI_Alltoallv of as many: what it would take if every rank knew where its keys
 * belong, and had no order to make.
 */
#include <stdlib.h>

#include "bench.h"

/* The keys of the rows; staggered: random ones, all on odd ranks. */
enum { RANDOM, STAGGERED, EQUAL };

typedef struct sort_state {
    np_mpi *mpi;
    uint64_t count, sum; /* of this rank's keys */
    uint64_t *keys, *moved;
    np_mpi_sorted sorted;
    int *counts, *places; /* for MPI_Alltoallv */
    int block;
} sort_state;

static void teardown(void *state)
{
    sort_state *s = state;
    if (!s)
        return;
    np_mpi_sorted_clear(&s->sorted);
    free(s->keys);
    free(s->moved);
    free(s->counts);
    free(s->places);
    free(s);
}

/* A generator that is not the library's: splitmix64. */
static uint64_t lot(uint64_t *seed)
{
    uint64_t x = *seed += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static np_status setup(np_mpi *mpi, const bench_row *row, void **state)
{
    sort_state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return np_status_raise(NP_ERROR_MEMORY, "no memory for the state");
    int ranks = np_mpi_size(mpi), rank = np_mpi_rank(mpi);
    uint64_t seed = (uint64_t)rank << 48;
    s->mpi = mpi;
    s->count = row->size;
    if (row->parameter == STAGGERED && ranks > 1)
        s->count = rank % 2 ? 2 * row->size : 0;
    s->block = (int)(row->size / (uint64_t)ranks);
    s->keys = malloc((s->count + row->size) * sizeof *s->keys);
    s->moved = malloc((row->size + 1) * sizeof *s->moved);
    s->counts = calloc((size_t)ranks, sizeof *s->counts);
    s->places = calloc((size_t)ranks, sizeof *s->places);
    if (!s->keys || !s->moved || !s->counts || !s->places)
        return np_status_raise(NP_ERROR_MEMORY, "no memory for %llu keys", (unsigned long long)row->size);
    for (uint64_t i = 0; i < s->count + row->size; i++)
        s->keys[i] = row->parameter == EQUAL ? 7 : lot(&seed);
    for (uint64_t i = 0; i < s->count; i++)
        s->sum += s->keys[i];
    for (int r = 0; r < ranks; r++) {
        s->counts[r] = s->block;
        s->places[r] = r * s->block;
    }
    return NP_OK;
}

static np_status run(void *state, double *units)
{
    sort_state *s = state;
    *units = (double)s->count;
    return np_mpi_sort(s->mpi, s->count, s->keys, NULL, &s->sorted);
}

static np_status calibrate(void *state, double *units)
{
    sort_state *s = state;
    *units = (double)s->block * np_mpi_size(s->mpi);
    if (MPI_Alltoallv(s->keys, s->counts, s->places, MPI_UINT64_T, s->moved, s->counts, s->places, MPI_UINT64_T,
                      MPI_COMM_WORLD))
        return np_status_raise(NP_ERROR_IO, "MPI_Alltoallv failed");
    return NP_OK;
}

/* Ascending on this rank and from rank to rank, as many keys as before and with their sum. */
static const char *check(const void *state)
{
    const sort_state *s = state;
    const uint64_t *keys = s->sorted.records;
    uint64_t left[2] = {s->sum, s->count}, last = 0, before = 0;
    for (uint64_t i = 0; i < s->sorted.count; i++) {
        if (keys[i] < last)
            return "the keys of a rank are not sorted";
        left[0] -= last = keys[i];
    }
    left[1] -= s->sorted.count;
    MPI_Allreduce(MPI_IN_PLACE, left, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (left[0] || left[1])
        return "the keys are not those that were given";
    MPI_Exscan(&last, &before, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (np_mpi_rank(s->mpi) && s->sorted.count && keys[0] < before)
        return "the keys of a rank are below those of the rank before";
    return NULL;
}

#define SORT(name, times, parameter)                                                                                   \
    {                                                                                                                  \
        name, "keys", 1 << 20, times, parameter, setup, run, calibrate, check, teardown                                \
    }

const bench_row bench_sort_rows[] = {
    SORT("sort-random", 8, RANDOM),
    SORT("sort-staggered", 8, STAGGERED),
    SORT("sort-equal", 8, EQUAL),
    {0},
};
