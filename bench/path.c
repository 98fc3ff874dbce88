/*
 * Kernels of np_routes_find: the paths of all packets of a phase on networks
 * of links; and of routing itself, on paths that are given. The networks: `degree` / 2 random cycles through all nodes,
 * and the fat-tree of 64-port switches, of three levels, with 65,536 hosts.
 *
 * The given paths are random walks that never turn back. In a graph of random cycles that many nodes are not reached
 * by shorter paths. The checker sees that every packet is where its walk ends, with all hops made.
 *
 * The checker of paths follows every route to its end. Those to some destinations are
 * compared in length with a search of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "bench.h"
#include "model/path/finding.h"
#include "model/path/routes.h"
#include "engine/queueing/engine.h"

typedef struct path_parameters {
    np_node nodes; /* of random cycles; 0: the fat-tree */
    bool all_pairs;
    const char *rule;
    uint32_t walk; /* hops of given paths */
} path_parameters;

enum {
    CYCLES = 4,
    HOSTS = 65536,
    ABOVE = HOSTS + 2048, /* above the switches of the hosts */
    TOP = ABOVE + 2048,
    FAT_TREE = TOP + 1024, /* nodes */
    SAMPLES = 8            /* destinations that the checker searches from */
};

typedef struct path_state {
    np_node nodes, ends; /* nodes 0 .. ends - 1 send and receive */
    size_t links;
    np_node *from, *to; /* [links] */
    np_node *source, *destination;
    np_network *network;
    np_path *path;
    np_demand demand;
    np_routes *routes;
    /* Of routing. */
    np_path bound; /* `path`, on these routes */
    np_traffic *traffic;
    np_engine *engine;
    np_phase_run outcome;
} path_state;

static const np_draws draws = {1, 0, 0, NP_RANDOM_TRAFFIC};

static void link_both(path_state *state, np_node u, np_node v)
{
    state->from[state->links] = state->to[state->links + 1] = u;
    state->to[state->links] = state->from[state->links + 1] = v;
    state->links += 2;
}

static void permute(np_node *list, np_node count, uint32_t item)
{
    for (np_node i = 0; i < count; i++)
        list[i] = i;
    for (np_node i = count - 1; i > 0; i--) {
        np_node j = np_random_below(&draws, item, i, i + 1), other = list[i];
        list[i] = list[j];
        list[j] = other;
    }
}

static void add_cycles(path_state *state)
{
    for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
        permute(state->source, state->nodes, cycle);
        for (np_node i = 0; i < state->nodes; i++)
            link_both(state, state->source[i], state->source[(i + 1) % state->nodes]);
    }
}

/* 32 hosts a switch, 32 switches a pod below and 32 above; these have 32 links each to the 1024 at the top. */
static void add_fat_tree(path_state *state)
{
    for (np_node i = 0; i < HOSTS; i++) {
        np_node edge = HOSTS + i / 32, above = ABOVE + i / 1024 * 32;
        link_both(state, i, edge);
        link_both(state, edge, above + i % 32);
        link_both(state, ABOVE + i / 32, TOP + i / 32 % 32 * 32 + i % 32);
    }
}

static void add_demand(path_state *state, bool all_pairs)
{
    size_t count = 0;
    if (!all_pairs) {
        permute(state->destination, state->ends, CYCLES);
        for (np_node u = 0; u < state->ends; u++)
            state->source[u] = u;
        count = state->ends;
    } else
        for (np_node u = 0; u < state->ends; u++)
            for (np_node v = 0; v < state->ends; v++)
                if (u != v) {
                    state->source[count] = u;
                    state->destination[count++] = v;
                }
    state->demand = (np_demand){
        .draws = {1, 0, 0, NP_RANDOM_TICKET}, .count = count, .from = state->source, .to = state->destination};
}

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    const path_parameters *parameters = kernel->parameters;
    path_state *state = calloc(1, sizeof *state);
    np_status st;
    if (!(*out = state))
        return NP_ERROR_MEMORY;
    state->nodes = parameters->nodes ? parameters->nodes : FAT_TREE;
    state->ends = parameters->nodes ? parameters->nodes : HOSTS;
    size_t links = parameters->nodes ? 2 * CYCLES * (size_t)state->nodes : 6 * (size_t)HOSTS;
    size_t packets = parameters->all_pairs ? (size_t)state->ends * (state->ends - 1) : state->nodes;
    if ((st = np_memory_array(&state->from, links, sizeof *state->from, "links")) ||
        (st = np_memory_array(&state->to, links, sizeof *state->to, "links")) ||
        (st = np_memory_array(&state->source, packets, sizeof *state->source, "packets")) ||
        (st = np_memory_array(&state->destination, packets, sizeof *state->destination, "packets")))
        return st;
    if (parameters->nodes)
        add_cycles(state);
    else
        add_fat_tree(state);
    add_demand(state, parameters->all_pairs);
    if ((st = np_network_from_links(state->nodes, state->links, state->from, state->to, &state->network)) ||
        (st = np_path_create(parameters->rule, state->network, &state->path)))
        return st;
    return np_routes_create(
        &(const np_routes_options){.path = state->path, .packets = state->demand.count, .slots = 1, .threads = threads},
        &state->routes);
}

static np_status run(void *context, bench_work *work)
{
    path_state *state = context;
    work->units = (double)state->demand.count;
    return np_routes_find(state->routes, 0, &state->demand);
}

/* Follows a packet's route. False: it ends elsewhere than at its destination. */
static bool follow(const path_state *state, const np_path *bound, np_packet packet, uint32_t *hops)
{
    np_node at = state->source[packet];
    np_ticket ticket;
    np_port port;
    np_routes_start(bound, &draws, 1, &packet, &at, &at, &ticket);
    for (*hops = 0; np_routes_next(bound, 1, &at, &ticket, &port), port != NP_NONE; ++*hops)
        at = np_network_link_head(state->network, np_network_link_at(state->network, at, port));
    return at == state->destination[packet];
}

/* distance[u] = hops from u to the target, by looking at all links again and again. */
static void search(const path_state *state, np_node target, uint32_t *distance)
{
    bool changed = true;
    memset(distance, 0xff, state->nodes * sizeof *distance);
    distance[target] = 0;
    for (uint32_t hops = 0; changed; hops++) {
        changed = false;
        for (size_t i = 0; i < state->links; i++)
            if (distance[state->to[i]] == hops && distance[state->from[i]] > hops + 1) {
                distance[state->from[i]] = hops + 1;
                changed = true;
            }
    }
}

static const char *check(const void *context)
{
    const path_state *state = context;
    np_path bound = *state->path;
    uint32_t *distance = malloc((size_t)state->nodes * SAMPLES * sizeof *distance), hops;
    const char *wrong = distance ? NULL : "no memory to check";
    bound.routes = state->routes;
    for (np_node v = 0; v < SAMPLES && distance; v++)
        search(state, v, distance + (size_t)v * state->nodes);
    for (size_t i = 0; i < state->demand.count && !wrong; i++) {
        if (!follow(state, &bound, (np_packet)i, &hops))
            wrong = "a route ends elsewhere than at its destination";
        else if (state->destination[i] < SAMPLES &&
                 hops != distance[(size_t)state->destination[i] * state->nodes + state->source[i]])
            wrong = "a route is no shortest path";
    }
    free(distance);
    return wrong;
}

static void describe(const void *context, json_t *line)
{
    const path_state *state = context;
    const np_ticket *ticket = state->routes->ticket;
    uint64_t hops = 0, hash = 0;
    for (size_t i = 0; i < state->demand.count; i++) {
        uint32_t left;
        np_routes_remaining(state->path, 1, NULL, &ticket[i], &left);
        hops += left;
        hash = np_random_mix(hash + ticket[i]);
    }
    json_object_set_new(line, "nodes", json_integer(state->nodes));
    json_object_set_new(line, "paths", json_string(np_path_name(state->path)));
    json_object_set_new(line, "hops", json_integer((json_int_t)hops));
    json_object_set_new(line, "hash", json_sprintf("%016llx", (unsigned long long)hash));
}

/* A link of the node, drawn from those that do not lead to `before`, unless all do. */
static np_port draw_port(const np_network *network, np_packet packet, uint32_t hop, np_node at, np_node before)
{
    np_link first = np_network_first_link(network, at);
    uint32_t ports = np_network_first_link(network, at + 1) - first, port = 0;
    for (uint32_t attempt = 0; attempt < 64; attempt++) {
        port = np_random_below(&draws, packet, hop * 64 + attempt, ports);
        if (np_network_link_head(network, first + port) != before)
            break;
    }
    return port;
}

/* Writes a ticket of a random walk, as np_routes_next reads it; returns where the walk ends. */
static np_node walk(const path_state *state, np_packet packet, uint32_t hops)
{
    np_node at = state->source[packet], before = NP_NONE;
    np_ticket ticket = hops;
    for (uint32_t hop = 0; hop < hops; hop++) {
        np_port port = draw_port(state->network, packet, hop, at, before);
        ticket |= (np_ticket)port << (NP_ROUTES_COUNT_BITS + hop * state->routes->bits);
        before = at;
        at = np_network_link_head(state->network, np_network_link_at(state->network, at, port));
    }
    state->routes->ticket[packet] = ticket;
    return at;
}

static np_status setup_walks(const bench_kernel *kernel, unsigned threads, void **out)
{
    const path_parameters *parameters = kernel->parameters;
    const np_discipline *fifo;
    np_status st = setup(kernel, threads, out);
    path_state *state = *out;
    if (st || (st = np_discipline_find("fifo", &fifo)))
        return st;
    for (np_packet p = 0; p < state->demand.count; p++)
        state->destination[p] = walk(state, p, parameters->walk);
    state->bound = *state->path;
    state->bound.routes = state->routes;
    if ((st = np_traffic_from_arrays(state->network, state->demand.count, state->source, state->destination, NULL,
                                     &state->traffic)))
        return st;
    return np_engine_create(&(const np_engine_options){.network = state->network,
                                                       .discipline = fifo,
                                                       .packets = state->demand.count,
                                                       .workers = threads,
                                                       .path = &state->bound},
                            &state->engine);
}

static np_status run_walks(void *context, bench_work *work)
{
    path_state *state = context;
    np_engine_plan plan = {.path = &state->bound, .phases = 1};
    np_engine_place(state->engine, state->traffic);
    np_status st = np_engine_run(state->engine, &plan, 0, (np_draws){.seed = 1}, NULL, &state->outcome);
    work->units = (double)state->outcome.hops;
    return st;
}

static const char *check_walks(const void *context)
{
    const path_state *state = context;
    const np_node *at = np_engine_locations(state->engine);
    uint64_t hops = 0;
    for (size_t i = 0; i < state->demand.count; i++) {
        if (at[i] != state->destination[i])
            return "a packet is not where its walk ends";
        hops += state->routes->ticket[i] & ((1 << NP_ROUTES_COUNT_BITS) - 1);
    }
    return hops == state->outcome.hops ? NULL : "the hops are not those of the walks";
}

static void describe_walks(const void *context, json_t *line)
{
    const path_state *state = context;
    json_object_set_new(line, "nodes", json_integer(state->nodes));
    json_object_set_new(line, "steps", json_integer(state->outcome.steps));
    json_object_set_new(line, "congestion", json_integer(state->outcome.congestion));
}

static void teardown(void *context)
{
    path_state *state = context;
    np_engine_free(state->engine);
    np_traffic_free(state->traffic);
    np_routes_free(state->routes);
    np_path_free(state->path);
    np_network_free(state->network);
    np_memory_free(state->from);
    np_memory_free(state->to);
    np_memory_free(state->source);
    np_memory_free(state->destination);
    free(state);
}

#define PATHS(kernel, what, request, ...)                                                                              \
    {                                                                                                                  \
        .name = kernel, .help = what, .unit = "paths", .on_request = request, .threads = 1,                            \
        .parameters = &(const path_parameters){__VA_ARGS__}, .setup = setup, .run = run, .check = check,               \
        .describe = describe, .teardown = teardown                                                                     \
    }

#define WALKS(kernel, what, of_threads, request, ...)                                                                  \
    {                                                                                                                  \
        .name = kernel, .help = what, .unit = "hops", .on_request = request, .threads = of_threads,                    \
        .parameters = &(const path_parameters){__VA_ARGS__}, .setup = setup_walks, .run = run_walks,                   \
        .check = check_walks, .describe = describe_walks, .teardown = teardown                                         \
    }

const bench_kernel bench_path_kernels[] = {
    PATHS("paths-1000-all-pairs", "shortest paths of all pairs of 1000 nodes of degree 8", false, 1000, true,
          "shortest", 0),
    PATHS("paths-10^4-all-pairs", "shortest paths of all pairs of 10^4 nodes of degree 8", true, 10000, true,
          "shortest", 0),
    PATHS("paths-fat-tree-65536", "shortest paths of a random permutation of the hosts of a fat-tree", false, 0, false,
          "shortest", 0),
    PATHS("paths-fat-tree-65536-balanced", "balanced paths of the same", true, 0, false, "balanced", 0),
    WALKS("walks-regular-2^20", "routing on given paths of 7 hops in a random graph of 2^20 nodes of degree 8", 1,
          false, 1 << 20, false, "shortest", 7),
    WALKS("walks-regular-2^20-2-threads", "the same on two threads", 2, false, 1 << 20, false, "shortest", 7),
    {.name = NULL},
};
