/*
 * Batcher's sorts laid on networks: all inputs of zeros and ones, steps and comparators by sums of the test's own, and
 * every hop on the network.
 */
#include "support.h"

#include "base/random.h"
#include "oracle/sorter_bench.h"

static const char *const algorithm[2] = {"bitonic", "odd-even-merge"};

static void test_zero_one_principle(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t items;
    } host[] = {{"hypercube:1", 2},         {"hypercube:2", 4},         {"hypercube:3", 8},
                {"hypercube:4", 16},        {"hypercube:3", 16},        {"hypercube:2", 12},
                {"shuffle-exchange:1", 2},  {"shuffle-exchange:2", 4},  {"shuffle-exchange:3", 8},
                {"shuffle-exchange:4", 16}, {"shuffle-exchange:3", 16}, {"shuffle-exchange:1", 14},
                {"butterfly:3", 8},         {"butterfly:4", 16}};
    for (int odd_even = 0; odd_even < 2; odd_even++)
        for (size_t i = 0; i < sizeof host / sizeof *host; i++) {
            sorter_bench bench;
            sorter_bench_set_up(&bench, host[i].spec, algorithm[odd_even], host[i].items);
            assert_int_equal(sorter_bench_room(&bench), host[i].items);
            sorter_bench_assert_zero_one(&bench);
            sorter_bench_clear(&bench);
        }
}

/*
 * The butterfly's 24 places and more have too many inputs of zeros and ones to try all. All that have zeros, ones and
 * zeros again, or the other way round, from any place to any other; and random ones.
 */
static void test_zero_one_principle_on_rings(void **state)
{
    (void)state;
    static const char *const spec[] = {"butterfly:3", "butterfly:4", "butterfly:5"};
    np_draws draws = {.seed = 7, .purpose = NP_RANDOM_CHECK};
    for (int odd_even = 0; odd_even < 2; odd_even++)
        for (uint32_t net = 0; net < 3; net++) {
            sorter_bench bench;
            sorter_bench_set_up(&bench, spec[net], algorithm[odd_even], (3 + net) << (3 + net));
            uint32_t room = sorter_bench_room(&bench), *item = bench.sorting.item;
            for (uint32_t from = 0; from < room; from += 1 + net)
                for (uint32_t to = from; to <= room; to += 1 + net) {
                    for (uint32_t i = 0; i < room; i++)
                        item[i] = (i >= from && i < to) ^ (from & 1);
                    sorter_bench_run(&bench);
                    assert_true(sorter_bench_sorted(&bench));
                }
            for (uint32_t trial = 0; trial < 2000; trial++) {
                uint32_t ones = 1 + np_random_below(&draws, trial, 1000, room - 1);
                for (uint32_t i = 0; i < room; i++)
                    item[i] = np_random_below(&draws, trial, i, room) < ones;
                sorter_bench_run(&bench);
                assert_true(sorter_bench_sorted(&bench));
            }
            sorter_bench_clear(&bench);
        }
}

static void test_replay(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t items;
    } host[] = {
        {"hypercube:1", 2},        {"hypercube:5", 32},       {"hypercube:5", 96},        {"hypercube:6", 64},
        {"shuffle-exchange:1", 2}, {"shuffle-exchange:2", 4}, {"shuffle-exchange:5", 32}, {"shuffle-exchange:5", 96},
        {"butterfly:3", 8},        {"butterfly:4", 16},       {"butterfly:5", 32},        {"butterfly:3", 24},
        {"butterfly:4", 64},       {"butterfly:5", 160},      {"butterfly:3", 48},        {"butterfly:4", 192}};
    for (int odd_even = 0; odd_even < 2; odd_even++)
        for (size_t i = 0; i < sizeof host / sizeof *host; i++)
            for (uint64_t seed = 1; seed <= 3; seed++) {
                sorter_bench bench;
                sorter_bench_set_up(&bench, host[i].spec, algorithm[odd_even], host[i].items);
                assert_int_equal(sorter_bench_room(&bench), host[i].items);
                sorter_bench_assert_replay(&bench, seed);
                sorter_bench_assert_predicted(&bench);
                sorter_bench_clear(&bench);
            }
}

/* What the merges take, one after the other. */
typedef struct cost {
    uint64_t steps, comparators;
} cost;

static cost sum_hypercube(uint64_t n, uint64_t h, bool odd_even)
{
    cost sum = {0};
    for (uint64_t k = 1; k <= n; k++)
        for (uint64_t j = 0; j < k; j++) { /* distance 2^j: one link, or two of which the second runs one behind */
            sum.steps += odd_even && j > 0 ? h + 1 : h;
            uint64_t pairs =
                odd_even && j < k - 1 ? (UINT64_C(1) << (k - 1)) - (UINT64_C(1) << j) : UINT64_C(1) << (k - 1);
            sum.comparators += pairs << (n - k);
        }
    return sum;
}

static cost sum_shuffle(uint64_t n, uint64_t h, bool odd_even)
{
    cost sum = {0};
    for (uint64_t k = 1; k <= n; k++) {
        uint64_t rounds = k == 1 ? 0 : odd_even ? 2 : 1;
        sum.steps += h * (rounds * n + k + (odd_even ? k - 1 : 0));
        sum.comparators += k << (n - 1);
    }
    return sum;
}

static cost sum_rows(uint64_t n, bool odd_even)
{
    cost sum = {0};
    for (uint64_t k = 1; k <= n; k++) {
        sum.steps += (!odd_even && n - k < k ? n - k : k) + k;
        sum.comparators += k << (n - 1);
    }
    return sum;
}

static cost sum_rings(uint64_t n, uint64_t h, bool odd_even)
{
    cost sum = {h * n, n * (n - 1) / 2 << n};
    for (uint64_t k = 1; k <= n; k++) {
        sum.steps += h * (n - 1 + (odd_even && k > 1 ? 2 * k : k) + n);
        sum.comparators += (n * k << (n - 1)) + (n * (n - 1) / 2 << n);
    }
    return sum;
}

static void assert_cost(const char *family, uint32_t n, uint32_t items, bool odd_even, cost want)
{
    char spec[40];
    sorter_bench bench;
    np_draws draws = {.seed = n, .purpose = NP_RANDOM_KEY};
    snprintf(spec, sizeof spec, "%s:%u", family, n);
    sorter_bench_set_up(&bench, spec, algorithm[odd_even], items);
    for (uint32_t i = 0; i < sorter_bench_room(&bench); i++)
        bench.sorting.item[i] = i < items ? np_random_below(&draws, i, 0, 1000) : NP_NONE;
    sorter_bench_run(&bench);
    assert_true(sorter_bench_sorted(&bench));
    assert_int_equal(bench.sorting.clock.now, want.steps);
    assert_int_equal(bench.comparators, want.comparators);
    sorter_bench_assert_predicted(&bench);
    sorter_bench_clear(&bench);
}

static void test_costs(void **state)
{
    (void)state;
    for (int odd_even = 0; odd_even < 2; odd_even++)
        for (uint32_t n = 1; n <= 10; n++) {
            uint32_t rows = UINT32_C(1) << n;
            for (uint32_t h = 1; h <= 3; h++) { /* the last place is not full */
                assert_cost("hypercube", n, h * rows - (h > 1), odd_even, sum_hypercube(n, h, odd_even));
                assert_cost("shuffle-exchange", n, h * rows - (h > 1), odd_even, sum_shuffle(n, h, odd_even));
                if (n >= 3 && n + h <= 10)
                    assert_cost("butterfly", n, h * n * rows - 1, odd_even, sum_rings(n, h, odd_even));
            }
            if (n >= 3) {
                assert_cost("butterfly", n, rows - 3, odd_even, sum_rows(n, odd_even));
                assert_cost("butterfly", n, 1, odd_even, sum_rows(n, odd_even));
                assert_cost("butterfly", n, rows + 1, odd_even, sum_rings(n, 1, odd_even));
            }
        }
}

/* The closed forms that the documentation has, at one size. */
static void test_closed_forms(void **state)
{
    (void)state;
    assert_cost("hypercube", 10, 1024, false, (cost){55, 28160});
    assert_cost("hypercube", 10, 1024, true, (cost){100, 24063}); /* n^2; (n^2 - n + 4) 2^(n-2) - 1 */
    assert_cost("shuffle-exchange", 10, 1024, false, (cost){145, 28160});
    assert_cost("shuffle-exchange", 10, 1024, true, (cost){280, 28160});
    assert_cost("butterfly", 10, 1024, false, (cost){80, 28160});
    assert_cost("butterfly", 10, 1024, true, (cost){110, 28160});
    assert_cost("butterfly", 10, 10240, false, (cost){255, 788480});
    assert_cost("butterfly", 10, 10240, true, (cost){309, 788480});
}

/* The public way: ties by origin, more keys than places, and how many places there are. */
static void test_by_the_driver(void **state)
{
    (void)state;
    static const char *const spec[] = {"hypercube:5", "shuffle-exchange:5", "butterfly:4"};
    static const uint64_t places[] = {32, 32, 64};
    uint64_t key[150];
    np_draws draws = {.seed = 3, .purpose = NP_RANDOM_KEY};
    for (uint32_t i = 0; i < 150; i++)
        key[i] = np_random_below(&draws, i, 0, 20);
    for (int odd_even = 0; odd_even < 2; odd_even++)
        for (int net = 0; net < 3; net++) {
            np_network *network = support_network(spec[net]);
            np_sort_options options;
            np_sort_result *result;
            uint64_t count;
            np_sort_options_init(&options);
            options.algorithm = algorithm[odd_even];
            assert_ok(np_sort_places(network, algorithm[odd_even], &count));
            assert_int_equal(count, places[net]);
            for (size_t keys = 1; keys <= 150; keys += 7) {
                assert_ok(np_sort(network, keys, key, &options, &result));
                assert_true(result->sorted);
                for (size_t i = 1; i < keys; i++) {
                    uint32_t a = result->order[i - 1], b = result->order[i];
                    assert_true(key[a] < key[b] || (key[a] == key[b] && a < b));
                }
                np_sort_result_free(result);
            }
            np_network_free(network);
        }
}

/* Any allocation may fail, and the caller may have enough. */
static void test_gives_up(void **state)
{
    (void)state;
    static const char *const spec[] = {"hypercube:4", "shuffle-exchange:4", "butterfly:3"};
    uint64_t key[40] = {0};
    for (int net = 0; net < 3; net++) {
        np_network *network = support_network(spec[net]);
        for (int odd_even = 0; odd_even < 2; odd_even++) {
            sorter_bench_assert_gives_up(network, algorithm[odd_even], 8, key);
            sorter_bench_assert_gives_up(network, algorithm[odd_even], 40, key);
        }
        np_network_free(network);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:4x4");
    assert_refused(np_sorter_applies("bitonic", network), NP_ERROR_APPLY, "hypercube, butterfly, shuffle-exchange");
    assert_refused(np_sorter_applies("odd-even-merge", network), NP_ERROR_APPLY, "mesh:4x4");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_one_principle),
        cmocka_unit_test(test_zero_one_principle_on_rings),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_by_the_driver),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
