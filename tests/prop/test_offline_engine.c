/*
 * The off-line schedule on the queueing engine: packets that are told only where
 * each phase takes them find every queue empty, take the steps and hops of the schedule, and arrive.
 */
#include "engine/queueing/engine.h"
#include "papers/offline/offline_rows.h"
#include "support.h"

typedef struct carried {
    np_offline_rows rows;
    uint32_t phase;
} carried;

static void targets(const np_aim *aim, np_node *to)
{
    const carried *c = aim->tables;
    const np_product *product = &c->rows.plan.product;
    const np_node *at = aim->at;
    for (size_t i = 0; i < aim->count; i++) {
        np_node item = 0;
        while (c->rows.plan.packet[item] != aim->packet[i])
            item++;
        uint32_t dimension = np_product_dimension(product, c->phase);
        uint32_t target = np_offline_plan_target(&c->rows.plan, c->phase, item);
        to[i] =
            at[i] + (target - np_axes_coordinate(&product->axes, at[i], dimension)) * product->axes.stride[dimension];
    }
}

static void carry(const char *spec, const char *pattern, uint64_t seed)
{
    np_network *network = support_network(spec);
    const np_discipline *fifo;
    np_traffic *traffic;
    np_engine *engine;
    np_path *path;
    carried c = {.phase = 0};
    assert_ok(np_traffic_create(pattern, network, seed, 0, &traffic));
    assert_ok(np_path_create("greedy", network, &path));
    assert_ok(np_discipline_find("fifo", &fifo));
    assert_ok(np_offline_rows_init(&c.rows, network, NP_LINE_STRAIGHT));
    assert_ok(np_offline_rows_place(&c.rows, traffic));
    np_engine_options options = {
        .network = network, .discipline = fifo, .packets = np_traffic_packets(traffic), .workers = 1, .path = path};
    np_engine_plan plan = {
        .path = path, .phases = np_product_phases(&c.rows.plan.product), .targets = targets, .tables = &c};
    assert_ok(np_engine_create(&options, &engine));
    np_engine_place(engine, traffic);
    for (; c.phase < plan.phases; c.phase++) {
        np_phase_run here, there;
        assert_ok(np_engine_run(engine, &plan, c.phase, (np_draws){.seed = seed}, NULL, &there));
        assert_ok(np_offline_rows_run(&c.rows, c.phase, &here));
        assert_int_equal(there.steps, here.steps);
        assert_int_equal(there.hops, here.hops);
        assert_int_equal(there.delay_max, 0);
        assert_true(there.queue_max <= 1);
        assert_int_equal(there.queue_max, here.queue_max);
        if (!c.rows.plan.product.axes.wrap) { /* on rings either way may be the shorter one */
            assert_int_equal(there.population_max, here.population_max);
            assert_int_equal(there.congestion, here.congestion);
        }
    }
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        assert_int_equal(np_engine_locations(engine)[p], np_traffic_destinations(traffic)[p]);
    np_engine_free(engine);
    np_offline_rows_clear(&c.rows);
    np_path_free(path);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void same_as_engine(void **state)
{
    static const char *const specs[] = {"mesh:9x9",   "mesh:4x13",   "mesh:13x4", "mesh:3x4x5",  "array:17",
                                        "ring:12",    "ring:13",     "torus:6x7", "torus:2x3x4", "hypercube:6",
                                        "mesh:2x2x2", "torus:5x5x2", "mesh:2x9"};
    static const char *const patterns[] = {"random", "partial:0.4", "identity"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t j = 0; j < sizeof patterns / sizeof *patterns; j++)
            for (uint64_t seed = 1; seed <= 5; seed++)
                carry(specs[i], patterns[j], seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
