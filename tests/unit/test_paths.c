/* Every path rule on every family it applies to, all pairs of small instances, against search in the oracle's graph. */
#include "support.h"

#include "base/memory.h"
#include "oracle/graph.h"
#include "model/path/path.h"

static const struct {
    const char *rule, *spec;
} cases[] = {
    {"dimension-order", "hypercube:1"},
    {"dimension-order", "hypercube:5"},
    {"cyclic-order", "hypercube:1"},
    {"cyclic-order", "hypercube:5"},
    {"random-order", "hypercube:1"},
    {"random-order", "hypercube:5"},
    {"cayley", "hypercube:4"},
    {"dimension-order", "mesh:2"},
    {"dimension-order", "mesh:2x3"},
    {"dimension-order", "mesh:4x3x5"},
    {"dimension-order:drawn", "torus:2"},
    {"dimension-order:drawn", "torus:4x5"},
    {"dimension-order:drawn", "torus:3x2x6"},
    {"dimension-order:drawn", "ring:8"},
    {"dimension-order", "array:2"},
    {"dimension-order", "array:17"},
    {"dimension-order", "torus:2"},
    {"dimension-order", "torus:4x5"},
    {"dimension-order", "torus:3x2x6"},
    {"dimension-order", "torus:2x2x2x2x2"},
    {"dimension-order", "ring:2"},
    {"dimension-order", "ring:3"},
    {"dimension-order", "ring:12"},
    {"cayley", "torus:3x2x6"},
    {"cayley", "ring:9"},
    {"full-shift", "shuffle:2x1"},
    {"full-shift", "shuffle:2x6"},
    {"full-shift", "shuffle:3x4"},
    {"full-shift", "shuffle:7x2"},
    {"full-shift", "shuffle:9x1"},
    {"shortest-shift", "shuffle:2x1"},
    {"shortest-shift", "shuffle:2x6"},
    {"shortest-shift", "shuffle:3x4"},
    {"shortest-shift", "shuffle:7x2"},
    {"shortest-shift", "shuffle:9x1"},
    {"stages", "shuffle-exchange:1"},
    {"stages", "shuffle-exchange:2"},
    {"stages", "shuffle-exchange:3"},
    {"stages", "shuffle-exchange:7"},
    {"shortest-stages", "shuffle-exchange:1"},
    {"shortest-stages", "shuffle-exchange:2"},
    {"shortest-stages", "shuffle-exchange:3"},
    {"shortest-stages", "shuffle-exchange:4"},
    {"shortest-stages", "shuffle-exchange:8"},
    {"clockwise", "ccc:3"},
    {"clockwise", "ccc:4"},
    {"clockwise", "ccc:5"},
    {"cayley", "ccc:3"},
    {"cayley", "ccc:4"},
    {"cayley", "ccc:5"},
    {"cayley", "butterfly:3"},
    {"cayley", "butterfly:4"},
    {"cayley", "butterfly:5"},
    {"direct", "complete:2"},
    {"direct", "complete:3"},
    {"direct", "complete:20"},
    {"cayley", "complete:20"},
    {"up-down", "tree:1"},
    {"up-down", "tree:5"},
    {"up-down", "tree:3x3"},
    {"up-down", "tree:9x1"},
    {"cayley", "star:2"},
    {"cayley", "star:5"},
    {"cayley", "pancake:5"},
};
enum { CASES = sizeof cases / sizeof *cases };

static np_path *make_path(const char *rule, const np_network *network)
{
    np_path *path;
    assert_ok(np_path_create(rule, network, &path));
    return path;
}

/* One packet's route as ports, by np_path_walk; fails unless it ends at its target. */
enum { ROUTE_MAX = 256 };
typedef struct route {
    size_t hops;
    np_port port[ROUTE_MAX];
    np_node at[ROUTE_MAX + 1];
} route;

static route walk(const np_path *path, np_node from, np_node to, np_packet packet)
{
    np_link links[ROUTE_MAX];
    route r = {.at = {from}};
    assert_ok(np_path_walk(path, from, to, 7, 0, 0, packet, ROUTE_MAX, links, &r.hops));
    assert_true(r.hops <= ROUTE_MAX);
    for (size_t i = 0; i < r.hops; i++) {
        r.port[i] = links[i] % path->network->ports;
        assert_int_equal(links[i] / path->network->ports, r.at[i]);
        r.at[i + 1] = np_network_link_head(path->network, links[i]);
    }
    assert_int_equal(r.at[r.hops], to);
    return r;
}

/*
 * The packets from one node to all nodes, hop by hop in one batch over the
 * oracle's links: remaining falls by one a hop, to 0 exactly at the target.
 */
static void routes_from(const np_path *path, const oracle_graph *graph, np_node from, uint32_t *length)
{
    const np_path_rule *rule = path->rule;
    np_draws draws = {7, 0, 0, NP_RANDOM_TICKET};
    uint32_t n = graph->nodes, moving = n;
    np_packet *packet = calloc(n, sizeof *packet);
    np_node *at = calloc(n, sizeof *at), *to = calloc(n, sizeof *to);
    np_ticket *ticket = calloc(n, sizeof *ticket);
    np_port *port = calloc(n, sizeof *port);
    uint32_t *left = calloc(n, sizeof *left);
    for (uint32_t i = 0; i < n; i++)
        at[i] = from, to[i] = i, packet[i] = from * n + i;
    rule->start(path, &draws, n, packet, at, to, ticket);
    rule->remaining(path, n, at, ticket, length);
    for (uint32_t hop = 0; moving; hop++) {
        rule->remaining(path, n, at, ticket, left);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(left[i], hop < length[i] ? length[i] - hop : 0);
        rule->next(path, n, at, ticket, port);
        moving = 0;
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(port[i] == NP_NONE, hop >= length[i]);
            if (port[i] == NP_NONE)
                continue;
            assert_true(port[i] < graph->ports);
            at[i] = graph->head[at[i] * graph->ports + port[i]];
            assert_int_not_equal(at[i], ORACLE_NONE);
            moving++;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(at[i], i);
    free(packet), free(at), free(to), free(ticket), free(port), free(left);
}

static void all_pairs_arrive_with_exact_remaining(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        np_network *network = support_network(cases[c].spec);
        np_path *path = make_path(cases[c].rule, network);
        oracle_graph *graph = oracle_graph_of(cases[c].spec);
        uint32_t *length = malloc(graph->nodes * sizeof *length), *distance = malloc(graph->nodes * sizeof *distance);
        assert_string_equal(np_path_name(path), cases[c].rule);
        for (uint32_t u = 0; u < graph->nodes; u++) {
            routes_from(path, graph, u, length);
            oracle_graph_distances(graph, u, distance);
            for (uint32_t v = 0; v < graph->nodes; v++) {
                if (path->rule->shortest && length[v] != distance[v])
                    print_error("%s on %s, %u to %u: %u hops, not %u\n", cases[c].rule, cases[c].spec, u, v, length[v],
                                distance[v]);
                assert_true(path->rule->shortest ? length[v] == distance[v] : length[v] >= distance[v]);
            }
        }
        free(length), free(distance);
        oracle_graph_free(graph);
        np_path_free(path);
        np_network_free(network);
    }
}

/* A packet alone takes as many hops as in a batch, and np_path_walk finds no fault. */
static void walks_alone_arrive(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        np_network *network = support_network(cases[c].spec);
        np_path *path = make_path(cases[c].rule, network);
        oracle_graph *graph = oracle_graph_of(cases[c].spec);
        uint32_t n = graph->nodes, *length = malloc(n * sizeof *length);
        for (uint32_t u = 0; u < n; u++) {
            routes_from(path, graph, u, length);
            for (uint32_t v = 0; v < n; v++)
                assert_int_equal(walk(path, u, v, u * n + v).hops, length[v]);
        }
        free(length);
        oracle_graph_free(graph);
        np_path_free(path);
        np_network_free(network);
    }
}

static void greedy_is_the_best_rule_of_each_family(void **state)
{
    static const char *const greedy[][2] = {
        {"hypercube:3", "dimension-order"},
        {"shuffle:3x2", "shortest-shift"},
        {"shuffle-exchange:3", "shortest-stages"},
        {"ccc:3", "cayley"},
        {"butterfly:3", "cayley"},
        {"mesh:3x3", "dimension-order"},
        {"torus:3x3", "dimension-order"},
        {"array:4", "dimension-order"},
        {"ring:4", "dimension-order"},
        {"complete:4", "direct"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++) {
        np_network *network = support_network(greedy[i][0]);
        np_path *path = make_path("greedy", network);
        assert_string_equal(np_path_name(path), greedy[i][1]);
        np_path_free(path);
        np_network_free(network);
    }
}

static void rules_refuse_other_networks(void **state)
{
    static const char *const refused[][3] = {
        {"full-shift", "hypercube:3", "d-way shuffle"},
        {"shortest-shift", "shuffle-exchange:3", "d-way shuffle"},
        {"clockwise", "butterfly:3", "cycles"},
        {"stages", "shuffle:2x3", "exchanges"},
        {"shortest-stages", "ccc:3", "exchanges"},
        {"dimension-order", "ccc:3", "mesh or torus"},
        {"direct", "ring:3", "neighbour"},
        {"cayley", "mesh:3x3", "looks the same"},
        {"cayley", "complete:300", "byte a port"},
        {"cayley", "ring:1000", "byte a distance"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        np_network *network = support_network(refused[i][1]);
        np_path *path;
        assert_refused(np_path_create(refused[i][0], network, &path), NP_ERROR_APPLY, refused[i][2]);
        assert_null(path);
        np_network_free(network);
    }
}

static void tables_survive_lack_of_memory(void **state)
{
    np_network *network = support_network("ccc:4");
    np_path *path;
    (void)state;
    for (long allocation = 1; allocation <= 3; allocation++) {
        np_memory_fail_after(allocation);
        assert_refused(np_path_create("cayley", network, &path), NP_ERROR_MEMORY, "no memory for");
        assert_null(path);
    }
    np_memory_fail_after(4);
    assert_ok(np_path_create("cayley", network, &path));
    np_memory_fail_after(0);
    np_path_free(path);
    np_network_free(network);
}

/* Section 6: n hops for every pair, even from a node to itself. */
static void full_shift_always_takes_n_hops(void **state)
{
    np_network *network = support_network("shuffle:3x4");
    np_path *path = make_path("full-shift", network);
    (void)state;
    for (np_node u = 0; u < 81; u++)
        for (np_node v = 0; v < 81; v++)
            assert_int_equal(walk(path, u, v, 0).hops, 4);
    np_path_free(path);
    np_network_free(network);
}

/* The paper's example, d = 2 and n = 4: 1011 -> 1101 in one hop, and in four by 1101, 0110, 1011. */
static void shifts_are_those_of_the_papers_example(void **state)
{
    static const np_node longer[] = {11, 13, 6, 11, 13};
    np_network *network = support_network("shuffle:2x4");
    np_path *full = make_path("full-shift", network), *shortest = make_path("shortest-shift", network);
    (void)state;
    route r = walk(full, 11, 13, 0);
    assert_int_equal(r.hops, 4);
    assert_memory_equal(r.at, longer, sizeof longer);
    assert_int_equal(walk(shortest, 11, 13, 0).hops, 1);
    np_path_free(full);
    np_path_free(shortest);
    np_network_free(network);
}

/* Section 7: n stages, each a shuffle and then at most one exchange, one for each bit that differs. */
static void stages_are_shuffles_with_optional_exchanges(void **state)
{
    np_network *network = support_network("shuffle-exchange:6");
    np_path *path = make_path("stages", network);
    (void)state;
    for (np_node u = 0; u < 64; u++)
        for (np_node v = 0; v < 64; v++) {
            route r = walk(path, u, v, 0);
            assert_int_equal(r.hops, 6 + __builtin_popcount(u ^ v));
            size_t shuffles = 0;
            for (size_t i = 0; i < r.hops; i++) {
                shuffles += r.port[i] == 0;
                if (r.port[i] == 1)
                    assert_true(i > 0 && r.port[i - 1] == 0);
            }
            assert_int_equal(shuffles, 6);
        }
    np_path_free(path);
    np_network_free(network);
}

/* fewest[v] = least number of links by port 0 on a shortest path to v, given the distances. */
static void fewest_shuffles(const oracle_graph *graph, const uint32_t *distance, uint32_t *fewest)
{
    for (uint32_t v = 0; v < graph->nodes; v++)
        fewest[v] = distance[v] ? UINT32_MAX : 0;
    for (uint32_t d = 0; d < graph->nodes; d++)
        for (uint32_t l = 0; l < graph->nodes * graph->ports; l++) {
            uint32_t u = l / graph->ports, v = graph->head[l], shuffle = l % graph->ports == 0;
            if (distance[u] == d && distance[v] == d + 1 && fewest[u] + shuffle < fewest[v])
                fewest[v] = fewest[u] + shuffle;
        }
}

static void shortest_stages_have_the_fewest_shuffles(void **state)
{
    enum { NODES = 64 };
    np_network *network = support_network("shuffle-exchange:6");
    np_path *path = make_path("shortest-stages", network);
    oracle_graph *graph = oracle_graph_of("shuffle-exchange:6");
    uint32_t distance[NODES], fewest[NODES];
    (void)state;
    for (np_node u = 0; u < NODES; u++) {
        oracle_graph_distances(graph, u, distance);
        fewest_shuffles(graph, distance, fewest);
        for (np_node v = 0; v < NODES; v++) {
            route r = walk(path, u, v, 0);
            size_t shuffles = 0;
            for (size_t i = 0; i < r.hops; i++)
                shuffles += r.port[i] == 0;
            assert_int_equal(shuffles, fewest[v]);
        }
    }
    oracle_graph_free(graph);
    np_path_free(path);
    np_network_free(network);
}

/*
 * Section 7: while cube addresses differ only clockwise and cube hops, each
 * dimension once, at most s - 1 of the cycle; then at most s/2 one way.
 */
static void clockwise_goes_round_once(void **state)
{
    enum { S = 5 };
    np_network *network = support_network("ccc:5");
    np_path *path = make_path("clockwise", network);
    (void)state;
    for (np_node u = 0; u < S << S; u++)
        for (np_node v = 0; v < S << S; v++) {
            route r = walk(path, u, v, 0);
            size_t i = 0, cycle = 0, cube = 0, rest;
            for (; r.at[i] / S != v / S; i++) {
                assert_true(r.port[i] == 0 || r.port[i] == 2);
                cycle += r.port[i] == 0;
                cube += r.port[i] == 2;
            }
            assert_true(cycle <= S - 1);
            assert_int_equal(cube, __builtin_popcount(u / S ^ v / S));
            rest = r.hops - i;
            assert_true(rest <= S / 2);
            for (; i < r.hops; i++)
                assert_true(r.port[i] != 2 && r.port[i] == r.port[r.hops - 1]);
        }
    np_path_free(path);
    np_network_free(network);
}

/* The first dimension first, up where both ways round are equally long. */
static void grids_go_in_dimension_order(void **state)
{
    np_network *network = support_network("torus:4x6x2");
    np_path *path = make_path("dimension-order", network);
    (void)state;
    for (np_node u = 0; u < 48; u++)
        for (np_node v = 0; v < 48; v++) {
            route r = walk(path, u, v, 0);
            for (size_t i = 1; i < r.hops; i++)
                assert_true(r.port[i] / 2 > r.port[i - 1] / 2 || r.port[i] == r.port[i - 1]);
        }
    /* (0,0,0) to (2,3,1), and back: every coordinate is half way round. */
    for (int back = 0; back < 2; back++) {
        static const np_port up[] = {1, 1, 3, 3, 3, 5};
        route r = walk(path, back ? 31 : 0, back ? 0 : 31, 0);
        assert_int_equal(r.hops, 6);
        assert_memory_equal(r.port, up, sizeof up);
    }
    np_path_free(path);
    np_network_free(network);
}

/* CUBESS: the ports ascend cyclically, with at most one descent; the first is uniform over the dimensions. */
static void cyclic_order_ascends_cyclically(void **state)
{
    enum { N = 6, PACKETS = 6000 };
    np_network *network = support_network("hypercube:6");
    np_path *path = make_path("cyclic-order", network);
    int first[N] = {0};
    (void)state;
    for (np_packet packet = 0; packet < 64 * 64; packet++) {
        route r = walk(path, packet / 64, packet % 64, packet);
        size_t descents = 0;
        for (size_t i = 0; i < r.hops; i++)
            descents += r.port[i] > r.port[(i + 1) % r.hops];
        assert_true(descents <= 1);
    }
    double chi_square = 0;
    for (np_packet packet = 0; packet < PACKETS; packet++)
        first[walk(path, 0, 63, packet).port[0]]++;
    for (int i = 0; i < N; i++)
        chi_square += (first[i] - PACKETS / N) * (first[i] - PACKETS / N) / (double)(PACKETS / N);
    assert_true(chi_square < 25.7); /* exceeded with probability 1e-4 for 5 degrees of freedom */
    np_path_free(path);
    np_network_free(network);
}

/* BASIC: all 24 orders of 4 dimensions equally often, whichever 4 of the 7 they are. */
static void random_order_is_uniform(void **state)
{
    enum { PACKETS = 24000, ORDERS = 24 };
    static const np_node masks[] = {0x0f, 0x55, 0x71};
    np_network *network = support_network("hypercube:7");
    np_path *path = make_path("random-order", network);
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        int times[256] = {0};
        double chi_square = 0;
        size_t orders = 0;
        for (np_packet packet = 0; packet < PACKETS; packet++) {
            route r = walk(path, 0, masks[m], packet);
            uint32_t code = 0; /* the rank of each port among the four, two bits each */
            assert_int_equal(r.hops, 4);
            for (size_t i = 0; i < 4; i++) {
                uint32_t rank = 0;
                for (size_t j = 0; j < 4; j++)
                    rank += r.port[j] < r.port[i];
                code = code << 2 | rank;
            }
            times[code]++;
        }
        for (int i = 0; i < 256; i++) {
            orders += times[i] > 0;
            double excess = times[i] - PACKETS / ORDERS;
            if (times[i])
                chi_square += excess * excess / (PACKETS / ORDERS);
        }
        assert_int_equal(orders, ORDERS);
        assert_true(chi_square < 57.1); /* exceeded with probability 1e-4 for 23 degrees of freedom */
    }
    np_path_free(path);
    np_network_free(network);
}

/* Where numbers are as large as they get: routes end where they should (np_path_walk checks). */
static void largest_networks_are_walked(void **state)
{
    static const struct {
        const char *rule, *spec;
        uint32_t pairs;
    } large[] = {
        {"full-shift", "shuffle:2x30", 200},
        {"shortest-shift", "shuffle:2x30", 200},
        {"shortest-shift", "shuffle:3x19", 200},
        {"shortest-shift", "shuffle:65535x1", 200},
        {"stages", "shuffle-exchange:30", 200},
        {"shortest-stages", "shuffle-exchange:30", 200},
        {"clockwise", "ccc:25", 200},
        {"dimension-order", "torus:32767x32767", 5},
        {"dimension-order", "mesh:357913941x3", 0},
        {"dimension-order", "torus:128x128x64", 200},
        {"direct", "complete:65536", 200},
        {"cayley", "butterfly:12", 200},
    };
    np_draws draws = {3, 0, 0, NP_RANDOM_CHECK};
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        np_network *network = support_network(large[i].spec);
        np_path *path = make_path(large[i].rule, network);
        np_node n = np_network_nodes(network);
        for (uint32_t pair = 0; pair < large[i].pairs; pair++) {
            np_node from = np_random_below(&draws, pair, 0, n), to = np_random_below(&draws, pair, 1, n);
            size_t hops;
            assert_ok(np_path_walk(path, from, to, 1, 0, 0, pair, 0, NULL, &hops));
            assert_ok(np_path_walk(path, from, n - 1, 1, 0, 0, pair, 0, NULL, &hops));
        }
        size_t hops;
        assert_ok(np_path_walk(path, n - 1, n - 2, 1, 0, 0, 0, 0, NULL, &hops));
        np_path_free(path);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_arrive_with_exact_remaining),
        cmocka_unit_test(walks_alone_arrive),
        cmocka_unit_test(greedy_is_the_best_rule_of_each_family),
        cmocka_unit_test(rules_refuse_other_networks),
        cmocka_unit_test(tables_survive_lack_of_memory),
        cmocka_unit_test(full_shift_always_takes_n_hops),
        cmocka_unit_test(shifts_are_those_of_the_papers_example),
        cmocka_unit_test(stages_are_shuffles_with_optional_exchanges),
        cmocka_unit_test(shortest_stages_have_the_fewest_shuffles),
        cmocka_unit_test(clockwise_goes_round_once),
        cmocka_unit_test(grids_go_in_dimension_order),
        cmocka_unit_test(cyclic_order_ascends_cyclically),
        cmocka_unit_test(random_order_is_uniform),
        cmocka_unit_test(largest_networks_are_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
