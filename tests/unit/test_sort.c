/* The driver of sorting: it checks what sorters do, with one that sorts. */
#include "support.h"

#include <unistd.h>

#include "base/random.h"

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
    options.algorithm = "odd-even-transposition";
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

static void test_refusals(void **state)
{
    (void)state;
    const uint64_t key[2] = {2, 1};
    np_network *array = support_network("array:4"), *complete = support_network("complete:4");
    np_sort_options options;
    np_sort_result *result;
    uint64_t places = 7;
    np_sort_options_init(&options);
    assert_refused(np_sort(array, 0, key, &options, &result), NP_ERROR_LIMIT, "0 keys: from 1 to 2^31");
    assert_null(result);
    assert_refused(np_sort(array, ((size_t)1 << 31) + 1, key, &options, &result), NP_ERROR_LIMIT, "2147483649 keys");
    options.runs = 0;
    assert_refused(np_sort(array, 2, key, &options, &result), NP_ERROR_INPUT, "runs 0: must be");
    options.runs = 1;
    options.algorithm = "odd-even-transpositions";
    assert_refused(np_sort(array, 2, key, &options, &result), NP_ERROR_INPUT,
                   "no sorting algorithm 'odd-even-transpositions': did you mean 'odd-even-transposition'?");
    assert_null(result);
    assert_refused(np_sort_places(array, options.algorithm, &places), NP_ERROR_INPUT, "did you mean");
    assert_int_equal(places, 0);
    options.algorithm = "odd-even-transposition";
    assert_refused(np_sort(complete, 2, key, &options, &result), NP_ERROR_APPLY,
                   "does not sort on complete:4 because it is no mesh or torus");
    assert_refused(np_sorter_applies(options.algorithm, complete), NP_ERROR_APPLY, "it is for array");
    assert_null(result);
    np_network_free(array);
    np_network_free(complete);
}

/* Keys that are made differ from run to run; the order and the keys of the result are those of the last run. */
static void test_runs(void **state)
{
    (void)state;
    np_sort_options options;
    uint64_t key[4];
    np_sort_options_init(&options);
    options.algorithm = "odd-even-transposition";
    options.seed = 7;
    options.runs = 3;
    options.first_run = 2;
    options.keys = 4;
    np_sort_result *result = sort("array:5", 0, NULL, &options);
    assert_ok(np_keys_make("random", 4, 7, 4, key));
    assert_order(result, key);
    assert_int_equal(np_keys_count(result->source), 4);
    assert_memory_equal(np_keys_words(result->source), key, sizeof key);
    assert_string_equal(result->key_order, "random");
    assert_int_equal(result->steps.count, 3);
    assert_true(result->steps.mean == 5 && result->steps.variance == 0);
    assert_int_equal(result->comparators, 3 * 10);
    np_sort_result_free(result);
}

/* One key a place, in the order asked for; or those of a file. */
static void test_keys_of_options(void **state)
{
    (void)state;
    char *path = support_file("2\n-1\n1\n");
    np_sort_options options;
    np_sort_options_init(&options);
    options.order = "reversed";
    np_sort_result *result = sort("array:5", 0, NULL, &options);
    assert_int_equal(result->keys, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(result->order[i], 4 - i);
    np_sort_result_free(result);
    np_sort_options_init(&options);
    options.input = path;
    options.runs = 2;
    result = sort("array:5", 0, NULL, &options);
    assert_int_equal(result->keys, 3);
    assert_string_equal(result->input, path);
    assert_null(result->key_order);
    assert_int_equal(result->kind, NP_KEYS_INTEGERS);
    assert_true(result->order[0] == 1 && result->order[1] == 2 && result->order[2] == 0);
    np_sort_result_free(result);
    unlink(path);
    free(path);
}

static void refuse_keys(const np_sort_options *options, np_status status, const char *why)
{
    np_network *network = support_network("array:4");
    np_sort_result *result;
    assert_refused(np_sort(network, 0, NULL, options, &result), status, why);
    assert_null(result);
    np_network_free(network);
}

static void test_keys_refused(void **state)
{
    (void)state;
    np_sort_options options;
    np_sort_options_init(&options);
    options.kind = NP_KEYS_TEXT;
    refuse_keys(&options, NP_ERROR_INPUT, "kind is for the keys of a file: name it with input");
    options.input = "none.txt";
    refuse_keys(&options, NP_ERROR_IO, "none.txt");
    options.keys = 3;
    refuse_keys(&options, NP_ERROR_INPUT, "keys is for keys that are made");
    options.keys = 0;
    options.order = "sorted";
    refuse_keys(&options, NP_ERROR_INPUT, "order is for keys that are made");
    options.input = NULL;
    options.kind = NP_KEYS_AUTO;
    options.order = "sortet";
    refuse_keys(&options, NP_ERROR_INPUT, "no order of keys 'sortet': did you mean 'sorted'?");
}

/* Of those that apply, the one that takes the fewest steps at sizes that run. */
static void test_defaults(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"hypercube:4", "bitonic"},  {"butterfly:4", "bitonic"},
        {"mesh:8x8", "shearsort"},   {"array:9", "odd-even-transposition"},
        {"mesh:4x4x4", "flashsort"}, {"shuffle-exchange:4", "bitonic"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i][0]);
        const np_entry *info;
        assert_ok(np_sorter_default(network, &info));
        assert_string_equal(info->name, cases[i][1]);
        np_network_free(network);
    }
    np_network *network = support_network("ccc:3");
    const np_entry *info;
    uint64_t places;
    assert_refused(np_sorter_default(network, &info), NP_ERROR_APPLY, "'netpram list sorters'");
    assert_null(info);
    assert_refused(np_sort_places(network, NULL, &places), NP_ERROR_APPLY, "ccc:3");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transposition),   cmocka_unit_test(test_refusals),     cmocka_unit_test(test_runs),
        cmocka_unit_test(test_keys_of_options), cmocka_unit_test(test_keys_refused), cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
