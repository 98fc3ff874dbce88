/*
 * Kernels of off-line routing: a random permutation of a mesh is coloured and
 * scheduled, or that and carried out.
 *
 * A schedule is judged by the colours of the packets of each row and of each destination row, which must differ.
 * For the whole the checker needs no second router: three phases within 3n steps, one packet at a node at every
 * instant, and no fewer hops than the packets have to make.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "papers/offline/offline_plan.h"

typedef struct offline_parameters {
    const char *network;
    uint32_t side;
    const char *queue;
} offline_parameters;

typedef struct offline_state {
    const offline_parameters *parameters;
    np_network *network;
    np_traffic *traffic;
    np_route_options options;
    np_route_result *result;
    np_offline_plan plan;
} offline_state;

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    offline_state *state = calloc(1, sizeof *state);
    np_status st;
    if (!state)
        return NP_ERROR_MEMORY;
    *out = state;
    state->parameters = kernel->parameters;
    np_route_options_init(&state->options);
    state->options.scheme = "offline";
    state->options.queue = state->parameters->queue;
    state->options.threads = threads;
    if ((st = np_network_create(state->parameters->network, &state->network)))
        return st;
    return np_traffic_create("random", state->network, 1, 0, &state->traffic);
}

static np_status run(void *context, bench_work *work)
{
    offline_state *state = context;
    np_route_result_free(state->result);
    state->result = NULL;
    np_status st = np_route_traffic(state->network, state->traffic, &state->options, &state->result);
    if (!st) {
        work->units = np_traffic_packets(state->traffic);
        work->library_seconds = state->result->wall_seconds;
    }
    return st;
}

static np_status run_plan(void *context, bench_work *work)
{
    offline_state *state = context;
    np_status st = NP_OK;
    if (!state->plan.to)
        st = np_offline_plan_init(&state->plan, state->network);
    work->units = np_traffic_packets(state->traffic);
    return st ? st : np_offline_plan_make(&state->plan, state->traffic);
}

static const char *check_plan(const void *context)
{
    const offline_state *state = context;
    size_t n = state->parameters->side, nodes = n * n;
    bool *used = calloc(2 * nodes, sizeof *used), wrong = !used;
    for (size_t item = 0; item < nodes && !wrong; item++) {
        /* Dimension order[0] is coloured; packets that share the other coordinate must differ. */
        size_t x = state->plan.colour[item], to = state->plan.to[item], stride = state->plan.product.order[0] ? n : 1;
        size_t from = item / stride % n;
        to = to / stride % n;
        wrong = x >= n || used[from * n + x] || used[nodes + to * n + x];
        used[from * n + x] = used[nodes + to * n + x] = true;
    }
    free(used);
    return wrong ? "two packets of a row, or for a row, have one colour" : NULL;
}

static uint64_t distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static const char *check(const void *context)
{
    const offline_state *state = context;
    const np_route_result *result = state->result;
    uint32_t n = state->parameters->side;
    uint64_t hops = 0, least = 0;
    if (result->phases != 3 || result->total_steps.max > 3.0 * n)
        return "not three phases of at most n steps";
    for (size_t i = 0; i < 3; i++) {
        if (result->phase[i].run[0].population_max > (strcmp(state->parameters->queue, "exchange") ? 3 : 1))
            return "too many packets at a node";
        hops += result->phase[i].run[0].hops;
    }
    for (np_packet p = 0; p < np_traffic_packets(state->traffic); p++) {
        np_node from = np_traffic_sources(state->traffic)[p], to = np_traffic_destinations(state->traffic)[p];
        least += distance(from / n, to / n) + distance(from % n, to % n);
    }
    return hops < least ? "fewer hops than the packets have to make" : NULL;
}

static void describe(const void *context, json_t *line)
{
    const offline_state *state = context;
    json_object_set_new(line, "network", json_string(state->result->network));
    json_object_set_new(line, "queue", json_string(state->result->queue));
    json_object_set_new(line, "steps", json_real(state->result->total_steps.mean));
}

static void teardown(void *context)
{
    offline_state *state = context;
    np_route_result_free(state->result);
    np_offline_plan_clear(&state->plan);
    np_traffic_free(state->traffic);
    np_network_free(state->network);
    free(state);
}

#define WHOLE                                                                                                          \
    .unit = "packets", .threads = 1, .setup = setup, .run = run, .check = check, .describe = describe,                 \
    .teardown = teardown
#define PLAN .unit = "packets", .threads = 1, .setup = setup, .run = run_plan, .check = check_plan, .teardown = teardown

const bench_kernel bench_offline_kernels[] = {
    {.name = "offline-plan-1024x1024",
     .help = "a random permutation of the 1024 x 1024 mesh coloured and scheduled",
     .parameters = &(const offline_parameters){"mesh:1024x1024", 1024, "exchange"},
     PLAN},
    {.name = "offline-mesh-256x256",
     .help = "a random permutation of the 256 x 256 mesh coloured, scheduled, and carried out",
     .parameters = &(const offline_parameters){"mesh:256x256", 256, "exchange"},
     WHOLE},
    {.name = "offline-mesh-1024x1024",
     .help = "the same of the 1024 x 1024 mesh, a million packets (on request)",
     .on_request = true,
     .parameters = &(const offline_parameters){"mesh:1024x1024", 1024, "exchange"},
     WHOLE},
    {.name = "offline-mesh-1024x1024-straight",
     .help = "the same, every packet straight to its place",
     .parameters = &(const offline_parameters){"mesh:1024x1024", 1024, "straight"},
     WHOLE},
    {.name = NULL},
};
