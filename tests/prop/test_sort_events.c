/*
 * What sorters tell of packets: the trace of every sorter of the list is judged by the model alone
 * (oracle/trace_judge.h), and says what the result says.
 */
#include "support.h"

#include "base/memory.h"
#include "oracle/recorded.h"
#include "work/sort/sorter.h"

static const char *const sorted[] = {
    "array:7",     "ring:6",      "mesh:3x5",           "mesh:4x4",           "torus:4x4",
    "hypercube:2", "hypercube:4", "butterfly:3",        "shuffle-exchange:3", "mesh:3x4x2",
    "butterfly:4", "array:64",    "shuffle-exchange:4", "shuffle-exchange:6"};

enum { SORTED = sizeof sorted / sizeof *sorted };

static np_status sort(const np_sorter_ops *ops, const np_network *network, size_t keys, const np_observer *observer,
                      np_sort_result **out)
{
    static uint64_t key[1024];
    np_sort_options options;
    assert_true(keys <= sizeof key / sizeof *key);
    assert_ok(np_keys_make("random", keys, 3, 0, key));
    np_sort_options_init(&options);
    options.algorithm = ops->info.name;
    options.threads = 2;
    options.runs = 2;
    options.observer = observer;
    return np_sort(network, keys, key, &options, out);
}

/* The steps of the phases of the name. */
static uint64_t steps_told(const char *trace, const char *name)
{
    uint64_t steps = 0;
    bool named = false;
    for (const char *line = trace; *line; line = recorded_next_line(line)) {
        if (!strncmp(line, "{\"event\": \"phase\"", 17)) {
            const char *of = strstr(line, "\"name\": \"") + 9;
            named = !strncmp(of, name, strlen(name)) && of[strlen(name)] == '"';
        }
        if (named && !strncmp(line, "{\"event\": \"end\"", 15))
            steps += strtoull(strstr(line, "\"steps\": ") + 9, NULL, 10);
    }
    return steps;
}

/*
 * On shuffle-exchanges butterflies are played, edge by edge. Every hop is told, on the clock of the network: those of
 * the columns, which cross links both ways, and those of the permutations between them.
 */
static void check_columns(const recorded *f, const np_sort_result *result, const oracle_verdict *verdict,
                          bool one_column)
{
    const char *permutations = one_column ? "" : "transpose, untranspose, shift, unshift";
    double steps = 0;
    for (size_t i = 0; i < result->stages; i++)
        if (!np_field_listed(permutations, result->stage[i].name))
            steps += result->stage[i].steps.mean * result->runs;
    assert_int_equal(verdict->moves, result->hops);
    assert_true(verdict->backwards > 0);
    assert_true((double)steps_told(f->trace, "columns") == steps);
}

static void check_sort(const recorded *f, const np_sorter_ops *ops, const np_sort_result *result)
{
    bool routes = !np_sorter_heeds(ops->info.name, "room");
    oracle_verdict verdict;
    recorded_judge(result->network, ops->info.name, f, &verdict);
    bool plays = !strcmp(ops->info.name, "flashsort") && !strncmp(result->network, "shuffle-exchange", 16);
    assert_true(plays == (verdict.backwards > 0));
    for (size_t i = 0; i < result->stages; i++)
        assert_true(strstr(f->trace, result->stage[i].name) ||
                    (result->stage[i].depth && strstr(f->trace, "\"recursion\"")) ||
                    strstr(f->trace, "\"columns\"")); /* of Columnsort */
    if (plays)
        check_columns(f, result, &verdict, false);
    if (routes) /* in steps of leveled networks; the rest is charged */
        return;
    assert_int_equal(verdict.moves, result->hops);
    assert_true(recorded_steps(f->trace) == result->steps.mean * result->runs);
    assert_true(recorded_total(f->links, -1, "", 6, true) == (double)result->hops);
}

static void observe_sort(const np_sorter_ops *ops, const np_network *network, size_t keys)
{
    np_sort_result *result, *unseen;
    recorded f;
    assert_ok(sort(ops, network, keys, recorded_begin(&f), &result));
    recorded_end(&f);
    check_sort(&f, ops, result);
    /* Nothing changes because somebody looks. */
    assert_ok(sort(ops, network, keys, NULL, &unseen));
    assert_true(result->sorted && unseen->sorted);
    assert_true(unseen->steps.mean == result->steps.mean && unseen->hops == result->hops);
    assert_memory_equal(unseen->order, result->order, keys * sizeof *result->order);
    np_sort_result_free(unseen);
    np_sort_result_free(result);
    recorded_clear(&f);
}

/*
 * Flashsort tells of every hop that it makes. Empty places of arrays compare, and send infinite keys that nobody is
 * told of.
 */
static void check_flashsort(const recorded *f, const np_sort_result *result, bool exact)
{
    uint64_t least = 0, most = 0;
    oracle_verdict verdict;
    recorded_judge(result->network, "flashsort", f, &verdict);
    for (size_t i = 0; i < result->stages; i++) {
        const np_sort_stage *stage = &result->stage[i];
        static const char some[] = "sort-candidates, base, lines, fallback";
        most += stage->hops;
        least += exact || !np_field_listed(some, stage->name) ? stage->hops : 0;
    }
    assert_in_range(verdict.moves, least, most);
    assert_true(recorded_steps(f->trace) == result->steps.mean * result->runs);
}

/* With few keys and many, blocks that are split, splitters that fail, and ways back. */
static void flashsort_tells_every_move(void **state)
{
    static const struct {
        const char *place;
        size_t keys;
        np_sort_constants constants;
        bool exact;
    } cases[] = {
        {.place = "butterfly:6", .keys = 384, .exact = true},
        {.place = "butterfly:3", .keys = 70, .constants = {.group = 4}, .exact = true},
        {.place = "hypercube:6", .keys = 200, .constants = {.group = 4}, .exact = true},
        {.place = "butterfly:3", .keys = 9, .constants = {.group = 1}},
        {.place = "butterfly:7", .keys = 30, .constants = {.cutoff = 8, .oversampling = 2}, .exact = true},
        {.place = "hypercube:8", .keys = 60, .constants = {.cutoff = 4, .oversampling = 1}, .exact = true},
        {.place = "butterfly:8", .keys = 2048, .constants = {.cutoff = 4, .oversampling = 1, .redraws = 1}},
        {.place = "butterfly:8",
         .keys = 128,
         .constants = {.cutoff = 2, .oversampling = 1, .lightness = 1, .redraws = 50},
         .exact = true},
        {.place = "hypercube:8",
         .keys = 128,
         .constants = {.cutoff = 2, .oversampling = 1, .lightness = 1, .redraws = 50},
         .exact = true},
        {.place = "butterfly:7",
         .keys = 40,
         .constants = {.candidates = 0.13, .oversampling = 1, .cutoff = 2, .redraws = 1}},
        {.place = "mesh:16x16", .keys = 60, .constants = {.cutoff = 2, .oversampling = 1}},
        {.place = "torus:4x4x3", .keys = 100},
        {.place = "mesh:16x16",
         .keys = 128,
         .constants = {.cutoff = 2, .oversampling = 1, .lightness = 1, .redraws = 1}},
        {.place = "mesh:10x30", .keys = 1200, .constants = {.cutoff = 2}},
        {.place = "array:70", .keys = 150},
    };
    uint64_t returns = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!support_takes(i, 0, 1))
            continue;
        np_network *network = support_network(cases[i].place);
        uint64_t *key = calloc(cases[i].keys, sizeof *key);
        np_sort_result *result, *unseen;
        np_sort_options options;
        recorded f;
        assert_ok(np_keys_make("random", cases[i].keys, 3, 0, key));
        np_sort_options_init(&options);
        options.algorithm = "flashsort";
        options.runs = 2;
        options.constants = cases[i].constants;
        options.observer = recorded_begin(&f);
        assert_ok(np_sort(network, cases[i].keys, key, &options, &result));
        recorded_end(&f);
        check_flashsort(&f, result, cases[i].exact);
        for (size_t k = 0; k < result->stages; k++)
            returns += !strcmp(result->stage[k].name, "return");
        options.observer = NULL;
        assert_ok(np_sort(network, cases[i].keys, key, &options, &unseen));
        assert_true(result->sorted && unseen->hops == result->hops && unseen->steps.mean == result->steps.mean);
        np_sort_result_free(unseen);
        np_sort_result_free(result);
        recorded_clear(&f);
        free(key);
        np_network_free(network);
    }
    assert_true(returns > 0 || SUPPORT_SANITIZED);
}

static void shuffle_exchanges_tell_what_butterflies_do(void **state)
{
    static const struct {
        const char *place;
        size_t keys;
        np_sort_constants constants;
        bool one_column;
    } cases[] = {
        /*
         * Periods of two bits of the row: a node plays two nodes of a butterfly. Groups have permutations of their own.
         */
        {"shuffle-exchange:6", 20, {.string_bits = 2, .group = 4}, true},
        {"shuffle-exchange:9",
         8,
         {.string_bits = 6},
         false}, /* periods of two bits of the string: walks of four links */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].place);
        uint64_t key[512];
        np_sort_result *result;
        np_sort_options options;
        oracle_verdict verdict;
        recorded f;
        assert_ok(np_keys_make("random", cases[i].keys, 3, 0, key));
        np_sort_options_init(&options);
        options.algorithm = "flashsort";
        options.constants = cases[i].constants;
        options.observer = recorded_begin(&f);
        assert_ok(np_sort(network, cases[i].keys, key, &options, &result));
        recorded_end(&f);
        assert_true(result->sorted);
        recorded_judge(result->network, "flashsort", &f, &verdict);
        check_columns(&f, result, &verdict, cases[i].one_column);
        np_sort_result_free(result);
        recorded_clear(&f);
        np_network_free(network);
    }
}

/* rank-sort takes no more keys than there are places. */
static bool takes(const np_sorter_ops *ops, const np_network *network, size_t keys)
{
    np_sort_result *result;
    np_status st = sort(ops, network, keys, NULL, &result);
    assert_true(!st || st == NP_ERROR_LIMIT);
    np_sort_result_free(result);
    return !st;
}

/* One key a place, fewer, and as many as make two a place. Returns whether the sorter sorts there. */
static bool try_sorter(const np_sorter_ops *ops, const char *place)
{
    np_network *network = support_network(place);
    bool applies = !ops->refuses(network);
    uint64_t places;
    if (applies) {
        assert_ok(np_sort_places(network, ops->info.name, &places));
        for (uint64_t keys = places / 2 + 1; keys < 2 * places && takes(ops, network, keys); keys += (places + 1) / 2)
            observe_sort(ops, network, keys);
    }
    np_network_free(network);
    return applies;
}

static void every_sorter_has_events(void **state)
{
    const np_sorter_ops *ops;
    (void)state;
    for (size_t i = 0; (ops = np_registry_entry(&np_sorters, i)); i++) {
        unsigned done = 0;
        for (size_t k = 0; k < SORTED && !(SUPPORT_SANITIZED && done); k++)
            done += try_sorter(ops, sorted[k]);
        assert_true(done);
    }
}

/* ---- Failures ---- */

/* Between them, all that tells of sorters. */
static const struct {
    const char *sorter, *place;
    size_t keys;
} observed_sorts[] = {{"shearsort", "mesh:3x3", 9},           {"odd-even-transposition", "mesh:3x3", 9},
                      {"columnsort", "mesh:4x4", 16},         {"rank-sort", "mesh:3x3", 3},
                      {"rank-sort", "butterfly:4", 4},        {"flashsort", "mesh:3x3", 9},
                      {"flashsort", "butterfly:3", 24},       {"flashsort", "hypercube:4", 5},
                      {"flashsort", "shuffle-exchange:6", 30}};

enum { OBSERVED = sizeof observed_sorts / sizeof *observed_sorts };

static const np_sorter_ops *sorter(const char *name)
{
    const np_sorter_ops *ops;
    assert_ok(np_sorter_find(name, &ops));
    return ops;
}

static np_status observed_sort(size_t i, const np_observer *observer, np_sort_result **out)
{
    np_network *network;
    *out = NULL;
    np_status st = np_network_create(observed_sorts[i].place, &network);
    if (!st)
        st = sort(sorter(observed_sorts[i].sorter), network, observed_sorts[i].keys, observer, out);
    np_network_free(network);
    return st;
}

static int refuse(void *context, size_t count, const np_event *event)
{
    (void)context, (void)count, (void)event;
    return 1;
}

static void observers_can_cancel(void **state)
{
    const np_observer observer = {.events = refuse};
    (void)state;
    for (size_t i = 0; i < OBSERVED; i++) {
        np_sort_result *result;
        assert_refused(observed_sort(i, &observer, &result), NP_ERROR_CANCELLED, "cancelled");
        assert_null(result);
    }
}

static void every_allocation_may_fail(void **state)
{
    const np_observer observer = {.kinds = 0};
    (void)state;
    for (size_t i = 0; i < OBSERVED; i++) {
        np_sort_result *result = NULL;
        for (long n = 1; !result; n = support_next_failure(n)) {
            np_memory_fail_after(n);
            np_status st = observed_sort(i, &observer, &result);
            np_memory_fail_after(0);
            assert_int_equal(st, result ? NP_OK : NP_ERROR_MEMORY);
            assert_true(n < 1000);
        }
        np_sort_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sorter_has_events),
        cmocka_unit_test(flashsort_tells_every_move),
        cmocka_unit_test(shuffle_exchanges_tell_what_butterflies_do),
        cmocka_unit_test(observers_can_cancel),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
