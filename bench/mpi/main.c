/*
 * netpram-mpi-bench: how fast libnetpram-mpi is on these ranks.
 *
 *     mpirun -n 2 netpram-mpi-bench [--repeats N] [--size N] [KERNEL...]
 *
 * Rank 0 prints a line of JSON for each kernel: {"kernel": ..., "ranks": ..., "rate": ..., "unit": ..., "calibration":
 * ...}. Rates are units a second of all ranks together, the median of the repeats; the calibration is that of the plain
 * call it stands beside, measured in turn with it. --size replaces the share of a rank.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { REPEATS_MOST = 1001 };

static const bench_row *const lists[] = {bench_exchange_rows, bench_memory_rows, bench_sort_rows};

typedef struct arguments {
    unsigned repeats;
    uint64_t size; /* 0: that of the row */
    char **names;  /* NULL behind the last one; none: all kernels */
} arguments;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* One measurement: units a second of all ranks, by the time of the slowest. */
static np_status measure(np_mpi *mpi, np_status (*call)(void *, double *), void *state, unsigned times, double *rate)
{
    double units = 0, all = 0, seconds;
    np_status st = NP_OK;
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = -MPI_Wtime();
    for (unsigned i = 0; i < times && !st; i++)
        st = call(state, &units);
    seconds += MPI_Wtime();
    units *= times;
    MPI_Allreduce(&units, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *rate = all / seconds;
    return np_mpi_agree(mpi, st);
}

static np_status check(np_mpi *mpi, const bench_row *row, void *state)
{
    const char *wrong = row->check(state);
    return np_mpi_agree(mpi, wrong ? np_status_raise(NP_ERROR_INTERNAL, "%s: %s", row->name, wrong) : NP_OK);
}

static np_status run_row(np_mpi *mpi, const bench_row *row, unsigned repeats)
{
    double rate[REPEATS_MOST], calibration[REPEATS_MOST];
    void *state = NULL;
    np_status st = np_mpi_agree(mpi, row->setup(mpi, row, &state));
    if (!st && !(st = measure(mpi, row->calibrate, state, 1, calibration)) &&
        !(st = measure(mpi, row->run, state, 1, rate)))
        st = check(mpi, row, state);
    for (unsigned i = 0; i < repeats && !st; i++)
        if (!(st = measure(mpi, row->run, state, row->times, &rate[i])))
            st = measure(mpi, row->calibrate, state, row->times, &calibration[i]);
    row->teardown(state);
    if (st)
        return st;
    qsort(rate, repeats, sizeof *rate, by_value);
    qsort(calibration, repeats, sizeof *calibration, by_value);
    if (!np_mpi_rank(mpi))
        printf("{\"kernel\": \"%s\", \"ranks\": %d, \"rate\": %.0f, \"unit\": \"%s/s\", \"calibration\": %.0f}\n",
               row->name, np_mpi_size(mpi), rate[repeats / 2], row->unit, calibration[repeats / 2]);
    fflush(stdout);
    return NP_OK;
}

/* How often the names have the row's; without names every row is wanted. */
static bool wanted(const arguments *a, const bench_row *row)
{
    for (char **name = a->names; *name; name++)
        if (!strcmp(*name, row->name))
            return true;
    return !*a->names;
}

static np_status run_all(np_mpi *mpi, const arguments *a)
{
    unsigned ran = 0, names = 0;
    np_status st = NP_OK;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (const bench_row *row = lists[l]; row->name && !st; row++) {
            bench_row sized = *row;
            sized.size = a->size ? a->size : row->size;
            if (!wanted(a, row))
                continue;
            st = run_row(mpi, &sized, a->repeats);
            ran++;
        }
    while (a->names[names])
        names++;
    if (!st && ran < names)
        return np_status_raise(NP_ERROR_INPUT, "only %u of the %u kernels exist", ran, names);
    return st;
}

/* Reads the options before the names; false if they are wrong, as they then are on all ranks. */
static bool read_arguments(char **argv, arguments *a)
{
    *a = (arguments){.repeats = 11};
    for (argv++; *argv && !strncmp(*argv, "--", 2); argv += 2) {
        char *end = NULL;
        unsigned long long value = argv[1] ? strtoull(argv[1], &end, 10) : 0;
        if (!argv[1] || *end || !value)
            return false;
        if (!strcmp(*argv, "--repeats") && value < REPEATS_MOST)
            a->repeats = (unsigned)value;
        else if (!strcmp(*argv, "--size") && value <= 1U << 30)
            a->size = value;
        else
            return false;
    }
    a->names = argv;
    return true;
}

int main(int argc, char **argv)
{
    arguments a;
    np_mpi *mpi = NULL;
    np_status st;
    MPI_Init(&argc, &argv);
    if (!(st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi))) {
        if (read_arguments(argv, &a))
            st = run_all(mpi, &a);
        else
            st = np_status_raise(NP_ERROR_INPUT, "usage: netpram-mpi-bench [--repeats N] [--size N] [KERNEL...]");
        if (st && !np_mpi_rank(mpi))
            fprintf(stderr, "netpram-mpi-bench: %s\n", np_last_error());
    }
    np_mpi_free(mpi);
    MPI_Finalize();
    return st ? 1 : 0;
}
