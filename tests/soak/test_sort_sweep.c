/*
 * Flashsort and Columnsort at sizes that take long: no thread more or less changes a step, a hop or the order of the
 * keys; and whatever the keys and the seed, recursion as deep as constants can make it sorts. Forty seconds of one
 * core.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

static const char *order_of(uint32_t i)
{
    size_t orders = 0;
    while (np_list_get(NP_LIST_ORDERS, orders))
        orders++;
    return np_list_get(NP_LIST_ORDERS, i % orders)->name;
}

static np_sort_result *sort(const np_network *network, size_t count, const char *order, const np_sort_options *options)
{
    np_sort_result *result;
    uint64_t *key = malloc(count * sizeof *key);
    assert_non_null(key);
    assert_ok(np_keys_make(order, count, options->seed, 0, key));
    assert_ok(np_sort(network, count, key, options, &result));
    for (size_t i = 1; i < count; i++) {
        uint32_t a = result->order[i - 1], b = result->order[i];
        assert_true(key[a] < key[b] || (key[a] == key[b] && a < b));
    }
    free(key);
    assert_true(result->sorted);
    return result;
}

static void assert_same(const np_sort_result *a, const np_sort_result *b)
{
    assert_true(a->steps.mean == b->steps.mean);
    assert_true(a->hops == b->hops && a->comparators == b->comparators);
    assert_true(a->queue_max == b->queue_max && a->load_max == b->load_max);
    assert_true(a->redraws == b->redraws && a->fallbacks == b->fallbacks && a->stages == b->stages);
    for (size_t i = 0; i < a->stages; i++) {
        assert_true(a->stage[i].steps.mean == b->stage[i].steps.mean && a->stage[i].hops == b->stage[i].hops);
        assert_true(a->stage[i].congestion == b->stage[i].congestion && a->stage[i].delay_max == b->stage[i].delay_max);
    }
    assert_memory_equal(a->order, b->order, a->keys * sizeof *a->order);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    static const struct {
        const char *spec, *algorithm;
    } cases[] = {{"butterfly:13", "flashsort"},
                 {"hypercube:14", "flashsort"},
                 {"hypercube:13", "columnsort"},
                 {"mesh:128x128", "flashsort"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_sort_result *one = NULL;
        np_sort_options options;
        uint64_t places;
        np_sort_options_init(&options);
        options.algorithm = cases[i].algorithm;
        assert_ok(np_sort_places(network, options.algorithm, &places));
        for (options.threads = 1; options.threads <= THREADS; options.threads++) {
            np_sort_result *result = sort(network, places, "random", &options);
            if (one)
                assert_same(one, result);
            if (options.threads > 1)
                np_sort_result_free(result);
            else
                one = result;
        }
        np_sort_result_free(one);
        np_network_free(network);
    }
}

/* Few keys, that the subroutine sorts; as many as there are places; more of them. */
static size_t count_of(const np_network *network, uint32_t seed)
{
    size_t nodes = np_network_nodes(network),
           counts[] = {nodes / 16 + 1, nodes / 4, nodes, nodes + seed, 2 * nodes + 1};
    return counts[seed % (sizeof counts / sizeof *counts)];
}

/* Constants that split far down, with splitters that are often no good. */
static np_sort_options deep(uint32_t seed)
{
    static const uint32_t groups[] = {1, 2, 4, 8};
    np_sort_options options;
    np_sort_options_init(&options);
    options.algorithm = "flashsort";
    options.threads = 1;
    options.seed = seed;
    options.merge.queue_size = 1 + seed / 2 % 3;
    options.constants = (np_sort_constants){.cutoff = 1 + seed % 17, .oversampling = 1 + seed / 3 % 4};
    options.constants.lightness = 1 + seed / 7 % 4;
    options.constants.redraws = 1 + seed % 4;
    options.constants.group = groups[seed / 5 % 4];
    options.constants.candidates = seed % 2 ? 0.5 : 2;
    return options;
}

static void all_seeds_sort(void **state)
{
    (void)state;
    enum { SEEDS = 300 };
    static const char *const specs[] = {"butterfly:5", "butterfly:6", "butterfly:7", "butterfly:8", "hypercube:8",
                                        "mesh:16x16",  "mesh:23x17",  "mesh:31x29",  "mesh:40x40"};
    uint64_t redraws = 0, fallbacks = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (uint32_t seed = 1; seed <= SEEDS; seed++) {
            np_sort_options options = deep(seed);
            if (!strncmp(specs[i], "mesh", 4)) /* it has no groups */
                options.constants.group = 0;
            np_sort_result *result = sort(network, count_of(network, seed), order_of(seed / 5), &options);
            assert_true(result->queue_max <= options.merge.queue_size);
            redraws += result->redraws;
            fallbacks += result->fallbacks;
            np_sort_result_free(result);
        }
        np_network_free(network);
    }
    assert_true(redraws && fallbacks); /* else what happens then was not tried */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_change_nothing), cmocka_unit_test(all_seeds_sort)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
