/* The driver of sorting: it checks what sorters do, with one that sorts. */
#include "support.h"

#include "base/random.h"
#include "netpram/netpram.h"

static np_sort_result *sort(const char *spec, size_t count, const uint64_t *key, np_sort_options *options)
{
    np_network *network;
    np_sort_result *result;
    assert_int_equal(np_network_create(spec, &network), NP_OK);
    assert_int_equal(np_sort(network, count, key, options, &result), NP_OK);
    np_network_free(network);
    return result;
}

/* order[] is the stable sorted permutation. */
static void assert_order(const np_sort_result *result, const uint64_t *key)
{
    assert_true(result->sorted);
    for (size_t i = 1; i < result->keys; i++) {
        uint32_t a = result->order[i - 1], b = result->order[i];
        assert_true(key[a] < key[b] || (key[a] == key[b] && a < b));
    }
}

static void test_transposition(void **state)
{
    (void)state;
    np_draws draws = {.seed = 5, .purpose = NP_RANDOM_KEY};
    np_sort_options options;
    np_sort_options_init(&options);
    for (size_t count = 1; count <= 40; count++) {
        uint64_t key[40];
        for (uint32_t i = 0; i < count; i++)
            key[i] = np_random_below(&draws, i, (uint32_t)count, 10);
        np_sort_result *result = sort("array:10", count, key, &options);
        assert_order(result, key);
        assert_int_equal(result->per_place, (count + 9) / 10);
        assert_int_equal(result->predicted.steps, (uint64_t)result->steps.mean);
        assert_int_equal(result->predicted.comparators, result->comparators);
        np_sort_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_transposition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
