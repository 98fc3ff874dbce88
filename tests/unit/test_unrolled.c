/*
 * Networks unrolled by hops, and leveled networks as they are: against their definitions, which this file reads off the
 * packets' paths by itself, and whole runs on them against the slow twin of the merging engine.
 *
 * Each of these bugs was planted once, and found: ports are numbered from 1; a node has a new number for each packet
 * that comes; an edge leads to its own tail on the next level; a link backwards leads to the same level, as it is; the
 * guard is not asked; the emulation is that of the last run; ports are not limited; paths are drawn with the purpose of
 * targets; the search for levels asks for the bytes of a leveled network; the watch is not asked.
 */
#include "support.h"

#include <string.h>

#include "model/leveled/stage_one.h"
#include "oracle/merging_case.h"
#include "oracle/path_set_judge.h"
#include "model/traffic/traffic.h"

enum { HOPS_MAX = 64, SEED = 9 };

typedef struct setting {
    const char *network, *paths, *traffic;
} setting;

static const setting settings[] = {
    {"star:4", "greedy", "random"},         {"shuffle:2x4", "greedy", "h-relation:3"},
    {"complete:7", "greedy", "random"},     {"mesh:5x4", "shortest", "h-relation:2"},
    {"mesh:4x4", "k-shortest", "random"},   {"hypercube:5", "random-order", "random-function:4"},
    {"ccc:3", "clockwise", "random"},       {"tree:4", "greedy", "hotspot:3"},
    {"ring:9", "shortest", "h-relation:2"}, {"shuffle-exchange:4", "stages", "random"},
    {"pancake:4", "shortest", "random"},    {"mesh-of-trees:4", "greedy", "repeat:2:random"},
};

enum { SETTINGS = sizeof settings / sizeof *settings };

/* Stage 1 of a setting, run 2. */
typedef struct chosen {
    np_network *network;
    np_traffic *traffic;
    np_stage_one *stage;
    np_chosen choice;
} chosen;

static chosen choose(const setting *s)
{
    chosen c = {.network = support_network(s->network)};
    assert_ok(np_traffic_create(s->traffic, c.network, SEED, 2, &c.traffic));
    assert_ok(np_stage_one_create(c.network, s->paths, &c.stage));
    np_selection selection = {.draws = {.seed = SEED, .run = 2}, .traffic = c.traffic};
    assert_ok(np_stage_one_choose(c.stage, &selection, NULL, &c.choice));
    assert_ok(np_stage_one_choose(c.stage, &selection, NULL, &c.choice)); /* again, in the same room */
    return c;
}

static void clear(chosen *c)
{
    np_chosen_clear(&c->choice);
    np_stage_one_free(c->stage);
    np_traffic_free(c->traffic);
    np_network_free(c->network);
}

/* The links of a packet's path, by the rule alone. Returns their number. */
static size_t links_of(const chosen *c, np_packet p, np_link *link)
{
    size_t hops;
    assert_ok(np_path_walk(c->stage->path, np_traffic_sources(c->traffic)[p], np_traffic_destinations(c->traffic)[p],
                           SEED, 2, 0, p, HOPS_MAX, link, &hops));
    assert_true(hops <= HOPS_MAX);
    return hops;
}

/* The packet's path on the leveled network crosses these links, one a level. */
static void judge_path(const chosen *c, np_packet i, const np_link *link, size_t hops, uint32_t from_level)
{
    const np_leveled *lv = c->choice.leveled;
    const np_path_set *set = &c->choice.path_set;
    uint32_t v = set->origin[i];
    assert_int_equal(lv->host[v], np_traffic_sources(c->traffic)[set->packet[i]]);
    assert_int_equal(np_leveled_level(lv, v), from_level);
    assert_int_equal(set->begin[i + 1] - set->begin[i], hops);
    for (size_t k = 0; k < hops; k++) {
        uint32_t e = lv->out[v] + set->port[set->begin[i] + k];
        assert_true(e < lv->out[v + 1]);
        assert_int_equal(lv->link[lv->walk[e]], link[k]);
        v = lv->head[e];
    }
    assert_int_equal(lv->host[v], np_traffic_destinations(c->traffic)[set->packet[i]]);
    assert_int_equal(set->target[i], lv->host[v]);
}

/* used[h * items + x] = true for each node, or link, x of a path at hop h. */
static void judge_unrolled(const setting *s)
{
    chosen c = choose(s);
    const np_leveled *lv = c.choice.leveled;
    const uint32_t nodes = np_network_nodes(c.network), links = np_network_link_numbers(c.network);
    bool *node = calloc((HOPS_MAX + 1) * (size_t)nodes, 1), *edge = calloc(HOPS_MAX * (size_t)links, 1);
    np_link link[HOPS_MAX];
    size_t depth = 0, all_nodes = 0, all_edges = 0;
    np_packet i = 0;
    assert_null(c.stage->as_is);
    judge_leveled(c.network, lv);
    for (np_packet p = 0; p < np_traffic_packets(c.traffic); p++) {
        np_node at = np_traffic_sources(c.traffic)[p];
        if (at == np_traffic_destinations(c.traffic)[p]) {
            node[at] = true; /* where it rests */
            continue;
        }
        size_t hops = links_of(&c, p, link);
        assert_int_equal(c.choice.path_set.packet[i], p);
        judge_path(&c, i++, link, hops, 0);
        depth = hops > depth ? hops : depth;
        node[at] = true;
        for (size_t h = 0; h < hops; h++) {
            edge[h * links + link[h]] = true;
            node[(h + 1) * nodes + np_network_link_head(c.network, link[h])] = true;
        }
    }
    for (size_t k = 0; k < (HOPS_MAX + 1) * (size_t)nodes; k++)
        all_nodes += node[k];
    for (size_t k = 0; k < HOPS_MAX * (size_t)links; k++)
        all_edges += edge[k];
    assert_int_equal(c.choice.path_set.packets, i);
    assert_int_equal(lv->depth, depth);
    assert_int_equal(lv->nodes, all_nodes); /* each (node, hop) of a path once, and no other */
    assert_int_equal(lv->edges, all_edges);
    free(node);
    free(edge);
    clear(&c);
}

static void unrolled_is_its_definition(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++)
        judge_unrolled(&settings[i]);
}

/* Ranks by target where packets combine, else by packet. */
static void set_ranks(merging_case *c, uint32_t trial)
{
    for (np_packet i = 0; i < c->path_set.packets; i++) {
        uint32_t key = c->options.combine != NP_COMBINE_NONE ? c->path_set.target[i] : 1000 + i;
        np_draws draws = {trial, 0, 0, NP_RANDOM_CHECK};
        c->path_set.rank[i] = 1 + np_random_below(&draws, key, 0, 50);
    }
    c->job = (np_merge_job){.leveled = c->leveled, .path_set = &c->path_set, .ranked = true};
    c->options.rank_range = 50;
}

/* The engine and its twin agree on the network, step by step; with ghosts all packets arrive. */
static void runs_are_those_of_the_twin(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 6 * SETTINGS; trial++) {
        chosen c = choose(&settings[trial % SETTINGS]);
        merging_case twin = {.leveled = c.choice.own, .path_set = c.choice.path_set};
        np_merge_options_init(&twin.options);
        twin.options.queue_size = 1 + trial / SETTINGS % 3;
        twin.options.combine = trial / SETTINGS >= 3 ? NP_COMBINE_SUM : NP_COMBINE_NONE;
        set_ranks(&twin, trial);
        merging_case_mirror(&twin);
        assert_true(merging_case_judge(&twin, trial));
        c.choice = (np_chosen){0}; /* the case has them */
        merging_case_clear(&twin);
        clear(&c);
    }
}

/* Levels 0, 1, 2 of 3, 2 and 3 nodes, numbered out of order; node 8 stands alone. */
static np_network *three_levels(void)
{
    static const np_node from[] = {7, 7, 1, 4, 4, 0, 5}, to[] = {0, 5, 5, 0, 5, 6, 3};
    np_network *network;
    assert_ok(np_network_from_links(9, 7, from, to, &network));
    return network;
}

static void leveled_stays_as_it_is(void **state)
{
    static const uint32_t level[] = {1, 0, 0, 2, 0, 1, 2, 0, 0};
    np_network *network = three_levels();
    np_as_is *as_is;
    (void)state;
    assert_ok(np_as_is_create(network, &as_is));
    assert_non_null(as_is);
    judge_leveled(network, as_is->leveled);
    assert_int_equal(as_is->leveled->depth, 2);
    assert_int_equal(as_is->leveled->nodes, 9);
    assert_int_equal(as_is->leveled->edges, 7);
    for (np_node v = 0; v < 9; v++) {
        assert_int_equal(np_leveled_level(as_is->leveled, as_is->number[v]), level[v]);
        assert_int_equal(as_is->leveled->host[as_is->number[v]], v);
    }
    np_as_is_free(as_is);
    np_network_free(network);
}

static void others_are_not_leveled(void **state)
{
    static const char *const specs[] = {"mesh:3x3", "ring:4", "butterfly:3", "complete:2", "shuffle:2x3"};
    static const np_node from[] = {0, 1, 0}, to[] = {1, 2, 2};
    np_network *network;
    np_as_is *as_is;
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        network = support_network(specs[i]);
        assert_ok(np_as_is_create(network, &as_is));
        assert_null(as_is);
        np_network_free(network);
    }
    assert_ok(np_network_from_links(3, 3, from, to, &network)); /* one link leads over a level */
    assert_ok(np_as_is_create(network, &as_is));
    assert_null(as_is);
    np_network_free(network);
}

/* A network that is not leveled needs the bytes of the search alone, and no more. */
static void what_is_made_is_allowed(void **state)
{
    enum { NODES = 1000 };
    np_node from[NODES], to[NODES];
    np_network *network;
    np_as_is *as_is;
    (void)state;
    for (np_node v = 0; v < NODES; v++) {
        from[v] = v;
        to[v] = (v + 1) % NODES;
    }
    assert_ok(np_network_from_links(NODES, NODES, from, to, &network));
    support_memory_count(true);
    assert_ok(np_as_is_create(network, &as_is));
    assert_null(as_is);
    assert_in_range(support_memory_peak(), 1, np_as_is_search_bytes(network));
    support_memory_count(false);
    np_network_free(network);
    network = three_levels();
    support_memory_count(true);
    assert_ok(np_as_is_create(network, &as_is));
    assert_in_range(support_memory_peak(), 1, as_is->bytes);
    support_memory_count(false);
    np_as_is_free(as_is);
    np_network_free(network);
}

/* Whoever watches hears of the walk, and can end it. */
static int stop_at(void *context, const np_progress *progress)
{
    uint32_t *left = context;
    assert_true(progress->share >= 0 && progress->share <= 1);
    return --*left == 0;
}

static void walks_are_watched(void **state)
{
    np_network *network = support_network("ring:40");
    np_traffic *traffic;
    np_stage_one *stage;
    np_chosen choice = {0};
    uint32_t left = 1000;
    const np_watch watch = {stop_at, &left};
    (void)state;
    assert_ok(np_traffic_create("random", network, SEED, 0, &traffic));
    assert_ok(np_stage_one_create(network, "greedy", &stage));
    np_selection selection = {.draws = {.seed = SEED}, .traffic = traffic};
    assert_ok(np_stage_one_choose(stage, &selection, &watch, &choice));
    assert_int_equal(1000 - left, 2 * (choice.leveled->depth + 1)); /* before each hop, and the end, of two walks */
    left = (1000 - left) / 2;
    assert_refused(np_stage_one_choose(stage, &selection, &watch, &choice), NP_ERROR_CANCELLED, "cancelled");
    np_chosen_clear(&choice);
    np_stage_one_free(stage);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* The links that the packets cross, as observers see them. */
enum { RUNS = 4, PACKETS_MAX = 42 };
typedef struct crossed {
    np_event_phase phase; /* the present one */
    uint32_t hops[RUNS][PACKETS_MAX];
    np_link link[RUNS][PACKETS_MAX][HOPS_MAX];
} crossed;

static int see_phase(void *context, const np_event_phase *phase)
{
    ((crossed *)context)->phase = *phase;
    return 0;
}

static int see_moves(void *context, size_t count, const np_event *event)
{
    crossed *seen = context;
    const np_event_leveled *lv = seen->phase.leveled;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED) {
            uint32_t *hops = &seen->hops[seen->phase.run][event[i].packet];
            np_link link = event[i].link;
            assert_true(*hops < HOPS_MAX);
            seen->link[seen->phase.run][event[i].packet][(*hops)++] = lv ? lv->link[lv->walk[link]] : link;
        }
    return 0;
}

static np_route_result *route_seen(const np_network *network, const char *scheme, const char *paths,
                                   const char *traffic, crossed *seen)
{
    const np_observer observer = {
        .kinds = UINT32_C(1) << NP_EVENT_MOVED, .begin = see_phase, .events = see_moves, .context = seen};
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.paths = paths;
    options.runs = RUNS;
    options.seed = SEED;
    options.observer = seen ? &observer : NULL;
    assert_ok(np_route(network, traffic, &options, &result));
    return result;
}

static np_route_result *route(const np_network *network, const char *scheme, const char *paths, const char *traffic)
{
    return route_seen(network, scheme, paths, traffic, NULL);
}

/* With its unique paths, the one-pass butterfly as it is has the steps that it has as a family. */
static void as_it_is_has_the_steps_of_its_family(void **state)
{
    static const char *const schemes[] = {"ranked", "waves"};
    np_network *network = support_network("butterfly-io:6");
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        np_route_result *family = route(network, schemes[i], NULL, "random-function:5");
        np_route_result *as_is = route(network, schemes[i], "greedy", "random-function:5");
        for (uint32_t r = 0; r < 4; r++)
            assert_memory_equal(&family->phase[0].run[r], &as_is->phase[0].run[r], sizeof(np_phase_run));
        assert_string_equal(as_is->paths, "unique");
        assert_int_equal(as_is->phase[0].emulation.nodes_per_node, 1);
        np_route_result_free(family);
        np_route_result_free(as_is);
    }
    np_network_free(network);
}

/* The same seed gives the same paths in every scheme that takes them; the emulation is the worst of the runs. */
static void paths_are_those_of_greedy(void **state)
{
    np_network *network = support_network("mesh:7x6");
    static const char *const rules[] = {"shortest", "balanced", "k-shortest", "random-order", NULL};
    (void)state;
    for (size_t i = 0; rules[i]; i++) {
        np_path *path;
        if (np_path_create(rules[i], network, &path))
            continue;
        np_path_free(path);
        static crossed by_greedy, by_ranked;
        memset(&by_greedy, 0, sizeof by_greedy);
        memset(&by_ranked, 0, sizeof by_ranked);
        np_route_result *greedy = route_seen(network, "greedy", rules[i], "random", &by_greedy);
        np_route_result *ranked = route_seen(network, "ranked", rules[i], "random", &by_ranked);
        assert_memory_equal(by_greedy.hops, by_ranked.hops, sizeof by_greedy.hops);
        assert_memory_equal(by_greedy.link, by_ranked.link, sizeof by_greedy.link);
        uint32_t most = 0;
        for (uint32_t r = 0; r < 4; r++) {
            const np_phase_run *run = &ranked->phase[0].run[r];
            assert_int_equal(greedy->phase[0].run[r].hops, run->hops);
            assert_true(run->congestion <= greedy->phase[0].run[r].congestion);
            assert_in_range(run->emulation.nodes_per_node, 2, run->levels + 1);
            assert_in_range(run->emulation.links_per_link, 1, run->levels);
            most = run->emulation.nodes_per_node > most ? run->emulation.nodes_per_node : most;
        }
        assert_int_equal(ranked->phase[0].emulation.nodes_per_node, most);
        assert_string_equal(ranked->paths, rules[i]);
        np_route_result_free(greedy);
        np_route_result_free(ranked);
    }
    np_network_free(network);
}

/* A node of a leveled network has 255 ports at most, and 256 packets that leave it at one hop need as many. */
static void too_many_ports_are_refused(void **state)
{
    np_node from[300], to[300];
    np_network *network, *star;
    np_route_options options;
    np_route_result *result;
    (void)state;
    for (np_node i = 0; i < 300; i++) {
        from[i] = 0;
        to[i] = i + 1;
    }
    assert_ok(np_network_from_links(301, 300, from, to, &network));
    np_route_options_init(&options);
    options.scheme = "ranked";
    np_node source = 0, end = 7;
    np_traffic *one;
    assert_ok(np_traffic_from_arrays(network, 1, &source, &end, NULL, &one));
    assert_ok(np_route_traffic(network, one, &options, &result)); /* it leaves over one link */
    np_route_result_free(result);
    np_traffic_free(one);
    np_network_free(network);
    star = support_network("complete:400");
    np_traffic *traffic;
    for (np_node i = 0; i < 300; i++)
        from[i] = 7, to[i] = i + 50;
    assert_ok(np_traffic_from_arrays(star, 300, from, to, NULL, &traffic));
    assert_refused(np_route_traffic(star, traffic, &options, &result), NP_ERROR_LIMIT,
                   "packets leave node 7 of complete:400 over more than 255 links at hop 1");
    np_traffic_free(traffic);
    np_network_free(star);
}

/* What grows with the paths is refused before it is made. */
static void too_large_is_refused(void **state)
{
    np_network *network = support_network("ring:600");
    np_route_options options;
    np_route_result *result;
    uint64_t bytes;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "ranked";
    options.paths = "k-shortest:2"; /* how long paths are is not known before they are found */
    options.threads = 1;
    assert_ok(np_route_memory(network, "random", &options, &bytes));
    options.memory_limit = bytes + 1000000;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_LIMIT, "no memory for a leveled network");
    np_network_free(network);
}

/* As much as is promised is enough, also where the network is large and paths are short; and no more is taken. */
static void the_promise_is_enough(void **state)
{
    np_network *network = support_network("complete:500");
    np_route_options options;
    np_route_result *result;
    uint64_t bytes;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "ranked";
    options.threads = 1;
    assert_ok(np_route_memory(network, "random", &options, &bytes));
    options.memory_limit = bytes;
    support_memory_count(true);
    assert_ok(np_route(network, "random", &options, &result));
    assert_in_range(support_memory_peak(), 1, bytes);
    support_memory_count(false);
    np_route_result_free(result);
    np_network_free(network);
}

/* The long routes of a network without a formula for its diameter count, too, while it is unrolled. */
static void routes_are_within_the_limit(void **state)
{
    enum { NODES = 300, HOPS = 140, PACKETS = 60000 };
    np_node from[2 * NODES], to[2 * NODES], *source = calloc(PACKETS, sizeof *source),
                                            *end = calloc(PACKETS, sizeof *end);
    np_network *network;
    np_traffic *traffic;
    np_route_options options;
    np_route_result *result;
    (void)state;
    for (np_node v = 0; v < NODES; v++) {
        from[2 * v] = to[2 * v + 1] = v;
        to[2 * v] = from[2 * v + 1] = (v + 1) % NODES;
    }
    for (np_packet p = 0; p < PACKETS; p++) {
        source[p] = p % NODES;
        end[p] = (p + HOPS) % NODES;
    }
    assert_ok(np_network_from_links(NODES, 2 * NODES, from, to, &network));
    assert_ok(np_traffic_from_arrays(network, PACKETS, source, end, NULL, &traffic));
    np_route_options_init(&options);
    options.scheme = "ranked";
    options.threads = 1;
    for (options.memory_limit = 20000000; options.memory_limit < 36000000;
         options.memory_limit += SUPPORT_FEWER(2000000, 5000000)) {
        support_memory_count(true);
        np_status st = np_route_traffic(network, traffic, &options, &result);
        assert_true(st == NP_OK || st == NP_ERROR_LIMIT);
        assert_in_range(support_memory_peak(), 1, options.memory_limit);
        support_memory_count(false);
        if (!st)
            np_route_result_free(result);
    }
    np_traffic_free(traffic);
    np_network_free(network);
    free(source);
    free(end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unrolled_is_its_definition),
        cmocka_unit_test(runs_are_those_of_the_twin),
        cmocka_unit_test(leveled_stays_as_it_is),
        cmocka_unit_test(others_are_not_leveled),
        cmocka_unit_test(what_is_made_is_allowed),
        cmocka_unit_test(walks_are_watched),
        cmocka_unit_test(as_it_is_has_the_steps_of_its_family),
        cmocka_unit_test(paths_are_those_of_greedy),
        cmocka_unit_test(too_many_ports_are_refused),
        cmocka_unit_test(too_large_is_refused),
        cmocka_unit_test(the_promise_is_enough),
        cmocka_unit_test(routes_are_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
