/* Closed loop, by closed forms: two terminals that send to each other, and Little's law. */
#include "support.h"

#include <math.h>

#include "netpram/load.h"

static np_load_result *play(const np_network *network, const char *traffic, const char *window, unsigned threads)
{
    np_load_options options;
    np_load_result *result;
    np_load_options_init(&options);
    options.window = window;
    options.threads = threads;
    assert_ok(np_load(network, traffic, &options, &result));
    return result;
}

/*
 * A request is made at 0, is at the other terminal at 1, is answered at 2, and the reply is back at 3; the next request
 * is made at 4. Each link carries a request and a reply of every round trip: two of them a terminal fill the links, and
 * with a window of W each waits until W trips have passed, 2 W cycles after it was made.
 */
static void test_two_terminals(void **state)
{
    static const struct {
        double accepted, trip;
    } want[] = {{0.25, 3}, {0.5, 3}, {0.5, 5}, {0.5, 15}};
    np_network *network = support_network("complete:2");
    np_load_result *result = play(network, "complement", "1,2,3,8", 1);
    (void)state;
    assert_int_equal(result->curve->count, 4);
    for (size_t i = 0; i < 4; i++) {
        const np_load_point *p = &result->curve->points[i];
        assert_int_equal(p->window, i == 3 ? 8 : i + 1);
        assert_true(isnan(p->offered) && !p->saturated && p->reached);
        assert_true(fabs(p->accepted - want[i].accepted) < 1e-9);
        assert_true(fabs(p->latency.mean - want[i].trip) < 1e-9);
        assert_true(p->hops == 2);
    }
    np_load_free(result);
    np_network_free(network);
}

/* Round trips a cycle = window / (mean round trip + 1): within the precision, of windows that are not the same. */
static void test_little(void **state)
{
    /* of torus:4x4@2, whose greedy paths are tables, the paths of replies are found when these are made */
    static const struct {
        const char *network, *traffic;
    } cases[] = {{"torus:4x4", "uniform"},
                 {"torus:4x4", "tornado"},
                 {"torus:4x4", "incast:0"},
                 {"torus:4x4", "hotspot:3:0.2"},
                 {"torus:4x4@2", "uniform"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_load_result *result = play(network, cases[i].traffic, "1,4,16", 1);
        for (size_t k = 0; k < 3; k++) {
            const np_load_point *p = &result->curve->points[k];
            double want = p->window / (p->latency.mean + 1);
            if (fabs(p->accepted - want) > 0.02 * want)
                fail_msg("%s, window %u: %g round trips, not %g", cases[i].traffic, p->window, p->accepted, want);
        }
        np_load_free(result);
        np_network_free(network);
    }
}

/* All send to 0, which has four links in: no more than 4 requests arrive a cycle, and no more than 4 replies leave. */
static void test_incast(void **state)
{
    np_network *network = support_network("torus:4x4");
    np_load_result *result = play(network, "incast:0", "32", 1);
    const np_load_point *p = result->curve->points;
    (void)state;
    assert_true(p->accepted * 15 <= 4.0001 && p->accepted * 15 > 2);
    np_load_free(result);
    np_network_free(network);
}

/* Requests of a large window take longer than the cycles allowed: no closed loop is saturated, all the same. */
static void test_few_cycles(void **state)
{
    np_network *network = support_network("ring:4");
    np_load_options options;
    np_load_result *result;
    (void)state;
    np_load_options_init(&options);
    options.window = "1024";
    options.cycles = 2000;
    assert_ok(np_load(network, "uniform", &options, &result));
    const np_load_point *p = result->curve->points;
    assert_true(!p->saturated && !p->reached && p->packets && isnan(p->latency.ci95));
    np_load_free(result);
    np_network_free(network);
}

static void test_same_for_any_threads(void **state)
{
    np_network *network = support_network("torus:4x4");
    np_load_result *one = play(network, "uniform", "3", 1);
    (void)state;
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        np_load_result *many = play(network, "uniform", "3", threads);
        assert_true(one->curve->points->latency.mean == many->curve->points->latency.mean &&
                    one->curve->points->latency.max == many->curve->points->latency.max &&
                    one->curve->points->accepted == many->curve->points->accepted &&
                    one->curve->points->fairness == many->curve->points->fairness);
        np_load_free(many);
    }
    np_load_free(one);
    np_network_free(network);
}

static void refuse(const char *traffic, const char *window, const char *loads, bool bound, const char *paths,
                   const char *message, np_status status)
{
    np_network *network = support_network("torus:4x4");
    np_load_options options;
    np_load_result *result;
    np_load_options_init(&options);
    options.window = window;
    options.loads = loads;
    options.bound = bound;
    options.paths = paths;
    assert_refused(np_load(network, traffic, &options, &result), status, message);
    assert_null(result);
    np_network_free(network);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("uniform", "2", "0.1", false, "greedy", "loads has no meaning with a window", NP_ERROR_INPUT);
    refuse("uniform", "2", NULL, true, "greedy", "bound has no meaning with a window", NP_ERROR_INPUT);
    refuse("uniform", "0", NULL, false, "greedy", "write whole numbers, 1..1024, as in 1,2,4", NP_ERROR_INPUT);
    refuse("uniform", "4,2", NULL, false, "greedy", "in ascending order", NP_ERROR_INPUT);
    refuse("trace:x", "2", NULL, false, "greedy", "window has no meaning with a trace", NP_ERROR_INPUT);
    refuse("trace", NULL, NULL, false, "greedy", "traffic 'trace' lacks the file", NP_ERROR_INPUT);
    refuse("trace:/no/such", NULL, NULL, false, "greedy", "cannot open", NP_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_terminals),        cmocka_unit_test(test_little),   cmocka_unit_test(test_incast),
        cmocka_unit_test(test_same_for_any_threads), cmocka_unit_test(test_refusals), cmocka_unit_test(test_few_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
