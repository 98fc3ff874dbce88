/* Routes hop by hop: every packet arrives over links of the network, on shortest paths where the rule promises them. */
#include "support.h"

#include "oracle/graph.h"
#include "model/relation/relation.h"

static const struct {
    const char *rule, *spec;
    unsigned classes;
    bool adaptive, shortest;
} cases[] = {
    {"dimension-order", "mesh:4x3x5", 1, false, true}, {"dimension-order", "hypercube:5", 1, false, true},
    {"dimension-order", "array:9", 1, false, true},    {"dimension-order", "torus:4x5", 2, false, true},
    {"dimension-order", "ring:9", 2, false, true},     {"dimension-order:drawn", "torus:4x2x6", 2, false, true},
    {"greedy", "hypercube:3", 1, false, true},
};
enum { CASES = sizeof cases / sizeof *cases };

static np_relation *make(const char *rule, const np_network *network)
{
    np_relation *r;
    assert_ok(np_relation_create(rule, network, &r));
    return r;
}

/* The hops of one packet. Of several candidates the lot picks one. */
static uint32_t walk(const np_relation *r, const np_network *network, np_node from, np_node to, uint64_t number,
                     uint64_t *lot)
{
    const np_draws draws = {.seed = 7};
    np_candidate way[NP_CANDIDATES];
    uint64_t state = np_relation_start(r, &draws, number, from, to, NULL);
    np_node at = from;
    uint32_t hops = 0;
    for (unsigned count; (count = np_relation_candidates(r, at, to, state, way)); hops++) {
        assert_true(count <= NP_CANDIDATES && hops < 1000);
        assert_true(count == 1 || np_relation_adaptive(r));
        unsigned pick = support_lot(lot, count);
        np_link link = np_network_link_at(network, at, way[pick].port);
        assert_int_not_equal(link, NP_NONE);
        at = np_network_link_head(network, link);
        assert_true(way[pick].class_ < np_relation_classes(r));
        state = way[pick].state;
    }
    assert_int_equal(at, to);
    return hops;
}

static void check_pairs(const np_relation *r, const np_network *network, const char *spec, bool shortest)
{
    oracle_graph *graph = oracle_graph_of(spec);
    uint32_t *distance = calloc(graph->nodes, sizeof *distance);
    uint64_t lot = 3;
    for (np_node u = 0; u < graph->nodes; u++) {
        oracle_graph_distances(graph, u, distance);
        for (np_node v = 0; v < graph->nodes; v++)
            for (uint64_t number = 0; number < 3; number++) {
                uint32_t hops = walk(r, network, u, v, number, &lot);
                if (shortest)
                    assert_int_equal(hops, distance[v]);
            }
    }
    free(distance);
    oracle_graph_free(graph);
}

static void packets_arrive(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        np_network *network = support_network(cases[i].spec);
        np_relation *r = make(cases[i].rule, network);
        assert_int_equal(np_relation_classes(r), cases[i].classes);
        assert_int_equal(np_relation_adaptive(r), cases[i].adaptive);
        check_pairs(r, network, cases[i].spec, cases[i].shortest);
        np_relation_free(r);
        np_network_free(network);
    }
}

/* Half-way round a ring of 8, half of the packets go up if the way is drawn, else all. */
static void ties_are_drawn(void **state)
{
    static const char *const rules[] = {"dimension-order", "dimension-order:drawn"};
    const np_draws draws = {.seed = 1};
    np_network *network = support_network("ring:8");
    (void)state;
    for (int drawn = 0; drawn < 2; drawn++) {
        np_relation *r = make(rules[drawn], network);
        unsigned up = 0;
        for (uint64_t number = 0; number < 1000; number++) {
            np_candidate way[NP_CANDIDATES];
            uint64_t start = np_relation_start(r, &draws, number, 1, 5, NULL);
            assert_int_equal(np_relation_candidates(r, 1, 5, start, way), 1);
            up += way[0].port == 1;
        }
        assert_in_range(up, drawn ? 420 : 1000, drawn ? 580 : 1000);
        np_relation_free(r);
    }
    np_network_free(network);
}

/* With hosts on every router, the routers' routes are the same. */
static void hosts_change_nothing(void **state)
{
    np_network *bare = support_network("torus:4x4"), *hosted = support_network("torus:4x4@2");
    np_relation *r = make("dimension-order", bare), *h = make("dimension-order", hosted);
    (void)state;
    for (np_node u = 0; u < 16; u++)
        for (np_node v = 0; v < 16; v++) {
            np_candidate a[NP_CANDIDATES], b[NP_CANDIDATES];
            assert_int_equal(np_relation_candidates(r, u, v, 0, a), np_relation_candidates(h, u, v, 0, b));
            assert_true(u == v || (a[0].port == b[0].port && a[0].state == b[0].state));
        }
    assert_int_equal(np_relation_router(hosted, 16 + 2 * 5 + 1), 5);
    assert_int_equal(np_relation_router(bare, 5), 5);
    np_relation_free(r), np_relation_free(h);
    np_network_free(bare), np_network_free(hosted);
}

static const struct {
    const char *rule, *spec;
    np_status status;
    const char *text;
} refused[] = {
    {"dimension-order", "tree:3", NP_ERROR_APPLY, "its dimensions are those of a mesh, torus or hypercube"},
    {"dimension-order:drawn", "mesh:4x4", NP_ERROR_APPLY, "no two ways of its dimensions are equally long"},
    {"dimension-order:odd", "torus:4x4", NP_ERROR_INPUT, "write dimension-order[:drawn]"},
    {"dimension-ordre", "torus:4x4", NP_ERROR_INPUT, "did you mean 'dimension-order'?"},
};

static void wrong_rules_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        np_network *network = support_network(refused[i].spec);
        np_relation *r;
        assert_refused(np_relation_create(refused[i].rule, network, &r), refused[i].status, refused[i].text);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_arrive),
        cmocka_unit_test(ties_are_drawn),
        cmocka_unit_test(hosts_change_nothing),
        cmocka_unit_test(wrong_rules_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
