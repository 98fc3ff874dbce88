/*
 * Kernels of np_route: two-phase routing of the identity on the n-cube, on
 * one and two threads, as one big run and as 100 small ones.
 *
 * The checker needs no second router. Phase A takes packet x to a random
 * node, phase B takes it back to x: the two make the same number of hops to
 * the unit. And phase A's hops are a sum of N n fair coins.
 *
 * Phases along the lines of meshes are checked against the lemma that says what they take to the step. Paths along a
 * row, then a column, farthest first, bring a permutation to its places in as many steps as the diameter (Leighton
 * 1992, theorem 1.6).
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"

typedef struct route_parameters {
    const char *network, *traffic, *scheme, *queue;
    uint32_t runs;
    uint32_t calls; /* of np_route in one timed repeat: small work is repeated to be long enough to time */
} route_parameters;

typedef struct route_state {
    const route_parameters *parameters;
    np_network *network;
    np_route_options options;
    np_route_result *result; /* of the last call */
} route_state;

static np_route_options options_for(const route_parameters *parameters, unsigned threads)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = parameters->scheme;
    options.queue = parameters->queue;
    options.runs = parameters->runs;
    options.threads = threads;
    return options;
}

static np_status memory(const bench_kernel *kernel, unsigned threads, uint64_t *bytes)
{
    const route_parameters *parameters = kernel->parameters;
    np_route_options options = options_for(parameters, threads);
    np_network *network;
    np_status st = np_network_create(parameters->network, &network);
    if (st)
        return st;
    st = np_route_memory(network, parameters->traffic, &options, bytes);
    np_network_free(network);
    return st;
}

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    route_state *state = calloc(1, sizeof *state);
    if (!state)
        return NP_ERROR_MEMORY;
    *out = state;
    state->parameters = kernel->parameters;
    state->options = options_for(state->parameters, threads);
    return np_network_create(state->parameters->network, &state->network);
}

static double hops_of(const np_route_result *result, size_t phase)
{
    return result->phase[phase].hops.mean * result->runs;
}

static np_status run(void *context, bench_work *work)
{
    route_state *state = context;
    for (uint32_t call = 0; call < state->parameters->calls; call++) {
        np_route_result_free(state->result);
        state->result = NULL;
        np_status st = np_route(state->network, state->parameters->traffic, &state->options, &state->result);
        if (st)
            return st;
        for (size_t i = 0; i < state->result->phases; i++)
            work->units += hops_of(state->result, i);
        work->library_seconds += state->result->wall_seconds;
    }
    return NP_OK;
}

static const char *check(const void *context)
{
    const route_state *state = context;
    const np_route_result *result = state->result;
    if (result->phases != 2 || result->packets != result->nodes || result->runs != state->parameters->runs)
        return "not every packet was routed in two phases in every run";
    for (uint32_t r = 0; r < result->runs; r++) {
        const np_phase_run *a = &result->phase[0].run[r], *b = &result->phase[1].run[r];
        if (a->hops != b->hops)
            return "phase B does not make the hops of phase A backwards";
        if (a->packets != result->packets || b->packets != result->packets)
            return "packets were lost";
    }
    /* Variance 1/4 a coin; 6 standard deviations are passed once in 5e8. */
    double coins = (double)result->links * result->runs;
    if (fabs(hops_of(result, 0) - coins / 2) > 6 * sqrt(coins / 4))
        return "the hops of phase A are not those of random targets";
    return NULL;
}

static const char *check_lines(const void *context)
{
    const route_state *state = context;
    np_report_bound *bounds;
    size_t count, exact = 0;
    if (np_report_bounds(state->network, state->result, &bounds, &count))
        return np_last_error();
    for (size_t i = 0; i < count; i++)
        exact += bounds[i].steps.relation == NP_REPORT_EXACTLY && bounds[i].steps.equal == state->result->runs;
    np_report_bounds_free(bounds);
    return exact == state->result->phases ? NULL : "a phase does not take what the lemma of the linear array says";
}

static const char *check_turning(const void *context)
{
    const route_state *state = context;
    const np_route_result *result = state->result;
    if (result->phases != 1 || result->phase[0].run[0].packets != result->packets)
        return "packets were lost";
    return result->total_steps.max <= 2 * (sqrt(result->nodes) - 1) ? NULL : "farthest first took too long";
}

static void describe(const void *context, json_t *line)
{
    const route_state *state = context;
    json_object_set_new(line, "network", json_string(state->result->network));
    json_object_set_new(line, "scheme", json_string(state->result->scheme));
    json_object_set_new(line, "traffic", json_string(state->parameters->traffic));
    json_object_set_new(line, "runs", json_integer(state->result->runs));
    json_object_set_new(line, "calls", json_integer(state->parameters->calls));
    json_object_set_new(line, "steps_mean", json_real(state->result->total_steps.mean));
}

static void teardown(void *context)
{
    route_state *state = context;
    np_route_result_free(state->result);
    np_network_free(state->network);
    free(state);
}

#define CUBES(n, runs, calls)                                                                                          \
    &(const route_parameters) { "hypercube:" n, "identity", "cubes", NULL, runs, calls }
#define BASIC(n, runs, calls)                                                                                          \
    &(const route_parameters) { "hypercube:" n, "identity", "basic", NULL, runs, calls }
#define ROUTE                                                                                                          \
    .unit = "hops", .memory = memory, .setup = setup, .run = run, .check = check, .describe = describe,                \
    .teardown = teardown

#define LINES                                                                                                          \
    .unit = "hops", .memory = memory, .setup = setup, .run = run, .check = check_lines, .describe = describe,          \
    .teardown = teardown

#define TURNING(side)                                                                                                  \
    .unit = "hops", .memory = memory, .setup = setup, .run = run, .check = check_turning, .describe = describe,        \
    .teardown = teardown, .threads = 1, .parameters = &(const route_parameters)                                        \
    {                                                                                                                  \
        "mesh:" side "x" side, "random", "greedy", "farthest-first", 1, 1                                              \
    }

const bench_kernel bench_route_kernels[] = {
    {.name = "cubes-identity-2^14",
     .help = "two phases on 2^14 nodes: the queues fit in cache",
     .threads = 1,
     .parameters = CUBES("14", 20, 5),
     ROUTE},
    {.name = "cubes-identity-2^20",
     .help = "two phases on 2^20 nodes, one thread",
     .threads = 1,
     .parameters = CUBES("20", 1, 1),
     ROUTE},
    {.name = "cubes-identity-2^20-2-threads",
     .help = "the same on two threads: one big run",
     .threads = 2,
     .parameters = CUBES("20", 1, 1),
     ROUTE},
    {.name = "cubes-100-runs-2^10",
     .help = "100 runs on 2^10 nodes, one thread",
     .threads = 1,
     .parameters = CUBES("10", 100, 5),
     ROUTE},
    {.name = "cubes-100-runs-2^10-2-threads",
     .help = "the same on two threads: many small runs",
     .threads = 2,
     .parameters = CUBES("10", 100, 5),
     ROUTE},
    {.name = "basic-identity-2^14",
     .help = "dimensions in random order, which the stepping engine does, on 2^14 nodes",
     .threads = 1,
     .parameters = BASIC("14", 20, 5),
     ROUTE},
    {.name = "basic-identity-2^20",
     .help = "the same on 2^20 nodes, one thread",
     .threads = 1,
     .parameters = BASIC("20", 1, 1),
     ROUTE},
    {.name = "basic-identity-2^20-2-threads",
     .help = "the same on two threads",
     .threads = 2,
     .parameters = BASIC("20", 1, 1),
     ROUTE},
    {.name = "turning-farthest-first-256x256",
     .help = "a random permutation along rows, then columns, in one phase, which the stepping engine does with a heap",
     TURNING("256")},
    {.name = "turning-farthest-first-1024x1024",
     .help = "the same on 1024 x 1024 (on request)",
     .on_request = true,
     TURNING("1024")},
    {.name = "basic-identity-2^24",
     .help = "the kernel above on 2^24 nodes, one thread (on request)",
     .on_request = true,
     .threads = 1,
     .parameters = BASIC("24", 1, 1),
     ROUTE},
    {.name = "cubes-identity-2^24",
     .help = "two phases on 2^24 nodes, one thread (on request)",
     .on_request = true,
     .threads = 1,
     .parameters = CUBES("24", 1, 1),
     ROUTE},
    {.name = "lines-xy-512x512",
     .help = "a random permutation along rows, then columns, farthest first",
     .threads = 1,
     .parameters = &(const route_parameters){"mesh:512x512", "random", "xy", NULL, 1, 1},
     LINES},
    {.name = "lines-k-k-64x64",
     .help = "8 copies of transpose by random colours and random nodes, 64 x 64",
     .threads = 1,
     .parameters = &(const route_parameters){"mesh:64x64", "repeat:8:transpose", "k-k", NULL, 5, 1},
     LINES},
    {.name = "lines-xy-1024x1024",
     .help = "the first on 1024 x 1024 (on request)",
     .on_request = true,
     .threads = 1,
     .parameters = &(const route_parameters){"mesh:1024x1024", "random", "xy", NULL, 1, 1},
     LINES},
    {.name = NULL},
};
