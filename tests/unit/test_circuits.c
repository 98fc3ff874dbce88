/*
 * Scheme `circuits`. A switch grid of src/papers/reconfigure, which finds its subnets by union-find, judges the
 * settings: the scheme's own code follows signals from wire to wire. The numbers of rounds, hops and delays are counted
 * here anew.
 */
#include "support.h"

#include "base/memory.h"
#include "netpram/reconfigure.h"

static np_route_result *route(const char *spec, const char *traffic, uint32_t runs)
{
    np_network *network = support_network(spec);
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "circuits";
    options.runs = runs;
    assert_ok(np_route(network, traffic, &options, &result));
    np_network_free(network);
    return result;
}

/* What any schedule of circuits needs, and what all shortest ways have together. */
typedef struct need {
    uint32_t rounds;
    uint64_t hops;
} need;

static need need_of(const char *spec, uint32_t side, const char *traffic, uint32_t run)
{
    np_network *network = support_network(spec);
    np_traffic *made;
    uint32_t *out = calloc(side, sizeof *out), *in = calloc(side, sizeof *in);
    need needs = {0, 0};
    assert_ok(np_traffic_create(traffic, network, 1, run, &made));
    for (np_packet p = 0; p < np_traffic_packets(made); p++) {
        np_node from = np_traffic_sources(made)[p], to = np_traffic_destinations(made)[p];
        if (from == to)
            continue;
        uint32_t sent = ++out[from], got = ++in[to];
        needs.rounds = sent > needs.rounds ? sent : needs.rounds;
        needs.rounds = got > needs.rounds ? got : needs.rounds;
        needs.hops += 2 + from + to; /* into row `from`, to column `to`, up, and out */
    }
    free(out);
    free(in);
    np_traffic_free(made);
    np_network_free(network);
    return needs;
}

static void rounds_are_as_few_as_can_be(void **state)
{
    static const char *const traffics[] = {"random",     "identity",    "h-relation:5",     "hotspot:1",
                                           "all-to-all", "partial:0.3", "random-function:3"};
    static const uint32_t sides[] = {2, 3, 8, 33};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            char spec[24];
            snprintf(spec, sizeof spec, "crossbar:%u", sides[i]);
            np_route_result *result = route(spec, traffics[t], 3);
            for (uint32_t run = 0; run < 3; run++) {
                const np_phase_run *phase = &result->phase[0].run[run];
                need needs = need_of(spec, sides[i], traffics[t], run);
                assert_int_equal(phase->steps, needs.rounds);
                assert_int_equal(phase->hops, needs.hops);
                assert_int_equal(phase->delay_max, needs.rounds ? needs.rounds - 1 : 0);
                assert_true(phase->congestion <= needs.rounds && phase->congestion >= (needs.rounds > 0));
            }
            np_route_result_free(result);
        }
}

/* P signals at once: by two settings, in one round, by the grid of switches, row 0 of which is at the bottom. */
static void a_grid_of_switches_makes_the_same_circuits(void **state)
{
    enum { P = 17 };
    np_network *network = support_network("crossbar:17");
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        np_traffic *traffic;
        np_switch_grid *grid;
        np_switch_round round;
        uint32_t sender[P], receiver[P];
        assert_ok(np_traffic_create("random", network, seed, 0, &traffic));
        assert_ok(np_switch_grid_create(P, P, &grid));
        np_switch_grid_set_all(grid, NP_SWITCH_WE_NS);
        for (uint32_t u = 0; u < P; u++) {
            assert_ok(np_switch_grid_attach(grid, NP_PORT_W, P - 1 - u, &sender[u]));
            assert_ok(np_switch_grid_attach(grid, NP_PORT_N, u, &receiver[u]));
        }
        for (np_packet p = 0; p < P; p++) {
            np_node from = np_traffic_sources(traffic)[p], to = np_traffic_destinations(traffic)[p];
            np_switch_grid_set(grid, P - 1 - from, to, NP_SWITCH_WN_SE);
            assert_ok(np_switch_grid_send(grid, sender[from], (np_signal){.word = to}));
        }
        np_switch_grid_round(grid, "a permutation", &round);
        assert_int_equal(round.conflicts, 0);
        for (uint32_t u = 0; u < P; u++) {
            np_signal signal = {.word = P};
            assert_true(np_switch_grid_received(grid, receiver[u], &signal, NULL));
            assert_int_equal(signal.word, u);
        }
        np_switch_grid_free(grid);
        np_traffic_free(traffic);
    }
    np_network_free(network);
}

/* A permutation: one round, one packet at a PU before and after it, and nobody waits. */
static void a_permutation_takes_one_round(void **state)
{
    np_route_result *result = route("crossbar:64", "random", 20);
    (void)state;
    for (uint32_t run = 0; run < 20; run++) {
        const np_phase_run *phase = &result->phase[0].run[run];
        assert_true(phase->steps == 1 && phase->delay_max == 0 && phase->population_max == 1 && phase->queue_max == 1);
    }
    np_route_result_free(result);
    result = route("crossbar:5", "hotspot:1", 1);
    assert_int_equal(result->phase[0].run[0].steps, 4); /* PU 0 receives from the other four, one after another */
    assert_int_equal(result->phase[0].run[0].population_max, 5);
    assert_int_equal(result->phase[0].run[0].delay_sum, 0 + 1 + 2 + 3);
    np_route_result_free(result);
}

static void refuses(void **state)
{
    np_network *network = support_network("complete:8"), *crossbar = support_network("crossbar:8");
    np_route_options options;
    np_route_result *result;
    (void)state;
    assert_refused(np_scheme_applies("circuits", network), NP_ERROR_APPLY, "the switches of a crossbar");
    np_route_options_init(&options);
    options.scheme = "circuits";
    options.queue = "lifo";
    assert_refused(np_route(crossbar, "random", &options, &result), NP_ERROR_APPLY, "queue");
    np_network_free(network);
    np_network_free(crossbar);
}

static void every_allocation_may_fail(void **state)
{
    np_network *network = support_network("crossbar:9");
    np_route_options options;
    np_route_result *result;
    np_status st = NP_ERROR_MEMORY;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "circuits";
    options.threads = 1;
    for (long n = 1; st; n++) {
        np_memory_fail_after(n);
        st = np_route(network, "h-relation:3", &options, &result);
        np_memory_fail_after(0);
        if (st)
            assert_refused(st, NP_ERROR_MEMORY, "no memory for");
        np_route_result_free(result);
    }
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_are_as_few_as_can_be),
                                       cmocka_unit_test(a_grid_of_switches_makes_the_same_circuits),
                                       cmocka_unit_test(a_permutation_takes_one_round), cmocka_unit_test(refuses),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
