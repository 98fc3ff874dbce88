/* A scheme of load is the path rules that it stands for, in the order of the lists, and the model that has them. */
#include "support.h"

#include "netpram/load.h"

static np_load_result *play(const np_network *network, const char *scheme, const char *paths, bool flits)
{
    np_load_options options;
    np_load_result *result;
    np_load_options_init(&options);
    options.scheme = scheme;
    if (paths)
        options.paths = paths;
    options.loads = "0.1";
    options.precision = 0.3;
    options.cycles = 2000;
    options.channels = flits ? 6 : options.channels;
    assert_ok(np_load(network, "uniform", &options, &result));
    return result;
}

static void test_stands_for_rules(void **state)
{
    static const struct {
        const char *network, *scheme, *with, *paths, *model;
    } cases[] = {
        {"hypercube:3", "greedy", NULL, "greedy", "steps"},
        {"hypercube:3", "cubes,basic", NULL, "valiant:dimension-order,valiant:random-order", "steps"},
        {"mesh:3x4", "valiant,greedy", "spray,dimension-order",
         "valiant:spray,valiant:dimension-order,spray,dimension-order", "steps"},
        {"mesh:3x4", "valiant", NULL, "valiant", "steps"},
        {"shuffle:2x3", "mshuffle", NULL, "valiant:shortest-shift", "steps"},
        {"ring:5", "adaptive", NULL, "adaptive", "flits"},
        {"dragonfly:a=2,p=1,h=1", "ugal-l:2,ugal-l", NULL, "ugal-l:2,ugal-l", "flits"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        bool flits = !strcmp(cases[i].model, "flits");
        np_load_result *scheme = play(network, cases[i].scheme, cases[i].with, flits);
        np_load_result *paths = play(network, NULL, cases[i].paths, flits);
        assert_string_equal(scheme->options.model, cases[i].model);
        assert_string_equal(paths->options.model, cases[i].model);
        assert_int_equal(scheme->curves, paths->curves);
        for (size_t k = 0; k < paths->curves; k++) {
            assert_string_equal(scheme->curve[k].paths, paths->curve[k].paths);
            assert_true(scheme->curve[k].points->latency.mean == paths->curve[k].points->latency.mean);
        }
        np_load_free(scheme);
        np_load_free(paths);
        np_network_free(network);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *network, *scheme, *paths, *says;
        np_status status;
    } cases[] = {
        {"mesh:3x3", "ranked", NULL, "scheme 'ranked' has no meaning under load", NP_ERROR_APPLY},
        {"mesh:3x3", "xy", NULL, "scheme 'xy' has no meaning under load", NP_ERROR_APPLY},
        {"mesh:3x3", "cubes", NULL, "scheme 'cubes' does not apply to mesh:3x3", NP_ERROR_APPLY},
        {"mesh:3x3", "greedi", NULL, "did you mean 'greedy'?", NP_ERROR_INPUT},
        {"mesh:3x3", "greedy,", NULL, "no scheme ''", NP_ERROR_INPUT},
        {"hypercube:3", "cubes", "shortest", "scheme cubes has paths of its own", NP_ERROR_INPUT},
        {"mesh:3x3", "adaptive", "shortest", "scheme adaptive has paths of its own", NP_ERROR_INPUT},
        {"mesh:3x3", "valiant", "adaptive", "paths 'adaptive' are a scheme of their own", NP_ERROR_INPUT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.scheme = cases[i].scheme;
        options.paths = cases[i].paths ? cases[i].paths : options.paths;
        assert_int_equal(np_load(network, "uniform", &options, &result), cases[i].status);
        assert_null(result);
        if (!strstr(np_last_error(), cases[i].says))
            fail_msg("'%s', not '%s'", np_last_error(), cases[i].says);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stands_for_rules), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
