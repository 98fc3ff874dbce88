/*
 * Flashsort on butterflies and hypercubes: sorts whatever it is given, few keys or many, also when its splitters are as
 * bad as constants can make them; costs add up, and depend on the seed alone.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "work/sort/sorter.h"

static np_sort_options defaults(void)
{
    np_sort_options options;
    np_sort_options_init(&options);
    options.algorithm = "flashsort";
    options.threads = 1;
    return options;
}

static np_sort_result *sort(const char *spec, size_t count, const uint64_t *key, const np_sort_options *options)
{
    np_network *network;
    np_sort_result *result;
    assert_int_equal(np_network_create(spec, &network), NP_OK);
    assert_int_equal(np_sort(network, count, key, options, &result), NP_OK);
    np_network_free(network);
    return result;
}

typedef enum key_order { RANDOM, FEW, SORTED, REVERSED, CONSTANT, ORDERS } key_order;

static uint64_t *keys(size_t count, key_order order, uint64_t seed)
{
    np_draws draws = {.seed = seed, .purpose = NP_RANDOM_KEY};
    uint64_t *key = malloc(count * sizeof *key);
    assert_non_null(key);
    for (uint32_t i = 0; i < count; i++)
        key[i] = order == RANDOM   ? np_random_u64(&draws, i, 0)
                 : order == FEW    ? np_random_below(&draws, i, 0, 5)
                 : order == SORTED ? i
                                   : count - i;
    if (order == CONSTANT)
        memset(key, 0, count * sizeof *key);
    return key;
}

/* The stable sorted permutation came out, stages add up to the total, queues kept their size. */
static void assert_right(const np_sort_result *result, const uint64_t *key, const np_sort_options *options)
{
    double sum = 0, shares = 0;
    assert_true(result->sorted);
    uint8_t *seen = calloc(result->keys, 1);
    for (size_t i = 0; i < result->keys; i++) {
        uint32_t a = i ? result->order[i - 1] : 0, b = result->order[i];
        assert_false(seen[b]++);
        if (i)
            assert_true(key[a] < key[b] || (key[a] == key[b] && a < b));
    }
    free(seen);
    for (size_t i = 0; i < result->stages; i++) {
        sum += result->stage[i].steps.mean;
        shares += result->stage[i].share;
    }
    assert_true(sum > result->steps.mean - 1e-6 && sum < result->steps.mean + 1e-6);
    assert_true(shares > 1 - 1e-9 && shares < 1 + 1e-9);
    assert_true(result->queue_max <= options->merge.queue_size);
    assert_true(result->load_max <= result->keys + 2 * result->per_place + 2);
}

static void sort_and_check(const char *spec, size_t count, key_order order, const np_sort_options *options)
{
    uint64_t *key = keys(count, order, options->seed);
    np_sort_result *result = sort(spec, count, key, options);
    assert_right(result, key, options);
    np_sort_result_free(result);
    free(key);
}

/* From one key to several a node, around the number from which on the full sort is used. */
static void sort_all_counts(const char *family, uint32_t n, uint64_t nodes)
{
    size_t rows = (size_t)1 << n, counts[] = {1, 2, 3, rows / 4, rows / 4 + 1, rows, nodes, 2 * nodes + 5};
    np_sort_options options = defaults();
    char spec[32];
    snprintf(spec, sizeof spec, "%s:%u", family, n);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (key_order order = 0; order < ORDERS && counts[i]; order++) {
            options.seed = 1 + i * ORDERS + order;
            sort_and_check(spec, counts[i], order, &options);
        }
}

static void test_butterflies(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 8; n++)
        sort_all_counts("butterfly", n, (uint64_t)n << n);
}

static void test_hypercubes(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++)
        sort_all_counts("hypercube", n, UINT64_C(1) << n);
}

static void test_many_seeds(void **state)
{
    (void)state;
    np_sort_options options = defaults();
    for (options.seed = 1; options.seed <= SUPPORT_SAMPLE(40U); options.seed++) {
        sort_and_check("butterfly:6", 384, RANDOM, &options);
        sort_and_check("hypercube:7", 300, RANDOM, &options);
        options.constants.cutoff = 4;
        options.constants.oversampling = 1;
        sort_and_check("butterfly:8", 64, RANDOM, &options);
        options.constants = (np_sort_constants){0};
    }
}

/* What blocks below the root take is on the way that took longest: no stage of theirs took longer than it. */
static void assert_children_counted(const np_sort_result *result)
{
    double below = 0, longest = 0;
    assert_int_equal(result->runs, 1);
    for (size_t i = 0; i < result->stages; i++)
        if (result->stage[i].depth) {
            below += result->stage[i].steps.mean;
            longest = (double)result->stage[i].steps_max > longest ? (double)result->stage[i].steps_max : longest;
        }
    assert_true(longest > 0 && below >= longest);
}

/* With a low cutoff the subroutine recurs, and finds splitters for each block. */
static void test_recursion(void **state)
{
    (void)state;
    np_sort_options options = defaults();
    options.constants.cutoff = 8;
    options.constants.oversampling = 2;
    uint64_t *key = keys(256, RANDOM, 9);
    for (options.seed = 1; options.seed <= 5; options.seed++) {
        np_sort_result *result = sort("butterfly:10", 256, key, &options);
        assert_right(result, key, &options);
        assert_true(result->recursion_depth >= 2);
        assert_true(result->places == 1024 && result->per_place == 1);
        assert_children_counted(result);
        np_sort_result_free(result);
    }
    free(key);
}

/* Hardly any candidates; one a splitter, in blocks that can take no more than their mean; more than can be sorted. */
static void test_failures(void **state)
{
    (void)state;
    static const np_sort_constants constants[] = {
        {.candidates = 0.13, .oversampling = 1, .cutoff = 2, .redraws = 1},
        {.candidates = 0.9, .oversampling = 1, .lightness = 1, .cutoff = 2, .redraws = 1},
        {.candidates = 3, .oversampling = 1, .lightness = 1, .cutoff = 2, .redraws = 3},
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        for (unsigned full = 0; full < 2; full++) {
            np_sort_options options = defaults();
            options.constants = constants[i];
            options.runs = 30;
            size_t count = full ? 2048 : (size_t)256 >> (constants[i].lightness ? constants[i].lightness : 2);
            uint64_t *key = keys(count, RANDOM, i);
            np_sort_result *result = sort("butterfly:8", count, key, &options);
            assert_right(result, key, &options);
            assert_true(result->redraws > 0);
            assert_true(result->fallbacks > 0);
            np_sort_result_free(result);
            free(key);
        }
}

static const np_sort_event *event(const np_sort_result *result, const char *name)
{
    for (size_t i = 0; i < result->events; i++)
        if (!strcmp(result->event[i].name, name))
            return &result->event[i];
    return NULL;
}

/* An interval that is too long for its block is seen as such, and goes back. */
static void test_events(void **state)
{
    (void)state;
    np_sort_options options = defaults();
    options.constants = (np_sort_constants){.oversampling = 1, .lightness = 1, .cutoff = 2, .redraws = 50};
    options.runs = 8;
    uint64_t *key = keys(512, RANDOM, 2);
    np_sort_result *result = sort("butterfly:10", 512, key, &options);
    assert_right(result, key, &options);
    static const char *const names[] = {"well-partitioned", "delta-split", "congestion", "cumulative-delay"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(event(result, names[i]) && event(result, names[i])->times > 0);
    const np_sort_event *fitting = event(result, "fitting");
    assert_true(fitting->failures > 0 && fitting->worst > 1);
    uint64_t returns = 0;
    for (size_t i = 0; i < result->stages; i++)
        returns += strcmp(result->stage[i].name, "return") ? 0 : result->stage[i].times;
    assert_int_equal(returns, fitting->failures);
    assert_true(result->redraws >= returns - result->fallbacks);
    np_sort_result_free(result);
    free(key);
}

/*
 * Splitters split evenly, for wrong ones would sort as well, but take longer. Among 128 groups the largest of a run is
 * at most 6.25 times the mean in 40 runs measured, and no node has more than 60 of the 8 items a row.
 */
static void test_balance(void **state)
{
    (void)state;
    np_sort_options options = defaults();
    options.runs = 20;
    uint64_t *key = keys(2048, RANDOM, 6);
    np_sort_result *result = sort("butterfly:8", 2048, key, &options);
    assert_right(result, key, &options);
    assert_true(event(result, "group-split")->worst < 7 && result->load_max < 80);
    assert_int_equal(result->fallbacks, 0);
    np_sort_result_free(result);
    free(key);
}

/* One row, two as one array, and Columnsort with 4 and 8 columns. */
static void test_groups(void **state)
{
    (void)state;
    static const uint32_t groups[] = {1, 2, 3, 4, 8};
    np_sort_options options = defaults();
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (key_order order = 0; order < ORDERS; order++) {
            options.constants.group = groups[i];
            sort_and_check("butterfly:6", 384, order, &options);
            sort_and_check("hypercube:6", 200, order, &options);
            sort_and_check("butterfly:4", 200, order, &options);
        }
    uint64_t key[40] = {0};
    np_network *network;
    np_sort_result *result;
    options.constants.group = 65;
    assert_int_equal(np_network_create("hypercube:4", &network), NP_OK);
    assert_int_equal(np_sort(network, 40, key, &options, &result), NP_ERROR_INPUT);
    assert_null(result);
    np_network_free(network);
}

static void test_queues(void **state)
{
    (void)state;
    np_sort_options options = defaults();
    for (uint32_t q = 1; q <= 5; q += 2) {
        options.merge.queue_size = q;
        options.merge.ranks = q == 3 ? NP_RANKS_HASH : NP_RANKS_RANDOM;
        sort_and_check("butterfly:6", 384, RANDOM, &options);
        sort_and_check("butterfly:9", 128, RANDOM, &options);
    }
}

static void assert_same(const np_sort_result *a, const np_sort_result *b)
{
    assert_int_equal(a->stages, b->stages);
    for (size_t i = 0; i < a->stages; i++) {
        assert_string_equal(a->stage[i].name, b->stage[i].name);
        assert_true(a->stage[i].steps.mean == b->stage[i].steps.mean);
        assert_int_equal(a->stage[i].hops, b->stage[i].hops);
        assert_int_equal(a->stage[i].comparators, b->stage[i].comparators);
        assert_int_equal(a->stage[i].load_max, b->stage[i].load_max);
    }
    assert_memory_equal(a->order, b->order, a->keys * sizeof *a->order);
}

static void test_threads(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        size_t keys;
    } cases[] = {{"butterfly:10", 6000}, {"butterfly:13", 512}, {"hypercube:13", 9000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t *key = keys(cases[i].keys, RANDOM, i);
        np_sort_result *result[3];
        for (unsigned t = 0; t < 3; t++) {
            np_sort_options options = defaults();
            options.threads = t + 1;
            result[t] = sort(cases[i].spec, cases[i].keys, key, &options);
            assert_right(result[t], key, &options);
            assert_same(result[0], result[t]);
        }
        for (unsigned t = 0; t < 3; t++)
            np_sort_result_free(result[t]);
        free(key);
    }
}

/* A sorting by hand: item i of those given is stretch * i. Returns the steps. */
static uint64_t run_items(const char *spec, uint32_t items, uint32_t stretch)
{
    const np_sorter_ops *ops;
    np_network *network;
    np_sort_options options = defaults();
    options.constants = (np_sort_constants){
        .candidates = 2.0 / 3, .oversampling = 2, .lightness = 2, .cutoff = 8, .redraws = 3, .group = 2};
    assert_int_equal(np_sorter_find("flashsort", &ops), NP_OK);
    assert_int_equal(np_network_create(spec, &network), NP_OK);
    np_sorting s = {
        .network = network, .ops = ops, .options = &options, .draws = {.seed = 4}, .workers = 1, .items = items};
    assert_int_equal(ops->plan(&s), NP_OK);
    uint32_t room = s.places * s.per_place;
    s.item = malloc(room * sizeof *s.item);
    for (uint32_t i = 0; i < room; i++)
        s.item[i] = i < items ? stretch * ((i * 7 + 3) % items) : NP_NONE;
    assert_int_equal(ops->run(&s), NP_OK);
    for (uint32_t i = 0; i < room; i++)
        assert_int_equal(s.item[i], i < items ? stretch * i : NP_NONE);
    free(s.item);
    np_network_free(network);
    return s.clock.now;
}

/* Items are compared, and nothing else is done with them. */
static void test_comparisons_alone(void **state)
{
    (void)state;
    assert_int_equal(run_items("butterfly:7", 1000, 1), run_items("butterfly:7", 1000, 1000));
    assert_int_equal(run_items("hypercube:9", 128, 1), run_items("hypercube:9", 128, 1000));
}

/* Places are nodes, each once; few items are at level 0. */
static void test_places(void **state)
{
    (void)state;
    const np_sorter_ops *ops;
    np_network *network;
    np_sort_options options = defaults();
    options.constants.lightness = 2;
    uint64_t places;
    assert_int_equal(np_sorter_find("flashsort", &ops), NP_OK);
    assert_int_equal(np_network_create("butterfly:5", &network), NP_OK);
    assert_int_equal(np_sort_places(network, "flashsort", &places), NP_OK);
    assert_int_equal(places, 160);
    np_sorting s = {.network = network, .ops = ops, .options = &options, .items = 8};
    assert_int_equal(ops->plan(&s), NP_OK);
    assert_int_equal(s.places, 32);
    assert_int_equal(ops->node(&s, 7), 35);
    s.items = 9;
    assert_int_equal(ops->plan(&s), NP_OK);
    assert_int_equal(s.places, 160);
    assert_int_equal(ops->node(&s, 7), 7);
    np_network_free(network);
}

static const np_sort_stage *stage(const np_sort_result *result, const char *name)
{
    for (size_t i = 0; i < result->stages; i++)
        if (!strcmp(result->stage[i].name, name))
            return &result->stage[i];
    return NULL;
}

/* A stage that ends at a level leaves K / N keys or more at some node: docs/flashsort.md. */
static void test_nodes_hold(void **state)
{
    (void)state;
    for (uint32_t n = 5; n <= 9; n++) {
        np_sort_options options = defaults();
        size_t count = (size_t)n << n;
        char spec[32];
        snprintf(spec, sizeof spec, "butterfly:%u", n);
        uint64_t *key = keys(count, RANDOM, n);
        np_sort_result *result = sort(spec, count, key, &options);
        assert_right(result, key, &options);
        assert_in_range(stage(result, "all-random-rows")->load_max, n, 4 * n);
        assert_in_range(stage(result, "refine-intervals")->load_max, n, 12 * n);
        np_sort_result_free(result);
        free(key);
    }
}

/* The recursion ends by ranks (Nassimi & Sahni) where this is faster, and with more than sqrt(M) keys by merging. */
static void test_base(void **state)
{
    static const struct {
        const char *spec;
        size_t count;
        uint64_t steps; /* count, then concentrate and rank-sort, or odd-even-merge */
        const char *base;
    } cases[] = {
        {"butterfly:9", 16, 9 + 2 * 9 + 2 * 9 + 2 * 4, "rank-sort"},
        {"butterfly:9", 17, 9 + 9 * 10, "odd-even-merge"},
        {"hypercube:9", 16, 9 + 2 * 9 + 4 * 4, "rank-sort"},
        {"hypercube:5", 4, 5 + 5 * 6 / 2, "odd-even-merge"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_sort_options options = defaults();
        uint64_t *key = keys(cases[i].count, RANDOM, 1);
        np_sort_result *result = sort(cases[i].spec, cases[i].count, key, &options);
        assert_right(result, key, &options);
        assert_non_null(stage(result, cases[i].base));
        assert_true(result->steps.mean == (double)cases[i].steps);
        np_sort_result_free(result);
        free(key);
    }
}

static void test_applies(void **state)
{
    (void)state;
    np_network *network;
    assert_int_equal(np_network_create("complete:10", &network), NP_OK);
    assert_int_equal(np_sorter_applies("flashsort", network), NP_ERROR_APPLY);
    np_network_free(network);
}

static int cancel_at(void *context, const np_progress *progress)
{
    int *calls = context;
    (void)progress;
    return --*calls == 0;
}

static void test_cancel(void **state)
{
    (void)state;
    uint64_t *key = keys(384, RANDOM, 3);
    np_network *network;
    np_sort_result *result;
    assert_int_equal(np_network_create("butterfly:6", &network), NP_OK);
    for (int calls = 1; calls <= 3; calls++) {
        int left = calls;
        np_sort_options options = defaults();
        options.watch = (np_watch){cancel_at, &left};
        assert_int_equal(np_sort(network, 384, key, &options, &result), NP_ERROR_CANCELLED);
        assert_null(result);
    }
    np_network_free(network);
    free(key);
}

/* Each allocation fails in turn; nothing is lost, and then it sorts. */
static void fail_in_turn(size_t count, uint32_t group)
{
    uint64_t *key = keys(count, RANDOM, 3);
    np_sort_options options = defaults();
    np_network *network;
    np_sort_result *result = NULL;
    options.constants = (np_sort_constants){.cutoff = 4, .oversampling = 1, .group = group};
    assert_int_equal(np_network_create("butterfly:6", &network), NP_OK);
    for (long n = 1; !result; n++) {
        np_memory_fail_after(n);
        np_status st = np_sort(network, count, key, &options, &result);
        np_memory_fail_after(0);
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
        assert_true(n < 20000);
    }
    assert_right(result, key, &options);
    np_sort_result_free(result);
    np_network_free(network);
    free(key);
}

static void test_memory(void **state)
{
    (void)state;
    fail_in_turn(16, 2);
    fail_in_turn(384, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_butterflies),
        cmocka_unit_test(test_hypercubes),
        cmocka_unit_test(test_many_seeds),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_queues),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_comparisons_alone),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_nodes_hold),
        cmocka_unit_test(test_base),
        cmocka_unit_test(test_applies),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
