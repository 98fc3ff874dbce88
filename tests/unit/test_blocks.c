/*
 * Scheme `blocks`: what the head of its file proves is counted here from the hops that observers see, for every q that
 * divides n: steps of each phase, packets in queues and at nodes, and in what order phase S leaves the packets of a
 * block. That hops keep the rules of the model is judged by tests/prop/test_traces.c.
 */
#include "support.h"

#include <unistd.h>

typedef struct seen {
    uint32_t n;
    unsigned phase;
    uint32_t *at;     /* [packets] */
    uint32_t *sorted; /* [packets] where it was when phase S was over */
    size_t packets;
} seen;

/* Where packets are when a phase begins. */
static int on_begin(void *context, const np_event_phase *phase)
{
    seen *s = context;
    s->phase = phase->phase;
    return 0;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count; i++) {
        if (event[i].kind == NP_EVENT_INJECTED || event[i].kind == NP_EVENT_MOVED)
            s->at[event[i].packet] = event[i].kind == NP_EVENT_MOVED ? event[i].to : event[i].from;
        if (event[i].kind == NP_EVENT_INJECTED && s->phase == 1)
            s->sorted[event[i].packet] = event[i].from;
    }
    return 0;
}

static uint32_t log2_up(uint32_t s)
{
    uint32_t bits = 0;
    while (1u << bits < s)
        bits++;
    return bits;
}

/* The place of a node along the snake of the columns of its block. */
static uint32_t place(uint32_t n, uint32_t s, uint32_t node)
{
    uint32_t x = node / n % s, y = node % n % s;
    return y * s + (y % 2 ? s - 1 - x : x);
}

static uint32_t block_of(uint32_t n, uint32_t s, uint32_t node) { return node / n / s * (n / s) + node % n / s; }

/* Packets of a block fill its first places, in the order of the columns of their destinations. */
static void judge_order(const seen *of, uint32_t s, const np_traffic *traffic)
{
    uint32_t n = of->n, *at = malloc((size_t)n * n * sizeof *at);
    for (uint32_t i = 0; i < n * n; i++)
        at[i] = UINT32_MAX;
    for (size_t p = 0; p < of->packets; p++) {
        uint32_t block = block_of(n, s, of->sorted[p]), *slot = &at[block * s * s + place(n, s, of->sorted[p])];
        assert_int_equal(block, block_of(n, s, np_traffic_sources(traffic)[p]));
        assert_int_equal(*slot, UINT32_MAX);
        *slot = np_traffic_destinations(traffic)[p] % n;
    }
    for (uint32_t i = 0; i < n * n; i++)
        assert_true(i % (s * s) == 0 || at[i - 1] <= at[i]);
    free(at);
}

/* By node (x, y): packets of row x for column y, when they are sorted; at most 3q. */
static void judge_turns(const seen *of, uint32_t q, const np_traffic *traffic)
{
    uint32_t n = of->n, *turn = calloc((size_t)n * n, sizeof *turn);
    for (size_t p = 0; p < of->packets; p++) {
        uint32_t node = of->sorted[p] / n * n + np_traffic_destinations(traffic)[p] % n;
        assert_true(++turn[node] <= 3 * q);
    }
    free(turn);
}

static void judge(uint32_t n, uint32_t q, const char *traffic, uint64_t seed)
{
    char spec[32];
    uint32_t s = n / q, sort = s == 1 ? 0 : s * (2 * log2_up(s) + 1);
    snprintf(spec, sizeof spec, "mesh:%ux%u", n, n);
    np_network *network = support_network(spec);
    np_traffic *made = support_traffic(network, traffic, seed);
    np_route_options options;
    np_route_result *result;
    seen of = {.n = n, .packets = np_traffic_packets(made)};
    of.at = calloc(of.packets + 1, sizeof *of.at);
    of.sorted = calloc(of.packets + 1, sizeof *of.sorted);
    const np_observer observer = {.begin = on_begin, .events = on_events, .context = &of};
    np_route_options_init(&options);
    options.scheme = "blocks";
    options.merge.queue_size = q;
    options.observer = &observer;
    assert_ok(np_route_traffic(network, made, &options, &result));
    for (size_t p = 0; p < of.packets; p++)
        assert_int_equal(of.at[p], np_traffic_destinations(made)[p]);
    judge_order(&of, s, made);
    judge_turns(&of, q, made);
    const np_phase_run *run[] = {result->phase[0].run, result->phase[1].run, result->phase[2].run};
    assert_int_equal(run[0]->steps, of.packets ? sort : 0);
    assert_int_equal(run[1]->delay_sum, 0);
    assert_true(run[1]->steps < n && run[2]->steps < n);
    assert_true(run[0]->queue_max <= 1 && run[1]->queue_max <= 1 && run[2]->queue_max <= 3 * q);
    assert_true(run[1]->population_max <= 3 * q + 3 && run[2]->population_max <= 3 * q + 3);
    np_route_result_free(result);
    np_traffic_free(made);
    free(of.at);
    free(of.sorted);
    np_network_free(network);
}

static void both_constants_hold(void **state)
{
    static const char *const traffics[] = {"random",     "transpose",   "complement", "bit-reversal",
                                           "rotation:7", "partial:0.4", "rotation:5", "partial:0.01"};
    static const uint32_t sides[] = {3, 4, 6, 7, 8, 12, 16, 30, 32};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (uint32_t n = sides[i], q = 1; q <= n; q++)
            for (size_t t = 0; t < sizeof traffics / sizeof *traffics && n % q == 0; t++)
                if (t != 3 || (n & (n - 1)) == 0)
                    judge(n, q, traffics[t], 1 + q + t);
}

/*
 * Against it: the packets of a column are in one block each, or in as many blocks beside each other as there are, in as
 * few of their columns; both by traffic that only the block's side knows.
 */
static void those_built_against_it_hold(void **state)
{
    (void)state;
    for (uint32_t n = 12; n <= 24; n += 12)
        for (uint32_t q = 1; q <= n; q++) {
            if (n % q)
                continue;
            uint32_t s = n / q, met = 0, *to = malloc((size_t)n * n * sizeof *to);
            char path[] = "/tmp/test_blocksXXXXXX", traffic[64];
            int file = mkstemp(path);
            assert_true(file >= 0);
            FILE *out = fdopen(file, "w");
            for (uint32_t block = 0; block < q * q; block++) /* block after block fills column after column */
                for (uint32_t i = 0; i < s * s; i++, met++)
                    to[(block / q * s + i / s) * n + block % q * s + i % s] = met % n * n + met / n;
            for (uint32_t u = 0; u < n * n; u++)
                fprintf(out, "%u %u\n", u, to[u]);
            fclose(out);
            snprintf(traffic, sizeof traffic, "file:%s", path);
            judge(n, q, traffic, 1);
            unlink(path);
            free(to);
        }
}

static void what_is_no_permutation_is_refused(void **state)
{
    np_network *network = support_network("mesh:6x6");
    np_route_options options;
    np_route_result *result;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "blocks";
    options.merge.queue_size = 3;
    assert_refused(np_route(network, "hotspot:4", &options, &result), NP_ERROR_APPLY, "node 4 receives two packets");
    assert_refused(np_route(network, "h-relation:2", &options, &result), NP_ERROR_APPLY, "two packets");
    options.merge.queue_size = 5;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_INPUT, "does not divide the side 6");
    options.merge.queue_size = 40;
    assert_refused(np_route(network, "random", &options, &result), NP_ERROR_INPUT, "try 6");
    np_network_free(network);
    network = support_network("mesh:4x6");
    assert_refused(np_scheme_applies("blocks", network), NP_ERROR_APPLY, "n x n");
    np_network_free(network);
}

static void memory_may_be_short(void **state)
{
    np_network *network = support_network("mesh:4x4");
    np_route_options options;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "blocks";
    support_assert_route_without_memory(network, "random", options, 5);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_constants_hold),
        cmocka_unit_test(those_built_against_it_hold),
        cmocka_unit_test(what_is_no_permutation_is_refused),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
