/* Columns on networks: where they are, and that sorting one on a butterfly is what its links can do in those steps. */
#include "support.h"

#include "base/random.h"
#include "work/sort/layout.h"

enum { ROWS = 64, WIDE = 12 };

/*
 * The column of a butterfly, executed: 2^d rows of n nodes with h items each; at[w][l h + i] is item i at level l of
 * row w. Position 0 of the rows is at level origin. Steps are those in which links carry packets.
 */
typedef struct execution {
    uint32_t n, d, h, origin;
    uint32_t at[ROWS][WIDE];
    uint64_t steps, compared, hops;
} execution;

/* The h items here and the h there: the lesser ones stay. */
static void part(uint32_t *here, uint32_t *there, uint32_t h)
{
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t j = 0; j < h; j++)
            if (here[i] > there[j]) {
                uint32_t x = here[i];
                here[i] = there[j];
                there[j] = x;
            }
}

/* Neighbours along the ring send each other all they have, h steps. Rows go down where bit k of them is 1, k < d. */
static void sort_rows(execution *x, uint32_t k)
{
    for (uint32_t stage = 0; stage < x->n; stage++) {
        for (uint32_t w = 0; w < 1u << x->d; w++)
            for (uint32_t c = stage % 2; c + 1 < x->n; c += 2) {
                uint32_t *a = x->at[w] + (c + x->origin) % x->n * x->h,
                         *b = x->at[w] + (c + 1 + x->origin) % x->n * x->h;
                bool down = k < x->d && w >> k & 1;
                part(down ? b : a, down ? a : b, x->h);
                x->hops += 2 * x->h;
            }
        x->steps += x->h;
    }
}

/* All items go up a level, h steps, and those for which it is time over the cross links too. */
static void turn(execution *x, uint32_t k, uint32_t t)
{
    execution before = *x;
    for (uint32_t w = 0; w < 1u << x->d; w++)
        for (uint32_t l = 0; l < x->n; l++) {
            uint32_t start = (l + x->n * 2 - t % x->n) % x->n, wait = (2 * x->n - k - start) % x->n;
            uint32_t *to = x->at[w] + (l + 1) % x->n * x->h, bit = 1u << (x->n - 1 - l);
            memcpy(to, before.at[w] + l * x->h, x->h * sizeof *to);
            x->hops += x->h;
            if (t < wait || t >= wait + k)
                continue;
            assert_int_equal(l, x->n - k + (t - wait)); /* bits k-1 .. 0 in turn */
            uint32_t other[WIDE];
            memcpy(other, before.at[w ^ bit] + l * x->h, x->h * sizeof *other);
            bool upper = !(w & bit) != !(k < x->d && w >> k & 1);
            part(upper ? other : to, upper ? to : other, x->h);
            x->compared += x->h;
            x->hops += x->h; /* the copy */
        }
    x->steps += x->h;
}

static void execute(execution *x)
{
    uint32_t turns = 0;
    for (uint32_t k = 1; k <= x->d; k++)
        turns += x->n - 1 + k;
    x->origin = (x->n - turns % x->n) % x->n; /* so that position 0 ends at level 0 */
    sort_rows(x, 0);
    for (uint32_t k = 1; k <= x->d; k++) {
        for (uint32_t t = 0; t < x->n - 1 + k; t++)
            turn(x, k, t);
        x->origin = (x->origin + x->n - 1 + k) % x->n;
        sort_rows(x, k);
    }
    assert_int_equal(x->origin, 0);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
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
            execution x = {.n = n, .d = layout.bits, .h = h};
            uint32_t item[ROWS * WIDE], scratch[2 * WIDE], wide = n * h;
            for (uint32_t i = 0; i < layout.column * h; i++)
                item[i] = x.at[i / wide][i % wide] = np_random_below(&draws, i, n, 1000) * 1000 + i;
            execute(&x);
            np_sort_layout_sort(&layout, h, item, scratch);
            np_sort_cost cost = np_sort_layout_cost(&layout, h, 1);
            for (uint32_t i = 0; i < layout.column; i++)
                qsort(x.at[i / n] + i % n * h, h, sizeof **x.at, compare); /* within a node there is no order */
            for (uint32_t i = 0; i < layout.column * h; i++) {
                assert_int_equal(item[i], x.at[i / wide][i % wide]);
                assert_true(i == 0 || item[i - 1] < item[i]);
            }
            assert_int_equal(x.steps, cost.steps);
            assert_int_equal(x.hops, cost.hops);
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
