/*
 * How a point under load is measured: on single queues, whose means are known. With an argument, so many runs of each
 * case, of whose intervals at least 93% must cover the mean.
 */
#include "support.h"

#include <math.h>

#include "netpram/load.h"
#include "oracle/single_queues.h"
#include "run/load/histogram.h"
#include "run/load/measure.h"

typedef struct queue_case {
    const char *process, *length;
    double load, precision, mean; /* flits a cycle */
} queue_case;

static const queue_case cases[] = {
    {"bernoulli", "4", 0.3, 0.02, 0},  {"bernoulli", "4", 0.8, 0.02, 0}, {"bernoulli", "9", 0.9, 0.05, 0},
    {"poisson", "1", 0.5, 0.02, 0},    {"poisson", "1", 0.8, 0.02, 0},   {"poisson", "1", 0.9, 0.05, 0},
    {"periodic", "1", 0.7, 0.02, 1.0},
};
enum { CASES = sizeof cases / sizeof *cases };

static double mean_of(const queue_case *c)
{
    return c->mean > 0                     ? c->mean
           : strcmp(c->process, "poisson") ? oracle_geo_d_1(c->load, atof(c->length))
                                           : oracle_m_d_1(c->load);
}

static np_load_point measure(const queue_case *c, const char *network, uint64_t seed, uint64_t cycles)
{
    np_network *of = support_network(network);
    np_arrivals_options options = {"uniform", c->process, c->load / atof(c->length), c->length, seed, 0};
    np_arrivals *arrivals;
    np_load_point point;
    assert_ok(np_arrivals_create(of, &options, &arrivals));
    np_open_options open = {.network = of, .arrivals = arrivals, .draws = {.seed = seed}, .threads = 1};
    np_measuring how = {
        .model = &oracle_single_queues, .open = &open, .offered = c->load, .precision = c->precision, .cycles = cycles};
    assert_ok(np_measure(&how, &point));
    np_arrivals_free(arrivals);
    np_network_free(of);
    return point;
}

static void test_means(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        np_load_point p = measure(&cases[i], "ring:4", 7, 4000000);
        double mean = mean_of(&cases[i]);
        if (!p.reached || p.saturated || fabs(p.latency.mean - mean) > 2 * p.latency.ci95 + 1e-9)
            fail_msg("case %zu: %g +- %g, not %g", i, p.latency.mean, p.latency.ci95, mean);
        assert_true(fabs(p.accepted - p.offered) < 0.02 * p.offered);
        assert_true(p.latency.p50 <= p.latency.p99 && p.latency.p99 <= p.latency.p999 &&
                    p.latency.p999 <= p.latency.max);
    }
}

/*
 * At a load of 0.9 windows whose latencies happen to be low are narrow, too: of 40 intervals, 38 hold the mean, and 33
 * if the windows before do not count. The seeds are fixed.
 */
static void test_narrow_windows(void **state)
{
    const queue_case *heavy = &cases[5];
    int covered = 0;
    (void)state;
    for (uint64_t seed = 1110; seed < SUPPORT_FEWER(1150U, 1120U); seed++) {
        np_load_point p = measure(heavy, "ring:4", seed, 4000000);
        assert_true(p.reached && p.latency.ci95 <= heavy->precision * p.latency.mean);
        covered += fabs(p.latency.mean - mean_of(heavy)) <= p.latency.ci95;
    }
    assert_true(covered >= SUPPORT_FEWER(36, 8));
}

static void test_saturation(void **state)
{
    static const struct {
        double load;
        bool saturated;
    } loads[] = {{0.9, false}, {0.97, false}, {1.03, true}, {1.1, true}, {2, true}};
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        queue_case c = {"poisson", "1", loads[i].load, 0.05, 0};
        np_load_point p = measure(&c, "ring:16", 3, 400000);
        if (p.saturated != loads[i].saturated)
            fail_msg("load %g is %ssaturated", loads[i].load, p.saturated ? "" : "not ");
        if (p.saturated)
            assert_true(fabs(p.accepted - 1) < 0.001 && p.fairness > 0.99 && p.latency.max >= p.latency.p50);
    }
}

static void test_histogram(void **state)
{
    np_histogram h = {NULL, 0, 0, 0}, more = {NULL, 0, 0, 0};
    (void)state;
    for (uint64_t v = 1; v <= 1000; v++)
        assert_ok(np_histogram_add(v % 2 ? &h : &more, v, 1));
    assert_ok(np_histogram_move(&h, &more));
    assert_int_equal(h.values, 1000);
    assert_int_equal(more.values, 0);
    assert_int_equal(np_histogram_quantile(&h, 50, 100), 500);
    assert_int_equal(np_histogram_quantile(&h, 999, 1000), 999);
    assert_int_equal(np_histogram_quantile(&h, 1, 1), 1000);
    np_histogram_clear(&h);
    np_histogram_clear(&more);
}

/* A ramp of 20 groups, then a level: the cut is where the level begins. A ramp to the end has not settled. */
static void test_mser(void **state)
{
    double value[500];
    (void)state;
    for (size_t i = 0; i < 500; i++)
        value[i] = (i < 100 ? (double)i : 100) + (double)(i * 7919 % 13);
    size_t cut = np_mser(500, value);
    assert_true(cut >= 90 && cut <= 110);
    for (size_t i = 0; i < 500; i++)
        value[i] = (double)i;
    assert_int_equal(np_mser(500, value), 500);
}

/*
 * Where the last come is served first, some packets are late by more than a window: what counts are the packets that
 * were created in the window alone, whatever else has arrived by the end. All of it keeps to the cycles allowed.
 */
static void test_late_packets(void **state)
{
    static const char *const queues[] = {"lifo", "farthest-first", "random"};
    np_network *network = support_network("mesh:8x8");
    (void)state;
    for (unsigned i = 0; i < 9; i++) {
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.queue = queues[i % 3];
        options.seed = 1 + i / 3;
        options.loads = "0.3,0.35,0.4,0.43,0.45,0.47,0.6,0.9";
        options.precision = 0.2;
        options.cycles = 1000;
        options.threads = 1;
        assert_ok(np_load(network, "uniform", &options, &result));
        for (size_t k = 0; k < result->curve->count; k++) {
            const np_load_point *p = &result->curve->points[k];
            double created = p->offered * 64 * (double)p->measured;
            assert_true(p->measured <= 1000 && p->warmup <= 1500);
            if (!p->saturated) {
                assert_true(p->warmup <= 500);
                assert_true(fabs((double)p->packets - created) < 5 * sqrt(created));
            }
        }
        np_load_free(result);
    }
    np_network_free(network);
}

/*
 * By hand. Valiant's way on a cube of n dimensions takes n hops on average, with the packets for their own node, and a
 * link carries 2 x 1/2; on a HyperX of 3 x 3 it takes 2 x 2 x 2/3 hops, and a link carries 2 x 1/3, whatever hosts'
 * cables carry. In a fat tree of k = 4 the host by which a packet goes is below another switch of 7 in 8, in another
 * pod in 6: 3.25 hops a phase; an edge switch sends twice 7/8 of what its two hosts send up four links in two planes.
 * Four cycles a router, and two more. All packets take all links of a way through Omega, those from input i to output i
 * too, and each link carries a packet a step at load 1.
 */
static void test_ideal(void **state)
{
    static const struct {
        const char *model, *network, *paths, *name;
        double latency, load;
    } ideal[] = {
        {"flits", "hypercube:3", "valiant", "valiant:dimension-order", 18, 1},
        {"flits", "hyperx:3x3@1", "valiant", "valiant:dimension-order", (8 / 3.0 + 1) * 4 + 2, 1.5},
        {"flits", "kary-tree:2x3", "valiant", "valiant:up-down", 26, 2 / 3.0},
        {"flits", "planes:2,fat-tree:k=4", "valiant:spray", "valiant:spray", (6.5 + 1) * 4 + 2, 8 / 7.0},
        {"flits", "planes:2,fat-tree:k=4", "valiant", "valiant:shortest", NAN, NAN},
        {"flits", "mesh:4x4@2", "greedy", "dimension-order", 16, 0.5},
        {"flits", "mesh:4x4", "adaptive", "adaptive", NAN, NAN},
        {"steps", "omega:3", "greedy", "unique", 3, 1},
        {"steps", "hypercube:4", "greedy", "dimension-order", 2, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof ideal / sizeof *ideal; i++) {
        np_network *network = support_network(ideal[i].network);
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.model = ideal[i].model;
        options.paths = ideal[i].paths;
        options.loads = "0.01";
        options.cycles = 1000;
        options.threads = 1;
        assert_ok(np_load(network, "uniform", &options, &result));
        const np_load_curve *c = result->curve;
        assert_string_equal(c->paths, ideal[i].name);
        assert_true(isnan(c->zero_load_latency) == isnan(ideal[i].latency));
        assert_true(isnan(c->ideal_throughput) == isnan(ideal[i].load));
        if (fabs(c->zero_load_latency - ideal[i].latency) > 1e-9 || fabs(c->ideal_throughput - ideal[i].load) > 1e-9)
            fail_msg("%s by %s: %.9g cycles, full at %.9g", ideal[i].network, c->paths, c->zero_load_latency,
                     c->ideal_throughput);
        np_load_free(result);
        np_network_free(network);
    }
}

static void count_point(void *context, const char *paths, const np_load_point *point)
{
    (void)paths, (void)point;
    ++*(unsigned *)context;
}

/* A rule that does not apply is refused before the curve of another one is measured. */
static void test_wrong_paths(void **state)
{
    static const char *const models[] = {"steps", "flits"},
                             *const paths[] = {"dimension-order,shuffle", "dimension-order,spray"},
                             *const said[] = {"no path rule 'shuffle'", "paths 'spray' on mesh:4x4 may deadlock"};
    np_network *network = support_network("mesh:4x4");
    (void)state;
    for (int i = 0; i < 2; i++) {
        unsigned points = 0;
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.model = models[i];
        options.paths = paths[i];
        options.loads = "0.1";
        options.on_point = count_point;
        options.context = &points;
        assert_refused(np_load(network, "uniform", &options, &result), i ? NP_ERROR_DEADLOCK : NP_ERROR_INPUT, said[i]);
        assert_int_equal(points, 0);
    }
    np_network_free(network);
}

/* Loads between two that are close to each other are measured once, and those two as they were given. */
static void test_close_loads(void **state)
{
    np_network *network = support_network("ring:4");
    np_load_options options;
    np_load_result *result;
    (void)state;
    np_load_options_init(&options);
    options.from = 0.1234567;
    options.to = 0.1234594;
    options.cycles = 1000;
    options.threads = 1;
    assert_ok(np_load(network, "uniform", &options, &result));
    const np_load_curve *c = result->curve;
    assert_int_equal(c->count, 5);
    assert_true(c->points[0].offered == options.from && c->points[4].offered == options.to);
    for (size_t i = 1; i < c->count; i++)
        assert_true(c->points[i].offered > c->points[i - 1].offered);
    np_load_free(result);
    np_network_free(network);
}

/* Batches of less than two latencies are alike beyond their neighbours: intervals of such ones were too narrow. */
static void test_long_batches(void **state)
{
    np_network *network = support_network("mesh:4x4");
    np_load_options options;
    np_load_result *result;
    (void)state;
    np_load_options_init(&options);
    options.model = "flits";
    options.loads = "0.1,0.5";
    options.precision = 0.3;
    options.threads = 1;
    assert_ok(np_load(network, "uniform", &options, &result));
    for (size_t i = 0; i < 2; i++) {
        const np_load_point *p = &result->curve->points[i];
        assert_true(p->reached && (double)p->measured >= 32 * 2 * p->latency.mean);
    }
    np_load_free(result);
    np_network_free(network);
}

static double interval_of_packets(size_t batches, double packets)
{
    double sum[48], size[48];
    for (size_t i = 0; i < batches; i++) {
        sum[i] = 3 * packets;
        size[i] = packets;
    }
    return np_batch_interval(batches, sum, size);
}

/* A packet or two say nothing of how packets differ. */
static void test_few_packets(void **state)
{
    (void)state;
    assert_true(isnan(interval_of_packets(32, 0)));
    assert_true(isnan(interval_of_packets(32, 1)));
    assert_true(isnan(interval_of_packets(1, 100)));
    assert_true(interval_of_packets(32, 2) == 0);
}

static int cover(int runs)
{
    int bad = 0;
    for (size_t i = 0; i < CASES - 1; i++) {
        int covered = 0, saturated = 0;
        double wide = 0;
        for (int run = 0; run < runs; run++) {
            np_load_point p = measure(&cases[i], "ring:4", 1000 + (uint64_t)run, 4000000);
            saturated += p.saturated;
            covered += fabs(p.latency.mean - mean_of(&cases[i])) <= p.latency.ci95;
            wide += p.saturated ? 0 : p.latency.ci95 / p.latency.mean / runs;
        }
        printf("%s, %s flits, load %g: %.2f%% of %d intervals cover the mean, half-width %.2f%%, %d saturated\n",
               cases[i].process, cases[i].length, cases[i].load, 100.0 * covered / runs, runs, 100 * wide, saturated);
        bad += covered < 0.93 * runs;
    }
    return bad;
}

/* The points of a mesh at these loads, whose terminals have room for so many flits. */
static void measure_bounded(const char *loads, uint32_t room, np_load_result **out)
{
    np_load_options o;
    np_load_options_init(&o);
    o.model = "flits";
    o.paths = "dimension-order";
    o.packet_flits = "1-3";
    o.loads = loads;
    o.cycles = 20000;
    o.precision = 0.1;
    o.threads = 1;
    o.source_flits = room;
    assert_ok(np_load(support_network("mesh:4x4"), "uniform", &o, out));
}

/* What is offered is accepted or refused. A point is saturated if it refuses more than 2%, and not otherwise. */
static void test_refusing_sources(void **state)
{
    np_load_result *bounded, *wide, *any;
    (void)state;
    measure_bounded("0.15,0.6,0.9", 4, &bounded);
    for (size_t i = 0; i < 3; i++) {
        const np_load_point *p = &bounded->curve->points[i];
        assert_true(fabs(p->accepted + p->refused - p->offered) < 0.02 * p->offered);
        assert_true(p->refused > 0 && p->saturated == (p->refused > 0.02 * p->offered));
    }
    assert_false(bounded->curve->points[0].saturated);
    assert_true(bounded->curve->points[2].saturated);
    measure_bounded("0.3", 60000, &wide); /* as if there were no bound */
    measure_bounded("0.3", 0, &any);
    assert_true(isnan(any->curve->points->refused) && !wide->curve->points->refused);
    assert_memory_equal(&any->curve->points->latency, &wide->curve->points->latency, sizeof(np_load_latency));
    const np_load_result *results[] = {bounded, wide, any};
    for (size_t i = 0; i < 3; i++) {
        np_network *network = (np_network *)results[i]->network;
        np_load_free((np_load_result *)results[i]);
        np_network_free(network);
    }
}

/* Channels of links, each from where the one before it leads, and back to the first. Returns how many there are. */
static unsigned follow(const np_network *network, const char *waits)
{
    unsigned first = 0, at = 0, from, to, channel, count = 0;
    int used;
    for (; sscanf(waits, "%u->%u (channel %u)%n", &from, &to, &channel, &used) == 3; count++) {
        bool joined = false;
        for (np_link e = np_network_first_link(network, from); e < np_network_first_link(network, from + 1); e++)
            joined |= np_network_link_head(network, e) == to;
        assert_true(joined && channel == 0);
        if (!count)
            first = from;
        else
            assert_int_equal(from, at);
        at = to;
        waits += used;
        waits += strncmp(waits, ", ", 2) ? 0 : 2;
    }
    if (strcmp(waits, "...") != 0) {
        assert_string_equal(waits, "");
        assert_int_equal(at, first);
    }
    return count;
}

/* Routes that may deadlock are refused, or played until nothing moves; then it is said who waits for whom. */
static void test_standstill(void **state)
{
    static const struct {
        const char *network, *paths, *length;
        unsigned least; /* channels of a circle */
    } stuck[] = {{"ring:8", "shortest", "1", 8},
                 {"torus:4x4", "shortest", "20", 4},
                 {"torus:8x8", "adaptive:no-escape", "4", 4}};
    (void)state;
    for (size_t i = 0; i < sizeof stuck / sizeof *stuck; i++) {
        np_network *network = support_network(stuck[i].network);
        np_load_options options;
        np_load_result *result;
        char waits[sizeof result->curve->points->waits] = "";
        np_load_options_init(&options);
        options.model = "flits";
        options.paths = stuck[i].paths;
        options.packet_flits = stuck[i].length;
        options.loads = "0.9";
        options.channels = 1;
        assert_refused(np_load(network, "uniform", &options, &result), NP_ERROR_DEADLOCK, "may deadlock");
        options.may_deadlock = true;
        for (options.threads = 1; options.threads <= 3; options.threads += 2) {
            assert_ok(np_load(network, "uniform", &options, &result));
            const np_load_point *p = result->curve->points;
            assert_true(p->stuck && p->accepted < p->offered);
            assert_true(follow(network, p->waits) >= stuck[i].least);
            assert_true(options.threads == 1 || !strcmp(waits, p->waits));
            strcpy(waits, p->waits);
            np_load_free(result);
        }
        np_network_free(network);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_mser),
        cmocka_unit_test(test_refusing_sources),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_narrow_windows),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_late_packets),
        cmocka_unit_test(test_few_packets),
        cmocka_unit_test(test_ideal),
        cmocka_unit_test(test_close_loads),
        cmocka_unit_test(test_wrong_paths),
        cmocka_unit_test(test_long_batches),
        cmocka_unit_test(test_standstill),
    };
    return argc > 1 ? cover(atoi(argv[1])) : cmocka_run_group_tests(tests, NULL, NULL);
}
