/*
 * Scheme `constrained` on hypercubes. From the hops of observers: in phase A the two messages of a switch, a pair of
 * nodes that differ in one dimension, are exchanged or not; links are crossed once at most, and nobody waits. The bits
 * of the switches are fair. Dimensions ascend in phase A and descend in phase B.
 */
#include "support.h"

#include "papers/explain/route_explain.h"

typedef struct seen {
    uint32_t nodes, n;
    unsigned phase;
    uint32_t *at;        /* [packets] */
    uint32_t *crossed;   /* [nodes * n] in phase A: by which packets, how often */
    uint32_t *last;      /* [packets] the last dimension of the phase */
    uint32_t *middle;    /* [nodes] packets that end phase A there */
    size_t wrong, waits; /* hops out of order; waits in phase A */
} seen;

static int on_begin(void *context, const np_event_phase *phase)
{
    seen *s = context;
    s->phase = phase->phase;
    for (uint32_t p = 0; p < s->nodes; p++)
        s->last[p] = UINT32_MAX;
    return 0;
}

static uint32_t dimension(const seen *s, uint32_t from, uint32_t to)
{
    uint32_t d = 0;
    while ((from ^ to) != 1u << (s->n - 1 - d)) /* the most significant bit is dimension 0 */
        d++;
    return d;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count; i++) {
        const np_event *e = &event[i];
        s->waits += e->kind == NP_EVENT_WAITED && s->phase == 0;
        if (e->kind == NP_EVENT_INJECTED && s->phase == 1)
            s->middle[e->from]++;
        if (e->kind != NP_EVENT_MOVED)
            continue;
        uint32_t d = dimension(s, e->from, e->to), *last = &s->last[e->packet];
        s->wrong += *last != UINT32_MAX && (s->phase ? d >= *last : d <= *last);
        *last = d;
        s->at[e->packet] = e->to;
        if (s->phase == 0)
            s->crossed[e->from * s->n + d]++;
    }
    return 0;
}

/* Returns how many of the switches exchange their messages. */
static size_t judge(uint32_t n, const char *traffic, uint64_t seed, bool full)
{
    char spec[32];
    snprintf(spec, sizeof spec, "hypercube:%u", n);
    np_network *network = support_network(spec);
    np_traffic *made = support_traffic(network, traffic, seed);
    np_route_options options;
    np_route_result *result;
    size_t exchanged = 0;
    seen s = {.nodes = 1u << n, .n = n};
    s.at = malloc(s.nodes * sizeof *s.at);
    s.last = malloc(s.nodes * sizeof *s.last);
    s.crossed = calloc((size_t)s.nodes * n, sizeof *s.crossed);
    s.middle = calloc(s.nodes, sizeof *s.middle);
    const np_observer observer = {.begin = on_begin, .events = on_events, .context = &s};
    np_route_options_init(&options);
    options.scheme = "constrained";
    options.seed = seed;
    options.observer = &observer;
    for (np_packet p = 0; p < np_traffic_packets(made); p++)
        s.at[p] = np_traffic_sources(made)[p];
    assert_ok(np_route_traffic(network, made, &options, &result));
    assert_int_equal(result->phases, 2);
    assert_true(s.wrong == 0 && s.waits == 0 && result->phase[0].run->delay_sum == 0);
    assert_true(result->phase[0].run->steps <= n && result->phase[0].run->congestion <= 1);
    for (np_packet p = 0; p < np_traffic_packets(made); p++)
        assert_int_equal(s.at[p], np_traffic_destinations(made)[p]);
    for (uint32_t u = 0; u < s.nodes; u++) {
        assert_true(full ? s.middle[u] == 1 : s.middle[u] <= 1);
        for (uint32_t d = 0; d < n; d++) {
            uint32_t partner = u ^ 1u << (n - 1 - d);
            assert_true(s.crossed[u * n + d] <= 1);
            if (full)
                assert_int_equal(s.crossed[u * n + d], s.crossed[partner * n + d]);
            exchanged += u < partner && s.crossed[u * n + d];
        }
    }
    free(s.at);
    free(s.last);
    free(s.crossed);
    free(s.middle);
    np_route_result_free(result);
    np_traffic_free(made);
    np_network_free(network);
    return exchanged;
}

static void switches_exchange_or_not(void **state)
{
    static const char *const traffics[] = {"random", "transpose", "bit-reversal", "identity", "complement"};
    size_t exchanged = 0, switches = 0;
    (void)state;
    for (uint32_t n = 2; n <= 10; n++)
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            if (t == 1 && n % 2)
                continue;
            exchanged += judge(n, traffics[t], 1 + t, true);
            switches += (size_t)n << (n - 1);
        }
    /* 47,500 fair bits: five standard deviations are 0.0115 of them, exceeded with probability 6e-7 */
    assert_true(switches > 40000);
    assert_true(exchanged > 0.488 * (double)switches && exchanged < 0.512 * (double)switches);
}

static void some_nodes_may_send_nothing(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 8; n++)
        judge(n, "partial:0.5", n, false);
}

static void others_are_refused(void **state)
{
    np_network *cube = support_network("hypercube:4"), *mesh = support_network("mesh:4x4");
    np_route_options options;
    np_route_result *result;
    np_route_explanation why;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "constrained";
    assert_refused(np_route(cube, "h-relation:2", &options, &result), NP_ERROR_APPLY, "one permutation");
    assert_refused(np_route(mesh, "random", &options, &result), NP_ERROR_APPLY, "omega network");
    options.permutations = 2;
    assert_refused(np_route(cube, "random", &options, &result), NP_ERROR_APPLY, "try omega:4");
    options.permutations = 0;
    assert_ok(np_route(cube, "random", &options, &result));
    assert_refused(np_route_explain(cube, "random", &options, result, &why), NP_ERROR_APPLY, "try omega:4");
    np_route_result_free(result);
    np_network_free(cube);
    np_network_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_exchange_or_not),
        cmocka_unit_test(some_nodes_may_send_nothing),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
