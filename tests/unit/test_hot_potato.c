/*
 * Scheme `hot-potato`. From the events: a packet that has started moves in every step until it ends, the node that it
 * is at has as many packets on their way as links at most, and a packet that goes away from its destination finds no
 * free link that leads nearer. That hops keep the rules of the model is judged by tests/prop/test_traces.c.
 */
#include "support.h"

typedef struct seen {
    uint32_t n;
    uint32_t *at, *to, *moved; /* [packets] the node; its end; the last step in which it moved */
    uint32_t *used;            /* [nodes * 4] the last step in which a packet left the node that way */
    uint32_t *away;            /* [packets] a step in which it went away from its destination; 0: none yet */
    uint32_t *from;            /* [packets] the node that it left in that step */
    size_t packets, paused, wrong, deflections;
    uint32_t step;
} seen;

static uint32_t apart(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

static uint32_t distance(const seen *s, uint32_t u, uint32_t v)
{
    return apart(u / s->n, v / s->n) + apart(u % s->n, v % s->n);
}

/* 0 up, 1 down, 2 left, 3 right */
static uint32_t way(const seen *s, uint32_t from, uint32_t to)
{
    return to + s->n == from ? 0 : from + s->n == to ? 1 : to + 1 == from ? 2 : 3;
}

/* When a step is over: whoever went away had all links that lead nearer taken. */
static void end_step(seen *s)
{
    for (size_t p = 0; p < s->packets; p++) {
        uint32_t u = s->from[p], v = s->to[p];
        if (!s->step || s->away[p] != s->step)
            continue;
        s->deflections++;
        if (u / s->n != v / s->n)
            s->wrong += s->used[4 * u + (v / s->n > u / s->n ? 1 : 0)] != s->step;
        if (u % s->n != v % s->n)
            s->wrong += s->used[4 * u + (v % s->n > u % s->n ? 3 : 2)] != s->step;
    }
}

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count; i++) {
        const np_event *e = &event[i];
        if (e->step != s->step)
            end_step(s);
        s->step = e->step;
        if (e->kind == NP_EVENT_INJECTED) {
            s->at[e->packet] = e->from;
            s->to[e->packet] = e->to;
        }
        if (e->kind != NP_EVENT_MOVED)
            continue;
        s->paused += s->moved[e->packet] && s->moved[e->packet] + 1 != e->step;
        s->moved[e->packet] = e->step;
        s->used[4 * e->from + way(s, e->from, e->to)] = e->step;
        if (distance(s, e->to, s->to[e->packet]) > distance(s, e->from, s->to[e->packet])) {
            s->away[e->packet] = e->step;
            s->from[e->packet] = e->from;
        }
        s->at[e->packet] = e->to;
    }
    return 0;
}

typedef struct outcome {
    uint32_t steps, farthest;
    size_t deflections;
} outcome;

static outcome judge(uint32_t n, const char *traffic, uint64_t seed)
{
    char spec[32];
    snprintf(spec, sizeof spec, "mesh:%ux%u", n, n);
    np_network *network = support_network(spec);
    np_traffic *made = support_traffic(network, traffic, seed);
    size_t packets = np_traffic_packets(made);
    uint32_t *room = calloc(5 * packets + (size_t)4 * n * n, sizeof *room);
    seen s = {.n = n, .packets = packets};
    s.at = room;
    s.to = room + packets;
    s.moved = room + 2 * packets;
    s.away = room + 3 * packets;
    s.from = room + 4 * packets;
    s.used = room + 5 * packets;
    const np_observer observer = {.events = on_events, .context = &s};
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "hot-potato";
    options.observer = &observer;
    assert_ok(np_route_traffic(network, made, &options, &result));
    end_step(&s);
    assert_int_equal(s.paused, 0);
    assert_int_equal(s.wrong, 0);
    assert_true(result->phase[0].run->queue_max <= 1);
    outcome out = {.steps = result->phase[0].run->steps, .deflections = s.deflections};
    for (size_t p = 0; p < packets; p++) {
        uint32_t from = np_traffic_sources(made)[p], to = np_traffic_destinations(made)[p];
        assert_int_equal(s.at[p], to);
        out.farthest = distance(&s, from, to) > out.farthest ? distance(&s, from, to) : out.farthest;
    }
    free(room);
    np_route_result_free(result);
    np_traffic_free(made);
    np_network_free(network);
    return out;
}

static void usual_permutations_take_their_distance(void **state)
{
    static const char *const traffics[] = {"transpose", "complement", "bit-reversal", "random", "rotation:9"};
    (void)state;
    for (uint32_t n = 4; n <= 64; n *= 2)
        for (size_t t = n == 4; t < sizeof traffics / sizeof *traffics; t++) {
            const outcome out = judge(n, traffics[t], 1);
            assert_int_equal(out.steps, out.farthest);
        }
}

static void some_take_more(void **state)
{
    size_t more = 0, deflections = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const outcome out = judge(4, "random", seed);
        assert_true(out.steps >= out.farthest);
        more += out.steps > out.farthest;
        deflections += out.deflections;
    }
    assert_true(more > 0 && deflections > 0);
}

static void any_traffic_arrives(void **state)
{
    static const char *const traffics[] = {"identity", "h-relation:3", "hotspot:4", "partial:0.5", "repeat:6:random"};
    (void)state;
    for (uint32_t n = 3; n < 20; n += 4)
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++)
            judge(n, traffics[t], n);
}

static void memory_may_be_short(void **state)
{
    np_network *network = support_network("mesh:4x4");
    np_route_options options;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "hot-potato";
    support_assert_route_without_memory(network, "random", options, 5);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_permutations_take_their_distance),
        cmocka_unit_test(some_take_more),
        cmocka_unit_test(any_traffic_arrives),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
