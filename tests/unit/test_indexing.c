/* Indexing schemes of grids against their definitions, on coordinates that are worked out here. */
#include "support.h"

#include "oracle/graph.h"

static const char *const grids[] = {"array:7",    "ring:6",     "mesh:4x4",  "mesh:3x5",   "mesh:5x2",   "torus:4x4",
                                    "mesh:2x3x4", "mesh:3x3x3", "torus:8x8", "mesh:4x4x4", "mesh:16x16", "mesh:2x2"};
enum { GRIDS = sizeof grids / sizeof *grids };

static bool neighbours(const oracle_graph *graph, np_node a, np_node b)
{
    for (uint32_t p = 0; p < graph->ports; p++)
        if (graph->head[a * graph->ports + p] == b)
            return true;
    return false;
}

/* A bijection with its inverse; as many adjacent pairs as the graph says, all of them where that is promised. */
static void check_scheme(const np_entry *scheme, const char *spec)
{
    np_network *grid = support_network(spec);
    oracle_graph *graph = oracle_graph_of(spec);
    np_node n = np_network_nodes(grid), *node = malloc(n * sizeof *node);
    bool *seen = calloc(n, sizeof *seen);
    uint64_t pairs = 0, told;
    if (!np_indexing_applies(scheme->name, grid)) {
        assert_ok(np_indexing_nodes(scheme->name, grid, node));
        for (np_node i = 0; i < n; i++) {
            assert_true(node[i] < n && !seen[node[i]]);
            seen[node[i]] = true;
            assert_int_equal(np_indexing_node(scheme->name, grid, i), node[i]);
            assert_int_equal(np_indexing_index(scheme->name, grid, node[i]), i);
            pairs += i && neighbours(graph, node[i - 1], node[i]);
        }
        assert_ok(np_indexing_adjacent_pairs(scheme->name, grid, &told));
        assert_int_equal(told, pairs);
        if ((!strcmp(scheme->name, "snake-like") || !strcmp(scheme->name, "hilbert")) && pairs != n - 1)
            fail_msg("%s on %s: %u of %u pairs are neighbours", scheme->name, spec, (unsigned)pairs, n - 1);
        assert_int_equal(np_indexing_node(scheme->name, grid, n), NP_NONE);
        assert_int_equal(np_indexing_index(scheme->name, grid, n), NP_NONE);
    }
    free(node), free(seen);
    oracle_graph_free(graph);
    np_network_free(grid);
}

static void schemes_are_bijections(void **state)
{
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_INDEXINGS, i); i++)
        for (size_t g = 0; g < GRIDS; g++)
            check_scheme(np_list_get(NP_LIST_INDEXINGS, i), grids[g]);
}

/* Sibeyn's formulas for node (i, j) of an n x n mesh. */
static void indices_are_those_of_the_notes(void **state)
{
    (void)state;
    for (np_node k = 1; k <= 5; k++) {
        char spec[32];
        np_node n = 1u << k;
        snprintf(spec, sizeof spec, "mesh:%ux%u", n, n);
        np_network *mesh = support_network(spec);
        for (np_node i = 0; i < n; i++)
            for (np_node j = 0; j < n; j++) {
                np_node at = i * n + j, shuffled = 0;
                for (np_node bit = k; bit--;)
                    shuffled = shuffled * 4 + (i >> bit & 1) * 2 + (j >> bit & 1);
                assert_int_equal(np_indexing_index("row-major", mesh, at), i * n + j);
                assert_int_equal(np_indexing_index("column-major", mesh, at), i + j * n);
                assert_int_equal(np_indexing_index("snake-like", mesh, at), i * n + (i % 2 ? n - 1 - j : j));
                assert_int_equal(np_indexing_index("shuffled-row-major", mesh, at), shuffled);
            }
        np_network_free(mesh);
    }
}

/*
 * Of order 2:    0  3--4--5
 *                |  |     |
 *                1--2  7--6
 *                      |
 *               14-13  8--9
 *                |  |     |
 *               15 12-11-10
 */
static void hilberts_curve_is_hilberts(void **state)
{
    static const np_node curve[] = {0, 4, 5, 1, 2, 3, 7, 6, 10, 11, 15, 14, 13, 9, 8, 12};
    np_node node[16];
    np_network *mesh = support_network("mesh:4x4");
    (void)state;
    assert_ok(np_indexing_nodes("hilbert", mesh, node));
    assert_memory_equal(node, curve, sizeof curve);
    np_network_free(mesh);
}

static void schemes_refuse_other_networks(void **state)
{
    static const char *const cases[][3] = {
        {"snake-like", "hypercube:3", "it is no grid"},
        {"shuffled-row-major", "mesh:4x8", "must be equal and powers of two"},
        {"shuffled-row-major", "mesh:6x6", "must be equal and powers of two"},
        {"hilbert", "mesh:4x4x4", "two sides"},
        {"hilbert", "mesh:4x8", "two sides"},
        {"hilbert", "array:4", "two sides"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i][1]);
        uint64_t pairs;
        assert_refused(np_indexing_applies(cases[i][0], network), NP_ERROR_APPLY, cases[i][2]);
        assert_refused(np_indexing_nodes(cases[i][0], network, NULL), NP_ERROR_APPLY, cases[i][2]);
        assert_refused(np_indexing_adjacent_pairs(cases[i][0], network, &pairs), NP_ERROR_APPLY, cases[i][2]);
        assert_int_equal(np_indexing_node(cases[i][0], network, 0), NP_NONE);
        np_network_free(network);
    }
    np_network *mesh = support_network("mesh:4x4");
    assert_refused(np_indexing_applies("snake", mesh), NP_ERROR_INPUT, "did you mean 'snake-like'?");
    np_network_free(mesh);
}

/* Node i on the i-th node: an array on the snake has dilation 1, in row-major order n. */
static void indexings_embed(void **state)
{
    np_network *array = support_network("array:16"), *mesh = support_network("mesh:4x4");
    np_network *large = support_network("ring:17");
    np_embedding *embedding;
    np_embedding_facts facts;
    (void)state;
    assert_ok(np_embedding_by_indexing("snake-like", array, mesh, 0, &embedding));
    assert_ok(np_embedding_measure(embedding, &facts));
    assert_int_equal(facts.dilation, 1);
    np_embedding_free(embedding);
    assert_ok(np_embedding_by_indexing("row-major", array, mesh, 0, &embedding));
    assert_ok(np_embedding_audit(embedding));
    assert_ok(np_embedding_measure(embedding, &facts));
    assert_int_equal(facts.dilation, 4);
    assert_int_equal(facts.stated.dilation, 0);
    assert_null(np_embedding_entry(embedding));
    np_embedding_free(embedding);
    assert_refused(np_embedding_by_indexing("row-major", large, mesh, 0, &embedding), NP_ERROR_APPLY,
                   "16 indices only");
    assert_null(embedding);
    np_network_free(array);
    np_network_free(mesh);
    np_network_free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_are_bijections),
        cmocka_unit_test(indices_are_those_of_the_notes),
        cmocka_unit_test(hilberts_curve_is_hilberts),
        cmocka_unit_test(schemes_refuse_other_networks),
        cmocka_unit_test(indexings_embed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
