/* The router of sorters: what it says a routing costs is what np_route says, in steps of the network. */
#include "support.h"

#include "base/random.h"
#include "sort/router.h"

enum { PACKETS = 200 };

static void draw(const np_network *network, np_node *from, np_node *to)
{
    np_draws draws = {.seed = 3, .purpose = NP_RANDOM_TRAFFIC};
    for (uint32_t i = 0; i < PACKETS; i++) {
        from[i] = np_random_below(&draws, i, 0, (uint32_t)np_network_nodes(network));
        to[i] = i % 10 ? np_random_below(&draws, i, 1, (uint32_t)np_network_nodes(network)) : from[i];
    }
}

static void test_as_route(void **state)
{
    static const char *const specs[] = {"mesh:6x5",    "array:20",    "torus:4x4",         "ring:9",
                                        "hypercube:5", "butterfly:4", "shuffle-exchange:6"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_node from[PACKETS], to[PACKETS];
        np_sort_options options;
        np_route_options route;
        np_route_result *routed;
        np_traffic *traffic;
        np_sort_router *router;
        np_sort_cost cost, other, again;
        uint32_t moving = 0, queue = 0;
        uint64_t hops = 0, steps = 0;
        np_sort_options_init(&options);
        np_route_options_init(&route);
        options.merge.queue_size = route.merge.queue_size = 3;
        route.scheme = "ranked";
        route.seed = 11;
        np_sorting sorting = {.network = network, .options = &options, .draws = {.seed = 11}, .workers = 2};
        draw(network, from, to);
        assert_ok(np_traffic_from_arrays(network, PACKETS, from, to, NULL, &traffic));
        assert_ok(np_route_traffic(network, traffic, &route, &routed));
        assert_ok(np_sort_router_create(&sorting, &router));
        assert_ok(np_sort_router_run(router, PACKETS, from, to, 0, &cost));
        assert_ok(np_sort_router_run(router, PACKETS, from, to, 1, &other));
        assert_ok(np_sort_router_run(router, PACKETS, from, to, 0, &again));
        for (size_t phase = 0; phase < routed->phases; phase++) {
            uint32_t slowdown = np_sort_router_slowdown(router, (unsigned)phase);
            assert_in_range(slowdown, routed->phase[phase].emulation.links_per_link, specs[i][0] == 's' ? 9 : 4);
            assert_true(slowdown == 1 || (specs[i][0] != 'm' && specs[i][0] != 'a')); /* a mesh's phases are itself */
            steps += routed->phase[phase].run[0].steps * slowdown;
            hops += routed->phase[phase].run[0].hops;
            queue =
                routed->phase[phase].run[0].queue_real_max > queue ? routed->phase[phase].run[0].queue_real_max : queue;
        }
        for (uint32_t p = 0; p < PACKETS; p++)
            moving += from[p] != to[p];
        assert_int_equal(cost.steps, steps);
        assert_int_equal(cost.hops, hops);
        assert_int_equal(cost.packets, moving);
        assert_int_equal(cost.queue_max, queue);
        assert_memory_equal(&cost, &again, sizeof cost);
        if (i >= 4) /* elsewhere paths are fixed, and ranks alone may come to the same */
            assert_memory_not_equal(&cost, &other, sizeof cost);
        np_sort_router_free(router);
        np_route_result_free(routed);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

static void test_refusal(void **state)
{
    np_network *network = support_network("complete:8");
    np_sort_options options;
    np_sort_router *router;
    (void)state;
    np_sort_options_init(&options);
    np_sorting sorting = {.network = network, .options = &options};
    assert_refused(np_sort_router_create(&sorting, &router), NP_ERROR_APPLY, "ranked");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_route), cmocka_unit_test(test_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
