/*
 * Scheme `k-k-dealt`: k-k routing without random choices. Where it puts packets is seen by observers; how evenly it
 * deals them out, and how long the phases take, is counted here anew.
 */
#include "support.h"

#include <math.h>

enum { PHASES = 4, MOST = 1 << 14 };

/* Where packets are when phases begin, and what they do in phases. */
typedef struct seen {
    uint32_t a, b;
    np_node at[PHASES + 1][MOST]; /* when phase i begins; the last: at the end */
    unsigned phase;
    size_t packets, strays; /* hops that leave the submesh in phase S, or are along both dimensions in a later one */
    uint8_t axis[MOST];
} seen;

static uint32_t bundle(uint32_t line, uint32_t lines)
{
    uint32_t count = (uint32_t)lround(cbrt(lines)), i = 0;
    while ((uint64_t)lines * (i + 1) / count <= line)
        i++;
    return i;
}

static bool same_submesh(const seen *s, np_node u, np_node v)
{
    return bundle(u / s->b, s->a) == bundle(v / s->b, s->a) && bundle(u % s->b, s->b) == bundle(v % s->b, s->b);
}

static int on_begin(void *context, const np_event_phase *phase)
{
    seen *s = context;
    s->phase = phase->phase;
    s->packets = phase->packets;
    memset(s->axis, 2, sizeof s->axis);
    return 0;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count; i++) {
        np_packet p = event[i].packet;
        if (event[i].kind == NP_EVENT_INJECTED)
            s->at[s->phase][p] = event[i].from;
        if (event[i].kind == NP_EVENT_LANDED)
            s->at[s->phase + 1][p] = event[i].from;
        if (event[i].kind != NP_EVENT_MOVED)
            continue;
        uint8_t axis = event[i].from / s->b == event[i].to / s->b;
        s->strays += s->phase ? s->axis[p] < 2 && s->axis[p] != axis : !same_submesh(s, event[i].from, event[i].to);
        s->axis[p] = axis;
    }
    return 0;
}

static np_route_result *observed(seen *s, uint32_t a, uint32_t b, const char *traffic)
{
    char spec[24];
    const np_observer observer = {.begin = on_begin, .events = on_events, .context = s};
    np_route_options options;
    np_route_result *result;
    snprintf(spec, sizeof spec, "mesh:%ux%u", a, b);
    np_network *network = support_network(spec);
    s->a = a;
    s->b = b;
    s->strays = 0;
    np_route_options_init(&options);
    options.scheme = "k-k-dealt";
    options.observer = &observer;
    assert_ok(np_route(network, traffic, &options, &result));
    assert_int_equal(result->phases, PHASES);
    assert_int_equal(s->strays, 0);
    np_network_free(network);
    return result;
}

/* After S a node has as many packets of a colour as any, and phases 1 and 3 go along the same lines for a colour. */
static void packets_are_dealt_out_evenly(void **state)
{
    enum { N = 27, K = 4 };
    static const char *const traffics[] = {"repeat:4:transpose", "repeat:4:complement", "repeat:4:identity",
                                           "repeat:4:random"};
    seen *s = malloc(sizeof *s);
    (void)state;
    for (size_t t = 0; t < 4; t++) {
        np_route_result *result = observed(s, N, N, traffics[t]);
        uint32_t at_node[N * N] = {0}, rows[N] = {0}, columns[N] = {0};
        for (size_t p = 0; p < s->packets; p++)
            at_node[s->at[1][p]]++;
        for (uint32_t u = 0; u < N * N; u++)
            assert_in_range(at_node[u], K, K);
        /* After phase 1 white packets are spread over the rows, black ones over the columns. */
        for (size_t p = 0; p < s->packets; p++) {
            rows[s->at[2][p] / N]++;
            columns[s->at[2][p] % N]++;
        }
        for (uint32_t i = 0; i < N; i++) {
            assert_in_range(rows[i], K * N - 8, K * N + 8);
            assert_in_range(columns[i], K * N - 8, K * N + 8);
        }
        np_route_result_free(result);
    }
    free(s);
}

/* max{n, kn/8}, max{n, kn/4}, max{n, kn/8} and a rounding error for each submesh, whatever the traffic. */
static void phases_take_what_the_lemma_says(void **state)
{
    static const char *const traffics[] = {"repeat:%u:transpose", "repeat:%u:complement", "repeat:%u:identity",
                                           "repeat:%u:random", "h-relation:%u"};
    (void)state;
    for (uint32_t n = 16; n <= 64; n *= 2)
        for (uint32_t k = 2; k <= 16; k *= 2)
            for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
                char spec[24], traffic[32];
                np_route_options options;
                np_route_result *result;
                snprintf(spec, sizeof spec, "mesh:%ux%u", n, n);
                snprintf(traffic, sizeof traffic, traffics[t], k);
                np_network *network = support_network(spec);
                np_route_options_init(&options);
                options.scheme = "k-k-dealt";
                assert_ok(np_route(network, traffic, &options, &result));
                double submeshes = cbrt(n) * cbrt(n), error = 2 * submeshes;
                for (unsigned p = 1; p < PHASES; p++)
                    assert_true(result->phase[p].run[0].steps <= fmax(n, k * n / (p == 2 ? 4.0 : 8.0)) + error);
                assert_true(result->phase[0].run[0].steps <= (k + 2) * cbrt(n) * cbrt(n) + 4);
                np_route_result_free(result);
                np_network_free(network);
            }
}

/* Nothing is drawn: seeds change nothing but the order of those that wait. Any number of threads. */
static void nothing_is_drawn(void **state)
{
    np_network *network = support_network("mesh:20x13");
    np_route_options options;
    np_route_result *one, *other;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "k-k-dealt";
    options.threads = 1;
    assert_ok(np_route(network, "repeat:3:complement", &options, &one));
    options.threads = 3;
    options.seed = 99;
    assert_ok(np_route(network, "repeat:3:complement", &options, &other));
    for (size_t p = 0; p < PHASES; p++) {
        assert_int_equal(one->phase[p].run[0].steps, other->phase[p].run[0].steps);
        assert_int_equal(one->phase[p].run[0].hops, other->phase[p].run[0].hops);
    }
    np_route_result_free(one);
    np_route_result_free(other);
    network = (np_network_free(network), NULL);
}

static void odd_shapes(void **state)
{
    static const struct {
        uint32_t a, b;
        const char *traffic;
    } cases[] = {{2, 2, "random"},     {2, 31, "h-relation:3"}, {31, 2, "partial:0.2"},       {5, 9, "hotspot:1"},
                 {9, 5, "all-to-all"}, {3, 3, "identity"},      {12, 12, "random-function:7"}};
    seen *s = malloc(sizeof *s);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        np_route_result_free(observed(s, cases[i].a, cases[i].b, cases[i].traffic));
    free(s);
}

static void refuses(void **state)
{
    static const char *const specs[] = {"mesh:4x4x4", "torus:4x4", "array:5"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        assert_refused(np_scheme_applies("k-k-dealt", network), NP_ERROR_APPLY, "meshes of two dimensions");
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_dealt_out_evenly), cmocka_unit_test(phases_take_what_the_lemma_says),
        cmocka_unit_test(nothing_is_drawn), cmocka_unit_test(odd_shapes), cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
