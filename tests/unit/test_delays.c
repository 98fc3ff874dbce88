/*
 * Delays and costs of links, which a network's file says: numbers worked out by hand, and distances by Floyd &
 * Warshall. Who does not heed them refuses. The packets of every step are judged in tests/prop/test_engine.c.
 */
#include <math.h>
#include <string.h>

#include "support.h"

#include "base/random.h"
#include "netpram/netpram.h"

static np_network *network_of(const char *text, const char *options)
{
    np_network *network;
    assert_ok(support_network_of_text(text, options, &network));
    return network;
}

static void assert_near(double value, double exact)
{
    if (!(fabs(value - exact) <= 1e-9 * exact))
        fail_msg("%.17g instead of %.17g", value, exact);
}

/* a -7-> b -2-> c -> a, the last without a number. */
static const char ring[] = "from,to,steps,toll\na,b,7,1\nb,c,2,9\nc,a,,1\na,c,9,30\n";

/* ---- Route ---- */

/* Ten packets from a to c by way of b, one a step: the last leaves a at 9, and nine steps later it is there. */
static void links_are_pipelines(void **state)
{
    np_network *network = network_of(ring, ":directed:delay=steps:cost=toll");
    np_node from[10], to[10];
    np_traffic *traffic;
    np_route_options options;
    np_route_result *r;
    (void)state;
    for (int i = 0; i < 10; i++)
        from[i] = np_network_find_node(network, "a"), to[i] = np_network_find_node(network, "c");
    assert_ok(np_traffic_from_arrays(network, 10, from, to, NULL, &traffic));
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.certify = true;
    assert_ok(np_route_traffic(network, traffic, &options, &r));
    assert_near(r->total_steps.mean, 18);
    assert_int_equal(r->phase[0].run[0].delay_max, 9); /* waits at a alone: what links take is none */
    assert_int_equal(r->phase[0].run[0].delay_sum, 45);
    assert_int_equal(r->phase[0].run[0].hops, 20);
    assert_int_equal(r->phase[0].run[0].population_max, 10);
    /* By both ways 1/high is 5; no packet is there before 9. */
    assert_near(r->certificate.steps_bound.mean, 9);
    np_route_result_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* ---- Distances ---- */

enum { NODES = 13, FAR = 1 << 20 };

static char *random_links(uint64_t seed, uint32_t away[NODES][NODES])
{
    static char text[NODES * 3 * 24 + 40];
    size_t length = (size_t)sprintf(text, "from,to,d\n");
    for (int u = 0; u < NODES; u++)
        for (int v = 0; v < NODES; v++)
            away[u][v] = u == v ? 0 : FAR;
    for (uint32_t i = 0; i < 3 * NODES; i++) {
        uint64_t x = np_random_mix(100 * seed + i);
        uint32_t u = i < NODES ? i : x % NODES, v = i < NODES ? (i + 1) % NODES : x / 32 % NODES, d = 1 + x / 1024 % 9;
        length += (size_t)sprintf(text + length, "%u,%u,%u\n", u, v, d);
        away[u][v] = d < away[u][v] ? d : away[u][v];
    }
    for (int w = 0; w < NODES; w++)
        for (int u = 0; u < NODES; u++)
            for (int v = 0; v < NODES; v++)
                if (away[u][w] + away[w][v] < away[u][v])
                    away[u][v] = away[u][w] + away[w][v];
    return text;
}

static void largest_distance(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint32_t away[NODES][NODES], most = 0;
        np_network *network = network_of(random_links(seed, away), ":directed:delay=d");
        np_traffic *traffic;
        np_throughput *found;
        assert_ok(np_traffic_create("rotation:3", network, 1, 0, &traffic));
        for (int u = 0; u < NODES; u++)
            most = away[u][(u + 3) % NODES] > most ? away[u][(u + 3) % NODES] : most;
        assert_ok(np_throughput_find(network, traffic, NULL, &found));
        assert_int_equal(found->distance_most, most);
        assert_true(found->steps_bound >= most);
        np_throughput_free(found);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* ---- Load ---- */

static double latency(const np_network *network, double *without_load)
{
    np_load_options options;
    np_load_result *r;
    np_load_options_init(&options);
    options.paths = "lowest-port";
    options.loads = "0.01";
    options.cycles = 40000;
    options.precision = 0.05;
    options.threads = 2;
    assert_ok(np_load(network, "uniform", &options, &r));
    *without_load = r->curve[0].zero_load_latency;
    double measured = r->curve[0].points[0].latency.mean;
    np_load_free(r);
    return measured;
}

/*
 * Ways of thousands of cycles fill for long, and nothing moves for long: neither is saturation, nor a deadlock. The
 * line's links are full at 17 / 72.
 */
static void long_links_fill(void **state)
{
    static const struct {
        const char *model, *loads;
        unsigned nodes, delay;
        double latency;
    } cases[] = {{"steps", "0.02,0.2", 17, 600, 600 * 96 / 17.0}, {"flits", "0.0005", 3, 4096, NAN}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512] = "from,to,d\n";
        for (unsigned u = 1; u < cases[i].nodes; u++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%u,%u,%u\n", u - 1, u, cases[i].delay);
        np_network *network = network_of(text, ":undirected:delay=d");
        np_load_options options;
        np_load_result *r;
        np_load_options_init(&options);
        options.model = cases[i].model;
        options.loads = cases[i].loads;
        options.threads = 1;
        assert_ok(np_load(network, "uniform", &options, &r));
        for (size_t k = 0; k < r->curve->count; k++) {
            const np_load_point *p = &r->curve->points[k];
            assert_false(p->saturated || p->stuck);
            if (!isnan(cases[i].latency))
                assert_true(fabs(p->latency.mean - cases[i].latency) < 3 * p->latency.ci95);
        }
        np_load_free(r);
        options.cycles = 2000;
        assert_refused(np_load(network, "uniform", &options, &r), NP_ERROR_INPUT, "cycles is 2000, and a packet");
        np_network_free(network);
    }
}

/* Of 9 pairs, ab 7, ac 9, bc 2, ba 3, ca 1, cb 8 by fewest hops: 30/9, and few meet anybody. */
static void load_by_steps(void **state)
{
    np_network *network = network_of(ring, ":directed:delay=steps");
    double without;
    (void)state;
    double measured = latency(network, &without);
    assert_near(without, 30.0 / 9);
    assert_true(measured > 0.93 * without && measured < 1.12 * without);
    np_network_free(network);
}

/* ---- Flows ---- */

/* Two ranks that send each other 50: 50 steps, and the longer delay. */
static const char pair[] = "from,to,steps,seconds\nx,y,7,2s\ny,x,3,1s\n";

static void collectives(void **state)
{
    np_network *network = network_of(pair, ":directed:delay=steps");
    np_collective_options options;
    np_collective_result *r;
    (void)state;
    np_collective_options_init(&options);
    options.model = "flows";
    options.data = 100;
    assert_ok(np_collective(network, "all-gather", &options, &r));
    assert_near(r->time, 57);
    np_collective_result_free(r);
    np_collective_options_init(&options);
    options.model = "flows";
    assert_ok(np_collective(network, "barrier", &options, &r));
    assert_near(r->time, 7);
    options.data = 100;
    np_collective_result_free(r);
    options.model = "rounds";
    assert_refused(np_collective(network, "all-gather", &options, &r), NP_ERROR_APPLY, "model rounds: delays");
    options.model = NULL;
    assert_refused(np_collective(network, "gossip", &options, &r), NP_ERROR_APPLY, "rounds: delays");
    np_network_free(network);
    network = network_of(pair, ":directed:delay=seconds");
    options.model = "flows";
    assert_refused(np_collective(network, "all-gather", &options, &r), NP_ERROR_INPUT, "is in s");
    options.link_rate = 80; /* 10 bytes a second */
    assert_ok(np_collective(network, "all-gather", &options, &r));
    assert_near(r->time, 7);
    np_collective_result_free(r);
    np_network_free(network);
}

static void jobs(void **state)
{
    static const np_node both[] = {0, 1};
    const np_jobs_item job = {.collective = "all-gather", .size = 100, .ranks = 2, .host = both};
    np_network *network = network_of(pair, ":directed:delay=steps");
    np_jobs_result *r;
    (void)state;
    assert_ok(np_jobs_play(network, 1, &job, NULL, &r));
    assert_near(r->makespan, 57);
    np_jobs_free(r);
    np_network_free(network);
}

static void replays(void **state)
{
    char *file = support_file("num_ranks 2\nrank 0 {\na: send 50b to 1\n}\nrank 1 {\nb: recv 50b from 0\n}\n");
    np_network *network = network_of(pair, ":directed:delay=steps");
    np_replay_options options;
    np_replay_result *r;
    (void)state;
    np_replay_options_init(&options);
    options.model = "flows";
    assert_ok(np_replay(network, file, &options, &r));
    assert_near(r->makespan, 57);
    np_replay_result_free(r);
    options.model = "steps";
    assert_refused(np_replay(network, file, &options, &r), NP_ERROR_APPLY, "model steps: delays");
    options.model = "loggops";
    assert_refused(np_replay(network, file, &options, &r), NP_ERROR_APPLY, "model loggops: delays");
    np_network_free(network);
    remove(file);
    free(file);
}

/* ---- Refusals ---- */

static void route_refuses(const np_network *network, const char *scheme, const char *phase_time, const char *text)
{
    np_route_options options;
    np_route_result *r;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.phase_time = phase_time;
    assert_refused(np_route(network, "random", &options, &r), NP_ERROR_APPLY, text);
}

static void refusals(void **state)
{
    np_network *network, *product;
    np_throughput *found;
    np_traffic *traffic;
    np_load_options load;
    np_load_result *loaded;
    np_path *path;
    (void)state;
    assert_refused(support_network_of_text(ring, ":delay=step", &network), NP_ERROR_APPLY, "did you mean 'steps'?");
    assert_refused(support_network_of_text("a b\nb a\n", ":cost=x", &network), NP_ERROR_APPLY, "there is none");
    network = network_of(ring, ":directed:delay=steps");
    route_refuses(network, "ranked", NULL, "scheme 'ranked': delays of links");
    route_refuses(network, "waves", NULL, "scheme 'waves': delays of links");
    route_refuses(network, "valiant", "20", "phase-time without overlap");
    np_network_free(network);
    network = network_of(ring, ":directed:delay=toll:cost=steps");
    assert_refused(np_path_create("spray", network, &path), NP_ERROR_INPUT, "from node c to node a has no steps");
    np_network_free(network);
    network = network_of("from,to,d\na,b,1.5\nb,a,1\n", ":directed:delay=d");
    np_route_options options;
    np_route_result *r;
    np_route_options_init(&options);
    options.scheme = "greedy";
    assert_refused(np_route(network, "random", &options, &r), NP_ERROR_INPUT,
                   "from a to b: it is whole steps, 1..4096");
    np_network_free(network);
    network = network_of(ring, ":directed:cost=toll");
    assert_refused(np_path_create("k-shortest", network, &path), NP_ERROR_APPLY, "do not heed costs");
    assert_refused(np_path_create("cheapest:steps", network, &path), NP_ERROR_APPLY, "do not heed costs");
    assert_ok(np_traffic_create("random", network, 1, 0, &traffic));
    assert_refused(np_throughput_find(network, traffic, NULL, &found), NP_ERROR_APPLY, "without paths: costs");
    np_load_options_init(&load);
    load.model = "flits";
    assert_refused(np_load(network, "uniform", &load, &loaded), NP_ERROR_APPLY, "flits: costs");
    np_traffic_free(traffic);
    np_network_free(network);
    char *file = support_file(ring), spec[200];
    snprintf(spec, sizeof spec, "product:(file:%s:undirected:delay=steps),ring:3", file);
    assert_refused(np_network_create(spec, &product), NP_ERROR_APPLY, "product: delays");
    remove(file);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_pipelines),
        cmocka_unit_test(largest_distance),
        cmocka_unit_test(load_by_steps),
        cmocka_unit_test(long_links_fill),
        cmocka_unit_test(collectives),
        cmocka_unit_test(jobs),
        cmocka_unit_test(replays),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
