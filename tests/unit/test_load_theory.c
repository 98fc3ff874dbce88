/* Theorems beside curves: means that are known are those that are measured, and they apply where they are proved. */
#include "support.h"

#include <math.h>

#include "netpram/load.h"

static np_load_result *play(const char *spec, const char *traffic, const char *queue, const char *arrivals,
                            const char *loads, np_network **network)
{
    np_load_options options;
    np_load_result *result;
    *network = support_network(spec);
    np_load_options_init(&options);
    options.queue = queue;
    options.arrivals = arrivals;
    options.loads = loads;
    options.precision = 0.005;
    options.cycles = 400000;
    options.bound = true;
    assert_ok(np_load(*network, traffic, &options, &result));
    return result;
}

static const np_load_theorem *find(const np_load_result *result, const char *name)
{
    for (size_t i = 0; i < result->curve->theorems; i++)
        if (!strcmp(result->curve->theorem[i].name, name))
            return &result->curve->theorem[i];
    return NULL;
}

/* At 0.28, 0.63 and 0.81 of the load that fills the middle link, 9 / 20. The theorem has no mean beyond it. */
static void test_farthest_first(void **state)
{
    static const char *const arrivals[] = {"bernoulli", "poisson"};
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        np_network *network;
        np_load_result *result =
            play("array:9", "uniform", "farthest-first", arrivals[a], "0.126,0.284,0.365,0.5", &network);
        const np_load_theorem *t = find(result, "farthest first");
        assert_non_null(t);
        assert_true(t->applies && t->count == 4 && isnan(t->value[3]));
        for (size_t i = 0; i < 3; i++) {
            const np_load_latency *l = &result->curve->points[i].latency;
            if (!(fabs(l->mean - t->value[i]) <= 2 * l->ci95 && l->ci95 < 0.02 * l->mean))
                fail_msg("%s, point %zu: %g +- %g, not %g", arrivals[a], i, l->mean, l->ci95, t->value[i]);
        }
        np_load_free(result);
        np_network_free(network);
    }
}

static void test_where_it_applies(void **state)
{
    static const struct {
        const char *network, *traffic, *queue, *arrivals;
        bool applies;
    } cases[] = {
        {"array:4", "uniform", "farthest-first", "poisson", true},
        {"mesh:5", "uniform", "farthest-first", "bernoulli", true},
        {"array:4", "uniform", "fifo", "poisson", false},
        {"array:4", "complement", "farthest-first", "poisson", false},
        {"array:4", "uniform", "farthest-first", "periodic", false},
        {"mesh:2x2", "uniform", "farthest-first", "poisson", false},
        {"ring:4", "uniform", "farthest-first", "poisson", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network;
        np_load_result *result =
            play(cases[i].network, cases[i].traffic, cases[i].queue, cases[i].arrivals, "0.05", &network);
        if (find(result, "farthest first")->applies != cases[i].applies)
            fail_msg("case %zu: it %s", i, cases[i].applies ? "does not apply" : "applies");
        np_load_free(result);
        np_network_free(network);
    }
}

/* Of 15 senders to one terminal each may send a fifteenth; uniform traffic fills the way from a terminal at 1. */
static void test_terminals(void **state)
{
    static const struct {
        const char *network, *traffic;
        double most;
    } cases[] = {{"mesh:4x4", "incast:0", 0.066666667}, {"hypercube:4", "uniform", 1}, {"mesh:4x4@3", "complement", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.model = "flits";
        options.loads = "0.02";
        options.precision = 0.2;
        options.bound = true;
        assert_ok(np_load(network, cases[i].traffic, &options, &result));
        const np_load_theorem *t = find(result, "terminals");
        assert_true(t->applies && t->value[0] == cases[i].most);
        np_load_free(result);
        np_network_free(network);
    }
}

/* Packets that nobody meets take what is said; where they wait for their own credits nothing is said. */
static void test_meets_nobody(void **state)
{
    static const struct {
        const char *packet;
        uint32_t buffer, link;
        bool known;
    } cases[] = {
        {"4", 4, 1, true},  {"40", 8, 1, true},   {"7", 6, 1, true},
        {"4", 2, 1, false}, {"2-5", 4, 1, false}, {"9", 8, 4, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network("hypercube:3"); /* complement: all ways are alike */
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.model = "flits";
        options.loads = "0.001";
        options.packet_flits = cases[i].packet;
        options.buffer_flits = cases[i].buffer;
        options.link_delay = cases[i].link;
        assert_ok(np_load(network, "complement", &options, &result));
        double said = result->curve->zero_load_latency, mean = result->curve->points->latency.mean;
        if (isnan(said) == cases[i].known || fabs(said - mean) > 0.01 * mean)
            fail_msg("packets of %s, buffers of %u: %g, and %g is said", cases[i].packet, cases[i].buffer, mean, said);
        np_load_free(result);
        np_network_free(network);
    }
}

/* Where nothing is said, the run still waits for the first long packets before it measures. */
static void test_long_packets_fill_first(void **state)
{
    np_network *network = support_network("hypercube:3");
    np_load_options options;
    np_load_result *result;
    (void)state;
    np_load_options_init(&options);
    options.model = "flits";
    options.loads = "0.1,0.3";
    options.packet_flits = "1500";
    options.buffer_flits = 4;
    assert_ok(np_load(network, "uniform", &options, &result));
    assert_true(isnan(result->curve->zero_load_latency));
    assert_int_equal(result->curve->count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_false(result->curve->points[i].saturated);
    np_load_free(result);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_farthest_first),
        cmocka_unit_test(test_where_it_applies),
        cmocka_unit_test(test_terminals),
        cmocka_unit_test(test_meets_nobody),
        cmocka_unit_test(test_long_packets_fill_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
