/*
 * Kernels of collective operations: all-to-all, made, played and checked round by round. Work is counted in transfers,
 * of a packet over a link. The checker asks for the transfers that all packets have to make by shortest paths, and for
 * the steps of the closed form.
 */
#include <stdlib.h>

#include "bench.h"

typedef struct collective_parameters {
    const char *network;
    uint64_t transfers, steps;
} collective_parameters;

typedef struct collective_state {
    const collective_parameters *parameters;
    np_network *network;
    np_collective_result *result;
} collective_state;

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    collective_state *state = calloc(1, sizeof *state);
    (void)threads; /* there is one */
    if (!state)
        return NP_ERROR_MEMORY;
    *out = state;
    state->parameters = kernel->parameters;
    return np_network_create(state->parameters->network, &state->network);
}

static np_status run(void *context, bench_work *work)
{
    collective_state *state = context;
    np_collective_options options;
    np_collective_options_init(&options);
    np_collective_result_free(state->result);
    state->result = NULL;
    np_status st = np_collective(state->network, "all-to-all", &options, &state->result);
    if (!st) {
        work->units = (double)state->result->transfers;
        work->library_seconds = state->result->wall_seconds;
    }
    return st;
}

static const char *check(const void *context)
{
    const collective_state *state = context;
    if (state->result->transfers != state->parameters->transfers)
        return "not as many transfers as all distances together";
    return state->result->steps == state->parameters->steps ? NULL : "not the steps of the closed form";
}

static void describe(const void *context, json_t *line)
{
    const collective_state *state = context;
    json_object_set_new(line, "network", json_string(state->result->network));
    json_object_set_new(line, "algorithm", json_string(state->result->algorithm));
    json_object_set_new(line, "steps", json_integer((json_int_t)state->result->steps));
}

static void teardown(void *context)
{
    collective_state *state = context;
    np_collective_result_free(state->result);
    np_network_free(state->network);
    free(state);
}

#define ALL                                                                                                            \
    .unit = "transfers", .threads = 1, .setup = setup, .run = run, .check = check, .describe = describe,               \
    .teardown = teardown

/* On n x n: 2 n^3 (n^2 - 1)/3 transfers on a mesh, n^5/2 on a torus, n even. */
const bench_kernel bench_collective_kernels[] = {
    {.name = "all-to-all-mesh-32x32",
     .help = "all-to-all on the 32 x 32 mesh by the overlay",
     .parameters = &(const collective_parameters){"mesh:32x32", UINT64_C(22347776), 8192},
     ALL},
    {.name = "all-to-all-torus-32x32",
     .help = "all-to-all on the 32 x 32 torus by the overlay",
     .parameters = &(const collective_parameters){"torus:32x32", UINT64_C(16777216), 4096},
     ALL},
    {.name = "all-to-all-mesh-64x64",
     .help = "the same on the 64 x 64 mesh, 17 million packets (on request)",
     .on_request = true,
     .parameters = &(const collective_parameters){"mesh:64x64", UINT64_C(715653120), 65536},
     ALL},
    {.name = NULL},
};
