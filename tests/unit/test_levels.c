/*
 * The level engine against the stepping engine, which the simulator of
 * tests/oracle judges: everything a phase leaves must be the same, packet by
 * packet.
 */
#include "support.h"

#include "engine/queueing/inside.h"

extern const np_engine_method np_engine_levels;

typedef struct both {
    np_network *network;
    np_path *path;
    np_engine *stepping, *levels;
    np_engine_plan plan;
} both;

static void both_init(both *b, const char *spec, const char *scheme_name, np_packet packets, unsigned workers)
{
    const np_discipline *fifo;
    b->network = support_network(spec);
    assert_ok(np_path_create("dimension-order", b->network, &b->path));
    assert_ok(np_discipline_find("fifo", &fifo));
    np_engine_options options = {.network = b->network,
                                 .discipline = fifo,
                                 .packets = packets,
                                 .workers = workers,
                                 .path = b->path,
                                 .method = "stepping"};
    assert_ok(np_engine_create(&options, &b->stepping));
    options.method = "levels";
    assert_ok(np_engine_create(&options, &b->levels));
    b->plan = support_plan(scheme_name, b->network, b->path);
}

static void both_clear(both *b)
{
    np_engine_free(b->stepping);
    np_engine_free(b->levels);
    np_path_free(b->path);
    np_network_free(b->network);
}

/* Runs all phases of the traffic, which it frees, on both; returns whether the level engine did the last one itself. */
static bool same_outcome_of(const char *spec, const char *scheme, np_traffic *traffic, unsigned workers, uint32_t run)
{
    np_packet packets = np_traffic_packets(traffic);
    both b;
    both_init(&b, spec, scheme, packets, workers);
    np_engine_place(b.stepping, traffic);
    np_engine_place(b.levels, traffic);
    for (unsigned phase = 0; phase < b.plan.phases; phase++) {
        np_draws draws = {.seed = 7, .run = run};
        np_phase_run want = {0}, got = {0};
        assert_ok(np_engine_run(b.stepping, &b.plan, phase, draws, NULL, &want));
        assert_ok(np_engine_run(b.levels, &b.plan, phase, draws, NULL, &got));
        assert_string_equal(np_engine_served(b.stepping), "stepping");
        assert_memory_equal(&got, &want, sizeof want);
        assert_memory_equal(np_engine_locations(b.levels), np_engine_locations(b.stepping), packets * sizeof(np_node));
        assert_memory_equal(np_engine_delays(b.levels), np_engine_delays(b.stepping), packets * sizeof(uint32_t));
        assert_memory_equal(b.levels->population, b.stepping->population,
                            np_network_nodes(b.network) * sizeof *b.levels->population);
    }
    bool served = !strcmp(np_engine_served(b.levels), "levels");
    both_clear(&b);
    np_traffic_free(traffic);
    return served;
}

static bool same_outcome(const char *spec, const char *scheme, const char *pattern, unsigned workers, uint32_t run)
{
    np_network *network = support_network(spec);
    np_traffic *traffic;
    assert_ok(np_traffic_create(pattern, network, 7, run, &traffic));
    np_network_free(network);
    return same_outcome_of(spec, scheme, traffic, workers, run);
}

/* More instants than the first lanes of a row hold, in groups of which some end early. */
static void larger_and_longer(void **state)
{
    (void)state;
    assert_true(same_outcome("hypercube:16", "cubes", "h-relation:5", 2, 0));
    assert_true(same_outcome("hypercube:17", "cubes", "identity", 1, 0));
}

static void every_size_and_number_of_workers(void **state)
{
    static const char *const patterns[] = {"identity", "random", "h-relation:3", "partial:0.3", "random-function:2"};
    static const unsigned workers[] = {1, 2, 3, 7};
    (void)state;
    for (unsigned n = 2; n <= 13; n++)
        for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
            char spec[32];
            snprintf(spec, sizeof spec, "hypercube:%u", n);
            unsigned w = workers[(n + p) % 4];
            assert_true(same_outcome(spec, "cubes", patterns[p], w, n));
            assert_true(same_outcome(spec, "complement", patterns[p], w, n));
        }
}

/* Many first packets in one queue, and packets that arrive in one instant over different links: the orders matter. */
static void crowded_queues(void **state)
{
    (void)state;
    for (uint32_t run = 0; run < 40; run++) {
        assert_true(same_outcome("hypercube:3", "cubes", "h-relation:9", 1, run));
        assert_true(same_outcome("hypercube:4", "greedy", "h-relation:6", 2, run));
        assert_true(same_outcome("hypercube:5", "greedy", "all-to-all", 1, run));
        assert_true(same_outcome("hypercube:12", "greedy", "random-function:4", 2, run % 3));
    }
}

/* What its tables cannot hold is left to stepping, from any point on, and the outcome is the same. */
static void concentrated_traffic_is_stepped(void **state)
{
    (void)state;
    assert_false(same_outcome("hypercube:10", "greedy", "hotspot:5", 2, 0));    /* populations */
    assert_false(same_outcome("hypercube:13", "greedy", "hotspot:5", 1, 0));    /* room in a group */
    assert_false(same_outcome("hypercube:14", "greedy", "bit-reversal", 1, 0)); /* instants */
    assert_false(same_outcome("hypercube:9", "cubes", "hotspot:1", 3, 1));      /* phase A is served, B is not */
    assert_true(same_outcome("hypercube:8", "greedy", "bit-reversal", 1, 0));
}

/* `each` packets from every node 2^i with i in low .. high - 1 to node 0 of the 2^13-node cube. */
static bool neighbours_send(unsigned low, unsigned high, unsigned each)
{
    np_network *network = support_network("hypercube:13");
    np_node source[1000], destination[1000] = {0};
    np_traffic *traffic;
    size_t packets = 0;
    for (unsigned i = low; i < high; i++)
        for (unsigned k = 0; k < each; k++)
            source[packets++] = UINT32_C(1) << i;
    assert_ok(np_traffic_from_arrays(network, packets, source, destination, NULL, &traffic));
    np_network_free(network);
    return same_outcome_of("hypercube:13", "greedy", traffic, 2, 0);
}

/* Each limit of the tables by itself, and just below it. */
static void limits_of_the_tables(void **state)
{
    (void)state;
    assert_true(neighbours_send(0, 13, 18));   /* a population of 234, known to be at most 18 + 13 * 18 = 252 */
    assert_false(neighbours_send(0, 13, 30));  /* a population of 390 in a row of bytes */
    assert_true(neighbours_send(12, 13, 31));  /* the last instant that is kept between the halves */
    assert_false(neighbours_send(12, 13, 32)); /* one later */
    assert_true(neighbours_send(0, 1, 61));
    assert_false(neighbours_send(0, 1, 64)); /* past the last instant of a row */
}

static void applies_only_where_it_is_exact(void **state)
{
    np_network *cube = support_network("hypercube:6"), *torus = support_network("torus:8x8");
    np_path *ascending, *random, *grid;
    const np_discipline *fifo, *lifo;
    (void)state;
    assert_ok(np_path_create("dimension-order", cube, &ascending));
    assert_ok(np_path_create("random-order", cube, &random));
    assert_ok(np_path_create("dimension-order", torus, &grid));
    assert_ok(np_discipline_find("fifo", &fifo));
    assert_ok(np_discipline_find("lifo", &lifo));
    np_engine_options options = {.network = cube, .discipline = fifo, .packets = 64, .workers = 1, .path = ascending};
    assert_true(np_engine_method_serves(&np_engine_levels, &options));
    options.overlap = true;
    assert_false(np_engine_method_serves(&np_engine_levels, &options));
    options.overlap = false;
    options.watched = true;
    assert_false(np_engine_method_serves(&np_engine_levels, &options));
    options.watched = false;
    options.discipline = lifo;
    assert_false(np_engine_method_serves(&np_engine_levels, &options));
    options.discipline = fifo;
    options.path = random;
    assert_false(np_engine_method_serves(&np_engine_levels, &options));
    options.network = torus;
    options.path = grid;
    assert_false(np_engine_method_serves(&np_engine_levels, &options));
    np_engine *engine;
    options.method = "level";
    assert_refused(np_engine_create(&options, &engine), NP_ERROR_INPUT, "no method 'level': did you mean 'levels'?");
    assert_null(engine);
    np_path_free(ascending);
    np_path_free(random);
    np_path_free(grid);
    np_network_free(cube);
    np_network_free(torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_and_number_of_workers),
        cmocka_unit_test(larger_and_longer),
        cmocka_unit_test(crowded_queues),
        cmocka_unit_test(concentrated_traffic_is_stepped),
        cmocka_unit_test(limits_of_the_tables),
        cmocka_unit_test(applies_only_where_it_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
