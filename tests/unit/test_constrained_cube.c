/*
 * Scheme `constrained-cube` on hypercubes, and on cube-connected cycles at the end. From the hops of observers: in
 * phase A the two messages of a switch, a pair of nodes that differ in one dimension, are exchanged or not; links are
 * crossed once at most, and nobody waits. The bits of the switches are fair. Dimensions ascend in phase A and descend
 * in phase B.
 */
#include "support.h"

#include "netpram/path.h"

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
    options.scheme = "constrained-cube";
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

/* ---- Cube-connected cycles ---- */

typedef struct turning {
    uint32_t n;
    unsigned phase;
    uint32_t *start;   /* [packets] the position of the cycle where it starts: its number */
    uint32_t *at;      /* [packets] */
    uint32_t *middle;  /* [packets] where it ends phase A */
    uint32_t *crossed; /* [n 2^n n] by (node that it leaves, number), in phase A */
} turning;

static int on_ccc_begin(void *context, const np_event_phase *phase)
{
    ((turning *)context)->phase = phase->phase;
    return 0;
}

static int on_ccc_events(void *context, size_t count, const np_event *event)
{
    turning *s = context;
    for (size_t i = 0; i < count; i++) {
        const np_event *e = &event[i];
        if (e->kind == NP_EVENT_INJECTED && s->phase == 0)
            s->start[e->packet] = e->from % s->n;
        if (e->kind == NP_EVENT_INJECTED && s->phase == 1)
            s->middle[e->packet] = e->from;
        if (e->kind != NP_EVENT_MOVED)
            continue;
        if (e->from / s->n != e->to / s->n && s->phase == 0) /* across */
            s->crossed[(size_t)e->from * s->n + s->start[e->packet]]++;
        s->at[e->packet] = e->to;
    }
    return 0;
}

/* Returns how many of the switches exchange their messages. */
static size_t judge_ccc(uint32_t n, uint64_t seed)
{
    char spec[16];
    snprintf(spec, sizeof spec, "ccc:%u", n);
    np_network *network = support_network(spec);
    np_traffic *made = support_traffic(network, "random", seed);
    uint32_t nodes = n << n;
    turning s = {.n = n};
    s.start = calloc(nodes, sizeof *s.start);
    s.at = calloc(nodes, sizeof *s.at);
    s.middle = calloc(nodes, sizeof *s.middle);
    s.crossed = calloc((size_t)nodes * n, sizeof *s.crossed);
    uint32_t *met = calloc(nodes, sizeof *met);
    const np_observer observer = {.begin = on_ccc_begin, .events = on_ccc_events, .context = &s};
    np_route_options options;
    np_route_result *result;
    size_t exchanged = 0;
    np_route_options_init(&options);
    options.scheme = "constrained-cube";
    options.seed = seed;
    options.observer = &observer;
    for (uint32_t p = 0; p < nodes; p++)
        s.at[p] = np_traffic_sources(made)[p];
    assert_ok(np_route_traffic(network, made, &options, &result));
    for (uint32_t p = 0; p < nodes; p++) {
        assert_int_equal(s.at[p], np_traffic_destinations(made)[p]);
        assert_int_equal(s.middle[p] % n, (s.start[p] + n - 1) % n);
        assert_int_equal(met[s.middle[p]]++, 0); /* a permutation of each number */
    }
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t bit = n - 1 - u % n, partner = (u / n ^ 1u << bit) * n + u % n, times = s.crossed[u * n + j];
            assert_true(times <= 1 && times == s.crossed[partner * n + j]);
            exchanged += u < partner && times;
        }
    free(s.start);
    free(s.at);
    free(s.middle);
    free(s.crossed);
    free(met);
    np_route_result_free(result);
    np_traffic_free(made);
    np_network_free(network);
    return exchanged;
}

static void numbers_of_cycles_are_permutations(void **state)
{
    size_t exchanged = 0, switches = 0;
    (void)state;
    for (uint32_t n = 3; n <= 8; n++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            exchanged += judge_ccc(n, seed);
            switches += (size_t)n * n << (n - 1);
        }
    /* 38,000 fair bits: five standard deviations are 0.0128 of them, exceeded with probability 6e-7 */
    assert_true(switches > 35000);
    assert_true(exchanged > 0.487 * (double)switches && exchanged < 0.513 * (double)switches);
}

/* From every node to every other, in either phase; np_path_walk holds the hops that remain to the hops that are made.
 */
static void ways_there_and_back_end(void **state)
{
    static const char *const specs[] = {"hypercube:1", "hypercube:5", "ccc:3", "ccc:4", "ccc:5"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_node nodes = np_network_nodes(network);
        np_path *path;
        assert_ok(np_path_create("there-and-back", network, &path));
        for (np_node u = 0; u < nodes; u++)
            for (np_node v = 0; v < nodes; v++)
                for (uint16_t phase = 0; phase < 2; phase++) {
                    np_link link[64];
                    size_t hops;
                    assert_ok(np_path_walk(path, u, v, 1, 0, phase, 0, 64, link, &hops));
                    assert_int_equal(hops ? np_network_link_head(network, link[hops - 1]) : u, v);
                }
        np_path_free(path);
        np_network_free(network);
    }
}

static void others_are_refused(void **state)
{
    np_network *cube = support_network("hypercube:4"), *mesh = support_network("mesh:4x4");
    np_route_options options;
    np_route_result *result;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "constrained-cube";
    assert_refused(np_route(cube, "h-relation:2", &options, &result), NP_ERROR_APPLY, "one permutation");
    assert_refused(np_route(mesh, "random", &options, &result), NP_ERROR_APPLY, "cube-connected cycles");
    np_network_free(cube);
    np_network_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_exchange_or_not),
        cmocka_unit_test(some_nodes_may_send_nothing),
        cmocka_unit_test(numbers_of_cycles_are_permutations),
        cmocka_unit_test(ways_there_and_back_end),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
