/* The leveled routing of tori and hypercubes: plateaus. */
#include "support.h"

#include "oracle/path_set_judge.h"

typedef struct example {
    const char *spec;
    uint32_t dimensions, sides; /* k, and the sum of M_i */
    uint32_t links_per_link;
} example;

/* A dimension is that of four plateaus, but with k = 1 of three: plateau 1 is both. */
static const example examples[] = {
    {"ring:2", 1, 2, 3},      {"ring:7", 1, 7, 3},      {"torus:3x3", 2, 6, 4},   {"torus:2x2", 2, 4, 4},
    {"torus:5x3", 2, 8, 4},   {"torus:2x3x4", 3, 9, 4}, {"hypercube:1", 1, 2, 3}, {"hypercube:2", 2, 4, 4},
    {"hypercube:3", 3, 6, 4}, {"hypercube:4", 4, 8, 4},
};

/*
 * ring:2: plateaus 0, 1, 2 of two nodes each, on levels
 *   0: (0,0)   1: (0,1)   2: (1,0)   3: (1,1)   4: (2,0)   5: (2,1)
 * in a line: the way leads round and round.
 */
static void smallest_ring_by_hand(void **state)
{
    static const np_node host[] = {0, 1, 0, 1, 0, 1};
    (void)state;
    np_network *network = support_network("ring:2");
    np_leveled_routing *routing = judge_routing_of(network, "random-middle");
    const np_leveled *leveled = routing->phase[0].leveled;
    assert_int_equal(routing->phases, 1);
    assert_int_equal(leveled->depth, 5);
    assert_memory_equal(leveled->host, host, sizeof host);
    assert_int_equal(leveled->edges, 5);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

/* The section's figures: L, (2k + 1) N nodes, degree 2, at most four edges a link. */
static void levels_and_emulation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const example *e = &examples[i];
        np_network *network = support_network(e->spec);
        np_leveled_routing *routing = judge_routing_of(network, "random-middle");
        const np_leveled *leveled = routing->phase[0].leveled;
        np_emulation emulation;
        assert_ok(np_leveled_emulation(leveled, &emulation));
        assert_int_equal(leveled->depth, 3 * e->sides - e->dimensions);
        assert_int_equal(leveled->nodes, (2 * e->dimensions + 1) * np_network_nodes(network));
        assert_int_equal(emulation.nodes_per_node, 2 * e->dimensions + 1);
        assert_int_equal(emulation.links_per_link, e->links_per_link);
        assert_int_equal(np_leveled_degree(leveled), e->dimensions == 1 ? 1 : 2);
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

/* k packets a node, random ones and all for one node. */
static void paths_are_sound(void **state)
{
    static const char *const patterns[] = {"random-function:3", "identity", "hotspot:1"};
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        np_network *network = support_network(examples[i].spec);
        np_leveled_routing *routing = judge_routing_of(network, "random-middle");
        for (size_t j = 0; j < 3; j++)
            for (int combine = 0; combine < 2; combine++) {
                np_traffic *traffic;
                assert_ok(np_traffic_create(patterns[j], network, 5, 0, &traffic));
                judged_path_set judged = judge_leveled_routing(routing, traffic, 3 + i, combine);
                assert_true(judged.longest <= 3 * examples[i].sides - examples[i].dimensions);
                np_traffic_free(traffic);
            }
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

/* The node of plateau k, with that base, where packet i turns from dimension k - 1 to 0. */
static np_node middle_of(const np_leveled_routing *routing, const np_path_set *path_set, np_packet i, uint32_t base)
{
    const np_leveled *leveled = routing->phase[0].leveled;
    uint32_t v = path_set->origin[i];
    for (size_t k = path_set->begin[i];; k++) {
        np_node w = leveled->host[v];
        uint32_t level = np_leveled_level(leveled, v), weight = 0;
        for (; w; w &= w - 1)
            weight++;
        if (level == base + weight) { /* on plateau k of a hypercube */
            uint32_t e = leveled->out[v] + path_set->port[k];
            np_node next = leveled->host[leveled->head[e]];
            if ((leveled->host[v] ^ next) != 1) /* not in dimension k - 1, plateau k's own */
                return leveled->host[v];
        }
        v = leveled->head[leveled->out[v] + path_set->port[k]];
    }
}

/* hypercube:4, 16 x 100 packets 15 -> 0: their random nodes are spread as they ought to be (chi-square). */
static void middles_are_uniform_and_independent(void **state)
{
    enum { PACKETS = 1600, NODES = 16 };
    (void)state;
    np_network *network = support_network("hypercube:4");
    np_leveled_routing *routing = judge_routing_of(network, "random-middle");
    np_node source[PACKETS], to[PACKETS];
    uint32_t times[NODES] = {0};
    for (int i = 0; i < PACKETS; i++) {
        source[i] = 15;
        to[i] = 0;
    }
    np_traffic *traffic;
    assert_ok(np_traffic_from_arrays(network, PACKETS, source, to, NULL, &traffic));
    np_selection selection = {.draws = {.seed = 11}, .traffic = traffic};
    np_path_set path_set = {0};
    assert_ok(routing->ops->select(routing, &selection, &path_set));
    for (np_packet i = 0; i < path_set.packets; i++)
        times[middle_of(routing, &path_set, i, 2 * 4)]++;
    double square = 0;
    for (int w = 0; w < NODES; w++)
        square += (times[w] - 100.0) * (times[w] - 100.0) / 100.0;
    assert_true(square < 37.7); /* 15 degrees of freedom: above with probability 0.001 */
    assert_true(square > 3.5);  /* below with probability 0.001 */

    selection.combine = true; /* one destination, one middle */
    assert_ok(routing->ops->select(routing, &selection, &path_set));
    np_node middle = middle_of(routing, &path_set, 0, 2 * 4);
    for (np_packet i = 1; i < path_set.packets; i++)
        assert_int_equal(middle_of(routing, &path_set, i, 2 * 4), middle);
    np_path_set_clear(&path_set);
    np_traffic_free(traffic);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

static void draws_follow_seed_and_run(void **state)
{
    (void)state;
    np_network *network = support_network("torus:4x4");
    np_leveled_routing *routing = judge_routing_of(network, "random-middle");
    np_traffic *traffic;
    np_path_set a = {0}, b = {0};
    assert_ok(np_traffic_create("complement", network, 0, 0, &traffic));
    for (int other = 1; other < 3; other++) {
        np_selection selection = {.traffic = traffic};
        assert_ok(routing->ops->select(routing, &selection, &a));
        selection.draws.seed = other == 1;
        selection.draws.run = other == 2;
        assert_ok(routing->ops->select(routing, &selection, &b));
        assert_int_equal(a.begin[a.packets], b.begin[b.packets]);
        assert_true(memcmp(a.port, b.port, a.begin[a.packets]) != 0);
    }
    np_path_set_clear(&a);
    np_path_set_clear(&b);
    np_traffic_free(traffic);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

static void routes_to_the_end(void **state)
{
    static const char *const specs[] = {"ring:20", "torus:6x5", "torus:2x3x4", "hypercube:5"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_routes(specs[i], "random-middle");
}

static void refuses_what_cannot_be_numbered(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:27");
    np_leveled_routing *routing;
    assert_refused(np_leveled_routing_create(network, &routing), NP_ERROR_LIMIT, "55 plateaus");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest_ring_by_hand),
        cmocka_unit_test(levels_and_emulation),
        cmocka_unit_test(paths_are_sound),
        cmocka_unit_test(middles_are_uniform_and_independent),
        cmocka_unit_test(draws_follow_seed_and_run),
        cmocka_unit_test(routes_to_the_end),
        cmocka_unit_test(refuses_what_cannot_be_numbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
