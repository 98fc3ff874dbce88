/*
 * Kernels of sorting. Work is counted in packet-hops: links crossed, in all stages of the algorithm.
 *
 * The checker: the keys come out sorted and the queues keep their bound. The library's own check is not trusted: the
 * keys are read in the order that the result gives.
 */
#include <stdlib.h>

#include "bench.h"

typedef struct sort_parameters {
    const char *network, *algorithm;
    uint64_t keys; /* 0: one a place */
    uint32_t runs; /* sorts of the same keys in one timed repeat */
} sort_parameters;

typedef struct sort_state {
    const sort_parameters *parameters;
    np_network *network;
    np_sort_options options;
    uint64_t count;
    uint64_t *key;
    np_sort_result *result; /* of the last call */
} sort_state;

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    sort_state *state = calloc(1, sizeof *state);
    np_status st;
    if (!state)
        return NP_ERROR_MEMORY;
    *out = state;
    state->parameters = kernel->parameters;
    np_sort_options_init(&state->options);
    state->options.algorithm = state->parameters->algorithm;
    state->options.runs = state->parameters->runs;
    state->options.threads = threads;
    if ((st = np_network_create(state->parameters->network, &state->network)) ||
        (st = np_sort_places(state->network, state->parameters->algorithm, &state->count)))
        return st;
    if (state->parameters->keys)
        state->count = state->parameters->keys;
    if (!(state->key = malloc(state->count * sizeof *state->key)))
        return NP_ERROR_MEMORY;
    return np_keys_make("random", state->count, 1, 0, state->key);
}

static np_status run(void *context, bench_work *work)
{
    sort_state *state = context;
    np_sort_result_free(state->result);
    state->result = NULL;
    np_status st = np_sort(state->network, state->count, state->key, &state->options, &state->result);
    if (st)
        return st;
    work->units += (double)state->result->hops;
    work->library_seconds += state->result->wall_seconds;
    return NP_OK;
}

static const char *check(const void *context)
{
    const sort_state *state = context;
    const uint32_t *order = state->result->order;
    if (!state->result->sorted)
        return state->result->wrong;
    for (uint64_t i = 0; i < state->count; i++)
        if (order[i] >= state->count || (i && state->key[order[i - 1]] > state->key[order[i]]))
            return "the keys are not in order";
    if (state->result->queue_max > state->options.merge.queue_size)
        return "a queue held more than q packets";
    return NULL;
}

static void describe(const void *context, json_t *line)
{
    const sort_state *state = context;
    json_object_set_new(line, "network", json_string(state->result->network));
    json_object_set_new(line, "algorithm", json_string(state->result->algorithm));
    json_object_set_new(line, "keys", json_integer((json_int_t)state->result->keys));
    json_object_set_new(line, "runs", json_integer(state->result->runs));
    json_object_set_new(line, "steps_mean", json_real(state->result->steps.mean));
    json_object_set_new(line, "redraws", json_integer((json_int_t)state->result->redraws));
    json_object_set_new(line, "fallbacks", json_integer((json_int_t)state->result->fallbacks));
}

static void teardown(void *context)
{
    sort_state *state = context;
    np_sort_result_free(state->result);
    np_network_free(state->network);
    free(state->key);
    free(state);
}

#define SORT                                                                                                           \
    .unit = "packet-hops", .setup = setup, .run = run, .check = check, .describe = describe, .teardown = teardown

const bench_kernel bench_sort_kernels[] = {
    {.name = "sort-flash-butterfly-12",
     .help = "flashsort on the butterfly of 2^12 rows, a key a node",
     .threads = 1,
     .parameters = &(const sort_parameters){"butterfly:12", "flashsort", 0, 5},
     SORT},
    {.name = "sort-flash-butterfly-16",
     .help = "flashsort of 2^20 keys on the butterfly of 2^16 rows",
     .threads = 1,
     .parameters = &(const sort_parameters){"butterfly:16", "flashsort", 0, 1},
     SORT},
    {.name = "sort-flash-butterfly-16-2-threads",
     .help = "the same on two threads",
     .threads = 2,
     .parameters = &(const sort_parameters){"butterfly:16", "flashsort", 0, 1},
     SORT},
    {.name = "sort-bitonic-hypercube-20",
     .help = "bitonic sort of 2^20 keys on the hypercube",
     .threads = 1,
     .parameters = &(const sort_parameters){"hypercube:20", "bitonic", 0, 1},
     SORT},
    {.name = NULL},
};
