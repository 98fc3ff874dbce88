/*
 * Packets for their own node count in every scheme: with delay 0 and no hops, in the first phase, in populations and
 * among the events. Where phases divide the packets among themselves, every other packet is in one of them.
 */
#include "../support.h"

#include "model/traffic/traffic.h"

enum { PACKETS = 4096 };

typedef struct seen {
    const np_traffic *traffic;
    uint32_t injected[PACKETS], landed[PACKETS];
    unsigned phase;
} seen;

static int on_begin(void *context, const np_event_phase *phase)
{
    ((seen *)context)->phase = phase->phase;
    return 0;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count && s->phase == 0; i++) {
        s->injected[event[i].packet] += event[i].kind == NP_EVENT_INJECTED;
        s->landed[event[i].packet] += event[i].kind == NP_EVENT_LANDED && event[i].step == 0;
    }
    return 0;
}

static void check_events(const seen *s, np_packet packets)
{
    for (np_packet p = 0; p < packets; p++)
        if (np_traffic_rests(s->traffic, p)) {
            assert_int_equal(s->injected[p], 1);
            assert_int_equal(s->landed[p], 1);
        }
}

/* The scheme on the network, if it is for it and the traffic. Returns whether it is. */
static bool check(const char *scheme, const np_network *network, const np_traffic *traffic, bool observed)
{
    static seen s;
    np_route_options options;
    np_route_result *result;
    const np_observer observer = {.begin = on_begin, .events = on_events, .context = &s};
    np_packet packets = np_traffic_packets(traffic);
    uint64_t in_phases = 0;
    s = (seen){.traffic = traffic};
    np_route_options_init(&options);
    options.scheme = scheme;
    options.observer = observed ? &observer : NULL;
    if (np_route_traffic(network, traffic, &options, &result))
        return false;
    for (size_t i = 0; i < result->phases; i++)
        in_phases += result->phase[i].run[0].packets;
    assert_true(in_phases >= packets);
    assert_true(result->phase[0].run[0].population_max > 0 || !strcmp(scheme, "group-shares")); /* it follows none */
    if (observed && (!strcmp(scheme, "ranked") || !strcmp(scheme, "waves") || !strcmp(scheme, "greedy")))
        check_events(&s, packets);
    np_route_result_free(result);
    return true;
}

static const char *const networks[] = {"butterfly:5", "butterfly:8", "hypercube:6", "mesh:8x8",   "mesh:3x3x3",
                                       "torus:6x6",   "ring:7",      "star:4",      "fat-tree:3", "shuffle-exchange:6",
                                       "ccc:4",       "shuffle:2x6", "complete:9"};
static const char *const traffics[] = {"identity", "random", "random-function"};

static void test_every_scheme(void **state)
{
    unsigned checked = 0;
    (void)state;
    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++) {
        np_network *network = support_network(networks[n]);
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            np_traffic *traffic;
            const np_entry *scheme;
            assert_ok(np_traffic_create(traffics[t], network, 7, 0, &traffic));
            assert_true(np_traffic_packets(traffic) <= PACKETS);
            for (size_t i = 0; (scheme = np_list_get(NP_LIST_SCHEMES, i)); i++)
                for (int observed = 0; observed < 2; observed++)
                    checked += check(scheme->name, network, traffic, observed);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
    assert_true(checked > 200);
}

/* Two packets rest at node 1, and one comes: three are there at the end, by every scheme and method of merging. */
static void test_population(void **state)
{
    static const char *const specs[] = {"ring:4", "hypercube:6", "butterfly:8", "mesh:8x8"};
    static const char *const schemes[] = {"greedy", "ranked", "waves"};
    const np_node from[] = {1, 1, 0}, to[] = {1, 1, 1};
    (void)state;
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        np_network *network = support_network(specs[n]);
        np_traffic *traffic;
        assert_ok(np_traffic_from_arrays(network, 3, from, to, NULL, &traffic));
        for (size_t i = 0; i < 3; i++) {
            np_route_options options;
            np_route_result *result;
            np_route_options_init(&options);
            options.scheme = schemes[i];
            if (!strcmp(specs[n], "mesh:8x8") && i > 0)
                continue; /* the packet that comes is in another phase */
            assert_ok(np_route_traffic(network, traffic, &options, &result));
            assert_int_equal(result->phase[0].run[0].population_max, 3);
            assert_int_equal(result->phase[0].run[0].packets, 3);
            np_route_result_free(result);
        }
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_scheme), cmocka_unit_test(test_population)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
