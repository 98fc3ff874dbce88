/*
 * The shuffle-exchange graph as leveled networks: that edges are walks of the
 * graph, that paths arrive and the phases chain, the claims of the proofs in
 * papers/shuffle_exchange/shuffle_exchange.c and papers/shuffle_exchange/bad_nodes.c, and whole routings.
 *
 * n = 4 has two good necklaces, of 0001 and 0011. Their flip edges: 00_1_1 to
 * 000_1_, by 1001 -> 1000 -> 0001. So of the 6 * 3 + 1 levels of "route", of two
 * nodes each, A has one flip edge, from necklace 1 at position 2 to necklace 0 at 3,
 * and A^r the same backwards.
 */
#include "support.h"

#include "base/memory.h"
#include "engine/merging/merge.h"
#include "papers/shuffle_exchange/bad_nodes.h"
#include "model/leveled/leveled_routing.h"

enum { LEFT, RIGHT, EXCHANGE, IN = 0, ROUTE, OUT, PHASES };

typedef struct bench {
    np_network *network;
    np_leveled_routing *routing;
    np_necklaces *nl;
    np_path_set path_set;
    uint32_t *count, *end; /* of the path set */
} bench;

static void setup(bench *b, uint32_t bits)
{
    char spec[32];
    snprintf(spec, sizeof spec, "shuffle-exchange:%u", bits);
    *b = (bench){.network = support_network(spec)};
    assert_ok(np_leveled_routing_create(b->network, &b->routing));
    assert_ok(np_necklaces_create(bits, &b->nl));
    assert_int_equal(b->routing->phases, PHASES);
}

static void teardown(bench *b)
{
    np_path_set_clear(&b->path_set);
    free(b->count);
    free(b->end);
    np_necklaces_free(b->nl);
    np_leveled_routing_free(b->routing);
    np_network_free(b->network);
}

/* The path set of a phase, followed: b->end. Returns the congestion. */
static uint32_t choose(bench *b, unsigned phase, const np_traffic *traffic, uint64_t seed, bool combine)
{
    const np_leveled *lv = b->routing->phase[phase].leveled;
    np_selection selection = {.phase = phase, .draws = {.seed = seed}, .traffic = traffic, .combine = combine};
    uint32_t congestion;
    assert_ok(b->routing->ops->select(b->routing, &selection, &b->path_set));
    b->count = realloc(b->count, (lv->edges + 1) * sizeof *b->count);
    b->end = realloc(b->end, (b->path_set.packets + 1) * sizeof *b->end);
    assert_ok(np_path_set_follow(&b->path_set, lv, b->count, b->end, &congestion));
    return congestion;
}

static bool good(const bench *b, np_node v) { return np_necklaces_kind(b->nl, b->nl->of[v]) == NP_NECKLACE_GOOD; }

static void four_bits(void **state)
{
    (void)state;
    bench b;
    setup(&b, 4);
    const np_leveled *lv = b.routing->phase[ROUTE].leveled;
    assert_string_equal(b.routing->phase[IN].name, "in");
    assert_string_equal(b.routing->phase[ROUTE].name, "route");
    assert_string_equal(b.routing->phase[OUT].name, "out");
    assert_true(b.routing->phase[IN].ranked && b.routing->phase[OUT].ranked && !b.routing->phase[ROUTE].ranked);
    assert_int_equal(lv->depth, 18);
    assert_int_equal(lv->nodes, 2 * 19);
    assert_int_equal(lv->edges, 2 * 18 + 4);
    /* Necklace 1 in A at position 2: level 5, node 11. Port 0 to 12 + 1, port 1 to 12 + 0. */
    uint32_t e = lv->out[11];
    assert_int_equal(lv->out[12] - e, 2);
    assert_int_equal(lv->head[e], 13);
    assert_int_equal(lv->head[e + 1], 12);
    assert_int_equal(lv->host[11], 9);
    assert_int_equal(lv->walk[e + 2] - lv->walk[e + 1], 2);
    assert_int_equal(lv->link[lv->walk[e + 1]], 3 * 9 + EXCHANGE);
    assert_int_equal(lv->link[lv->walk[e + 1] + 1], 3 * 8 + LEFT);
    /* And back, from level 6 on: node 12 by port 1 to 14 + 1. */
    assert_int_equal(lv->out[13] - lv->out[12], 2);
    assert_int_equal(lv->head[lv->out[12] + 1], 15);
    teardown(&b);
}

/* Where a link of the host leads: by arithmetic on the label. */
static np_node across(uint32_t bits, np_link link)
{
    np_node v = link / 3, top = UINT32_C(1) << (bits - 1);
    if (link % 3 == LEFT)
        return (v & ~top) * 2 + (v >= top);
    return link % 3 == RIGHT ? v / 2 + (v & 1) * top : v ^ 1;
}

static void check_walks(const np_leveled *lv, uint32_t bits)
{
    for (uint32_t e = 0; e < lv->edges; e++) {
        np_node at = lv->host[lv->tail[e]];
        assert_true(lv->walk[e + 1] - lv->walk[e] <= 3);
        for (uint32_t l = lv->walk[e]; l < lv->walk[e + 1]; l++) {
            assert_int_equal(lv->link[l] / 3, at);
            assert_int_not_equal(at = across(bits, lv->link[l]), lv->link[l] / 3);
        }
        assert_int_equal(at, lv->host[lv->head[e]]);
    }
}

/* Edges are walks; degrees and overheads are constant, and in-trees are trees. */
static void networks(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 14; bits++) {
        bench b;
        np_emulation emulation;
        setup(&b, bits);
        for (unsigned phase = 0; phase < PHASES; phase++) {
            const np_leveled *lv = b.routing->phase[phase].leveled;
            assert_int_equal(lv->host_nodes, 1u << bits);
            assert_int_equal(lv->host_links, 3u << bits);
            check_walks(lv, bits);
            assert_true(np_leveled_degree(lv) <= 3);
            assert_ok(np_leveled_emulation(lv, &emulation));
            assert_true(emulation.nodes_per_node <= (phase == ROUTE ? 6 : 2));
            assert_true(emulation.links_per_link <= (phase == ROUTE ? 6 : 4));
            for (uint32_t v = 0; v < lv->nodes; v++) {
                assert_true(phase != ROUTE || good(&b, lv->host[v]));
                assert_true(phase != IN || lv->out[v + 1] - lv->out[v] == (np_leveled_level(lv, v) < lv->depth));
                assert_true(phase != OUT || lv->in[v + 1] - lv->in[v] == (np_leveled_level(lv, v) > 0));
            }
        }
        assert_int_equal(b.routing->phase[ROUTE].leveled->depth, 6 * (bits - 1));
        assert_true(b.routing->phase[IN].leveled->depth <= 2 * bits);
        assert_int_equal(b.routing->phase[IN].leveled->depth, b.routing->phase[OUT].leveled->depth);
        teardown(&b);
    }
}

/*
 * The claim about paths in A, for all pairs of good necklaces: flips as
 * needed exist, so all between is good, and lead to the target. And what
 * ports 1 and 2 of A^r rest on: if the flip from a label with bit p + 1 = 0 exists, so
 * does the one from the label with 1.
 */
static void paths_in_a(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 12; bits++) {
        np_necklaces *nl;
        assert_ok(np_necklaces_create(bits, &nl));
        for (uint32_t s = 0; s < nl->good; s++)
            for (uint32_t t = 0; t < nl->good; t++) {
                uint32_t at = s, want = nl->representative[t];
                if (nl->zeros[t] < nl->zeros[s])
                    continue;
                for (uint32_t p = 0; p < bits - 1; p++)
                    if ((nl->representative[at] ^ want) >> (bits - 1 - p) & 1)
                        assert_int_not_equal(at = np_necklaces_flip(nl, at, p), NP_NONE);
                assert_int_equal(at, t);
            }
        for (uint32_t g = 0; g < nl->good; g++)
            for (uint32_t p = 0; p < bits - 1; p++) {
                uint32_t to = np_necklaces_flip(nl, g, p), set = nl->representative[g] | 1u << (bits - 2 - p);
                if (to != NP_NONE)
                    assert_int_equal(np_necklaces_flip(nl, nl->of[set], p), to);
            }
        np_necklaces_free(nl);
    }
}

/* The logical node of packet i of the path set after so many hops, or where it ends. */
static uint32_t node_after(const bench *b, unsigned phase, np_packet i, uint32_t hops)
{
    const np_leveled *lv = b->routing->phase[phase].leveled;
    uint32_t v = b->path_set.origin[i];
    for (size_t k = b->path_set.begin[i]; k < b->path_set.begin[i + 1] && hops; k++, hops--)
        v = lv->head[lv->out[v] + b->path_set.port[k]];
    return v;
}

/* All pairs of good necklaces, at some positions: from end to end by way of the necklace that was drawn. */
static void all_pairs(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 10; bits++) {
        bench b;
        setup(&b, bits);
        const np_leveled *lv = b.routing->phase[ROUTE].leveled;
        uint32_t g = b.nl->good, packets = g * g, seen = 0, level = 3 * (bits - 1);
        np_node *from = malloc(packets * sizeof *from), *to = malloc(packets * sizeof *to);
        uint8_t *met = calloc(packets, 1);
        np_traffic *traffic;
        for (uint32_t i = 0; i < packets; i++) {
            from[i] = np_necklaces_at(b.nl, i / g, i % bits);
            to[i] = np_necklaces_at(b.nl, i % g, i / bits % bits);
        }
        assert_ok(np_traffic_from_arrays(b.network, packets, from, to, NULL, &traffic));
        for (uint64_t seed = 0; seed < 24; seed++) {
            np_draws draws = {.seed = seed, .purpose = NP_RANDOM_TARGET};
            choose(&b, ROUTE, traffic, seed, false);
            for (np_packet i = 0; i < b.path_set.packets; i++) {
                np_packet p = b.path_set.packet[i];
                uint32_t drawn = np_random_below(&draws, p, 0, g);
                uint32_t middle = node_after(&b, ROUTE, i, b.nl->position[from[p]] + 2 * (bits - 1));
                assert_int_equal(lv->host[b.path_set.origin[i]], from[p]);
                assert_int_equal(lv->host[b.end[i]], to[p]);
                assert_int_equal(middle, level * g + drawn);
                seen += !met[p / g * g + drawn]++;
            }
        }
        assert_true(bits < 4 || seen == packets); /* every necklace was the middle of every other's packets */
        np_traffic_free(traffic);
        free(from);
        free(to);
        free(met);
        teardown(&b);
    }
}

/* The phases chain: packets start where they are, and end where they should. */
static void chain(bench *b, const char *spec, bool combine)
{
    np_traffic *traffic = support_traffic(b->network, spec, 5);
    np_packet packets = np_traffic_packets(traffic);
    const np_node *from = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    np_node *at = malloc((packets + 1) * sizeof *at);
    uint8_t *moved = calloc(packets + 1, PHASES);
    memcpy(at, from, packets * sizeof *at);
    for (unsigned phase = 0; phase < PHASES; phase++) {
        const np_leveled *lv = b->routing->phase[phase].leveled;
        choose(b, phase, traffic, 11, combine);
        for (np_packet i = 0; i < b->path_set.packets; i++) {
            np_packet p = b->path_set.packet[i];
            assert_true(!i || p > b->path_set.packet[i - 1]);
            assert_int_equal(lv->host[b->path_set.origin[i]], at[p]);
            assert_int_equal(b->path_set.target[i], to[p]);
            assert_true(phase == ROUTE || (b->path_set.rank[i] >= 1 && b->path_set.rank[i] <= lv->depth + 1));
            at[p] = lv->host[b->end[i]];
            moved[p * PHASES + phase] = 1;
        }
        for (np_packet p = 0; p < packets; p++)
            assert_true(from[p] == to[p] || phase == OUT || good(b, at[p]));
    }
    for (np_packet p = 0; p < packets; p++) {
        assert_int_equal(at[p], to[p]);
        assert_int_equal(moved[p * PHASES + IN], from[p] != to[p] && !good(b, from[p]));
        assert_int_equal(moved[p * PHASES + OUT], from[p] != to[p] && !good(b, to[p]));
        assert_true(from[p] != to[p] || !moved[p * PHASES + ROUTE]);
    }
    free(at);
    free(moved);
    np_traffic_free(traffic);
}

static void phases_chain(void **state)
{
    static const char *const patterns[] = {"identity",  "random",    "bit-reversal",      "h-relation:3",
                                           "hotspot:1", "hotspot:0", "random-function:2", "partial:0.3"};
    (void)state;
    for (uint32_t bits = 2; bits <= 13; bits++) {
        bench b;
        setup(&b, bits);
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
            chain(&b, patterns[i], i & 1);
        if (bits <= 8)
            chain(&b, "all-to-all", false);
        teardown(&b);
    }
}

/* A good node stands for at most 4 bad ones, of the associated necklace's. */
static void who_stands_for_whom(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 18; bits++) {
        np_necklaces *nl;
        np_leveled *in, *out;
        np_bad_nodes *bad;
        assert_ok(np_necklaces_create(bits, &nl));
        assert_ok(np_bad_nodes_create(nl, &in, &out, &bad));
        uint8_t *times = calloc(nl->nodes, 1);
        for (np_node v = 0; v < nl->nodes; v++) {
            np_node stand = np_bad_nodes_good(bad, v);
            assert_true(nl->of[v] >= nl->good || stand == v);
            assert_int_equal(nl->of[stand], np_necklaces_associate(nl, v));
            assert_true(stand == v || ++times[stand] <= 4);
        }
        free(times);
        np_bad_nodes_free(bad);
        np_leveled_free(in);
        np_leveled_free(out);
        np_necklaces_free(nl);
    }
}

/* Packets for one destination that have met go on together: by one port from each logical node. */
static void packets_that_combine(void **state)
{
    (void)state;
    for (uint32_t bits = 4; bits <= 9; bits++) {
        bench b;
        setup(&b, bits);
        const np_leveled *lv = b.routing->phase[ROUTE].leveled;
        uint8_t *way = malloc(lv->nodes);
        for (uint32_t to = 0; to < 1u << bits; to += 1 + (1u << bits) / 29) {
            char spec[32];
            snprintf(spec, sizeof spec, "hotspot:%u", to);
            np_traffic *traffic = support_traffic(b.network, spec, 0);
            choose(&b, ROUTE, traffic, to, true);
            memset(way, 255, lv->nodes);
            for (np_packet i = 0; i < b.path_set.packets; i++) {
                uint32_t v = b.path_set.origin[i];
                for (size_t k = b.path_set.begin[i]; k < b.path_set.begin[i + 1]; k++) {
                    assert_true(way[v] == 255 || way[v] == b.path_set.port[k]);
                    way[v] = b.path_set.port[k];
                    v = lv->head[lv->out[v] + way[v]];
                }
                assert_int_equal(way[v], 255);
            }
            np_traffic_free(traffic);
        }
        free(way);
        teardown(&b);
    }
}

/* The most packets of one in-tree, or out-tree: by the array's last place that all its paths lead to, or come from. */
static uint32_t largest_tree(const bench *b, unsigned phase)
{
    const np_leveled *lv = b->routing->phase[phase].leveled;
    uint32_t *packets = calloc(b->nl->good, sizeof *packets), most = 0;
    for (np_packet i = 0; i < b->path_set.packets; i++) {
        np_node stand = lv->host[phase == IN ? b->end[i] : b->path_set.origin[i]];
        uint32_t here = ++packets[b->nl->of[stand]];
        most = here > most ? here : most;
    }
    free(packets);
    return most;
}

/* To the end, with the merging engine. Lemma 2.5 with no more packets than one tree has: see bad_nodes.c. */
static void route_all(bench *b, const char *spec, uint32_t q, uint64_t seed, np_combine combine)
{
    np_merge_options options;
    np_merge *merge;
    np_traffic *traffic = support_traffic(b->network, spec, seed);
    np_merge_options_init(&options);
    options.queue_size = q;
    options.combine = combine;
    assert_ok(np_merge_create(&options, &merge));
    for (unsigned phase = 0; phase < PHASES; phase++) {
        np_phase_run run;
        uint32_t congestion = choose(b, phase, traffic, seed, combine != NP_COMBINE_NONE);
        np_merge_job job = {.leveled = b->routing->phase[phase].leveled,
                            .path_set = &b->path_set,
                            .ranked = b->routing->phase[phase].ranked,
                            .draws = {.seed = seed, .phase = (uint16_t)phase}};
        assert_ok(np_merge_run(merge, &job, NULL, &run));
        assert_int_equal(run.congestion, congestion);
        assert_true(run.queue_real_max <= q);
        if (phase != ROUTE)
            assert_true(run.steps <= job.leveled->depth + 1 + (q == 1 ? 2 : 1) * largest_tree(b, phase));
        else if (combine == NP_COMBINE_NONE) /* c + L + log N times what was measured, rounded up */
            assert_true(run.steps <= (q == 1 ? 5 : 3) * (congestion + job.leveled->depth + b->nl->bits));
    }
    np_merge_free(merge);
    np_traffic_free(traffic);
}

static void routings(void **state)
{
    (void)state;
    for (uint32_t bits = 6; bits <= 10; bits++) {
        bench b;
        setup(&b, bits);
        for (uint32_t q = 1; q <= 2; q++) {
            route_all(&b, "bit-reversal", q, 1, NP_COMBINE_NONE);
            for (uint64_t seed = 1; seed <= 3; seed++)
                route_all(&b, "random", q, seed, NP_COMBINE_NONE);
            route_all(&b, "h-relation:3", q, 1, NP_COMBINE_NONE);
            route_all(&b, "hotspot:5", q, 2, NP_COMBINE_SUM);
        }
        teardown(&b);
    }
}

static void a_function_of_its_arguments(void **state)
{
    (void)state;
    bench b;
    setup(&b, 9);
    np_traffic *traffic = support_traffic(b.network, "random", 1);
    for (unsigned phase = 0; phase < PHASES; phase++) {
        choose(&b, phase, traffic, 3, false);
        size_t hops = b.path_set.begin[b.path_set.packets];
        uint8_t *first = malloc(hops + 1);
        memcpy(first, b.path_set.port, hops);
        choose(&b, ROUTE, traffic, 4, false);
        choose(&b, phase, traffic, 4, false); /* another seed matters in "route" only */
        assert_int_equal(b.path_set.begin[b.path_set.packets], hops);
        assert_int_equal(memcmp(first, b.path_set.port, hops) != 0, phase == ROUTE);
        choose(&b, phase, traffic, 3, false);
        assert_int_equal(b.path_set.begin[b.path_set.packets], hops);
        assert_memory_equal(first, b.path_set.port, hops);
        free(first);
    }
    np_traffic_free(traffic);
    teardown(&b);
}

static void refusals(void **state)
{
    (void)state;
    np_network *network = support_network("shuffle-exchange:1");
    np_leveled_routing *routing;
    assert_refused(np_leveled_routing_create(network, &routing), NP_ERROR_APPLY, "try shuffle-exchange:2");
    np_network_free(network);
    network = support_network("shuffle-exchange:29");
    assert_refused(np_leveled_routing_create(network, &routing), NP_ERROR_LIMIT, "try shuffle-exchange:28");
    np_network_free(network);
}

static void allocations_fail(void **state)
{
    (void)state;
    np_network *network = support_network("shuffle-exchange:5");
    np_leveled_routing *routing;
    np_status st = NP_ERROR_MEMORY;
    for (long n = 1; st; n++) {
        assert_true(n < 1000);
        np_memory_fail_after(n);
        st = np_leveled_routing_create(network, &routing);
        np_memory_fail_after(0);
        assert_true(st == NP_OK || (st == NP_ERROR_MEMORY && !routing));
    }
    np_leveled_routing_free(routing);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bits),
        cmocka_unit_test(networks),
        cmocka_unit_test(paths_in_a),
        cmocka_unit_test(all_pairs),
        cmocka_unit_test(phases_chain),
        cmocka_unit_test(who_stands_for_whom),
        cmocka_unit_test(packets_that_combine),
        cmocka_unit_test(routings),
        cmocka_unit_test(a_function_of_its_arguments),
        cmocka_unit_test(refusals),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
