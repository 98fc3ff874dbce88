/*
 * Every sorter of the list on every small network that it sorts on, with keys in every order: what a sorter
 * promises holds whatever it is. A new sorter is tested by being in the list.
 */
#include "support.h"

#include "base/memory.h"
#include "work/sort/sorter.h"

static const np_sorter_ops *sorter_at(size_t i) { return np_registry_entry(&np_sorters, i); }

static const char *const networks[] = {
    "array:2",
    "array:7",
    "array:8",
    "array:16",
    "array:33",
    "mesh:2x2",
    "mesh:4x4",
    "mesh:3x5",
    "mesh:8x4",
    "mesh:3x4x2",
    "torus:4x4",
    "torus:5x3",
    "torus:4x4x4",
    "ring:9",
    "hypercube:1",
    "hypercube:2",
    "hypercube:3",
    "hypercube:4",
    "hypercube:5",
    "hypercube:6",
    "hypercube:7",
    "butterfly:3",
    "butterfly:4",
    "butterfly:5",
    "shuffle-exchange:2",
    "shuffle-exchange:3",
    "shuffle-exchange:4",
    "shuffle-exchange:5",
    "shuffle-exchange:6",
    "complete:8",
};

enum { NETWORKS = sizeof networks / sizeof *networks, COUNTS = 5, KEYS_MOST = 2048, GAP = 3, FIRST = 7 };

/* One input. The items of the oracle: item[i] is the number of key i in the order of (key, origin). */
typedef struct input {
    const char *name; /* of their order */
    size_t count;
    uint64_t key[KEYS_MOST];
    uint32_t order[KEYS_MOST], item[KEYS_MOST];
} input;

static const input *present;

/* What is being sorted, for failures. */
static char where[256];

#define assert_here(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: not so: %s", where, #condition);                                                             \
    } while (0)

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (present->key[x] != present->key[y])
        return present->key[x] < present->key[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static void fill(input *in, const char *order, size_t count, uint64_t seed)
{
    in->name = order;
    in->count = count;
    assert_ok(np_keys_make(order, count, seed, 0, in->key));
    for (uint32_t i = 0; i < count; i++)
        in->order[i] = i;
    present = in;
    qsort(in->order, count, sizeof *in->order, compare);
    for (uint32_t i = 0; i < count; i++)
        in->item[in->order[i]] = i;
}

/* A sorter on a network; small constants let small networks recurse. */
typedef struct place {
    const np_sorter_ops *ops;
    const np_network *network;
    np_sort_options options;
} place;

static place place_of(const np_sorter_ops *ops, const np_network *network, uint64_t seed)
{
    place at = {.ops = ops, .network = network};
    np_sort_options_init(&at.options);
    at.options.algorithm = ops->info.name;
    at.options.threads = 1;
    at.options.seed = seed;
    if (seed > 1 && np_field_listed(ops->heeds, "cutoff") && !np_network_is(network, NP_KIND_LINES))
        at.options.constants = (np_sort_constants){.cutoff = 2, .oversampling = 2, .lightness = 1, .redraws = 1};
    return at;
}

/* NULL: more keys than places, and the sorter says that those are too many. */
static np_sort_result *sort(const place *at, const input *in)
{
    np_sort_result *result;
    snprintf(where, sizeof where, "%s on %s, %zu keys %s, seed %d", at->ops->info.name, np_network_spec(at->network),
             in->count, in->name, (int)at->options.seed);
    np_status st = np_sort(at->network, in->count, in->key, &at->options, &result);
    if (st == NP_ERROR_LIMIT) {
        uint64_t places;
        assert_ok(np_sort_places(at->network, at->ops->info.name, &places));
        assert_true(in->count > places);
        return NULL;
    }
    assert_ok(st);
    return result;
}

static void check_result(const np_sort_result *result, const input *in)
{
    double steps = 0;
    uint64_t hops = 0, comparators = 0;
    assert_here(result->sorted);
    assert_here(!*result->wrong);
    assert_here(result->keys == in->count);
    assert_here(!memcmp(result->order, in->order, in->count * sizeof *in->order));
    assert_here(result->places * result->per_place >= in->count);
    for (size_t i = 0; i < result->stages; i++) {
        const np_sort_stage *stage = &result->stage[i];
        steps += stage->steps.mean;
        hops += stage->hops;
        comparators += stage->comparators;
        assert_here(stage->times > 0 && stage->depth <= result->recursion_depth);
        assert_here((double)stage->steps_max <= result->steps.max);
    }
    assert_here(steps == result->steps.mean); /* whole numbers */
    assert_here(hops == result->hops);
    assert_here(comparators == result->comparators);
    if (result->predicted.steps) {
        assert_here(result->predicted.steps == (uint64_t)result->steps.mean);
        assert_here(*result->predicted.formula);
    }
    if (result->predicted.comparators)
        assert_here(result->predicted.comparators == result->comparators);
}

/* But for the summary of the steps. */
static bool same_stage(const np_sort_stage *a, const np_sort_stage *b)
{
    return !strcmp(a->name, b->name) && a->depth == b->depth && a->times == b->times && a->steps_max == b->steps_max &&
           a->packets == b->packets && a->hops == b->hops && a->comparators == b->comparators &&
           a->queue_max == b->queue_max && a->load_max == b->load_max && a->congestion == b->congestion &&
           a->delay_max == b->delay_max;
}

/*
 * The sorter itself, without the driver, on items with gaps between: x becomes 3 x + 7. It must put them in order, and
 * do so by the same moves, as far as the log tells.
 */
static void check_gaps(const place *at, const input *in, const np_sort_result *result)
{
    static np_sorting s;
    np_sort_options options = at->options;
    options.constants = result->constants;
    s = (np_sorting){.network = at->network,
                     .ops = at->ops,
                     .options = &options,
                     .draws = {.seed = options.seed},
                     .workers = 1,
                     .items = (uint32_t)in->count};
    assert_ok(at->ops->plan(&s));
    assert_here(s.places == result->places);
    assert_here(s.per_place == result->per_place);
    size_t room = (size_t)s.places * s.per_place;
    s.item = malloc(room * sizeof *s.item);
    for (size_t i = 0; i < room; i++)
        s.item[i] = i < in->count ? GAP * in->item[i] + FIRST : NP_NONE;
    assert_ok(at->ops->run(&s));
    for (size_t i = 0; i < room; i++)
        assert_here(s.item[i] == (i < in->count ? GAP * (uint32_t)i + FIRST : NP_NONE));
    for (uint32_t p = 0; p < s.places; p++)
        assert_here(at->ops->node(&s, p) < at->network->nodes);
    free(s.item);
    assert_here((double)s.clock.now == result->steps.mean);
    assert_here(s.log.stages == result->stages);
    for (size_t i = 0; i < result->stages; i++) {
        assert_here(same_stage(&s.log.stage[i], &result->stage[i]));
        assert_here((double)s.clock.steps[i] == result->stage[i].steps.mean);
    }
}

/* Counts below, at and above the number of places. */
static void counts_of(uint64_t places, size_t counts[COUNTS])
{
    const size_t p = (size_t)places, all[COUNTS] = {1, p / 2 + 1, p, p + 1, 3 * p - 1};
    assert_true(3 * p < KEYS_MOST);
    memcpy(counts, all, sizeof all);
}

/* All orders of so many keys. An oblivious sorter takes the same steps for all. */
static void sweep_orders(const place *at, size_t count)
{
    static input in;
    double steps = -1;
    uint64_t comparators = 0;
    for (size_t i = 0; np_list_get(NP_LIST_ORDERS, i); i++) {
        fill(&in, np_list_get(NP_LIST_ORDERS, i)->name, count, at->options.seed);
        np_sort_result *result = sort(at, &in);
        if (!result)
            return;
        check_result(result, &in);
        if (i < 3)
            check_gaps(at, &in, result);
        if (at->ops->oblivious && steps >= 0) {
            assert_here(result->steps.mean == steps);
            assert_here(result->comparators == comparators);
        }
        steps = result->steps.mean;
        comparators = result->comparators;
        np_sort_result_free(result);
    }
}

/* Results that differ in threads and time only. */
static void assert_same(const np_sort_result *a, const np_sort_result *b)
{
    assert_here(a->stages == b->stages);
    for (size_t i = 0; i < a->stages; i++) {
        assert_here(same_stage(&a->stage[i], &b->stage[i]));
        assert_here(a->stage[i].steps.mean == b->stage[i].steps.mean);
        assert_here(a->stage[i].steps.variance == b->stage[i].steps.variance);
    }
    assert_here(a->events == b->events);
    for (size_t i = 0; i < a->events; i++) {
        assert_here(!strcmp(a->event[i].name, b->event[i].name));
        assert_here(a->event[i].times == b->event[i].times);
        assert_here(a->event[i].failures == b->event[i].failures);
        assert_here(a->event[i].worst == b->event[i].worst);
    }
    assert_here(a->steps.mean == b->steps.mean && a->steps.variance == b->steps.variance);
    assert_here(a->hops == b->hops && a->comparators == b->comparators);
    assert_here(a->redraws == b->redraws && a->fallbacks == b->fallbacks);
    assert_here(a->sorted && b->sorted);
}

static void check_threads(place at, size_t count)
{
    static input in;
    fill(&in, "random-distinct", count, 9);
    at.options.runs = 2;
    at.options.threads = 1;
    np_sort_result *one = sort(&at, &in);
    for (unsigned threads = 2; threads <= 3 && one; threads++) {
        at.options.threads = threads;
        np_sort_result *more = sort(&at, &in);
        assert_same(one, more);
        np_sort_result_free(more);
    }
    np_sort_result_free(one);
}

static void sweep(const np_sorter_ops *ops, const np_network *network)
{
    size_t counts[COUNTS];
    uint64_t places;
    assert_ok(np_sort_places(network, ops->info.name, &places));
    counts_of(places, counts);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        const place at = place_of(ops, network, seed);
        for (size_t i = 0; i < COUNTS; i++)
            sweep_orders(&at, counts[i]);
        check_threads(at, counts[2]);
        check_threads(at, counts[4]);
    }
}

static void test_all(void **state)
{
    (void)state;
    for (size_t i = 0; sorter_at(i); i++) {
        size_t applied = 0;
        for (size_t j = 0; j < NETWORKS; j++) {
            np_network *network = support_network(networks[j]);
            if (!sorter_at(i)->refuses(network)) {
                if (applied % SUPPORT_FEWER(1, 3) == 0)
                    sweep(sorter_at(i), network);
                applied++;
            }
            np_network_free(network);
        }
        if (applied < 2)
            fail_msg("%s sorts on %zu of the networks here: add some", sorter_at(i)->info.name, applied);
    }
}

/* Other seeds, on networks of middling size. */
static void test_seeds(void **state)
{
    (void)state;
    static input in;
    for (size_t i = 0; sorter_at(i); i++)
        for (size_t j = 0; j < NETWORKS; j++) {
            np_network *network = support_network(networks[j]);
            uint64_t places;
            if (network->nodes >= 16 && !sorter_at(i)->refuses(network))
                for (uint64_t seed = 3; seed < SUPPORT_FEWER(13U, 6U); seed++) {
                    const place at = place_of(sorter_at(i), network, seed);
                    assert_ok(np_sort_places(network, sorter_at(i)->info.name, &places));
                    fill(&in, seed % 2 ? "half-equal" : "random", (size_t)(seed % 3 * places / 2 + 1), seed);
                    np_sort_result *result = sort(&at, &in);
                    if (result)
                        check_result(result, &in);
                    np_sort_result_free(result);
                }
            np_network_free(network);
        }
}

/* The first network of at least 8 nodes that the sorter sorts on. */
static np_network *network_for(const np_sorter_ops *ops)
{
    for (size_t j = 0; j < NETWORKS; j++) {
        np_network *network = support_network(networks[j]);
        if (network->nodes >= 8 && !ops->refuses(network))
            return network;
        np_network_free(network);
    }
    fail_msg("%s sorts on none of the networks here", ops->info.name);
    return NULL;
}

/* Each allocation is made to fail in turn. */
static void test_allocation_failures(void **state)
{
    (void)state;
    static input in;
    for (size_t i = 0; sorter_at(i); i++) {
        np_network *network = network_for(sorter_at(i));
        const place at = place_of(sorter_at(i), network, 2);
        np_sort_result *result = NULL;
        uint64_t places;
        assert_ok(np_sort_places(network, sorter_at(i)->info.name, &places));
        fill(&in, "random", (size_t)places, 1);
        for (long n = 1; n < 10000 && !result; n += n < 100 ? 1 : SUPPORT_FEWER(17, 67)) {
            np_memory_fail_after(n);
            np_status st = np_sort(network, in.count, in.key, &at.options, &result);
            np_memory_fail_after(0);
            assert_true(st == NP_ERROR_MEMORY || !st);
        }
        assert_non_null(result);
        check_result(result, &in);
        np_sort_result_free(result);
        np_network_free(network);
    }
}

static int stop_at_once(void *context, const np_progress *progress)
{
    assert_true(progress->stage && *progress->stage);
    ++*(int *)context;
    return 1;
}

static void test_cancel(void **state)
{
    (void)state;
    static input in;
    for (size_t i = 0; sorter_at(i); i++) {
        np_network *network = network_for(sorter_at(i));
        place at = place_of(sorter_at(i), network, 1);
        np_sort_result *result;
        uint64_t places;
        int calls = 0;
        at.options.watch = (np_watch){stop_at_once, &calls};
        assert_ok(np_sort_places(network, sorter_at(i)->info.name, &places));
        fill(&in, "random", (size_t)places, 1);
        assert_refused(np_sort(network, in.count, in.key, &at.options, &result), NP_ERROR_CANCELLED, "cancelled");
        assert_int_equal(calls, 1);
        assert_null(result);
        np_network_free(network);
    }
}

/* ---- Options: heeded, or refused ---- */

/* What a sort is asked for, and one thing more. */
static void set(np_sort_options *options, const char *name, const char *value)
{
    assert_ok(np_fields_set(&np_sort_options_fields, options, name, value));
}

static bool same(const np_sort_result *a, const np_sort_result *b)
{
    return a->steps.mean == b->steps.mean && a->hops == b->hops && a->queue_max == b->queue_max &&
           a->redraws == b->redraws && a->comparators == b->comparators;
}

typedef enum outcome { REFUSED, HEEDED, IGNORED } outcome;

/* Sorts so many keys with the value and without it. Small constants make blocks that are split, and splitters that
 * fail. */
static outcome try_value(const np_sorter_ops *ops, const np_network *network, uint64_t keys, const char *name,
                         const char *value, uint64_t seed)
{
    place at = place_of(ops, network, seed);
    np_sort_result *without, *with;
    at.options.keys = keys;
    if (at.options.constants.cutoff && seed > 2) {
        at.options.constants.candidates = 1; /* half of the draws are more than can be sorted */
        at.options.constants.oversampling = 1;
    }
    assert_ok(np_sort(network, 0, NULL, &at.options, &without));
    set(&at.options, name, value);
    np_status st = np_sort(network, 0, NULL, &at.options, &with);
    assert_true(!st || (st == NP_ERROR_APPLY && strstr(np_last_error(), "has no use for")));
    outcome found = st ? REFUSED : same(without, with) ? IGNORED : HEEDED;
    np_sort_result_free(without);
    np_sort_result_free(with);
    return found;
}

/* The option is refused whatever its value, or some value of it does something. */
static void try_option(const np_sorter_ops *ops, const np_network *network, const char *name,
                       const char *const value[2])
{
    unsigned found[3] = {0};
    uint64_t places;
    assert_ok(np_sort_places(network, ops->info.name, &places));
    for (uint64_t seed = 1; seed < 5; seed++)
        for (unsigned v = 0; v < 2; v++) {
            if (SUPPORT_SANITIZED && (found[REFUSED] || found[HEEDED]))
                continue;
            found[try_value(ops, network, places / 16, name, value[v], seed)]++;
            found[try_value(ops, network, places, name, value[v], seed)]++;
        }
    if (found[REFUSED] ? found[HEEDED] || found[IGNORED] : !found[HEEDED])
        fail_msg("%s on %s: %s is refused %u times, heeded %u times, ignored %u times", ops->info.name,
                 np_network_spec(network), name, found[REFUSED], found[HEEDED], found[IGNORED]);
}

static void every_constant_is_heeded_or_refused(void **state)
{
    static const char *const places[] = {"butterfly:8", "hypercube:8", "shuffle-exchange:10", "mesh:16x16", "array:64"};
    static const struct {
        const char *name, *value[2];
    } constants[] = {{"candidates", {"0.2", "2"}}, {"oversampling", {"3", "8"}}, {"lightness", {"3", "4"}},
                     {"cutoff", {"1", "64"}},      {"redraws", {"9", "20"}},     {"group", {"1", "8"}},
                     {"string_bits", {"2", "4"}}};
    const np_sorter_ops *ops;
    (void)state;
    for (size_t i = 0; (ops = sorter_at(i)); i++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            np_network *network = support_network(places[p]);
            for (size_t c = 0; c < sizeof constants / sizeof *constants && !ops->refuses(network); c++)
                if (support_takes(i + p, c, 2))
                    try_option(ops, network, constants[c].name, constants[c].value);
            np_network_free(network);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_constant_is_heeded_or_refused),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_allocation_failures),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
