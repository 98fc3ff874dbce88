/*
 * Routings drawn from the input: a network, packets, a scheme, a discipline and options. Each byte is a choice, and
 * choices after its end follow from the whole input: every input is a case, a short one is any case, and a fuzzer that
 * is guided by coverage finds its way. Each routing is made
 *   on one thread, by the engine that serves it best, accelerators included;
 *   on two or three threads;
 *   observed, where no accelerator serves, and as many moves are told as there are hops;
 *   by the slow twin of the queueing engine (oracle/judge.h), step by step, if the scheme has queues.
 * All outcomes are the same, refusals included.
 */
#include "fuzz.h"

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

const fuzz_rule fuzz_grammar[] = {{"case", "$bytes"}, {NULL, NULL}};

enum { NETWORKS = sizeof networks / sizeof *networks, PACKETS_MAX = 96, LINKS_MAX = 60, RUNS_MAX = 2 };

/* A ring with other links between its nodes, or one of the families. */
static np_network *choose_network(fuzz_choices *c)
{
    np_node from[LINKS_MAX], to[LINKS_MAX], nodes = 2 + fuzz_choose(c, 12);
    unsigned k = fuzz_choose(c, NETWORKS + NETWORKS / 2);
    size_t links = nodes + fuzz_choose(c, LINKS_MAX - 13);
    np_network *network;
    if (k < NETWORKS) {
        FUZZ_CHECK(!np_network_create(networks[k], &network));
        return network;
    }
    for (size_t i = 0; i < links; i++) {
        from[i] = i < nodes ? (np_node)i : fuzz_choose(c, nodes);
        to[i] = i < nodes ? (np_node)(i + 1) % nodes : fuzz_choose(c, nodes);
    }
    FUZZ_CHECK(!np_network_from_links(nodes, links, from, to, &network));
    return network;
}

/* h permutations, for the schemes that take nothing else. */
static unsigned choose_permutations(fuzz_choices *c, np_node terminals, np_node *from, np_node *to)
{
    unsigned most = PACKETS_MAX / terminals, h = most ? 1 + fuzz_choose(c, most) : 0, packets = 0;
    for (unsigned k = 0; k < h; k++, packets += terminals)
        for (np_node i = 0; i < terminals; i++) { /* inside out */
            np_node j = fuzz_choose(c, i + 1);
            from[packets + i] = i;
            to[packets + i] = to[packets + j];
            to[packets + j] = i;
        }
    return packets;
}

static unsigned choose_packets(fuzz_choices *c, np_node terminals, np_node *from, np_node *to)
{
    unsigned packets = fuzz_choose(c, PACKETS_MAX + 1), crowd = 1 + fuzz_choose(c, terminals < 256 ? terminals : 256);
    for (unsigned p = 0; p < packets; p++) {
        from[p] = fuzz_choose(c, crowd);
        to[p] = fuzz_choose(c, 256) % terminals;
    }
    return packets;
}

static np_traffic *choose_traffic(fuzz_choices *c, const np_network *network)
{
    np_node from[PACKETS_MAX], to[PACKETS_MAX], terminals = np_network_terminals(network);
    uint32_t priority[PACKETS_MAX];
    bool prior = fuzz_choose(c, 3) == 0;
    unsigned packets =
        fuzz_choose(c, 2) ? choose_packets(c, terminals, from, to) : choose_permutations(c, terminals, from, to);
    np_traffic *traffic;
    for (unsigned p = 0; p < packets; p++) {
        from[p] = np_network_input(network, from[p]);
        to[p] = np_network_output(network, to[p]);
        priority[p] = prior ? fuzz_choose(c, 8) : 0;
    }
    FUZZ_CHECK(!np_traffic_from_arrays(network, packets, from, to, prior ? priority : NULL, &traffic));
    return traffic;
}

static const char *choose_name(fuzz_choices *c, np_list list)
{
    size_t count = 0;
    while (np_list_get(list, count))
        count++;
    return np_list_get(list, fuzz_choose(c, (unsigned)count))->name;
}

static bool heeds(const char *scheme, const char *option) { return !np_scheme_heeds(scheme, option); }

static void choose_messages(fuzz_choices *c, np_merge_options *merge)
{
    merge->message_most = 1 + fuzz_choose(c, 4) / 2 * fuzz_choose(c, 4);
    merge->message_least = 1 + fuzz_choose(c, merge->message_most);
    merge->message_mode = (np_message_mode)fuzz_choose(c, 3);
}

static void choose_merging(fuzz_choices *c, const char *scheme, np_merge_options *merge)
{
    static const uint32_t ranges[] = {1, 2, 5, 1 << 30};
    if (heeds(scheme, "queue_size"))
        merge->queue_size = 1 + fuzz_choose(c, 5);
    if (heeds(scheme, "room"))
        merge->room = fuzz_choose(c, 2) ? NP_ROOM_FREED : NP_ROOM_BEGIN;
    if (heeds(scheme, "combine"))
        merge->combine = fuzz_choose(c, 3) ? NP_COMBINE_NONE : (np_combine)(1 + fuzz_choose(c, 6));
    if (heeds(scheme, "rank_range"))
        merge->rank_range = ranges[fuzz_choose(c, 4)];
    if (heeds(scheme, "waves"))
        merge->waves = fuzz_choose(c, 6);
    if (heeds(scheme, "message_length"))
        choose_messages(c, merge);
    if (heeds(scheme, "no_ghosts"))
        merge->no_ghosts = fuzz_choose(c, 8) == 0;
}

/* One of the schemes that the network takes. */
static const char *choose_scheme(fuzz_choices *c, const np_network *network)
{
    const char *name[256];
    unsigned count = 0;
    for (size_t i = 0; np_list_get(NP_LIST_SCHEMES, i); i++)
        if (!np_scheme_applies(np_list_get(NP_LIST_SCHEMES, i)->name, network))
            name[count++] = np_list_get(NP_LIST_SCHEMES, i)->name;
    FUZZ_CHECK(count > 0);
    return name[fuzz_choose(c, count)];
}

/* A scheme, and of the options some that it heeds. */
static np_route_options choose_options(fuzz_choices *c, const np_network *network)
{
    static const char *const rules[] = {NULL, "ecmp", "lowest-port", "shortest", "spray", "balanced", "k-shortest:3"};
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = choose_scheme(c, network);
    options.seed = fuzz_choose(c, 256);
    options.runs = 1 + fuzz_choose(c, RUNS_MAX);
    if (heeds(options.scheme, "overlap"))
        options.overlap = fuzz_choose(c, 4) == 0;
    if (!strcmp(options.scheme, "greedy") || !strcmp(options.scheme, "valiant"))
        options.paths = rules[fuzz_choose(c, sizeof rules / sizeof *rules)];
    if (heeds(options.scheme, "queue"))
        options.queue = choose_name(c, NP_LIST_QUEUES);
    if (heeds(options.scheme, "permutations"))
        options.permutations = fuzz_choose(c, 3);
    choose_merging(c, options.scheme, &options.merge);
    return options;
}

static np_status route(const np_network *network, const np_traffic *traffic, np_route_options options, unsigned threads,
                       const np_observer *observer, np_route_result **out)
{
    options.threads = threads;
    options.observer = observer;
    return np_route_traffic(network, traffic, &options, out);
}

/* Options that are refused together are dropped: then the scheme does what it does by itself. */
static np_status route_plainly(const np_network *network, const np_traffic *traffic, np_route_options *options,
                               np_route_result **out)
{
    np_status st = route(network, traffic, *options, 1, NULL, out);
    if (!st)
        return NP_OK;
    np_merge_options_init(&options->merge);
    options->overlap = false;
    options->permutations = 0;
    if (!support_queues(options->scheme))
        options->queue = NULL;
    return route(network, traffic, *options, 1, NULL, out);
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
 * The twin finds each route by itself, so it cannot know rules by which packets take parallel links in turn, or give
 * way to each other.
 */
static bool can_judge(const np_network *network, const np_route_options *options)
{
    if (!support_queues(options->scheme))
        return false;
    if (!options->paths)
        return strcmp(np_network_spec(network), "links") != 0;
    return !strcmp(options->paths, "ecmp") || !strcmp(options->paths, "lowest-port");
}

static void judge(const np_network *network, const np_traffic *traffic, const np_route_options *options)
{
    const oracle_case c = {.network = network,
                           .traffic = traffic,
                           .scheme = options->scheme,
                           .queue = options->queue,
                           .paths = options->paths,
                           .seed = options->seed,
                           .overlap = options->overlap};
    fuzz_judge_begins();
    oracle_judge(&c, (const unsigned[]){1, 0});
    fuzz_judge_ends();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_choices c = fuzz_choices_of(data, size);
    np_network *network = choose_network(&c);
    np_route_options options = choose_options(&c, network);
    unsigned threads = fuzz_choose(&c, 8) ? 0 : 2 + fuzz_choose(&c, 2);
    np_traffic *traffic = choose_traffic(&c, network);
    np_route_result *plain;
    np_status st = route_plainly(network, traffic, &options, &plain);
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
