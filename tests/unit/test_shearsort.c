/*
 * Shearsort and odd-even transposition: all inputs of zeros and ones, steps and comparators by formulas of the test's
 * own, and every hop on the network.
 */
#include "support.h"

#include "base/random.h"
#include "oracle/sorter_bench.h"
#include "model/network/axes.h"

/*
 * mesh:3x4     0  1  2  3
 *              7  6  5  4
 *              8  9 10 11
 */
static void test_snake(void **state)
{
    (void)state;
    static const np_node want[] = {0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11};
    np_network *network = support_network("mesh:3x4");
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(np_network_snake(network, i), want[i]);
    np_network_free(network);
}

/* Every node once, each a neighbour of the one before. */
static void test_snakes_are_paths(void **state)
{
    (void)state;
    static const char *const spec[] = {"array:7",    "ring:5",       "mesh:2x2",    "mesh:5x3",
                                       "mesh:3x4x5", "mesh:4x2x3x3", "torus:3x5x2", "mesh:2x2x2x2x2"};
    for (size_t k = 0; k < sizeof spec / sizeof *spec; k++) {
        np_network *network = support_network(spec[k]);
        bool seen[100] = {false};
        for (uint32_t i = 0; i < np_network_nodes(network); i++) {
            np_node u = np_network_snake(network, i);
            assert_true(u < np_network_nodes(network) && !seen[u]);
            seen[u] = true;
            bool joined = i == 0;
            for (np_port p = 0; p < np_network_ports(network) && !joined; p++) {
                np_link link = np_network_link_at(network, u, p);
                joined = link != NP_NONE && np_network_link_head(network, link) == np_network_snake(network, i - 1);
            }
            assert_true(joined);
        }
        np_network_free(network);
    }
}

typedef struct line_case {
    const char *algorithm, *spec;
    uint32_t items;
} line_case;

static void test_zero_one_principle(void **state)
{
    (void)state;
    static const line_case sorts[] = {
        {"shearsort", "mesh:2x2", 4},
        {"shearsort", "mesh:2x7", 14},
        {"shearsort", "mesh:7x2", 14},
        {"shearsort", "mesh:3x3", 9},
        {"shearsort", "mesh:3x5", 15},
        {"shearsort", "mesh:5x3", 15},
        {"shearsort", "mesh:4x4", 16},
        {"shearsort", "torus:2x8", 16},
        {"shearsort", "mesh:8x2", 16},
        {"shearsort", "mesh:3x2", 12},
        {"odd-even-transposition", "array:2", 2},
        {"odd-even-transposition", "array:3", 3},
        {"odd-even-transposition", "array:15", 15},
        {"odd-even-transposition", "array:16", 16},
        {"odd-even-transposition", "ring:9", 9},
        {"odd-even-transposition", "mesh:2x2x3", 12},
        {"odd-even-transposition", "array:5", 15},
    };
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        sorter_bench bench;
        sorter_bench_set_up(&bench, sorts[i].spec, sorts[i].algorithm, sorts[i].items);
        assert_int_equal(sorter_bench_room(&bench), sorts[i].items);
        sorter_bench_assert_zero_one(&bench);
        sorter_bench_assert_predicted(&bench);
        sorter_bench_clear(&bench);
    }
}

static void test_replay(void **state)
{
    (void)state;
    static const line_case sorts[] = {
        {"shearsort", "mesh:4x4", 16},
        {"shearsort", "mesh:5x7", 35},
        {"shearsort", "mesh:35x10", 350},
        {"shearsort", "torus:6x5", 90},
        {"odd-even-transposition", "array:31", 31},
        {"odd-even-transposition", "ring:10", 40},
        {"odd-even-transposition", "mesh:3x4x5", 60},
        {"odd-even-transposition", "torus:3x3x3", 54},
    };
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            sorter_bench bench;
            sorter_bench_set_up(&bench, sorts[i].spec, sorts[i].algorithm, sorts[i].items);
            assert_int_equal(sorter_bench_room(&bench), sorts[i].items);
            sorter_bench_assert_replay(&bench, seed);
            sorter_bench_assert_predicted(&bench);
            sorter_bench_clear(&bench);
        }
}

static void assert_cost(const char *algorithm, const char *spec, uint32_t items, uint64_t steps, uint64_t comparators)
{
    sorter_bench bench;
    np_draws draws = {.seed = items, .purpose = NP_RANDOM_KEY};
    sorter_bench_set_up(&bench, spec, algorithm, items);
    for (uint32_t i = 0; i < sorter_bench_room(&bench); i++)
        bench.sorting.item[i] = i < items ? np_random_below(&draws, i, 0, 500) : NP_NONE;
    sorter_bench_run(&bench);
    assert_true(sorter_bench_sorted(&bench));
    assert_int_equal(bench.sorting.clock.now, steps);
    assert_int_equal(bench.comparators, comparators);
    sorter_bench_assert_predicted(&bench);
    sorter_bench_clear(&bench);
}

static void test_costs(void **state)
{
    (void)state;
    for (uint64_t r = 2; r <= 40; r += 4)
        for (uint64_t c = 2; c <= 40; c += 7)
            for (uint64_t h = 1; h <= 2; h++) {
                char spec[40];
                uint64_t phases = 0, places = r * c, line = 0;
                for (uint64_t dirty = r; dirty > 1; dirty -= dirty / 2)
                    phases++;
                snprintf(spec, sizeof spec, "mesh:%ux%u", (unsigned)r, (unsigned)c);
                assert_cost("shearsort", spec, (uint32_t)(h * places - 1), h * (phases * (r + c) + c),
                            r * (c * (c - 1) / 2) * (phases + 1) + c * (r * (r - 1) / 2) * phases);
                for (uint64_t stage = 0; stage < places; stage++)
                    line += (places - stage % 2) / 2;
                assert_cost("odd-even-transposition", spec, (uint32_t)(h * places - 1), h * places, line);
            }
    /* sqrt(N) (2 log2 sqrt(N) + 1) on the square. */
    assert_cost("shearsort", "mesh:32x32", 1024, 32 * (2 * 5 + 1), 32 * 496 * 11);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:70x50");
    uint64_t key[3500];
    np_draws draws = {.seed = 1, .purpose = NP_RANDOM_KEY};
    for (uint32_t i = 0; i < 3500; i++)
        key[i] = np_random_below(&draws, i, 0, 100);
    np_sort_result *result[3];
    static const unsigned threads[3] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        np_sort_options options;
        np_sort_options_init(&options);
        options.algorithm = "shearsort";
        options.threads = threads[i];
        assert_ok(np_sort(network, 3500, key, &options, &result[i]));
        assert_true(result[i]->sorted);
        assert_memory_equal(result[i]->order, result[0]->order, 3500 * sizeof *result[i]->order);
        assert_int_equal(result[i]->comparators, result[0]->comparators);
    }
    for (int i = 0; i < 3; i++)
        np_sort_result_free(result[i]);
    np_network_free(network);
}

/* Any allocation may fail, and the caller may have enough. */
static void test_gives_up(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"shearsort", "odd-even-transposition"};
    uint64_t key[40] = {0};
    np_network *network = support_network("mesh:4x5");
    for (int i = 0; i < 2; i++)
        sorter_bench_assert_gives_up(network, algorithm[i], 40, key);
    np_network_free(network);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const not_two[] = {"mesh:2x2x2", "array:9", "hypercube:4"};
    for (int i = 0; i < 3; i++) {
        np_network *network = support_network(not_two[i]);
        assert_refused(np_sorter_applies("shearsort", network), NP_ERROR_APPLY, not_two[i]);
        np_network_free(network);
    }
    np_network *network = support_network("hypercube:4");
    assert_refused(np_sorter_applies("odd-even-transposition", network), NP_ERROR_APPLY, "no mesh");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snake),
        cmocka_unit_test(test_snakes_are_paths),
        cmocka_unit_test(test_zero_one_principle),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
