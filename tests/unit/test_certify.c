/* route --certify: what no schedule can beat, against closed forms, an exact linear program and all schemes. */
#include "support.h"

#include <math.h>

#include "oracle/concurrent.h"
#include "run/route/scheme.h"
#include "verdict/throughput/steps.h"

static np_route_options certifying(const char *scheme, uint32_t runs)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.runs = runs;
    options.certify = true;
    return options;
}

static np_route_result *route(const np_network *network, const char *traffic, const np_route_options *options)
{
    np_route_result *result;
    assert_ok(np_route(network, traffic, options, &result));
    return result;
}

/* ---- Closed forms ---- */

static void closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic;
        double steps;
    } cases[] = {
        {"torus:8x8", "all-to-all", 64},                                      /* 64 packets over each link */
        {"hypercube:6", "all-to-all", 32},  {"hypercube:6", "complement", 6}, /* the distance */
        {"ring:9", "rotation:1", 1},        {"array:8", "all-to-all", 16},    /* the link in the middle */
        {"tree:2x3", "all-to-all", 56},     {"ring:9", "identity", 0},
        {"mesh:24x24", "all-to-all", 3456}, /* in a second: the search alone would take hours */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        const np_route_options options = certifying("greedy", 1);
        np_route_result *r = route(network, cases[i].traffic, &options);
        assert_true(r->certificate.steps_bound.mean == cases[i].steps);
        if (cases[i].steps > 0)
            assert_true(fabs(r->certificate.ratio.mean - r->total_steps.mean / cases[i].steps) < 1e-12);
        else
            assert_int_equal(r->certificate.ratio.count, 0);
        np_route_result_free(r);
        np_network_free(network);
    }
}

/* On a few nodes, the exact optimum says what the bound is to be: never more, and at most a hundredth less. */
static void linear_program(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        np_network *network;
        np_traffic *traffic;
        uint64_t steps;
        oracle_concurrent_draw(seed, &network, &traffic);
        assert_ok(np_steps_bound(network, traffic, 1, NULL, &steps));
        double exact = 1 / oracle_concurrent(network, traffic);
        assert_true((double)steps >= ceil(exact * 0.99 - 1e-9));
        assert_true((double)steps <= fmax(ceil(exact - 1e-9), 5)); /* or a distance */
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* ---- Every scheme needs so many steps ---- */

static bool all_slower(const np_network *network, const char *scheme)
{
    const np_route_options options = certifying(scheme, 2);
    np_route_result *r;
    np_status st = np_route(network, "random", &options, &r);
    if (st == NP_ERROR_APPLY || st == NP_ERROR_INPUT)
        return false;
    assert_ok(st);
    if (r->certificate.ratio.count && r->certificate.ratio.min < 1)
        fail_msg("%s on %s: %g steps, and %g are needed", scheme, np_network_spec(network), r->total_physical_steps.min,
                 r->certificate.steps_bound.min);
    np_route_result_free(r);
    return true;
}

static void no_scheme_beats_it(void **state)
{
    (void)state;
    static const char *const networks[] = {"hypercube:5",  "shuffle:2x5",    "shuffle-exchange:5",
                                           "ccc:3",        "mesh:6x6",       "torus:5x5",
                                           "array:20",     "ring:15",        "fat-tree:4",
                                           "omega:4",      "butterfly-io:3", "butterfly:3",
                                           "crossbar:8",   "torus:4x4@2",    "dragonfly:a=4,p=2,h=2",
                                           "tree:4",       "star:4",         "mesh-of-trees:4",
                                           "kary-tree:2x3"};
    const np_scheme *scheme;
    size_t done = 0;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        np_network *network = support_network(networks[i]);
        for (size_t k = 0; (scheme = np_registry_entry(&np_schemes, k)); k++)
            done += all_slower(network, scheme->info.name);
        np_network_free(network);
    }
    assert_true(done > 80);
}

/* ---- Runs, threads ---- */

/* Each run has its own traffic, and its own bound; the same for any number of threads. */
static void runs(void **state)
{
    (void)state;
    np_network *network = support_network("torus:6x6");
    np_route_options options = certifying("valiant", 12);
    options.threads = 1;
    np_route_result *one = route(network, "uniform", &options);
    options.threads = 3;
    np_route_result *three = route(network, "uniform", &options);
    assert_memory_equal(one->certificate.run, three->certificate.run, 12 * sizeof(uint64_t));
    assert_true(one->certificate.steps_bound.min < one->certificate.steps_bound.max);
    for (uint32_t r = 0; r < 12; r++) {
        options.first_run = r;
        options.runs = 1;
        np_route_result *alone = route(network, "uniform", &options);
        assert_int_equal(alone->certificate.run[0], one->certificate.run[r]);
        assert_true(alone->certificate.ratio.mean >= one->certificate.ratio.min);
        np_route_result_free(alone);
    }
    np_route_result_free(one);
    np_route_result_free(three);
    np_network_free(network);
}

static void links_that_are_down(void **state)
{
    (void)state;
    np_network *network = support_network("ring:8");
    np_route_options options = certifying("greedy", 1);
    np_route_result *whole = route(network, "rotation:1", &options);
    options.fail = "0.13"; /* one of 8 cables: a packet goes round */
    options.paths = "shortest";
    np_route_result *cut = route(network, "rotation:1", &options);
    assert_true(whole->certificate.run[0] == 1 && cut->certificate.run[0] >= 7);
    np_route_result_free(whole);
    np_route_result_free(cut);
    np_network_free(network);
}

static void refusals(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:3"), *crossbar = support_network("crossbar:4");
    np_route_options options = certifying("ranked", 1);
    np_route_result *r;
    options.merge.combine = NP_COMBINE_SUM;
    assert_refused(np_route(network, "random", &options, &r), NP_ERROR_INPUT, "packets that combine");
    options = certifying("circuits", 1);
    if (np_scheme_applies("circuits", crossbar) == NP_OK)
        assert_refused(np_route(crossbar, "random", &options, &r), NP_ERROR_APPLY, "all links of its way in one step");
    options = certifying("greedy", 1);
    options.memory_limit = 30000;
    assert_refused(np_route(network, "random", &options, &r), NP_ERROR_LIMIT, "");
    np_network_free(network);
    np_network_free(crossbar);
}

/* What is promised is enough. */
static void memory(void **state)
{
    (void)state;
    static const char *const networks[] = {"hypercube:7", "torus:12x12", "ring:100", "tree:6"};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        np_network *network = support_network(networks[i]);
        np_traffic *traffic;
        uint64_t steps;
        assert_ok(np_traffic_create("all-to-all", network, 1, 0, &traffic));
        for (unsigned threads = 1; threads <= 3; threads++) {
            support_memory_count(true);
            assert_ok(np_steps_bound(network, traffic, threads, NULL, &steps));
            uint64_t peak = support_memory_peak();
            support_memory_count(false);
            assert_true(peak <= np_steps_bound_bytes(network, np_traffic_packets(traffic), threads) + (64 << 10));
        }
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(linear_program),      cmocka_unit_test(no_scheme_beats_it),
        cmocka_unit_test(runs),         cmocka_unit_test(links_that_are_down), cmocka_unit_test(refusals),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
