/*
 * Packets against queues of constant size: they are as slow as the generator foretells, and slower than bit reversal.
 */
#include "support.h"

#include "model/traffic/traffic.h"
#include "papers/waves/waves.h"

static np_network *butterfly(uint32_t n)
{
    np_network *network;
    char spec[32];
    snprintf(spec, sizeof spec, "butterfly-io:%u", n);
    assert_ok(np_network_create(spec, &network));
    return network;
}

static uint32_t routed(const np_network *network, const char *traffic, const char *scheme, uint32_t q)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.merge.queue_size = q;
    options.merge.waves = strcmp(scheme, "waves") ? 0 : 1;
    options.runs = 1;
    assert_ok(np_route(network, traffic, &options, &result));
    const uint32_t steps = (uint32_t)result->total_steps.mean;
    np_route_result_free(result);
    return steps;
}

/* Different sources, and different destinations. */
static void check_ends(const np_network *network, const char *spec)
{
    np_traffic *traffic;
    assert_ok(np_traffic_create(spec, network, 1, 0, &traffic));
    assert_true(traffic->packets > 0);
    for (np_packet i = 0; i < traffic->packets; i++) {
        assert_true(traffic->source[i] < np_network_terminals(network));
        for (np_packet k = 0; k < i; k++)
            assert_true(traffic->source[i] != traffic->source[k] && traffic->destination[i] != traffic->destination[k]);
    }
    np_traffic_free(traffic);
}

static void as_slow_as_foretold(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 9; n++) {
        np_network *network = butterfly(n);
        for (uint32_t q = 1; q <= 5; q++) {
            uint32_t steps;
            char spec[32];
            snprintf(spec, sizeof spec, "clogged:%u", q);
            assert_ok(np_clogged_steps(n, q, &steps));
            assert_int_equal(routed(network, spec, "waves", q), steps);
            check_ends(network, spec);
        }
        np_network_free(network);
    }
}

/* Another program, which shares no code with this one, found these steps. */
static void as_another_program_found(void **state)
{
    (void)state;
    static const uint32_t found[][3] = {{5, 1, 14}, {6, 1, 20}, {7, 1, 29}, {8, 1, 41}, {9, 1, 62}, {10, 1, 96}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        uint32_t steps;
        assert_ok(np_clogged_steps(found[i][0], found[i][1], &steps));
        assert_int_equal(steps, found[i][2]);
    }
}

static void slower_than_bit_reversal(void **state)
{
    (void)state;
    np_network *network = butterfly(10);
    assert_true(routed(network, "clogged:1", "waves", 1) > 2 * routed(network, "bit-reversal", "waves", 1));
    assert_true(routed(network, "clogged:2", "waves", 2) > routed(network, "bit-reversal", "waves", 2));
    np_network_free(network);
}

static void what_is_refused(void **state)
{
    (void)state;
    np_network *network = butterfly(13), *cube;
    np_traffic *traffic;
    assert_refused(np_traffic_create("clogged:1", network, 1, 0, &traffic), NP_ERROR_APPLY, "try butterfly-io:10");
    np_network_free(network);
    assert_ok(np_network_create("hypercube:4", &cube));
    assert_refused(np_traffic_create("clogged:1", cube, 1, 0, &traffic), NP_ERROR_APPLY, "it is for butterfly-io:1");
    np_network_free(cube);
    network = butterfly(4);
    assert_refused(np_traffic_create("clogged", network, 1, 0, &traffic), NP_ERROR_INPUT, "packets Q of a queue");
    assert_refused(np_traffic_create("clogged:0", network, 1, 0, &traffic), NP_ERROR_INPUT, "packets Q of a queue");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_slow_as_foretold),
        cmocka_unit_test(as_another_program_found),
        cmocka_unit_test(slower_than_bit_reversal),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
