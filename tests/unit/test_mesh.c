/* The leveled routing of meshes: orthants of directions. */
#include "support.h"

#include "oracle/path_set_judge.h"

/*
 * mesh:2x3, x_0 down the page, x_1 across:   0 1 2
 *                                            3 4 5
 */
static void small_mesh_by_hand(void **state)
{
    static const np_node host[4][6] = {
        {0, 1, 3, 2, 4, 5}, /* ++ levels 0 | 1 | 1 | 2 ... : from corner 0 to corner 5 */
        {3, 4, 0, 5, 1, 2}, /* -+ */
        {2, 1, 5, 0, 4, 3}, /* +- */
        {5, 4, 2, 3, 1, 0}, /* -- */
    };
    static const char *const name[] = {"++", "-+", "+-", "--"};
    (void)state;
    np_network *network = support_network("mesh:2x3");
    np_leveled_routing *routing = judge_routing_of(network, "orthants");
    assert_int_equal(routing->phases, 4);
    for (unsigned phase = 0; phase < 4; phase++) {
        const np_leveled *leveled = routing->phase[phase].leveled;
        assert_string_equal(routing->phase[phase].name, name[phase]);
        assert_int_equal(leveled->depth, 3);
        assert_memory_equal(leveled->host, host[phase], sizeof host[phase]);
        assert_int_equal(leveled->edges, 7);
    }
    np_leveled_routing_free(routing);
    np_network_free(network);
}

/* 5 -> 0 goes along its column (dimension 0) last: 5, 4, 3, 0. */
static void row_first_then_column(void **state)
{
    static const np_node source = 5, to = 0, way[] = {5, 4, 3, 0};
    (void)state;
    np_network *network = support_network("mesh:2x3");
    np_leveled_routing *routing = judge_routing_of(network, "orthants");
    const np_leveled *leveled = routing->phase[3].leveled;
    np_path_set path_set = {0};
    np_traffic *traffic;
    assert_ok(np_traffic_from_arrays(network, 1, &source, &to, NULL, &traffic));
    np_selection selection = {.phase = 3, .traffic = traffic};
    assert_ok(routing->ops->select(routing, &selection, &path_set));
    assert_int_equal(path_set.packets, 1);
    assert_int_equal(path_set.begin[1], 3);
    uint32_t v = path_set.origin[0];
    for (int k = 0; k < 3; k++) {
        assert_int_equal(leveled->host[v], way[k]);
        v = leveled->head[leveled->out[v] + path_set.port[k]];
    }
    assert_int_equal(leveled->host[v], way[3]);
    np_path_set_clear(&path_set);
    np_traffic_free(traffic);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

/* A coordinate that is right counts as going up: 3 -> 5 is of phase "++", 5 -> 3 of "+-", 3 -> 0 of "-+". */
static void straight_ways_have_one_phase(void **state)
{
    static const np_node source[] = {3, 5, 3, 0}, to[] = {5, 3, 0, 0};
    static const np_packet mover[] = {0, 2, 1};
    (void)state;
    np_network *network = support_network("mesh:2x3");
    np_leveled_routing *routing = judge_routing_of(network, "orthants");
    np_path_set path_set = {0};
    np_traffic *traffic;
    assert_ok(np_traffic_from_arrays(network, 4, source, to, NULL, &traffic));
    for (unsigned phase = 0; phase < 4; phase++) {
        np_selection selection = {.phase = phase, .traffic = traffic};
        assert_ok(routing->ops->select(routing, &selection, &path_set));
        assert_int_equal(path_set.packets, phase < 3);
        if (phase < 3)
            assert_int_equal(path_set.packet[0], mover[phase]);
    }
    np_path_set_clear(&path_set);
    np_traffic_free(traffic);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

typedef struct example {
    const char *spec;
    unsigned phases;
    uint32_t depth;
} example;

static const example examples[] = {
    {"array:2", 2, 1},  {"array:9", 2, 8},    {"mesh:2x2", 4, 2},      {"mesh:5x5", 4, 8}, {"mesh:3x7", 4, 8},
    {"mesh:6x2", 4, 6}, {"mesh:3x2x4", 8, 6}, {"mesh:2x3x2x3", 16, 6}, {"mesh:17", 2, 16},
};

/* All N^2 pairs, so every kind of turn; and patterns with many packets for one node. */
static void every_pair_is_routed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        np_network *network = support_network(examples[i].spec);
        np_leveled_routing *routing = judge_routing_of(network, "orthants");
        np_node nodes = np_network_nodes(network);
        np_traffic *traffic;
        np_node *source = malloc(nodes * nodes * sizeof *source), *to = malloc(nodes * nodes * sizeof *to);
        for (np_node u = 0; u < nodes; u++)
            for (np_node v = 0; v < nodes; v++) {
                source[u * nodes + v] = u;
                to[u * nodes + v] = v;
            }
        assert_int_equal(routing->phases, examples[i].phases);
        assert_ok(np_traffic_from_arrays(network, nodes * nodes, source, to, NULL, &traffic));
        judged_path_set judged = judge_leveled_routing(routing, traffic, 1, true);
        assert_int_equal(judged.packets, nodes * (nodes - 1));
        assert_int_equal(judged.shortest, 1);
        assert_int_equal(judged.longest, examples[i].depth);
        free(source);
        free(to);
        np_traffic_free(traffic);
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

/* In each phase every node is one node and every second link one edge. */
static void emulation_is_one_to_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        np_network *network = support_network(examples[i].spec);
        np_leveled_routing *routing = judge_routing_of(network, "orthants");
        for (unsigned phase = 0; phase < routing->phases; phase++) {
            np_emulation emulation;
            const np_leveled *leveled = routing->phase[phase].leveled;
            assert_ok(np_leveled_emulation(leveled, &emulation));
            assert_int_equal(emulation.nodes_per_node, 1);
            assert_int_equal(emulation.links_per_link, 1);
            assert_int_equal(leveled->nodes, np_network_nodes(network));
            assert_int_equal(leveled->edges, np_network_links(network) / 2);
            assert_int_equal(leveled->depth, examples[i].depth);
        }
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

/* Theorem 3.1: a permutation of the n x n mesh crosses no edge more than n times. */
static void permutations_have_small_congestion(void **state)
{
    static const char *const patterns[] = {"random", "transpose", "complement"};
    (void)state;
    np_network *network = support_network("mesh:8x8");
    np_leveled_routing *routing = judge_routing_of(network, "orthants");
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            np_traffic *traffic;
            assert_ok(np_traffic_create(patterns[i], network, seed, 0, &traffic));
            judged_path_set judged = judge_leveled_routing(routing, traffic, seed, false);
            assert_true(judged.congestion <= 8);
            assert_int_equal(judged.congestion, judged.congestion_destinations);
            np_traffic_free(traffic);
        }
    np_leveled_routing_free(routing);
    np_network_free(network);
}

static void routes_to_the_end(void **state)
{
    static const char *const specs[] = {"array:20", "mesh:8x8", "mesh:3x11", "mesh:3x4x3", "mesh:2x3x3x2"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_routes(specs[i], "orthants");
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    np_network *five = support_network("mesh:2x2x2x2x2"), *other = support_network("complete:4");
    np_leveled_routing *routing;
    assert_refused(np_leveled_routing_create(five, &routing), NP_ERROR_APPLY, "at most 4 dimensions");
    assert_null(routing);
    assert_refused(np_leveled_routing_create(other, &routing), NP_ERROR_APPLY, "complete:4");
    np_network_free(five);
    np_network_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_mesh_by_hand),
        cmocka_unit_test(row_first_then_column),
        cmocka_unit_test(straight_ways_have_one_phase),
        cmocka_unit_test(every_pair_is_routed),
        cmocka_unit_test(emulation_is_one_to_one),
        cmocka_unit_test(permutations_have_small_congestion),
        cmocka_unit_test(routes_to_the_end),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
