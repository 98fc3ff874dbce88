/*
 * The time of any traffic on a linear array under farthest-first: the function
 * equals its formula, and the queueing engine, on random patterns of many kinds.
 */
#include "base/memory.h"
#include "base/random.h"
#include "support.h"

enum { PACKETS_MAX = 4000 };

static np_node source[PACKETS_MAX], destination[PACKETS_MAX];

/* As written: all i < j, all packets. */
static np_array_steps formula(np_node nodes, size_t packets)
{
    np_array_steps steps = {0, 0};
    for (np_node i = 0; i < nodes; i++)
        for (np_node j = i + 1; j < nodes; j++) {
            uint32_t up = 0, down = 0;
            for (size_t p = 0; p < packets; p++) {
                up += source[p] <= i && destination[p] >= j;
                down += source[p] >= j && destination[p] <= i;
            }
            if (up && up + j - i - 1 > steps.up)
                steps.up = up + j - i - 1;
            if (down && down + j - i - 1 > steps.down)
                steps.down = down + j - i - 1;
        }
    return steps;
}

static np_step by_engine(np_node nodes, size_t packets)
{
    char spec[32];
    np_traffic *traffic;
    np_route_options options;
    np_route_result *result;
    snprintf(spec, sizeof spec, "array:%u", nodes);
    np_network *network = support_network(spec);
    assert_ok(np_traffic_from_arrays(network, packets, source, destination, NULL, &traffic));
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.queue = "farthest-first";
    options.threads = 1;
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    np_step steps = result->phase[0].run[0].steps;
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(network);
    return steps;
}

static void judge(np_node nodes, size_t packets, bool slow)
{
    np_array_steps steps;
    assert_ok(np_array_time(nodes, packets, source, destination, &steps));
    if (slow) {
        np_array_steps want = formula(nodes, packets);
        assert_int_equal(steps.up, want.up);
        assert_int_equal(steps.down, want.down);
    }
    assert_int_equal(by_engine(nodes, packets), steps.up > steps.down ? steps.up : steps.down);
}

/* All patterns of three packets on four nodes. */
static void all_small(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 4096; code++) {
        for (uint32_t p = 0; p < 3; p++) {
            source[p] = code >> 4 * p & 3;
            destination[p] = code >> (4 * p + 2) & 3;
        }
        judge(4, 3, true);
    }
}

/* A node, drawn from all, from the ends, or from the middle. */
static np_node draw(const np_draws *draws, uint32_t item, uint32_t kind, np_node nodes)
{
    np_node u = np_random_below(draws, item, 0, nodes), near = np_random_below(draws, item, 1, 1 + nodes / 8);
    if (kind == 1)
        return near;
    if (kind == 2)
        return nodes - 1 - near;
    return kind == 3 ? nodes / 2 - nodes / 16 + near / 2 : u;
}

static void random_patterns(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 600; trial++) {
        np_draws draws = {.seed = trial};
        np_node nodes = 2 + np_random_below(&draws, 0, 2, 60);
        size_t packets = np_random_below(&draws, 1, 2, trial % 3 ? 100 : 400);
        for (uint32_t p = 0; p < packets; p++) {
            source[p] = draw(&draws, p, trial % 4, nodes);
            destination[p] = draw(&draws, p + PACKETS_MAX, trial / 4 % 4, nodes);
        }
        judge(nodes, packets, trial % 4 == 0);
    }
}

static void large(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 8; trial++) {
        np_draws draws = {.seed = trial};
        for (uint32_t p = 0; p < PACKETS_MAX; p++) {
            source[p] = draw(&draws, p, trial % 4, 1000);
            destination[p] = draw(&draws, p + PACKETS_MAX, 0, 1000);
        }
        judge(1000, PACKETS_MAX, false);
    }
}

/* ---- Rings ---- */

/* As written: packets that leave i for j or beyond, by the links that they cross, one by one. */
static np_array_steps ring_formula(np_node nodes, size_t packets)
{
    np_array_steps steps = {0, 0};
    for (np_node i = 0; i < nodes; i++)
        for (np_node k = 1; k <= nodes / 2; k++) {
            uint32_t up = 0, down = 0;
            for (size_t p = 0; p < packets; p++) {
                np_node ahead = (destination[p] + nodes - source[p]) % nodes, behind = (nodes - ahead) % nodes;
                np_node from_up = (i + nodes - source[p]) % nodes, from_down = (source[p] + nodes - i) % nodes;
                up += ahead <= nodes - ahead && from_up + k <= ahead;
                down += ahead > nodes - ahead && from_down + k <= behind;
            }
            if (up && up + k - 1 > steps.up)
                steps.up = up + k - 1;
            if (down && down + k - 1 > steps.down)
                steps.down = down + k - 1;
        }
    return steps;
}

static void judge_ring(np_node nodes, size_t packets)
{
    char spec[32];
    np_array_steps steps, want = ring_formula(nodes, packets);
    np_traffic *traffic;
    np_route_options options;
    np_route_result *result;
    snprintf(spec, sizeof spec, "ring:%u", nodes);
    np_network *network = support_network(spec);
    assert_ok(np_ring_time(nodes, packets, source, destination, &steps));
    assert_int_equal(steps.up, want.up);
    assert_int_equal(steps.down, want.down);
    assert_ok(np_traffic_from_arrays(network, packets, source, destination, NULL, &traffic));
    np_route_options_init(&options);
    options.scheme = "xy";
    options.threads = 1;
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    assert_int_equal(result->phase[0].run[0].steps, steps.up > steps.down ? steps.up : steps.down);
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void rings(void **state)
{
    np_array_steps steps;
    (void)state;
    for (uint32_t trial = 0; trial < 300; trial++) {
        np_draws draws = {.seed = trial};
        np_node nodes = 3 + np_random_below(&draws, 0, 2, 40);
        size_t packets = np_random_below(&draws, 1, 2, trial % 3 ? 100 : 400);
        for (uint32_t p = 0; p < packets; p++) {
            source[p] = draw(&draws, p, trial % 4, nodes);
            destination[p] = draw(&draws, p + PACKETS_MAX, trial / 4 % 4, nodes);
        }
        judge_ring(nodes, packets);
    }
    source[0] = 5;
    destination[0] = 1;
    assert_refused(np_ring_time(5, 1, source, destination, &steps), NP_ERROR_INPUT, "from 5");
    assert_refused(np_ring_time((UINT32_C(1) << 29) + 1, 0, source, destination, &steps), NP_ERROR_LIMIT, "2^29");
}

/* One packet, none, none that moves, and all-to-all, whose time the notes give by the middle link: n^2 / 4. */
static void known(void **state)
{
    np_array_steps steps;
    (void)state;
    source[0] = 2, destination[0] = 7;
    assert_ok(np_array_time(10, 1, source, destination, &steps));
    assert_true(steps.up == 5 && steps.down == 0);
    assert_ok(np_array_time(10, 1, destination, source, &steps));
    assert_true(steps.up == 0 && steps.down == 5);
    assert_ok(np_array_time(10, 1, source, source, &steps));
    assert_true(steps.up == 0 && steps.down == 0);
    assert_ok(np_array_time(1, 0, source, source, &steps));
    assert_true(steps.up == 0 && steps.down == 0);
    for (np_node n = 4; n <= 32; n += 2) {
        for (uint32_t p = 0; p < n * n; p++) {
            source[p] = p / n;
            destination[p] = p % n;
        }
        assert_ok(np_array_time(n, n * n, source, destination, &steps));
        assert_true(steps.up == n * n / 4 && steps.down == n * n / 4);
    }
}

static void refuses(void **state)
{
    np_array_steps steps;
    (void)state;
    source[0] = 2, destination[0] = 7;
    assert_refused(np_array_time(0, 0, source, destination, &steps), NP_ERROR_INPUT, "0 nodes");
    assert_refused(np_array_time(7, 1, source, destination, &steps), NP_ERROR_INPUT,
                   "packet 0 from 2 to 7: nodes are 0..6");
    assert_refused(np_array_time(UINT32_MAX, 1, source, destination, &steps), NP_ERROR_LIMIT, "4294967295 nodes");
    for (long n = 1; n <= 3; n++) {
        np_memory_fail_after(n);
        np_status st = np_array_time(8, 1, source, destination, &steps);
        np_memory_fail_after(0);
        assert_int_equal(st, NP_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_small), cmocka_unit_test(random_patterns),
                                       cmocka_unit_test(rings),     cmocka_unit_test(large),
                                       cmocka_unit_test(known),     cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
