/*
 * One harness for every benchmark. A kernel is a name, what it needs, the
 * piece of work and a checker; the harness runs it in a process of its own
 * (so that the peak of memory is its own), once to warm up with the checker,
 * then timed, and prints one line of JSON.
 */
#ifndef NP_BENCH_H
#define NP_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "netpram/netpram.h"
#include "netpram/report.h"

/** What one timed repeat did. */
typedef struct bench_work {
    double units;           /**< of work done: hops, links, ... */
    double library_seconds; /**< as the library itself reports it; 0 if it does not */
} bench_work;

typedef struct bench_kernel bench_kernel;
struct bench_kernel {
    const char *name, *help;
    const char *unit;       /**< "hops" */
    bool on_request;        /**< not in the default set: large */
    unsigned threads;       /**< unless --threads says otherwise */
    const void *parameters; /**< the kernel file's own */

    /** Bytes of memory that the kernel needs; NULL: little. */
    np_status (*memory)(const bench_kernel *kernel, unsigned threads, uint64_t *bytes);
    np_status (*setup)(const bench_kernel *kernel, unsigned threads, void **state);
    /** The timed part. Leaves its outcome in the state for `check`. */
    np_status (*run)(void *state, bench_work *work);
    /** Judges the last run's outcome: NULL, or what is wrong with it. */
    const char *(*check)(const void *state);
    /** Adds what identifies the outcome to the line; the same on every machine. NULL: nothing. */
    void (*describe)(const void *state, json_t *line);
    void (*teardown)(void *state);
};

/** The kernels of each file, ending with one without a name. */
extern const bench_kernel bench_host_kernels[], bench_route_kernels[], bench_merge_kernels[], bench_pram_kernels[],
    bench_sort_kernels[], bench_load_kernels[], bench_path_kernels[], bench_offline_kernels[],
    bench_collective_kernels[], bench_script_kernels[], bench_flows_kernels[], bench_flits_kernels[];

/** The machine, compiler and library: a new JSON object. */
json_t *bench_machine(void);
/** Bytes of memory that the system says are available; UINT64_MAX if it does not say. */
uint64_t bench_memory_available(void);

#endif
