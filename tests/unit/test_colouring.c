/* Edge colourings of bipartite multigraphs: proper, with as few colours as the largest degree, on every graph. */
#include "papers/offline/colouring.h"
#include "base/memory.h"
#include "base/random.h"
#include "support.h"

enum { NODES_MAX = 1024, EDGES_MAX = 1 << 20 };

static uint32_t left[EDGES_MAX], right[EDGES_MAX], colour[EDGES_MAX];

/* The slow look: no library code. degree: expected number of colours. */
static void coloured(uint32_t left_nodes, uint32_t right_nodes, uint32_t edges, uint32_t degree)
{
    np_bipartite graph = {left_nodes, right_nodes, edges, left, right};
    uint32_t colours, nodes = left_nodes > right_nodes ? left_nodes : right_nodes;
    assert_ok(np_bipartite_colour(&graph, &colours, colour));
    assert_int_equal(colours, degree);
    bool *used = calloc((size_t)(nodes + 1) * (degree + 1) * 2, sizeof *used);
    for (uint32_t e = 0; e < edges; e++) {
        assert_true(colour[e] < degree);
        bool *a = &used[((size_t)left[e] * degree + colour[e]) * 2];
        bool *b = &used[((size_t)right[e] * degree + colour[e]) * 2 + 1];
        assert_false(*a || *b);
        *a = *b = true;
    }
    free(used);
    assert_ok(np_bipartite_check(&graph, colours, colour));
}

static uint32_t degree_of(uint32_t left_nodes, uint32_t right_nodes, uint32_t edges)
{
    uint32_t count[2][NODES_MAX] = {{0}}, most = 0;
    (void)left_nodes, (void)right_nodes;
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t a = ++count[0][left[e]], b = ++count[1][right[e]];
        most = a > most ? a : most;
        most = b > most ? b : most;
    }
    return most;
}

/* All multigraphs with up to 3 nodes a side and up to 2 edges between any two: 3^9 of the largest. */
static void all_small(void **state)
{
    (void)state;
    for (uint32_t l = 1; l <= 3; l++)
        for (uint32_t r = 1; r <= 3; r++) {
            uint32_t graphs = 1;
            for (uint32_t i = 0; i < l * r; i++)
                graphs *= 3;
            for (uint32_t g = 0; g < graphs; g++) {
                uint32_t edges = 0, rest = g;
                for (uint32_t i = 0; i < l * r; i++, rest /= 3)
                    for (uint32_t copy = 0; copy < rest % 3; copy++) {
                        left[edges] = i / r;
                        right[edges++] = i % r;
                    }
                coloured(l, r, edges, degree_of(l, r, edges));
            }
        }
}

/* All permutations of 0..n-1, n <= 4, as d of them laid over one another: all regular multigraphs of degree 3 on 3
 * nodes. */
static void all_regular(void **state)
{
    static const uint32_t permutation[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    (void)state;
    for (uint32_t d = 1; d <= 5; d++) {
        uint32_t graphs = 1;
        for (uint32_t i = 0; i < d; i++)
            graphs *= 6;
        for (uint32_t g = 0; g < graphs; g++) {
            uint32_t edges = 0, rest = g;
            for (uint32_t i = 0; i < d; i++, rest /= 6)
                for (uint32_t u = 0; u < 3; u++) {
                    left[edges] = u;
                    right[edges++] = permutation[rest % 6][u];
                }
            coloured(3, 3, edges, d);
        }
    }
}

/* d random permutations of n nodes, edges in an order that has nothing to do with the nodes. */
static uint32_t draw_regular(uint32_t n, uint32_t d, uint64_t seed)
{
    np_draws draws = {.seed = seed};
    uint32_t to[NODES_MAX], edges = 0, item = 0;
    for (uint32_t i = 0; i < d; i++) {
        for (uint32_t u = 0; u < n; u++) {
            uint32_t j = np_random_below(&draws, item++, 0, u + 1);
            to[u] = to[j];
            to[j] = u;
        }
        for (uint32_t u = 0; u < n; u++, edges++) {
            uint32_t at = np_random_below(&draws, item++, 1, edges + 1);
            left[edges] = left[at];
            right[edges] = right[at];
            left[at] = u;
            right[at] = to[u];
        }
    }
    return edges;
}

static void random_regular(void **state)
{
    static const uint32_t nodes[] = {1, 2, 3, 7, 31, 64, 65};
    (void)state;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        for (uint32_t d = 1; d <= 64; d++)
            coloured(nodes[i], nodes[i], draw_regular(nodes[i], d, d), d);
    for (uint32_t d = 1; d <= 64; d += d < 8 ? 1 : 11) /* 1 .. 8, 19, 30, 41, 52, 63 */
        coloured(1024, 1024, draw_regular(1024, d, d), d);
    coloured(1021, 1021, draw_regular(1021, 1021, 5), 1021); /* both prime */
    coloured(512, 512, draw_regular(512, 1023, 6), 1023);    /* odd all the way down */
    coloured(1, 1, draw_regular(1, 1000, 7), 1000);          /* parallel edges alone */
}

/* Sides that differ, degrees that differ, nodes without edges. */
static void random_irregular(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 300; trial++) {
        np_draws draws = {.seed = trial};
        uint32_t l = 1 + np_random_below(&draws, 0, 0, 60), r = 1 + np_random_below(&draws, 1, 0, 60);
        uint32_t edges = np_random_below(&draws, 2, 0, 600), skew = 1 + trial % 3;
        for (uint32_t e = 0; e < edges; e++) {
            left[e] = np_random_below(&draws, e, 1, l);
            right[e] = np_random_below(&draws, e, 2, r);
            for (uint32_t again = 1; again < skew; again++) /* the smaller of two or three: few nodes have most edges */
                right[e] = np_random_below(&draws, e, 2 + again, right[e] + 1);
        }
        coloured(l, r, edges, degree_of(l, r, edges));
    }
    for (uint32_t e = 0; e < 1000; e++) { /* a star: its padding is not of 1000 x 1000 edges */
        left[e] = 0;
        right[e] = e;
    }
    coloured(1, 1000, 1000, 1000);
}

/* The checker sees what is wrong: one edge of another colour, and a colour that there is not. */
static void checks(void **state)
{
    (void)state;
    uint32_t edges = draw_regular(5, 3, 1);
    np_bipartite graph = {5, 5, edges, left, right};
    uint32_t colours;
    assert_ok(np_bipartite_colour(&graph, &colours, colour));
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t kept = colour[e];
        colour[e] = (kept + 1) % 3;
        assert_refused(np_bipartite_check(&graph, 3, colour), NP_ERROR_INTERNAL, "and colour");
        colour[e] = 3;
        assert_refused(np_bipartite_check(&graph, 3, colour), NP_ERROR_INTERNAL, "has colour 3 of 3");
        colour[e] = kept;
    }
    /* An edge moved on the right alone. */
    right[0] = (right[0] + 1) % 5;
    assert_refused(np_bipartite_check(&graph, 3, colour), NP_ERROR_INTERNAL, "share right node");
}

static void refuses(void **state)
{
    (void)state;
    np_bipartite graph = {1, 1, UINT32_MAX, left, right};
    uint32_t colours;
    assert_refused(np_bipartite_colour(&graph, &colours, colour), NP_ERROR_LIMIT, "4294967295 edges");
    for (int irregular = 0; irregular < 2; irregular++) {
        graph = (np_bipartite){3 + (uint32_t)irregular, 3, draw_regular(3, 3, 1), left, right};
        for (long n = 1;; n++) {
            np_memory_fail_after(n);
            np_status st = np_bipartite_colour(&graph, &colours, colour);
            np_memory_fail_after(0);
            if (!st) {
                assert_true(n > 2);
                break;
            }
            assert_int_equal(st, NP_ERROR_MEMORY);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_small),      cmocka_unit_test(all_regular),
                                       cmocka_unit_test(random_regular), cmocka_unit_test(random_irregular),
                                       cmocka_unit_test(checks),         cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
