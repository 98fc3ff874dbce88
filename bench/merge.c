/*
 * Kernels of the scheme ranked. Work is counted in node-steps: one node of the
 * leveled network looks at its queues and selects, forwards or waits; there
 * are as many in a run as nodes times steps.
 *
 * The checker: everything arrives, so the hops are those of the paths (on the
 * one-pass butterfly n for each packet), no queue exceeds q, and the mean number of steps
 * is what it was found to be by an independent program, within 5%.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"

typedef struct merge_parameters {
    const char *network, *traffic;
    uint32_t runs;
    uint32_t queue_size;
    uint32_t hops;  /* of each packet; 0: not checked */
    double steps;   /* mean that is to come out within 5%; 0: not checked */
    uint32_t calls; /* of np_route in one timed repeat */
    np_combine combine;
} merge_parameters;

typedef struct merge_state {
    const merge_parameters *parameters;
    np_network *network;
    np_route_options options;
    np_route_result *result; /* of the last call */
} merge_state;

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    merge_state *state = calloc(1, sizeof *state);
    if (!state)
        return NP_ERROR_MEMORY;
    *out = state;
    state->parameters = kernel->parameters;
    np_route_options_init(&state->options);
    state->options.scheme = "ranked";
    state->options.runs = state->parameters->runs;
    state->options.threads = threads;
    state->options.merge.queue_size = state->parameters->queue_size;
    state->options.merge.combine = state->parameters->combine;
    return np_network_create(state->parameters->network, &state->network);
}

static np_status run(void *context, bench_work *work)
{
    merge_state *state = context;
    for (uint32_t call = 0; call < state->parameters->calls; call++) {
        np_route_result_free(state->result);
        state->result = NULL;
        np_status st = np_route(state->network, state->parameters->traffic, &state->options, &state->result);
        if (st)
            return st;
        for (size_t i = 0; i < state->result->phases; i++)
            for (uint32_t r = 0; r < state->result->runs; r++)
                work->units += (double)state->result->phase[i].run[r].node_steps;
        work->library_seconds += state->result->wall_seconds;
    }
    return NP_OK;
}

static const char *check(const void *context)
{
    const merge_state *state = context;
    const merge_parameters *parameters = state->parameters;
    const np_route_result *result = state->result;
    for (size_t i = 0; i < result->phases; i++)
        for (uint32_t r = 0; r < result->runs; r++) {
            const np_phase_run *phase = &result->phase[i].run[r];
            if (parameters->hops && phase->hops != (uint64_t)parameters->hops * phase->packets)
                return "the hops are not those of the paths";
            if (phase->queue_real_max > parameters->queue_size)
                return "a queue held more than q packets";
        }
    if (parameters->steps && fabs(result->total_steps.mean - parameters->steps) > 0.05 * parameters->steps)
        return "the mean number of steps is not what it should be";
    return NULL;
}

static void describe(const void *context, json_t *line)
{
    const merge_state *state = context;
    json_object_set_new(line, "network", json_string(state->result->network));
    json_object_set_new(line, "scheme", json_string(state->result->scheme));
    json_object_set_new(line, "traffic", json_string(state->parameters->traffic));
    json_object_set_new(line, "queue_size", json_integer(state->parameters->queue_size));
    json_object_set_new(line, "runs", json_integer(state->result->runs));
    json_object_set_new(line, "calls", json_integer(state->parameters->calls));
    json_object_set_new(line, "steps_mean", json_real(state->result->total_steps.mean));
}

static void teardown(void *context)
{
    merge_state *state = context;
    np_route_result_free(state->result);
    np_network_free(state->network);
    free(state);
}

#define BUTTERFLY(n, h, runs, q, hops, steps)                                                                          \
    &(const merge_parameters) { "butterfly-io:" n, "random-function:" h, runs, q, hops, steps, 1, NP_COMBINE_NONE }
#define OTHER(network, traffic, runs)                                                                                  \
    &(const merge_parameters) { network, traffic, runs, 2, 0, 0, 1, NP_COMBINE_NONE }
#define MERGE                                                                                                          \
    .unit = "node-steps", .setup = setup, .run = run, .check = check, .describe = describe, .teardown = teardown

const bench_kernel bench_merge_kernels[] = {
    {.name = "merge-2^12-rows-12-each",
     .help = "one-pass butterfly, 2^12 rows, 12 packets an input, q = 2, 20 runs",
     .threads = 1,
     .parameters = BUTTERFLY("12", "12", 20, 2, 12, 66.5),
     MERGE},
    {.name = "merge-2^12-rows-12-each-2-threads",
     .help = "the same on two threads: many runs",
     .threads = 2,
     .parameters = BUTTERFLY("12", "12", 20, 2, 12, 66.5),
     MERGE},
    {.name = "merge-2^12-rows-12-each-q-1",
     .help = "the same with q = 1, one thread",
     .threads = 1,
     .parameters = BUTTERFLY("12", "12", 10, 1, 12, 0),
     MERGE},
    {.name = "merge-2^12-rows-12-each-q-16",
     .help = "the same with q = 16: longer than the registers of columns",
     .threads = 1,
     .parameters = BUTTERFLY("12", "12", 5, 16, 12, 57.3),
     MERGE},
    {.name = "merge-2^16-rows-16-each",
     .help = "one-pass butterfly, 2^16 rows, 16 packets an input: one big run",
     .threads = 1,
     .parameters = BUTTERFLY("16", "16", 1, 2, 16, 0),
     MERGE},
    {.name = "merge-2^16-rows-16-each-2-threads",
     .help = "the same on two threads",
     .threads = 2,
     .parameters = BUTTERFLY("16", "16", 1, 2, 16, 0),
     MERGE},
    {.name = "merge-butterfly-10",
     .help = "permutations on the wrapped butterfly, 40 logical levels",
     .threads = 1,
     .parameters = OTHER("butterfly:10", "random", 20),
     MERGE},
    {.name = "merge-combining-12",
     .help = "12 packets for and from each node of the wrapped butterfly of 2^12 rows, summed where they meet",
     .threads = 1,
     .parameters = &(const merge_parameters){"butterfly:12", "h-relation:12", 1, 2, 0, 0, 1, NP_COMBINE_SUM},
     MERGE},
    {.name = "merge-mesh-64x64",
     .help = "permutations on the mesh, four phases, node by node",
     .threads = 1,
     .parameters = OTHER("mesh:64x64", "random", 20),
     MERGE},
    {.name = NULL},
};
