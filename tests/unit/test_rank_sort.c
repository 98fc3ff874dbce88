/* Sorting by ranks: sorted, stable, at its formulas' cost, and refused where there is no room for all comparisons. */
#include "support.h"

#include "base/random.h"
#include "work/sort/sorter.h"

/* Keys from few values, so that many are equal; sorted on the network, they cost what is expected. */
static void assert_sorts(const char *spec, uint32_t count, uint32_t values, uint64_t steps)
{
    np_network *network = support_network(spec);
    np_draws draws = {.seed = 3, .purpose = NP_RANDOM_KEY};
    np_sort_options options;
    np_sort_result *result;
    uint64_t key[64];
    assert_in_range(count, 1, 64);
    for (uint32_t i = 0; i < count; i++)
        key[i] = np_random_below(&draws, i, count, values);
    np_sort_options_init(&options);
    options.algorithm = "rank-sort";
    assert_ok(np_sort(network, count, key, &options, &result));
    assert_true(result->sorted);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t a = result->order[i - 1], b = result->order[i];
        assert_true(key[a] < key[b] || (key[a] == key[b] && a < b));
    }
    assert_int_equal((uint64_t)result->steps.mean, steps);
    assert_int_equal(result->predicted.steps, steps);
    assert_int_equal(result->comparators, count * (count - 1));
    assert_int_equal(result->predicted.comparators, count * (count - 1));
    np_sort_result_free(result);
    np_network_free(network);
}

static uint32_t ceil_log2(uint32_t x)
{
    uint32_t a = 0;
    while (UINT32_C(1) << a < x)
        a++;
    return a;
}

static void test_butterfly(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 11; n++)
        for (uint32_t count = 1; count <= UINT32_C(1) << n / 2; count++) {
            char spec[32];
            snprintf(spec, sizeof spec, "butterfly:%u", n);
            assert_sorts(spec, count, count, count > 1 ? 2 * n + 2 * ceil_log2(count) : 0);
        }
}

static void test_hypercube(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 12; n++)
        for (uint32_t count = 1; count <= UINT32_C(1) << n / 2; count++) {
            char spec[32];
            snprintf(spec, sizeof spec, "hypercube:%u", n);
            assert_sorts(spec, count, 1 + count / 2, 4 * ceil_log2(count));
        }
}

static void test_mesh(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 20; count++) {
        assert_sorts("mesh:20x20", count, 1000, 4 * (count - 1));
        assert_sorts("mesh:20x31", count, count, 4 * (count - 1));
        assert_sorts("mesh:25x20", count, 1, 4 * (count - 1));
    }
}

/* On K x K nodes: down K - 1 rows and along K - 1 columns, sums both ways, key h up h rows. */
static void test_mesh_hops(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:9x9");
    np_sort_options options;
    np_sort_result *result;
    uint64_t key[9] = {4, 8, 1, 7, 3, 2, 0, 6, 5};
    np_sort_options_init(&options);
    options.algorithm = "rank-sort";
    assert_ok(np_sort(network, 9, key, &options, &result));
    assert_int_equal(result->hops, 9 * 8 + 9 * 8 + 2 * 9 * 8 + 9 * 8 / 2);
    np_sort_result_free(result);
    np_network_free(network);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *figure;
        uint32_t places;
    } cases[] = {{"butterfly:5", "at most 4 ", 4}, {"hypercube:7", "at most 8 ", 8}, {"mesh:9x6", "at most 6 ", 6}};
    np_sort_options options;
    np_sort_options_init(&options);
    options.algorithm = "rank-sort";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_sort_result *result;
        uint64_t key[9] = {0}, places;
        assert_ok(np_sort_places(network, "rank-sort", &places));
        assert_int_equal(places, cases[i].places);
        assert_refused(np_sort(network, cases[i].places + 1, key, &options, &result), NP_ERROR_LIMIT, cases[i].figure);
        np_network_free(network);
    }
    np_network *cube = support_network("mesh:4x4x4"), *ring = support_network("ring:8");
    assert_refused(np_sorter_applies("rank-sort", cube), NP_ERROR_APPLY, "two dimensions");
    assert_refused(np_sorter_applies("rank-sort", ring), NP_ERROR_APPLY, "no butterfly");
    np_network_free(cube);
    np_network_free(ring);
}

/* Places are distinct nodes: at level 0 of the first rows, and in the first row of a mesh. */
static void test_nodes(void **state)
{
    (void)state;
    const np_sorter_ops *ops;
    assert_ok(np_sorter_find("rank-sort", &ops));
    np_network *butterfly = support_network("butterfly:4"), *mesh = support_network("mesh:3x5");
    np_sorting sorting = {.network = butterfly, .ops = ops};
    assert_int_equal(ops->node(&sorting, 3), 12);
    sorting.network = mesh;
    assert_int_equal(ops->node(&sorting, 2), 2);
    np_network_free(butterfly);
    np_network_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_butterfly), cmocka_unit_test(test_hypercube), cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_mesh_hops), cmocka_unit_test(test_refused),   cmocka_unit_test(test_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
