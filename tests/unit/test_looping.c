/*
 * Scheme and path rule `looping` on Benes networks. The network is the recursive definition of
 * tests/oracle/terminals.c. Which links each packet crosses is heard from observers; the links are counted here: no two
 * packets of a permutation share one, and h packets a terminal put at most h on any.
 */
#include "support.h"

#include "model/path/path.h"
#include "oracle/terminals.h"

typedef struct seen {
    const oracle_terminals *benes;
    uint32_t *crossed; /* [links] */
    uint32_t *at;      /* [packets] the node where it is */
    size_t wrong;      /* hops that do not begin where the packet is, or are no links of the definition */
} seen;

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count; i++) {
        const np_event *e = &event[i];
        if (e->kind == NP_EVENT_INJECTED)
            s->at[e->packet] = e->from;
        if (e->kind != NP_EVENT_MOVED)
            continue;
        s->wrong += e->from != s->at[e->packet] || e->link / s->benes->graph.ports != e->from ||
                    s->benes->graph.head[e->link] != e->to;
        s->crossed[e->link]++;
        s->at[e->packet] = e->to;
    }
    return 0;
}

/* Routes the packets from terminals to terminals; the most packets over a link. *steps: how long it took. */
static uint32_t most_over_a_link(uint32_t n, size_t packets, const uint32_t *from, const uint32_t *to, double *steps)
{
    char spec[16];
    snprintf(spec, sizeof spec, "benes:%u", n);
    np_network *network = support_network(spec);
    oracle_terminals *benes = oracle_terminals_of(spec);
    size_t links = (size_t)benes->graph.nodes * benes->graph.ports;
    seen s = {benes, calloc(links, sizeof *s.crossed), calloc(packets + 1, sizeof *s.at), 0};
    np_node *source = calloc(packets + 1, sizeof *source), *end = calloc(packets + 1, sizeof *end);
    const np_observer observer = {.events = on_events, .context = &s};
    np_route_options options;
    np_route_result *result;
    np_traffic *traffic;
    uint32_t most = 0;
    for (size_t p = 0; p < packets; p++) {
        source[p] = benes->input[from[p]];
        end[p] = benes->output[to[p]];
    }
    assert_ok(np_traffic_from_arrays(network, packets, source, end, NULL, &traffic));
    np_route_options_init(&options);
    options.observer = &observer;
    assert_ok(np_route_traffic(network, traffic, &options, &result)); /* it is the default of the network */
    assert_string_equal(result->scheme, "looping");
    assert_int_equal(s.wrong, 0);
    for (size_t p = 0; p < packets; p++)
        assert_int_equal(s.at[p], end[p]);
    for (size_t link = 0; link < links; link++)
        most = s.crossed[link] > most ? s.crossed[link] : most;
    *steps = result->total_steps.max;
    assert_int_equal(result->phase[0].congestion.max, most);
    np_route_result_free(result);
    np_traffic_free(traffic);
    free(s.crossed);
    free(s.at);
    free(source);
    free(end);
    oracle_terminals_free(benes);
    np_network_free(network);
    return most;
}

static void shuffle(uint32_t count, uint32_t *number, uint64_t *lots)
{
    for (uint32_t i = 0; i < count; i++)
        number[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = support_lot(lots, i), other = number[j];
        number[j] = number[i - 1];
        number[i - 1] = other;
    }
}

static void permutation_is_disjoint(uint32_t n, const uint32_t *to)
{
    uint32_t count = 1u << n, *from = calloc(count, sizeof *from);
    double steps;
    for (uint32_t i = 0; i < count; i++)
        from[i] = i;
    assert_int_equal(most_over_a_link(n, count, from, to, &steps), 1);
    assert_true(steps == 2 * n - 1);
    free(from);
}

/* The next permutation in the order of words; false: it was the last. */
static bool next_permutation(uint32_t count, uint32_t *to)
{
    uint32_t i = count - 1, j = count - 1;
    while (i > 0 && to[i - 1] > to[i])
        i--;
    if (!i)
        return false;
    while (to[j] < to[i - 1])
        j--;
    for (uint32_t word = to[i - 1], last = count; last; last = 0) {
        to[i - 1] = to[j];
        to[j] = word;
    }
    for (uint32_t a = i, b = count - 1; a < b; a++, b--) {
        uint32_t word = to[a];
        to[a] = to[b];
        to[b] = word;
    }
    return true;
}

static void all_small_permutations_are_disjoint(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 2; n++) {
        uint32_t to[4] = {0, 1, 2, 3}, tried = 0;
        do
            permutation_is_disjoint(n, to);
        while (tried++, next_permutation(1u << n, to));
        assert_int_equal(tried, n == 1 ? 2 : 24);
    }
}

static void permutations_are_disjoint(void **state)
{
    uint64_t lots = 5;
    uint32_t to[1 << 11];
    (void)state;
    for (int i = 0; i < SUPPORT_SAMPLE(400); i++) {
        shuffle(8, to, &lots);
        permutation_is_disjoint(3, to);
    }
    for (uint32_t n = 4; n <= 11; n++) {
        for (int i = 0; i < 3; i++) {
            shuffle(1u << n, to, &lots);
            permutation_is_disjoint(n, to);
        }
        for (uint32_t i = 0; i < 1u << n; i++) /* the bits in reverse */
            for (uint32_t bit = to[i] = 0; bit < n; bit++)
                to[i] |= (i >> bit & 1) << (n - 1 - bit);
        permutation_is_disjoint(n, to);
    }
}

/* Up to h packets from and to each terminal; some of them missing. */
static void relations_share_evenly(void **state)
{
    uint64_t lots = 9;
    uint32_t from[7 << 8], to[7 << 8];
    (void)state;
    for (int i = 0; i < SUPPORT_SAMPLE(200); i++) {
        uint32_t n = 1 + support_lot(&lots, 8), h = 1 + support_lot(&lots, 7), count = h << n, packets = 0;
        double steps;
        shuffle(count, to, &lots);
        for (uint32_t p = 0; p < count; p++)
            if (support_lot(&lots, 4) || i % 2) {
                from[packets] = p / h;
                to[packets++] = to[p] / h;
            }
        assert_true(most_over_a_link(n, packets, from, to, &steps) <= h);
        assert_true(steps <= h * (2 * n - 1));
    }
}

static void the_rule_serves_greedy_and_refuses_others(void **state)
{
    np_network *benes = support_network("benes:4"), *omega = support_network("omega:4");
    np_route_options options;
    np_route_result *result;
    np_path *path;
    (void)state;
    np_route_options_init(&options);
    options.paths = "looping";
    options.queue = "lifo";
    assert_ok(np_route(benes, "h-relation:2", &options, &result));
    assert_true(result->phase[0].congestion.max == 2);
    np_route_result_free(result);
    options.paths = NULL;
    options.queue = NULL;
    options.scheme = "looping";
    assert_refused(np_route(omega, "random", &options, &result), NP_ERROR_APPLY, "it is for Benes networks");
    assert_refused(np_path_create("looping", omega, &path), NP_ERROR_APPLY, "it is for Benes networks");
    options.scheme = "greedy";
    options.phase_time = "3";
    options.fallback = "looping";
    assert_refused(np_route(benes, "random", &options, &result), NP_ERROR_APPLY, "lead from an input to an output");
    np_network_free(benes);
    np_network_free(omega);
}

static void memory_may_be_short(void **state)
{
    np_network *network = support_network("benes:3");
    np_route_options options;
    (void)state;
    np_route_options_init(&options);
    support_assert_route_without_memory(network, "random", options, 10);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_permutations_are_disjoint),
        cmocka_unit_test(permutations_are_disjoint),
        cmocka_unit_test(relations_share_evenly),
        cmocka_unit_test(the_rule_serves_greedy_and_refuses_others),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
