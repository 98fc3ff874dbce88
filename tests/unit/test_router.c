/* The router of sorters: what it says a routing costs is what np_route says, in steps of the network. */
#include "support.h"

#include "base/random.h"
#include "work/sort/router.h"
#include "work/sort/rows.h"

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
    static const char *const specs[] = {"mesh:6x5", "array:20", "torus:4x4", "ring:9", "shuffle-exchange:6"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_node from[PACKETS], to[PACKETS];
        np_sort_options options;
        np_route_options route;
        np_route_result *routed;
        np_traffic *traffic;
        np_sort_router *router;
        np_sort_cost cost, other, third, again;
        uint32_t moving = 0, queue = 0;
        uint64_t hops = 0, steps = 0;
        np_sort_options_init(&options);
        np_route_options_init(&route);
        options.merge.queue_size = route.merge.queue_size = 3;
        route.scheme = "ranked";
        route.seed = 11;
        route.merge.physical = true;
        np_sorting sorting = {.network = network, .options = &options, .draws = {.seed = 11}, .workers = 2};
        draw(network, from, to);
        assert_ok(np_traffic_from_arrays(network, PACKETS, from, to, NULL, &traffic));
        assert_ok(np_route_traffic(network, traffic, &route, &routed));
        assert_ok(np_sort_router_create(&sorting, &router));
        assert_ok(np_sort_router_run(router, "stage", PACKETS, from, to, 0, &cost));
        assert_ok(np_sort_router_run(router, "stage", PACKETS, from, to, 1, &other));
        assert_ok(np_sort_router_run(router, "stage", PACKETS, from, to, 2, &third));
        assert_ok(np_sort_router_run(router, "stage", PACKETS, from, to, 0, &again));
        for (size_t phase = 0; phase < routed->phases; phase++) {
            const np_phase_run *run = &routed->phase[phase].run[0];
            const uint32_t slowdown = run->emulation.steps;
            assert_in_range(slowdown, run->emulation.links_per_link, specs[i][0] == 's' ? 9 : 4);
            assert_true(slowdown == 1 || (specs[i][0] != 'm' && specs[i][0] != 'a')); /* a mesh's phases are itself */
            assert_in_range(run->physical_steps, run->steps, (uint64_t)run->steps * slowdown);
            assert_true(slowdown == 1 ||
                        run->physical_steps < (uint64_t)run->steps * slowdown); /* played, not charged */
            steps += run->physical_steps;
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
        if (i == 4) { /* elsewhere paths are fixed, and ranks alone may come to the same */
            assert_memory_not_equal(&cost, &other, sizeof cost);
            assert_memory_not_equal(&third, &other, sizeof cost);
        }
        np_sort_router_free(router);
        np_route_result_free(routed);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* Every packet's path goes over links of the network from its source to a row and on to its destination. */
static void test_rows(void **state)
{
    static const char *const specs[] = {"hypercube:1", "hypercube:6", "butterfly:3", "butterfly:5"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_node from[PACKETS], to[PACKETS], at[PACKETS];
        np_sort_options options;
        np_rows rows;
        np_sort_router *router;
        np_sort_cost cost;
        np_sort_cost run[2];
        np_draws draws = {.seed = 11};
        uint32_t congestion, destination[PACKETS], count[8192], middles = 0;
        uint64_t hops = 0;
        np_sort_options_init(&options);
        np_sorting sorting = {.network = network, .options = &options, .draws = {.seed = 11}, .workers = 1};
        draw(network, from, to);
        memcpy(at, from, sizeof at);
        assert_ok(np_rows_init(&rows, &sorting));
        for (unsigned phase = 0; phase < 2; phase++) {
            const np_path_set *set = &rows.engine.path_set;
            np_emulation emulation;
            assert_ok(np_rows_permute(&rows, phase, draws, PACKETS, from, to, NULL, &run[phase]));
            assert_int_equal(rows.engine.shapes, phase + 1);
            const np_leveled *leveled = rows.engine.shape[phase].leveled;
            assert_ok(np_leveled_emulation(leveled, &emulation));
            assert_int_equal(emulation.steps, 1); /* each link is one edge */
            if (specs[i][0] == 'h')               /* most significant bit first, and last on the way home */
                assert_int_equal(leveled->cross[0], phase ? 1 : np_network_nodes(network) / 2);
            assert_true(leveled->rows > 0); /* as columns, which the engine is fast at */
            assert_ok(np_path_set_follow(set, leveled, count, destination, &congestion));
            for (np_packet p = 0; p < set->packets; p++) {
                np_packet own = set->packet[p];
                assert_int_equal(leveled->host[set->origin[p]], at[own]);
                at[own] = leveled->host[destination[p]];
                middles += phase == 0 && at[own] != to[own];
                for (size_t h = set->begin[p]; h < set->begin[p + 1]; h++)
                    hops += specs[i][0] == 'b' || set->port[h];
            }
            for (uint32_t e = 0; e < leveled->edges; e++) {
                np_node a = leveled->host[leveled->tail[e]], b = leveled->host[leveled->head[e]];
                if (leveled->walk[e] == leveled->walk[e + 1])
                    assert_int_equal(a, b);
                else
                    assert_true(np_network_link_tail(network, leveled->link[leveled->walk[e]]) == a &&
                                np_network_link_head(network, leveled->link[leveled->walk[e]]) == b);
            }
        }
        assert_memory_equal(at, to, sizeof at);
        assert_true(middles > PACKETS / 10);
        assert_ok(np_sort_router_create(&sorting, &router));
        assert_ok(np_sort_router_run(router, "stage", PACKETS, from, to, 0, &cost));
        assert_int_equal(cost.steps, run[0].steps + run[1].steps);
        assert_int_equal(cost.hops, hops);
        np_sort_router_free(router);
        np_rows_clear(&rows);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_route), cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
