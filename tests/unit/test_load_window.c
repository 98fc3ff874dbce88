/* Closed loop: round trips of both models, where they are known. */
#include "support.h"

#include <math.h>

#include "netpram/load.h"

static np_load_result *load(const np_network *network, const char *model, const char *traffic, const char *window,
                            unsigned threads)
{
    np_load_options options;
    np_load_result *result;
    np_load_options_init(&options);
    options.model = model;
    options.paths = strcmp(model, "flits") ? "greedy" : "dimension-order";
    options.window = window;
    options.threads = threads;
    options.cycles = 40000;
    assert_ok(np_load(network, traffic, &options, &result));
    return result;
}

/*
 * On an array of four, whose nodes ask their mirror images one at a time, nobody meets anybody. A way over h links
 * takes 4 (h + 1) + 2 cycles, the reply is made in the cycle after, and so is the next request: 21 cycles for 1 <-> 2,
 * 37 for 0 <-> 3, of which each ends a round trip every 22, or 38, cycles.
 */
static void who_meets_nobody_takes_two_ways_and_a_cycle(void **state)
{
    np_network *network = support_network("array:4");
    np_load_result *result = load(network, "flits", "complement", "1", 1);
    const np_load_point *p = &result->curve[0].points[0];
    double near = 1.0 / 22, far = 1.0 / 38, mean = (21 * near + 37 * far) / (near + far);
    (void)state;
    assert_int_equal(p->latency.p50, 21);
    assert_int_equal(p->latency.max, 37);
    assert_true(fabs(p->accepted - (near + far) / 2) < 0.001 && fabs(p->latency.mean - mean) < 0.2);
    assert_true(fabs(p->hops - 2 * (near + 3 * far) / (near + far)) < 0.05);
    np_load_free(result);
    np_network_free(network);
}

/* Little: a window is what is accepted times the round trip and the cycle between. For any threads the same. */
static void a_window_is_full_at_all_times(void **state)
{
    static const char *const models[] = {"steps", "flits"};
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        np_network *network = support_network("torus:4x4");
        np_load_result *one = load(network, models[m], "uniform", "1,4,32", 1),
                       *many = load(network, models[m], "uniform", "1,4,32", 3);
        assert_int_equal(one->curve[0].count, 3);
        for (size_t i = 0; i < 3; i++) {
            const np_load_point *p = &one->curve[0].points[i];
            assert_memory_equal(p, &many->curve[0].points[i], sizeof *p);
            if (!(fabs(p->accepted * (p->latency.mean + 1) / p->window - 1) < 0.02))
                fail_msg("%s, window %u: %g a cycle, %g cycles", models[m], p->window, p->accepted, p->latency.mean);
        }
        np_load_free(one);
        np_load_free(many);
        np_network_free(network);
    }
}

/* Between two nodes the link carries requests one way and the replies to the others: half of it each. */
static void requests_and_replies_share_links(void **state)
{
    np_network *array = support_network("array:2");
    np_load_result *result = load(array, "flits", "complement", "2,64", 1);
    (void)state;
    const np_load_point *points = result->curve[0].points;
    assert_true(points[0].accepted < 0.2);
    if (!(points[1].accepted > 0.48 && points[1].accepted <= 0.5001))
        fail_msg("%g a cycle", points[1].accepted);
    np_load_free(result);
    np_network_free(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_meets_nobody_takes_two_ways_and_a_cycle),
        cmocka_unit_test(a_window_is_full_at_all_times),
        cmocka_unit_test(requests_and_replies_share_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
