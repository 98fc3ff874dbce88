/* The exchange, compared with MPI_Alltoallv: the same bytes for every rank, this one's own included. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef struct exchange_state {
    np_mpi *mpi;
    np_mpi_exchange_options options;
    int ranks, rank;
    uint64_t block; /* bytes for each rank */
    MPI_Count *count;
    MPI_Aint *place;
    int *count_of_mpi, *place_of_mpi; /* for MPI_Alltoallv */
    unsigned char *out, *in;
} exchange_state;

static unsigned char byte(int from, int to, uint64_t at)
{
    return (unsigned char)(from * 31 + to * 7 + (int)(at % 251));
}

static void teardown(void *state)
{
    exchange_state *s = state;
    if (!s)
        return;
    free(s->count);
    free(s->place);
    free(s->count_of_mpi);
    free(s->place_of_mpi);
    free(s->out);
    free(s->in);
    free(s);
}

static np_status setup(np_mpi *mpi, const bench_row *row, void **state)
{
    exchange_state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return np_status_raise(NP_ERROR_MEMORY, "no memory for the state");
    s->mpi = mpi;
    s->ranks = np_mpi_size(mpi);
    s->rank = np_mpi_rank(mpi);
    s->block = row->size / (uint64_t)s->ranks;
    np_mpi_exchange_options_init(&s->options);
    s->options.method = (np_mpi_method)row->parameter;
    size_t ranks = (size_t)s->ranks;
    s->count = calloc(ranks, sizeof *s->count);
    s->place = calloc(ranks, sizeof *s->place);
    s->count_of_mpi = calloc(ranks, sizeof *s->count_of_mpi);
    s->place_of_mpi = calloc(ranks, sizeof *s->place_of_mpi);
    s->out = calloc(ranks, s->block + 1);
    s->in = calloc(ranks, s->block + 1);
    if (!s->count || !s->place || !s->count_of_mpi || !s->place_of_mpi || !s->out || !s->in)
        return np_status_raise(NP_ERROR_MEMORY, "no memory for %llu bytes", (unsigned long long)row->size);
    for (int r = 0; r < s->ranks; r++) {
        s->count[r] = s->count_of_mpi[r] = (int)s->block;
        s->place[r] = s->place_of_mpi[r] = (int)((uint64_t)r * s->block);
        for (uint64_t i = 0; i < s->block; i++)
            s->out[(uint64_t)s->place[r] + i] = byte(s->rank, r, i);
    }
    return NP_OK;
}

static np_status run(void *state, double *units)
{
    exchange_state *s = state;
    *units = (double)s->block * s->ranks;
    return np_mpi_alltoallv(s->mpi, s->out, s->count, s->place, MPI_BYTE, s->in, s->count, s->place, MPI_BYTE,
                            &s->options, NULL);
}

static np_status calibrate(void *state, double *units)
{
    exchange_state *s = state;
    *units = (double)s->block * s->ranks;
    if (MPI_Alltoallv(s->out, s->count_of_mpi, s->place_of_mpi, MPI_BYTE, s->in, s->count_of_mpi, s->place_of_mpi,
                      MPI_BYTE, MPI_COMM_WORLD))
        return np_status_raise(NP_ERROR_IO, "MPI_Alltoallv failed");
    return NP_OK;
}

static const char *check(const void *state)
{
    const exchange_state *s = state;
    for (int r = 0; r < s->ranks; r++)
        for (uint64_t i = 0; i < s->block; i++)
            if (s->in[(uint64_t)s->place[r] + i] != byte(r, s->rank, i))
                return "what arrived is not what was sent";
    return NULL;
}

#define EXCHANGE(name, size, times, method)                                                                            \
    {                                                                                                                  \
        name, "bytes", size, times, method, setup, run, calibrate, check, teardown                                     \
    }

const bench_row bench_exchange_rows[] = {
    EXCHANGE("exchange-direct", 8 << 20, 4, NP_MPI_DIRECT),
    EXCHANGE("exchange-direct-64k", 64 << 10, 200, NP_MPI_DIRECT),
    EXCHANGE("exchange-two-phase", 8 << 20, 4, NP_MPI_TWO_PHASE),
    {0},
};
