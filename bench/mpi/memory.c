/*
 * Shared memory: as many requests a rank as it has words, 2^20. Compared with random read-modify-writes of each rank in
 * memory of its own, far larger than the cache.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"

enum { FAR = 1 << 25 }; /* words of the calibration */

/* The parameter of a row: to which words the requests go. */
enum { UNIFORM, READ, HOT, SKEWED, ZIPF };

typedef struct memory_state {
    np_mpi *mpi;
    np_mpi_array *array;
    int what;
    uint64_t count, cells, random;
    uint64_t *address, *far;
    np_word *value;
} memory_state;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t draw(memory_state *s) { return mix(s->random += UINT64_C(0x9e3779b97f4a7c15)); }

/* Word k of n with a probability that falls as 1 / k; words are numbered at random. */
static uint64_t zipf(memory_state *s)
{
    double u = (double)(draw(s) >> 11) * 0x1p-53;
    return mix((uint64_t)exp(u * log((double)s->cells))) % s->cells;
}

static uint64_t pick(memory_state *s)
{
    uint64_t any = draw(s) % s->cells;
    switch (s->what) {
    case HOT:
        return s->cells / 3;
    case SKEWED:
        return draw(s) % 10 ? s->cells / 3 : any;
    case ZIPF:
        return zipf(s);
    default:
        return any;
    }
}

static void teardown(void *state)
{
    memory_state *s = state;
    if (!s)
        return;
    np_mpi_array_free(s->array);
    free(s->address);
    free(s->far);
    free(s->value);
    free(s);
}

/* What a word holds at first. */
static np_word content(const memory_state *s, uint64_t address) { return s->what == READ ? (np_word)mix(address) : 0; }

static np_status setup(np_mpi *mpi, const bench_row *row, void **state)
{
    memory_state *s = *state = calloc(1, sizeof *s);
    np_status st;
    if (!s)
        return np_status_raise(NP_ERROR_MEMORY, "no memory for the state");
    *s = (memory_state){.mpi = mpi, .what = row->parameter, .count = row->size};
    s->cells = row->size * (uint64_t)np_mpi_size(mpi);
    s->random = (uint64_t)np_mpi_rank(mpi) << 40;
    if ((st = np_mpi_array_create(mpi, s->cells, NULL, &s->array)))
        return st;
    s->address = malloc(s->count * sizeof *s->address);
    s->value = malloc(s->count * sizeof *s->value);
    s->far = calloc(FAR, sizeof *s->far);
    if (!s->address || !s->value || !s->far)
        return np_status_raise(NP_ERROR_MEMORY, "no memory for %llu requests", (unsigned long long)s->count);
    for (uint64_t i = 0; i < s->count; i++) {
        s->address[i] = pick(s);
        s->value[i] = 1;
    }
    for (size_t i = 0; i < np_mpi_array_runs(s->array); i++) {
        np_mpi_run run = np_mpi_array_run(s->array, i);
        for (uint64_t k = 0; k < run.count; k++)
            run.word[k] = content(s, run.address + k);
    }
    for (uint64_t i = 0; i < FAR; i++)
        s->far[i] = i;
    return NP_OK;
}

static np_status run(void *state, double *units)
{
    memory_state *s = state;
    *units = (double)s->count;
    if (s->what == READ)
        return np_mpi_array_read(s->array, s->count, s->address, s->value);
    return np_mpi_array_fetch(s->array, NP_MPI_ADD, s->count, s->address, s->value);
}

static np_status calibrate(void *state, double *units)
{
    memory_state *s = state;
    *units = (double)s->count;
    for (uint64_t i = 0; i < s->count; i++)
        s->far[draw(s) % FAR] += i;
    return NP_OK;
}

/* All words together have what was added; an answer is less than what its word has now. */
static const char *check(const void *state)
{
    const memory_state *s = state;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < s->count; i++)
        if (s->what == READ ? s->value[i] != content(s, s->address[i])
                            : s->value[i] < 0 || (uint64_t)s->value[i] >= s->cells)
            return "an answer is wrong";
    for (size_t i = 0; i < np_mpi_array_runs(s->array) && s->what != READ; i++) {
        np_mpi_run own = np_mpi_array_run(s->array, i);
        for (uint64_t k = 0; k < own.count; k++)
            sum += (uint64_t)own.word[k];
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return s->what == READ || sum == s->cells ? NULL : "the words are not what was added to them";
}

#define MEMORY(name, what)                                                                                             \
    {                                                                                                                  \
        name, "accesses", 1 << 20, 8, what, setup, run, calibrate, check, teardown                                     \
    }

const bench_row bench_memory_rows[] = {
    MEMORY("memory-uniform", UNIFORM), MEMORY("memory-read", READ), MEMORY("memory-hot", HOT),
    MEMORY("memory-skewed", SKEWED),   MEMORY("memory-zipf", ZIPF), {0},
};
