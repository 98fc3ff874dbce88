/*
 * Routings drawn from the input: a network, packets, a scheme, a discipline and options. Each byte is a choice, and
 * choices after its end follow from the whole input: every input is a case, a short one is any case, and a fuzzer that is
 * guided by coverage finds its way. Each routing is made
 *   on one thread, by the engine that serves it best, accelerators included;
 *   on two or three threads;
 *   observed, where no accelerator serves, and as many moves are told as there are hops;
 *   by the slow twin of the queueing engine (oracle/judge.h), step by step, if the scheme has queues.
 * All outcomes are the same, refusals included.
 */
#include "fuzz.h"

#include "base/random.h"
#include "oracle/judge.h"
#include "support.h"

static const char *const networks[] = {
    "hypercube:1",        "hypercube:3",    "hypercube:5", "shuffle:2x3",  "shuffle:3x2",     "shuffle-exchange:2",
    "shuffle-exchange:4", "ccc:3",          "butterfly:3", "mesh:4x5",     "mesh:8x8",        "mesh:3x2x4",
    "torus:4x4",          "torus:3x5",      "torus:2x3x2", "array:7",      "ring:2",          "ring:9",
    "complete:2",         "complete:9",     "crossbar:4",  "tree:2x3",     "mesh-of-trees:4", "star:4",
    "pancake:3",          "butterfly-io:3", "fat-tree:2",  "fat-tree-2:3", "omega:3",         "inverse-omega:2",
    "binomial-tree:4",    "universal:2",
};

enum { NETWORKS = sizeof networks / sizeof *networks, PACKETS_MAX = 96, LINKS_MAX = 60, RUNS_MAX = 2 };

typedef struct choices {
    const uint8_t *data;
    size_t size;
    uint64_t later; /* what choices after the end of the input come from */
} choices;

static choices choices_of(const uint8_t *data, size_t size)
{
    uint64_t hash = size;
    for (size_t i = 0; i < size; i++)
        hash = np_random_mix(hash ^ data[i]) + i;
    return (choices){data, size, hash};
}

/* Below bound, at most 256. */
static unsigned choose(choices *c, unsigned bound)
{
    if (!c->size)
        return (unsigned)((c->later = np_random_mix(c->later + UINT64_C(0x9e3779b97f4a7c15))) >> 32) % bound;
    c->size--;
    return *c->data++ % bound;
}

/* A ring with other links between its nodes, or one of the families. */
static np_network *choose_network(choices *c)
{
    np_node from[LINKS_MAX], to[LINKS_MAX], nodes = 2 + choose(c, 12);
    unsigned k = choose(c, NETWORKS + NETWORKS / 2);
    size_t links = nodes + choose(c, LINKS_MAX - 13);
    np_network *network;
    if (k < NETWORKS) {
        FUZZ_CHECK(!np_network_create(networks[k], &network));
        return network;
    }
    for (size_t i = 0; i < links; i++) {
        from[i] = i < nodes ? (np_node)i : choose(c, nodes);
        to[i] = i < nodes ? (np_node)(i + 1) % nodes : choose(c, nodes);
    }
    FUZZ_CHECK(!np_network_from_links(nodes, links, from, to, &network));
    return network;
}

/* h permutations, for the schemes that take nothing else. */
static unsigned choose_permutations(choices *c, np_node terminals, np_node *from, np_node *to)
{
    unsigned most = PACKETS_MAX / terminals, h = most ? 1 + choose(c, most) : 0, packets = 0;
    for (unsigned k = 0; k < h; k++, packets += terminals)
        for (np_node i = 0; i < terminals; i++) { /* inside out */
            np_node j = choose(c, i + 1);
            from[packets + i] = i;
            to[packets + i] = to[packets + j];
            to[packets + j] = i;
        }
    return packets;
}

static unsigned choose_packets(choices *c, np_node terminals, np_node *from, np_node *to)
{
    unsigned packets = choose(c, PACKETS_MAX + 1), crowd = 1 + choose(c, terminals < 256 ? terminals : 256);
    for (unsigned p = 0; p < packets; p++) {
        from[p] = choose(c, crowd);
        to[p] = choose(c, 256) % terminals;
    }
    return packets;
}

static np_traffic *choose_traffic(choices *c, const np_network *network)
{
    np_node from[PACKETS_MAX], to[PACKETS_MAX], terminals = np_network_terminals(network);
    uint32_t priority[PACKETS_MAX];
    bool prior = choose(c, 3) == 0;
    unsigned packets =
        choose(c, 2) ? choose_packets(c, terminals, from, to) : choose_permutations(c, terminals, from, to);
    np_traffic *traffic;
    for (unsigned p = 0; p < packets; p++) {
        from[p] = np_network_input(network, from[p]);
        to[p] = np_network_output(network, to[p]);
        priority[p] = prior ? choose(c, 8) : 0;
    }
    FUZZ_CHECK(!np_traffic_from_arrays(network, packets, from, to, prior ? priority : NULL, &traffic));
    return traffic;
}

static const char *choose_name(choices *c, np_list list)
{
    size_t count = 0;
    while (np_list_get(list, count))
        count++;
    return np_list_get(list, choose(c, (unsigned)count))->name;
}

static void choose_merging(choices *c, np_merge_options *merge)
{
    static const uint32_t ranges[] = {1, 2, 5, 1 << 30};
    merge->queue_size = 1 + choose(c, 5);
    merge->room = choose(c, 2) ? NP_ROOM_FREED : NP_ROOM_BEGIN;
    merge->combine = choose(c, 3) ? NP_COMBINE_NONE : NP_COMBINE_SUM;
    merge->rank_range = ranges[choose(c, 4)];
    merge->waves = choose(c, 6);
    merge->message_most = 1 + choose(c, 4) / 2 * choose(c, 4);
    merge->message_least = 1 + choose(c, merge->message_most);
    if (merge->message_least > merge->message_most)
        merge->message_least = merge->message_most;
    merge->message_mode = (np_message_mode)choose(c, 3);
    merge->no_ghosts = choose(c, 8) == 0;
}

/* One of the schemes that the network takes. */
static const char *choose_scheme(choices *c, const np_network *network)
{
    const char *name[256];
    unsigned count = 0;
    for (size_t i = 0; np_list_get(NP_LIST_SCHEMES, i); i++)
        if (!np_scheme_applies(np_list_get(NP_LIST_SCHEMES, i)->name, network))
            name[count++] = np_list_get(NP_LIST_SCHEMES, i)->name;
    FUZZ_CHECK(count > 0);
    return name[choose(c, count)];
}

/* A scheme, and of the options some that it heeds. */
static np_route_options choose_options(choices *c, const np_network *network)
{
    static const char *const rules[] = {NULL, "ecmp", "lowest-port", "shortest", "spray", "balanced", "k-shortest:3"};
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = choose_scheme(c, network);
    options.seed = choose(c, 256);
    options.runs = 1 + choose(c, RUNS_MAX);
    options.overlap = choose(c, 4) == 0;
    if (!strcmp(options.scheme, "greedy") || !strcmp(options.scheme, "valiant"))
        options.paths = rules[choose(c, sizeof rules / sizeof *rules)];
    if (support_queues(options.scheme))
        options.queue = choose_name(c, NP_LIST_QUEUES);
    else
        choose_merging(c, &options.merge);
    return options;
}

/* Falls back to what the scheme does by itself if it does not heed the options. */
static void drop_what_is_not_heeded(const np_network *network, const np_traffic *traffic, np_route_options *options)
{
    np_route_result *result;
    if (!np_route_traffic(network, traffic, options, &result)) {
        np_route_result_free(result);
        return;
    }
    np_merge_options_init(&options->merge);
    options->overlap = false;
}

static np_status route(const np_network *network, const np_traffic *traffic, np_route_options options, unsigned threads,
                       const np_observer *observer, np_route_result **out)
{
    options.threads = threads;
    options.observer = observer;
    return np_route_traffic(network, traffic, &options, out);
}

static bool same(const np_route_result *a, const np_route_result *b)
{
    bool same = a->phases == b->phases;
    for (size_t i = 0; same && i < a->phases; i++)
        same = !memcmp(a->phase[i].run, b->phase[i].run, a->runs * sizeof *a->phase[i].run) &&
               a->phase[i].delays == b->phase[i].delays &&
               (!a->phase[i].delays || /* a phase without packets has no histogram */
                !memcmp(a->phase[i].delay_histogram, b->phase[i].delay_histogram,
                        a->phase[i].delays * sizeof *a->phase[i].delay_histogram));
    return same;
}

static int count_moves(void *context, size_t count, const np_event *event)
{
    uint64_t *moves = context;
    for (size_t i = 0; i < count; i++)
        *moves += event[i].kind == NP_EVENT_MOVED;
    return 0;
}

/* In phases named G1 and so on only numbers are exchanged: hops, but no moves. */
static bool all_told(const np_route_result *result, uint64_t moves)
{
    uint64_t hops = 0;
    for (size_t i = 0; i < result->phases; i++)
        for (uint32_t r = 0; r < result->runs; r++)
            hops += result->phase[i].name[0] == 'G' && result->phase[i].name[1] ? 0 : result->phase[i].run[r].hops;
    return moves == hops;
}

/* Compares with the plain outcome: NULL if it was refused, for the reason `st`. */
static void compare(const np_network *network, const np_traffic *traffic, const np_route_options *options,
                    unsigned threads, bool observe, np_status st, const np_route_result *plain)
{
    uint64_t moves = 0;
    const np_observer observer = {.events = count_moves, .context = &moves};
    np_route_result *result;
    np_status other = route(network, traffic, *options, threads, observe ? &observer : NULL, &result);
    if (other && observe && other != st)
        FUZZ_CHECK(other == NP_ERROR_APPLY || other == NP_ERROR_INPUT); /* what cannot be observed is refused by name */
    else
        FUZZ_CHECK(other == st);
    FUZZ_CHECK(other || same(plain, result));
    FUZZ_CHECK(other || !observe || all_told(result, moves));
    np_route_result_free(result);
}

/*
 * The twin finds each route by itself, so it cannot know rules by which packets take parallel links in turn, or give way to
 * each other.
 */
static bool can_judge(const np_network *network, const np_route_options *options)
{
    if (!support_queues(options->scheme))
        return false;
    if (!options->paths)
        return strcmp(np_network_spec(network), "links") != 0;
    return !strcmp(options->paths, "ecmp") || !strcmp(options->paths, "lowest-port");
}

/* The twin ends a program by cmocka's means. */
static bool judging;
static void end_of_program(void) { FUZZ_CHECK(!judging); }

static void judge(const np_network *network, const np_traffic *traffic, const np_route_options *options)
{
    static bool registered;
    const oracle_case c = {.network = network,
                           .traffic = traffic,
                           .scheme = options->scheme,
                           .queue = options->queue,
                           .paths = options->paths,
                           .seed = options->seed,
                           .overlap = options->overlap};
    if (!registered)
        registered = !atexit(end_of_program);
    judging = true;
    oracle_judge(&c, (const unsigned[]){1, 0});
    judging = false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    choices c = choices_of(data, size);
    np_network *network = choose_network(&c);
    np_route_options options = choose_options(&c, network);
    unsigned threads = choose(&c, 8) ? 0 : 2 + choose(&c, 2);
    np_traffic *traffic = choose_traffic(&c, network);
    np_route_result *plain;
    drop_what_is_not_heeded(network, traffic, &options);
    np_status st = route(network, traffic, options, 1, NULL, &plain);
    FUZZ_CHECK(st != NP_ERROR_INTERNAL && st != NP_ERROR_MEMORY);
    if (threads)
        compare(network, traffic, &options, threads, false, st, plain);
    compare(network, traffic, &options, 1, true, st, plain);
    if (!st && can_judge(network, &options))
        judge(network, traffic, &options);
    np_route_result_free(plain);
    np_traffic_free(traffic);
    np_network_free(network);
    return 0;
}
