/*
 * Benchmarks on ranks. A row says what is timed, and with what it is compared in the same run: the calibration. The
 * harness (main.c) runs it once to warm up and lets it check the outcome, then times it and its calibration in turn.
 */
#ifndef NP_BENCH_MPI_H
#define NP_BENCH_MPI_H

#include "netpram/mpi.h"

typedef struct bench_row bench_row;
struct bench_row {
    const char *name; /* "exchange-direct" */
    const char *unit; /* of what the rate counts a second: "bytes" */
    uint64_t size;    /* of a rank's share: bytes, words or keys */
    unsigned times;   /* calls in one measurement */
    int parameter;    /* the file's own */

    np_status (*setup)(np_mpi *mpi, const bench_row *row, void **state);
    /* One call, by all ranks. *units: what this rank did. */
    np_status (*run)(void *state, double *units);
    np_status (*calibrate)(void *state, double *units);
    /* NULL, or what is wrong with the outcome of `run` on this rank. */
    const char *(*check)(const void *state);
    void (*teardown)(void *state);
};

/* The rows of each file, ending with one without a name. */
extern const bench_row bench_exchange_rows[], bench_memory_rows[], bench_sort_rows[];

#endif
