/*
 * Phases finished line by line against the stepping engine, which the simulator of tests/oracle judges: everything a
 * phase leaves must be the same, packet by packet.
 */
#include "support.h"

#include "engine/queueing/inside.h"

extern const np_engine_method np_engine_lines;

typedef struct both {
    np_network *network;
    np_path *path;
    np_engine *stepping, *lines;
    np_engine_plan plan;
} both;

static void both_init(both *b, const char *spec, const char *scheme_name, const char *queue, np_packet packets,
                      unsigned workers)
{
    const np_discipline *discipline;
    b->network = support_network(spec);
    assert_ok(np_path_create("dimension-order", b->network, &b->path));
    assert_ok(np_discipline_find(queue, &discipline));
    np_engine_options options = {.network = b->network,
                                 .discipline = discipline,
                                 .packets = packets,
                                 .workers = workers,
                                 .path = b->path,
                                 .method = "stepping"};
    assert_ok(np_engine_create(&options, &b->stepping));
    options.method = "lines";
    assert_ok(np_engine_create(&options, &b->lines));
    b->plan = support_plan(scheme_name, b->network, b->path);
}

static void both_clear(both *b)
{
    np_engine_free(b->stepping);
    np_engine_free(b->lines);
    np_path_free(b->path);
    np_network_free(b->network);
}

static void assert_same_run(const np_phase_run *a, const np_phase_run *b)
{
    assert_int_equal(a->packets, b->packets);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->hops, b->hops);
    assert_int_equal(a->delay_sum, b->delay_sum);
    assert_int_equal(a->delay_max, b->delay_max);
    assert_int_equal(a->queue_max, b->queue_max);
    assert_int_equal(a->population_max, b->population_max);
    assert_int_equal(a->congestion, b->congestion);
}

/* All phases of some runs; *swept counts those that were finished line by line. */
static void judge(const char *spec, const char *scheme, const char *queue, const char *traffic_spec, unsigned workers,
                  unsigned *swept)
{
    for (uint32_t run = 0; run < 2; run++) {
        both b;
        np_network *network = support_network(spec);
        np_traffic *traffic;
        assert_ok(np_traffic_create(traffic_spec, network, 7, run, &traffic));
        np_packet packets = np_traffic_packets(traffic);
        both_init(&b, spec, scheme, queue, packets, workers);
        np_engine_place(b.stepping, traffic);
        np_engine_place(b.lines, traffic);
        for (unsigned phase = 0; phase < b.plan.phases; phase++) {
            np_phase_run one, other;
            np_draws draws = {.seed = 5, .run = run};
            assert_ok(np_engine_run(b.stepping, &b.plan, phase, draws, NULL, &one));
            assert_ok(np_engine_run(b.lines, &b.plan, phase, draws, NULL, &other));
            assert_string_equal(np_engine_served(b.stepping), "stepping");
            *swept += !strcmp(np_engine_served(b.lines), "lines");
            assert_same_run(&one, &other);
            for (np_packet p = 0; p < packets; p++) {
                assert_int_equal(b.stepping->location[p], b.lines->location[p]);
                assert_int_equal(b.stepping->length[p], b.lines->length[p]);
            }
            for (np_node u = 0; u < np_network_nodes(network); u++)
                assert_int_equal(b.stepping->population[u], b.lines->population[u]);
        }
        both_clear(&b);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

static void every_scheme_and_queue(void **state)
{
    static const char *const specs[] = {"mesh:7x7",     "mesh:3x11", "mesh:9x2", "mesh:4x3x3",
                                        "mesh:3x2x2x2", "array:20",  "array:2"};
    static const char *const schemes[] = {"xy", "overlay", "random-overlay", "k-k", "k-k-short", "grid"};
    static const char *const queues[] = {"farthest-first", "moved-first", "fifo", "nearest-origin-first"};
    static const char *const traffics[] = {"random", "h-relation:5", "hotspot:1", "partial:0.3", "identity"};
    unsigned swept = 0;
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
            for (size_t q = 0; q < sizeof queues / sizeof *queues; q++)
                for (size_t t = (i + s + q) % 2; t < sizeof traffics / sizeof *traffics; t += 2)
                    judge(specs[i], schemes[s], queues[q], traffics[t], 1 + (q == 0 && t == 1), &swept);
    assert_true(swept > 500);
}

/* Longer than a bit map has room for at first; packets of one queue that belong to one node; more than one word of
 * buckets. */
static void crowds(void **state)
{
    unsigned swept = 0;
    (void)state;
    judge("mesh:70x3", "xy", "farthest-first", "repeat:20:complement", 1, &swept);
    judge("array:200", "xy", "farthest-first", "hotspot:199", 1, &swept);
    judge("array:200", "xy", "moved-first", "random-function:9", 2, &swept);
    judge("mesh:12x12", "k-k", "farthest-first", "repeat:20:transpose", 1, &swept);
    judge("mesh:20x65", "k-k", "farthest-first", "random", 2, &swept);
    assert_int_equal(swept, 2 * (2 + 1 + 1 + 4 + 4));
    judge("array:8", "xy", "farthest-first", "repeat:600:complement", 1, &swept); /* too long for any: stepped */
    assert_int_equal(swept, 2 * (2 + 1 + 1 + 4 + 4));
}

/* Packets that turn are left to stepping, with nothing spoilt. */
static void turns(void **state)
{
    unsigned swept = 0;
    (void)state;
    judge("mesh:8x8", "greedy", "farthest-first", "random", 1, &swept);
    assert_int_equal(swept, 0);
}

static void applies(void **state)
{
    static const struct {
        const char *network, *queue;
        bool overlap, applies;
    } cases[] = {{"mesh:4x4", "fifo", false, true},   {"mesh:4x4", "fifo", true, false},
                 {"mesh:4x4", "lifo", false, false},  {"mesh:4x4", "random", false, false},
                 {"torus:4x4", "fifo", false, false}, {"array:8192", "fifo", false, true},
                 {"array:8193", "fifo", false, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_path *path;
        np_engine_options options = {.network = network, .packets = 5, .workers = 1, .overlap = cases[i].overlap};
        assert_ok(np_discipline_find(cases[i].queue, &options.discipline));
        assert_ok(np_path_create("dimension-order", network, &path));
        options.path = path;
        assert_true(np_engine_method_serves(&np_engine_lines, &options) == cases[i].applies);
        np_path_free(path);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scheme_and_queue), cmocka_unit_test(crowds),
                                       cmocka_unit_test(turns), cmocka_unit_test(applies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
