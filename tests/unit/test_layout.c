/* Columns on networks: where they are, and that sorting one on a butterfly is what its links can do in those steps. */
#include "support.h"

#include "base/random.h"
#include "sort/layout.h"

enum { ROWS = 64, WIDE = 12 };

/*
 * The column of a butterfly, executed: 2^d rows of n nodes with h items each. wide = n h; item[w][l h + i] is item i at
 * level l of row w. Steps are those in which links carry packets.
 */
typedef struct execution {
    uint32_t n, d, h, wide;
    uint32_t item[ROWS][WIDE];
    uint64_t steps, compared;
} execution;

static void put_in_order(uint32_t *item, uint32_t count, bool ascending)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (ascending ? item[i] > item[j] : item[i] < item[j]) {
                uint32_t x = item[i];
                item[i] = item[j];
                item[j] = x;
            }
}

/* Neighbours on levels l and l + 1 send each other all they have, h steps; up where bit j of the row is 0. */
static void sort_rows(execution *x, uint32_t j)
{
    for (uint32_t stage = 0; stage < x->n; stage++) {
        for (uint32_t w = 0; w < 1u << x->d; w++)
            for (uint32_t l = stage % 2; l + 1 < x->n; l += 2)
                put_in_order(x->item[w] + l * x->h, 2 * x->h, !(w >> j & 1));
        x->steps += x->h;
    }
}

/*
 * All items go up one level, n times: over straight links, h steps. Those on level n-1-j are sent over the cross links
 * too, and the lesser or the greater of what arrives from both rows is kept.
 */
static void go_around(execution *x, uint32_t j, uint32_t phase)
{
    uint32_t cross = x->n - 1 - j, h = x->h;
    for (uint32_t shift = 0; shift < x->n; shift++) {
        execution before = *x;
        for (uint32_t w = 0; w < 1u << x->d; w++)
            for (uint32_t l = 0; l < x->n; l++)
                for (uint32_t i = 0; i < h; i++) {
                    uint32_t own = before.item[w][l * h + i], other = before.item[w ^ 1u << j][l * h + i];
                    bool least = (w >> j & 1) == (phase < x->d ? w >> phase & 1 : 0);
                    if (l == cross) {
                        own = least == (own < other) ? own : other;
                        x->compared++;
                    }
                    x->item[w][(l + 1) % x->n * h + i] = own;
                }
        x->steps += h;
    }
}

static void execute(execution *x)
{
    sort_rows(x, 0);
    for (uint32_t phase = 1; phase <= x->d; phase++)
        for (uint32_t j = phase; j-- > 0;) {
            go_around(x, j, phase);
            sort_rows(x, j ? j - 1 : phase < x->d ? phase : 31); /* as the next comparators need them; bit 31: all up */
        }
}

static void test_butterfly(void **state)
{
    np_draws draws = {.seed = 1, .purpose = NP_RANDOM_KEY};
    (void)state;
    for (uint32_t n = 3; n <= 6; n++)
        for (uint32_t h = 1; h <= 2; h++) {
            char spec[32];
            snprintf(spec, sizeof spec, "butterfly:%u", n);
            np_network *network = support_network(spec);
            np_sort_layout layout = np_sort_layout_of(network);
            execution x = {.n = n, .d = layout.bits, .h = h, .wide = n * h};
            uint32_t item[ROWS * WIDE], scratch[2 * WIDE];
            for (uint32_t i = 0; i < layout.column * h; i++)
                item[i] = x.item[i / x.wide][i % x.wide] = np_random_below(&draws, i, n, 1000) * 1000 + i;
            execute(&x);
            np_sort_layout_sort(&layout, h, item, scratch);
            np_sort_cost cost = np_sort_layout_cost(&layout, h, 1);
            for (uint32_t i = 0; i < layout.column * h; i++) {
                assert_int_equal(item[i], x.item[i / x.wide][i % x.wide]);
                assert_true(i == 0 || item[i - 1] < item[i]);
            }
            assert_int_equal(x.steps, cost.steps);
            /* every item was compared once for each of the comparators of bitonic sort */
            assert_int_equal(x.compared, (uint64_t)layout.column * h * layout.bits * (layout.bits + 1) / 2);
            np_network_free(network);
        }
}

/* Places are different nodes; neighbours on a snake are neighbours on the network. */
static void test_nodes(void **state)
{
    static const char *const specs[] = {
        "mesh:4x6",  "mesh:6x4",    "mesh:3x5x4",  "mesh:2x3x2x3",       "array:9",
        "torus:5x4", "hypercube:5", "butterfly:4", "shuffle-exchange:8", "shuffle-exchange:4"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_sort_layout layout = np_sort_layout_of(network);
        uint32_t places = layout.columns * layout.column;
        np_node node[1024];
        uint8_t seen[1024] = {0};
        assert_null(np_sort_layout_refuses(network));
        assert_ok(np_sort_layout_nodes(&layout, node));
        for (uint32_t p = 0; p < places; p++) {
            bool linked = false;
            assert_false(seen[node[p]]++);
            for (np_port port = 0; p && port < np_network_ports(network); port++)
                linked =
                    linked || np_network_link_head(network, np_network_link_at(network, node[p - 1], port)) == node[p];
            assert_true(linked || !p || !layout.windows);
        }
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_butterfly), cmocka_unit_test(test_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
