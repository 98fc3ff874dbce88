/* Series of throughput, worst, flows, replay and collective: what is refused, and that points are what calls come to.
 */
#include <math.h>
#include <unistd.h>

#include "support.h"

#define FILE_OF(series) "{\"name\": \"e\", \"seed\": 5, \"series\": [{\"label\": \"a\", " series "}]}"
#define assert_near(value, want, error) assert_true(fabs((value) - (want)) <= (error))
#define ON(network) "\"networks\": [\"" network "\"]"

static np_status parse(const char *text, np_experiment **out)
{
    return np_experiment_parse("x.json", text, strlen(text), out);
}

static void mistakes_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {FILE_OF("\"throughput\": \"random\""), "x.json: series[0].networks: is missing: it must be a string"},
        {FILE_OF("\"throughput\": \"random\", \"flows\": \"random\""),
         "x.json: series[0].flows: a series has \"throughput\" or \"flows\", not both"},
        {FILE_OF("\"worst\": \"spray\", \"paths\": \"spray\", " ON("ring:4")), "x.json: series[0].paths: no such key"},
        {FILE_OF("\"flows\": \"random\", \"load\": \"much\", " ON("ring:4")),
         "x.json: series[0].load: must be a number, not a string"},
        {FILE_OF("\"throughput\": \"random\", \"time_limit\": 1, " ON("ring:4")),
         "x.json: series[0].time_limit: no such"},
        {FILE_OF("\"replay\": \"a.goal\", " ON("ring:4") "}], \"plots\": [{\"file\": \"p\", \"y\": \"makspan\""),
         "x.json: plots[0].y: no measure 'makspan' of a replay: did you mean 'makespan'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_experiment *experiment;
        assert_refused(parse(cases[i].text, &experiment), NP_ERROR_INPUT, cases[i].message);
        assert_null(experiment);
    }
}

static void points_are_checked_before_any_runs(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        np_status status;
    } cases[] = {
        {FILE_OF("\"throughput\": \"randm\", " ON("ring:4")), "x.json: series[0], with networks[0]: no traffic 'randm'",
         NP_ERROR_INPUT},
        {FILE_OF("\"throughput\": \"file:-\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: 'file:-': an experiment reads a file more than once", NP_ERROR_INPUT},
        {FILE_OF("\"collective\": \"scan\", \"root\": \"1\", " ON("ring:4")),
         "x.json: series[0].root: ", NP_ERROR_APPLY},
        {FILE_OF("\"collective\": \"scam\", " ON("ring:4")), "x.json: series[0].collective: ", NP_ERROR_INPUT},
        {FILE_OF("\"worst\": \"spray\", " ON("rong:4")),
         "x.json: series[0], with networks[0]: no network family 'rong'", NP_ERROR_INPUT},
    };
    np_experiment_options options;
    np_experiment_options_init(&options);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_experiment *experiment;
        assert_ok(parse(cases[i].text, &experiment));
        assert_refused(np_experiment_check(experiment, &options), cases[i].status, cases[i].message);
        np_experiment_free(experiment);
    }
}

/* The mean and the largest value of a measure of a series. */
static void run_series(const char *text, const char *measure, double *mean, double *most)
{
    char directory[] = "/tmp/netpram-test-XXXXXX", path[64], csv[16384] = "", begin[64];
    np_experiment_options options;
    np_experiment_outcome outcome;
    np_experiment *experiment;
    assert_non_null(mkdtemp(directory));
    np_experiment_options_init(&options);
    options.directory = directory;
    assert_ok(parse(text, &experiment));
    assert_ok(np_experiment_run(experiment, &options, &outcome));
    np_experiment_free(experiment);
    snprintf(path, sizeof path, "%s/e.csv", directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(csv, 1, sizeof csv - 1, file);
    fclose(file);
    assert_true(length > 0);
    snprintf(begin, sizeof begin, ",%s,", measure);
    const char *at = strstr(csv, begin);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(begin), "%lf,%*f,%*f,%lf", mean, most), 2);
    static const char *const names[] = {"e.csv", "e.sqlite", "e.sqlite-claims"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

/* The two runs are the calls with seeds 5 and 6. */
static void runs_have_the_seeds_that_follow(void **state)
{
    (void)state;
    double mean, most, span[2];
    np_network *network;
    assert_ok(np_network_create("torus:4x4", &network));
    for (unsigned run = 0; run < 2; run++) {
        np_flows_options options;
        np_flows_result *result;
        np_flows_options_init(&options);
        options.seed = 5 + run;
        options.load = 0.5;
        options.arrivals = 50;
        assert_ok(np_flows(network, "uniform", &options, &result));
        span[run] = result->makespan;
        np_flows_free(result);
    }
    np_network_free(network);
    run_series(FILE_OF("\"runs\": 2, \"flows\": \"uniform\", \"load\": 0.5, \"arrivals\": 50, " ON("torus:4x4")),
               "makespan", &mean, &most);
    assert_near(mean, (span[0] + span[1]) / 2, 1e-9);
    assert_near(most, span[0] > span[1] ? span[0] : span[1], 1e-9);
}

/* By hand: a ring of 4 carries of each node's packet to the other side one a step (two ways, two hops); on torus:4x4
 * paths `shortest` send 1.5 over a link; an all-reduce of 16 data by a ring of 4 ranks takes 2 * 3 / 4 * 16 steps. */
static void measures_are_those_of_the_calls(void **state)
{
    (void)state;
    double mean, most;
    run_series(FILE_OF("\"throughput\": \"complement\", \"gap\": 0.001, " ON("ring:4")), "factor.high", &mean, &most);
    assert_near(mean, 1, 0.01);
    run_series(FILE_OF("\"worst\": \"shortest\", " ON("torus:4x4")), "worst.load", &mean, &most);
    assert_near(mean, 1.5, 1e-9);
    run_series(
        FILE_OF("\"collective\": \"all-reduce\", \"algorithm\": \"ring\", \"model\": \"flows\", \"size\": 16, " ON(
            "ring:4")),
        "time", &mean, &most);
    assert_near(mean, 24, 1e-6);
}

static void a_replay_is_a_series(void **state)
{
    (void)state;
    char text[256];
    double mean, most;
    char *path = support_file("num_ranks 2\nrank 0 {\nl1: send 100b to 1 tag 0\n}\n"
                              "rank 1 {\nl1: recv 100b from 0 tag 0\n}\n");
    snprintf(text, sizeof text, FILE_OF("\"replay\": \"%s\", \"model\": \"flows\", " ON("ring:4")), path);
    run_series(text, "makespan", &mean, &most);
    assert_near(mean, 100, 1e-9);
    unlink(path);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(points_are_checked_before_any_runs),
        cmocka_unit_test(runs_have_the_seeds_that_follow),
        cmocka_unit_test(measures_are_those_of_the_calls),
        cmocka_unit_test(a_replay_is_a_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
