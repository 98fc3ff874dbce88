/*
 * patterns PATTERN BYTES: how long an exchange takes, by MPI_Alltoallv and by netpram's methods. Every rank sends BYTES
 * bytes; the pattern says to whom:
 *
 *     even         alike to all
 *     shift        all to the rank that is half of them further
 *     transpose    the bits of its number are halves a b: to ~b ~a (ranks: a power of 4)
 *     hot          to rank 0
 *
 *     mpirun -n 4 patterns even 1000000
 *
 * Rank 0 prints a line "METHOD MILLISECONDS" each, the median of 5, and what the exchange chooses by itself from rates
 * that it measured.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netpram/mpi.h>

enum { TIMES = 5 };

static int rank, ranks;

typedef struct blocks {
    unsigned char *out, *in;
    MPI_Count *sends, *receives;
    MPI_Aint *out_at, *in_at;
    int *of_mpi; /* [4 * ranks] the same for MPI_Alltoallv */
} blocks;

static int transposed(int r)
{
    int half = 0;
    while (1 << 2 * (half + 1) <= ranks)
        half++;
    int mask = (1 << half) - 1;
    return ~((r & mask) << half | r >> half) & (ranks - 1);
}

/* Bytes from one rank to another. */
static int bytes_of(const char *pattern, int bytes, int from, int to)
{
    if (!strcmp(pattern, "even"))
        return bytes / ranks;
    if (!strcmp(pattern, "shift"))
        return to == (from + ranks / 2) % ranks ? bytes : 0;
    if (!strcmp(pattern, "hot"))
        return to == 0 ? bytes : 0;
    return to == transposed(from) ? bytes : 0;
}

static void make_blocks(blocks *b, const char *pattern, int bytes)
{
    int out = 0, in = 0;
    *b = (blocks){.sends = calloc((size_t)ranks, sizeof *b->sends),
                  .receives = calloc((size_t)ranks, sizeof *b->sends),
                  .out_at = calloc((size_t)ranks, sizeof *b->out_at),
                  .in_at = calloc((size_t)ranks, sizeof *b->in_at),
                  .of_mpi = calloc(4 * (size_t)ranks, sizeof *b->of_mpi)};
    for (int r = 0; r < ranks; r++) {
        b->sends[r] = b->of_mpi[r] = bytes_of(pattern, bytes, rank, r);
        b->receives[r] = b->of_mpi[2 * ranks + r] = bytes_of(pattern, bytes, r, rank);
        b->out_at[r] = b->of_mpi[ranks + r] = out;
        b->in_at[r] = b->of_mpi[3 * ranks + r] = in;
        out += (int)b->sends[r];
        in += (int)b->receives[r];
    }
    b->out = calloc((size_t)out + 1, 1);
    b->in = calloc((size_t)in + 1, 1);
    memset(b->out, rank, (size_t)out);
}

static void free_blocks(blocks *b)
{
    free(b->out);
    free(b->in);
    free(b->sends);
    free(b->receives);
    free(b->out_at);
    free(b->in_at);
    free(b->of_mpi);
}

/* NULL: by MPI itself. */
static np_status exchange(np_mpi *mpi, const blocks *b, const np_mpi_exchange_options *options,
                          np_mpi_exchange_result *result)
{
    if (options)
        return np_mpi_alltoallv(mpi, b->out, b->sends, b->out_at, MPI_BYTE, b->in, b->receives, b->in_at, MPI_BYTE,
                                options, result);
    MPI_Alltoallv(b->out, b->of_mpi, b->of_mpi + ranks, MPI_BYTE, b->in, b->of_mpi + 2 * ranks, b->of_mpi + 3 * ranks,
                  MPI_BYTE, MPI_COMM_WORLD);
    return NP_OK;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static np_status time_it(np_mpi *mpi, const blocks *b, const char *name, const np_mpi_exchange_options *options)
{
    double seconds[TIMES + 1];
    np_mpi_exchange_result result = {.why = ""};
    np_status st = NP_OK;
    for (int i = 0; i <= TIMES && !st; i++) { /* the first one opens connections */
        MPI_Barrier(MPI_COMM_WORLD);
        seconds[i] = -MPI_Wtime();
        st = exchange(mpi, b, options, &result);
        seconds[i] += MPI_Wtime();
        MPI_Allreduce(MPI_IN_PLACE, &seconds[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(seconds + 1, TIMES, sizeof *seconds, by_value);
    if (!st && !rank) {
        printf("%-10s %8.1f", name, seconds[1 + TIMES / 2] * 1e3);
        if (options && options->method == NP_MPI_AUTO)
            printf("  %s: %s (%.1f, %.1f expected)", result.method == NP_MPI_DIRECT ? "direct" : "two-phase",
                   result.why, result.direct_seconds * 1e3, result.two_phase_seconds * 1e3);
        printf("\n");
        fflush(stdout);
    }
    return st;
}

static np_status run(np_mpi *mpi, const char *pattern, int bytes)
{
    np_mpi_exchange_options options;
    blocks b;
    np_status st;
    np_mpi_exchange_options_init(&options);
    make_blocks(&b, pattern, bytes);
    st = time_it(mpi, &b, "alltoallv", NULL);
    options.method = NP_MPI_DIRECT;
    if (!st)
        st = time_it(mpi, &b, "direct", &options);
    options.method = NP_MPI_TWO_PHASE;
    if (!st)
        st = time_it(mpi, &b, "two-phase", &options);
    options.method = NP_MPI_AUTO;
    if (!st && !(st = np_mpi_network_measure(mpi, (uint64_t)bytes, &options.network)))
        st = time_it(mpi, &b, "auto", &options);
    for (MPI_Count i = 0, at = 0; i < ranks; i++)
        for (MPI_Count k = 0; k < b.receives[i] && !st; k++, at++)
            if (b.in[at] != (unsigned char)i)
                st = np_status_raise(NP_ERROR_INTERNAL, "wrong bytes from rank %d", (int)i);
    free_blocks(&b);
    return np_mpi_agree(mpi, st);
}

int main(int argc, char **argv)
{
    np_mpi *mpi = NULL;
    np_status st = NP_OK;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi);
    if (!st)
        st = run(mpi, argc > 1 ? argv[1] : "even", argc > 2 ? atoi(argv[2]) : 100000);
    if (st && !rank)
        fprintf(stderr, "patterns: %s\n", np_last_error());
    np_mpi_free(mpi);
    MPI_Finalize();
    return st ? 1 : 0;
}
