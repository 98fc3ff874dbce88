#include "oracle/sorter_bench.h"

#include "support.h"

#include "base/memory.h"

static void remember(sorter_bench *bench, const np_event *event)
{
    if (bench->told == bench->room) {
        bench->room = 2 * bench->room + 1000;
        bench->hop = realloc(bench->hop, bench->room * sizeof *bench->hop);
        assert_non_null(bench->hop);
    }
    bench->hop[bench->told++] =
        (bench_hop){bench->passed + event->step - 1, event->from, event->to, bench->item[event->packet]};
}

/* A packet is the item of its number, or that of the packet from which it splits. */
static int on_phase(void *context, const np_event_phase *phase)
{
    sorter_bench *bench = context;
    bench->item = realloc(bench->item, phase->packets * sizeof *bench->item + 1);
    assert_non_null(bench->item);
    for (np_packet p = 0; p < phase->packets; p++)
        bench->item[p] = p;
    return 0;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    sorter_bench *bench = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_SPLIT)
            bench->item[event[i].packet] = bench->item[event[i].other];
        else if (event[i].kind == NP_EVENT_MOVED)
            remember(bench, &event[i]);
    return 0;
}

static int on_end(void *context, const np_phase_run *run)
{
    ((sorter_bench *)context)->passed += run->steps;
    return 0;
}

void sorter_bench_set_up(sorter_bench *bench, const char *spec, const char *algorithm, uint32_t items)
{
    memset(bench, 0, sizeof *bench);
    bench->network = support_network(spec);
    assert_ok(np_sorter_find(algorithm, &bench->ops));
    assert_null(bench->ops->refuses(bench->network));
    np_sort_options_init(&bench->options);
    bench->sorting = (np_sorting){
        .network = bench->network, .options = &bench->options, .workers = 2, .items = items, .ops = bench->ops};
    assert_ok(bench->ops->plan(&bench->sorting));
    assert_true(items <= sorter_bench_room(bench));
    bench->sorting.item = malloc(sorter_bench_room(bench) * sizeof(uint32_t));
    assert_non_null(bench->sorting.item);
    bench->ops->predict(&bench->sorting, &bench->predicted);
}

void sorter_bench_clear(sorter_bench *bench)
{
    free(bench->sorting.item);
    free(bench->hop);
    free(bench->item);
    np_network_free(bench->network);
}

uint32_t sorter_bench_room(const sorter_bench *bench) { return bench->sorting.places * bench->sorting.per_place; }

void sorter_bench_run(sorter_bench *bench)
{
    np_sorting *s = &bench->sorting;
    s->log = (np_sort_log){.teller = s->log.teller};
    s->clock = (np_sort_clock){0};
    assert_ok(bench->ops->run(s));
    bench->comparators = bench->hops = 0;
    for (size_t i = 0; i < s->log.stages; i++) {
        bench->comparators += s->log.stage[i].comparators;
        bench->hops += s->log.stage[i].hops;
    }
}

bool sorter_bench_sorted(const sorter_bench *bench)
{
    const uint32_t *item = bench->sorting.item;
    for (uint32_t i = 1; i < sorter_bench_room(bench); i++)
        if (item[i - 1] > item[i])
            return false;
    return true;
}

void sorter_bench_assert_predicted(const sorter_bench *bench)
{
    assert_int_equal(bench->sorting.clock.now, bench->predicted.steps);
    assert_int_equal(bench->comparators, bench->predicted.comparators);
    assert_true(*bench->predicted.formula);
}

void sorter_bench_assert_zero_one(sorter_bench *bench)
{
    uint32_t room = sorter_bench_room(bench);
    assert_true(room <= 16);
    for (uint32_t input = 0; input < UINT32_C(1) << room; input++) {
        uint32_t ones = 0;
        for (uint32_t i = 0; i < room; i++)
            ones += bench->sorting.item[i] = input >> i & 1;
        sorter_bench_run(bench);
        for (uint32_t i = 0; i < room; i++)
            assert_int_equal(bench->sorting.item[i], i >= room - ones);
    }
}

/* Compares by step, then by link. Equal hops are two items on one link. */
static int in_order(const void *a, const void *b)
{
    const bench_hop *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static bool joined(const np_network *network, np_node from, np_node to)
{
    for (np_port p = 0; p < np_network_ports(network); p++) {
        np_link link = np_network_link_at(network, from, p);
        if (link != NP_NONE && np_network_link_head(network, link) == to)
            return true;
    }
    return false;
}

/* Replays the hops. seen[node][item] = 1 + the step from whose beginning on the node has seen the item, 0: never. */
static void replay(const sorter_bench *bench, uint64_t *seen)
{
    uint32_t room = sorter_bench_room(bench);
    for (size_t i = 0; i < bench->told; i++) {
        const bench_hop *hop = &bench->hop[i];
        uint64_t *there = &seen[(size_t)hop->to * room + hop->item];
        uint64_t here = seen[(size_t)hop->from * room + hop->item];
        assert_true(hop->step < bench->sorting.clock.now);
        assert_true(joined(bench->network, hop->from, hop->to));
        assert_true(!i || in_order(hop - 1, hop) < 0);
        assert_true(here && here <= hop->step + 1);
        if (!*there)
            *there = hop->step + 2; /* seen from the next step on */
    }
}

void sorter_bench_assert_replay(sorter_bench *bench, uint64_t seed)
{
    np_sorting *s = &bench->sorting;
    uint32_t room = sorter_bench_room(bench);
    np_draws draws = {.seed = seed, .purpose = NP_RANDOM_CHECK};
    uint64_t *seen = calloc((size_t)np_network_nodes(bench->network) * room, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < room; i++) { /* item i goes to a random one of the first i + 1 places */
        uint32_t j = np_random_below(&draws, i, 0, i + 1);
        s->item[i] = s->item[j];
        s->item[j] = i;
    }
    for (uint32_t i = 0; i < room; i++)
        seen[(size_t)bench->ops->node(s, i / s->per_place) * room + s->item[i]] = 1;
    const np_observer observer = {.begin = on_phase, .events = on_events, .end = on_end, .context = bench};
    assert_ok(np_sort_teller_create(bench->network, &observer, room, &s->log.teller));
    bench->told = bench->passed = 0;
    sorter_bench_run(bench);
    assert_ok(np_sort_teller_end(s->log.teller));
    np_sort_teller_free(s->log.teller);
    s->log.teller = NULL;
    assert_int_equal(bench->told, bench->hops);
    qsort(bench->hop, bench->told, sizeof *bench->hop, in_order);
    replay(bench, seen);
    for (uint32_t i = 0; i < room; i++) {
        assert_int_equal(s->item[i], i);
        assert_true(seen[(size_t)bench->ops->node(s, i / s->per_place) * room + i]);
    }
    free(seen);
}

/* Cancels when the count reaches 0. */
static int count_down(void *context, const np_progress *progress)
{
    uint32_t *left = context;
    (void)progress;
    return !--*left;
}

void sorter_bench_assert_gives_up(const np_network *network, const char *algorithm, size_t keys, const uint64_t *key)
{
    np_sort_options options;
    np_sort_result *result = NULL;
    uint32_t left;
    np_sort_options_init(&options);
    options.algorithm = algorithm;
    options.threads = 1;
    for (long n = 1; !result; n++) {
        np_memory_fail_after(n);
        np_status st = np_sort(network, keys, key, &options, &result);
        np_memory_fail_after(0);
        assert_int_equal(st, result ? NP_OK : NP_ERROR_MEMORY);
        assert_true(n < 100);
    }
    np_sort_result_free(result);
    result = NULL;
    options.watch = (np_watch){count_down, &left};
    for (uint32_t calls = 1; !result; calls++) {
        left = calls;
        np_status st = np_sort(network, keys, key, &options, &result);
        assert_int_equal(st, result ? NP_OK : NP_ERROR_CANCELLED);
        assert_true(!result || calls > 1);
    }
    np_sort_result_free(result);
}
