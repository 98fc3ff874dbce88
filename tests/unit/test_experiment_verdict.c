/* Series of throughput, worst, flows, replay, collective, load and compare: what is refused, and that points are what
 * calls come to. */
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
        {FILE_OF("\"load\": \"uniform\", \"throughput\": \"random\", " ON("ring:4")),
         "x.json: series[0].load: a series has \"throughput\" or \"load\", not both"},
        {FILE_OF("\"load\": \"uniform\", \"loads\": \"0.1,0.2\", " ON("ring:4")),
         "x.json: series[0].loads: must be a number, not a string"},
        {FILE_OF("\"load\": \"uniform\", \"bound\": true, " ON("ring:4")), "x.json: series[0].bound: no such key"},
        {FILE_OF("\"jobs\": \"a.json\", \"split\": true, " ON("ring:4")), "x.json: series[0].split: no such key"},
        {FILE_OF("\"compare\": \"ring:4\""), "x.json: series[0].compare: must be a list of strings, not a string"},
        {FILE_OF("\"compare\": [\"ring:4\"], \"time_limit\": 1"), "x.json: series[0].time_limit: no such"},
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
        {FILE_OF("\"replay\": \"no/file\", \"seed\": 7, " ON("ring:4")),
         "x.json: series[0].seed: model loggops draws nothing", NP_ERROR_APPLY},
        {FILE_OF("\"collective\": \"scan\", \"root\": \"1\", " ON("ring:4")),
         "x.json: series[0].root: ", NP_ERROR_APPLY},
        {FILE_OF("\"collective\": \"scam\", " ON("ring:4")), "x.json: series[0].collective: ", NP_ERROR_INPUT},
        {FILE_OF("\"worst\": \"spray\", " ON("rong:4")),
         "x.json: series[0], with networks[0]: no network family 'rong'", NP_ERROR_INPUT},
        {FILE_OF("\"compare\": [\"rong:4\"]"), "x.json: series[0], with compare[0]: no network family 'rong'",
         NP_ERROR_INPUT},
        {FILE_OF("\"load\": \"unifrom\", " ON("ring:4")), "x.json: series[0], with networks[0]: no traffic 'unifrom'",
         NP_ERROR_INPUT},
        {FILE_OF("\"load\": \"uniform\", \"paths\": \"spray,valiant\", " ON("ring:4")),
         "x.json: series[0].paths: 'spray,valiant' are several: write a list", NP_ERROR_INPUT},
        {FILE_OF("\"load\": \"uniform\", \"paths\": \"sparay\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: no path rule 'sparay'", NP_ERROR_INPUT},
        {FILE_OF("\"load\": \"uniform\", \"loads\": 0.2, \"to\": 0.5, " ON("ring:4")),
         "x.json: series[0].to: is for a search", NP_ERROR_INPUT},
        {FILE_OF("\"load\": \"uniform\", \"loads\": 1.5, " ON("ring:4")),
         "x.json: series[0], with networks[0]: a terminal cannot create 1.5 packets", NP_ERROR_INPUT},
        {FILE_OF(
             "\"load\": \"uniform\", \"model\": \"flits\", \"paths\": \"shortest\", \"channels\": 1, " ON("ring:8")),
         "x.json: series[0], with networks[0]: paths 'shortest' on ring:8 may deadlock: ", NP_ERROR_DEADLOCK},
        {FILE_OF("\"throughput\": \"random\", \"paths\": \"spry\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: no path rule 'spry'", NP_ERROR_INPUT},
        {FILE_OF("\"throughput\": \"random\", \"split\": true, " ON("ring:4")),
         "x.json: series[0], with networks[0]: split is for paths", NP_ERROR_INPUT},
        {FILE_OF("\"throughput\": \"random\", \"paths\": \"balanced\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: paths 'balanced': each route", NP_ERROR_APPLY},
        {FILE_OF("\"worst\": \"spry\", " ON("ring:4")), "x.json: series[0], with networks[0]: no path rule 'spry'",
         NP_ERROR_INPUT},
        {FILE_OF("\"worst\": \"balanced\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: paths 'balanced': each path", NP_ERROR_APPLY},
        {FILE_OF("\"flows\": \"random\", \"paths\": \"spry\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: no path rule 'spry'", NP_ERROR_INPUT},
        {FILE_OF("\"flows\": \"random\", \"link_rate\": \"100G\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: link_rate '100G': a rate needs its unit", NP_ERROR_INPUT},
        {FILE_OF("\"flows\": \"random\", \"size\": \"1GB\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: size '1GB': without a link rate", NP_ERROR_INPUT},
        {FILE_OF("\"flows\": \"random\", \"sizes\": \"no/file\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: cannot open 'no/file'", NP_ERROR_IO},
        {FILE_OF("\"replay\": \"no/file\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: cannot open 'no/file'", NP_ERROR_IO},
        {FILE_OF("\"collective\": \"all-reduce\", \"size\": \"1GB\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: without a link rate", NP_ERROR_INPUT},
        {FILE_OF("\"collective\": \"all-reduce\", \"algorithm\": \"rng\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: no algorithm 'rng'", NP_ERROR_INPUT},
        {FILE_OF("\"collective\": \"all-reduce\", \"model\": \"flows\", \"paths\": \"spry\", " ON("ring:4")),
         "x.json: series[0], with networks[0]: no path rule 'spry'", NP_ERROR_INPUT},
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

enum { CSV = 16384 };

/* Runs an experiment; its CSV. */
static void run_csv(const char *text, char csv[CSV])
{
    char directory[] = "/tmp/netpram-test-XXXXXX", path[64];
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
    size_t length = fread(csv, 1, CSV - 1, file);
    csv[length] = 0;
    fclose(file);
    assert_true(length > 0);
    static const char *const names[] = {"e.csv", "e.sqlite", "e.sqlite-claims"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

/* The mean and the largest value of a measure of a series. */
static void run_series(const char *text, const char *measure, double *mean, double *most)
{
    char csv[CSV], begin[64];
    run_csv(text, csv);
    snprintf(begin, sizeof begin, ",%s,", measure);
    const char *at = strstr(csv, begin);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(begin), "%lf,%*f,%*f,%lf", mean, most), 2);
}

static bool has_measure(const char *text, const char *measure)
{
    char csv[CSV], begin[64];
    run_csv(text, csv);
    snprintf(begin, sizeof begin, ",%s,", measure);
    return strstr(csv, begin);
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

/*
 * By hand: an all-reduce of 8 by a ring of 4 takes 2 x 3 rounds of 2 steps, and twice as long beside another one.
 */
static void jobs_are_a_series(void **state)
{
    (void)state;
    static const char job[] =
        "{\"collective\": \"all-reduce\", \"algorithm\": \"ring\", \"size\": 8, \"hosts\": \"0..3\"}";
    char text[512], list[512];
    double mean, most;
    np_experiment *experiment;
    snprintf(list, sizeof list, "[%s, %s]", job, job);
    char *path = support_file(list);
    snprintf(text, sizeof text, FILE_OF("\"jobs\": \"%s\", " ON("ring:4")), path);
    run_series(text, "makespan", &mean, &most);
    assert_near(mean, 24, 1e-9);
    run_series(text, "slowdown.mean", &mean, &most);
    assert_near(mean, 2, 1e-9);
    run_series(text, "slowdown.max", &mean, &most);
    assert_near(mean, 2, 1e-9);
    snprintf(text, sizeof text, FILE_OF("\"jobs\": \"%s\", " ON("ring:3")), path);
    assert_ok(parse(text, &experiment));
    assert_refused(np_experiment_check(experiment, NULL), NP_ERROR_INPUT, "x.json: series[0], with networks[0]: ");
    np_experiment_free(experiment);
    unlink(path);
    free(path);
}

/* The mean of a measure over the calls with seeds 5 and 6, as two runs of the experiment have them. */
static double load_mean(const char *loads, double (*measure)(const np_load_result *result))
{
    double sum = 0;
    np_network *network;
    assert_ok(np_network_create("ring:6", &network));
    for (unsigned run = 0; run < 2; run++) {
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.seed = 5 + run;
        options.loads = loads;
        options.paths = "spray";
        options.precision = 0.2;
        options.resolution = 0.3;
        options.cycles = 5000;
        assert_ok(np_load(network, "uniform", &options, &result));
        sum += measure(result) / 2;
        np_load_free(result);
    }
    np_network_free(network);
    return sum;
}

static double mean_of(const np_load_result *result) { return result->curve->points->latency.mean; }
static double low_of(const np_load_result *result) { return result->curve->saturation.low; }

#define LOAD(more)                                                                                                     \
    FILE_OF("\"runs\": 2, \"load\": \"uniform\", \"paths\": \"spray\", \"precision\": 0.2, \"cycles\": 5000, " more    \
            ", " ON("ring:6"))

static void a_load_is_a_point_and_a_search_is_another(void **state)
{
    (void)state;
    double mean, most;
    run_series(LOAD("\"loads\": 0.3"), "latency.mean", &mean, &most);
    assert_near(mean, load_mean("0.3", mean_of), 1e-9);
    run_series(LOAD("\"loads\": 0.3"), "reached", &mean, &most);
    assert_near(mean, 1, 1e-9);
    run_series(LOAD("\"resolution\": 0.3"), "saturation.low", &mean, &most);
    assert_near(mean, load_mean(NULL, low_of), 1e-9);
    assert_false(has_measure(LOAD("\"loads\": 0.3"), "saturation.low"));
    assert_false(has_measure(LOAD("\"resolution\": 0.3"), "latency.mean"));
}

/* A terminal with room for one flit, full at load 1: what is not accepted is refused, as no more than a flit waits.
 * Without the option nothing is refused, and there is no such measure. */
static void refused_packets_are_a_measure(void **state)
{
    static const char bounded[] = FILE_OF("\"runs\": 2, \"load\": \"uniform\", \"model\": \"flits\", \"loads\": 1, "
                                          "\"source_flits\": 1, \"cycles\": 2000, " ON("ring:8"));
    double accepted, refused, most;
    (void)state;
    run_series(bounded, "accepted", &accepted, &most);
    run_series(bounded, "refused", &refused, &most);
    assert_true(refused > 0.1);
    assert_near(accepted + refused, 1, 0.02);
    assert_false(has_measure(LOAD("\"loads\": 0.3"), "refused"));
    assert_false(has_measure(LOAD("\"resolution\": 0.3"), "refused"));
}

/* ring:20 has 20 cables, of which 5% are 1: a path of 20 nodes is left, and 10 x 10 pairs cross its middle each way. So
 * with all-to-all a host sends 19 packets in 100 steps. */
static void a_network_compared_is_a_point(void **state)
{
    (void)state;
    double mean, most;
    run_series(FILE_OF("\"draws\": 2, \"gap\": 0.001, \"compare\": [\"ring:20\"]"), "cables", &mean, &most);
    assert_near(mean, 20, 0);
    run_series(FILE_OF("\"draws\": 2, \"gap\": 0.001, \"compare\": [\"ring:20\"]"), "failed_5.median", &mean, &most);
    assert_near(mean, 0.19, 0.001);
    assert_false(has_measure(FILE_OF("\"draws\": 0, \"compare\": [\"ring:20\"]"), "failed_5.median"));
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
    /* the seed of the experiment is none of LogGOPS: o + L + 99 G + o */
    snprintf(text, sizeof text, FILE_OF("\"replay\": \"%s\", \"runs\": 2, " ON("ring:4")), path);
    run_series(text, "makespan", &mean, &most);
    assert_near(mean, 1500 + 2500 + 99 * 6 + 1500, 1e-9);
    unlink(path);
    free(path);
}

/* The cell of a line, from 0 on, in the column of that name; both are the CSV's own. */
static void cell_of(const char *csv, const char *label, const char *column, size_t size, char *cell)
{
    char head[1024], begin[32], *rest = head, *name;
    size_t place = 0;
    snprintf(head, sizeof head, "%.*s", (int)strcspn(csv, "\n"), csv);
    while ((name = strsep(&rest, ",")) && strcmp(name, column) != 0)
        place++;
    assert_non_null(name);
    snprintf(begin, sizeof begin, "\n%s,", label);
    const char *at = strstr(csv, begin);
    assert_non_null(at);
    for (at++; place--; at++)
        at += strcspn(at, ",\n");
    snprintf(cell, size, "%.*s", (int)strcspn(at, ",\n"), at);
}

/* Columns that several kinds have are there once, and a key of one kind may be a column of another. */
static void kinds_share_columns(void **state)
{
    (void)state;
    static const struct {
        const char *label, *column, *cell;
    } cases[] = {
        {"t", "network", "ring:4"},
        {"t", "nodes", "4"},
        {"t", "throughput", "complement"},
        {"t", "size", ""},
        {"f", "network", "ring:6"},
        {"f", "nodes", "6"},
        {"f", "flows", "complement"},
        {"f", "size", "7"},
        {"c", "network", "ring:8"},
        {"c", "nodes", "8"},
        {"c", "collective", "all-reduce"},
        {"c", "size", "64"},
        {"f", "load", ""},
        {"c", "load", ""},
        {"t", "flows", ""},
        {"t", "measure", "factor.low"},
    };
    char csv[CSV], head[1024], all[sizeof head], *rest = head, *name;
    run_csv("{\"name\": \"e\", \"series\": ["
            "{\"label\": \"t\", \"throughput\": \"complement\", \"networks\": [\"ring:4\"]},"
            "{\"label\": \"f\", \"flows\": \"complement\", \"size\": \"7\", \"networks\": [\"ring:6\"]},"
            "{\"label\": \"c\", \"collective\": \"all-reduce\", \"size\": 64, \"networks\": [\"ring:8\"]}]}",
            csv);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char cell[64];
        cell_of(csv, cases[i].label, cases[i].column, sizeof cell, cell);
        assert_string_equal(cell, cases[i].cell);
    }
    snprintf(all, sizeof all, ",%.*s,", (int)strcspn(csv, "\n"), csv);
    memcpy(head, all, sizeof all);
    while ((name = strsep(&rest, ","))) {
        char one[80];
        snprintf(one, sizeof one, ",%s,", name);
        const char *at = *name ? strstr(all, one) : NULL;
        if (at && strstr(at + 1, one))
            fail_msg("column %s is there twice", name);
    }
}

/* Where no packet takes a link there is no factor: the cells of the measures are empty, and the points are there. */
static void no_factor_is_an_empty_cell(void **state)
{
    (void)state;
    static const char *const columns[] = {"mean", "min", "max", "p99"};
    char csv[CSV], cell[64];
    run_csv(FILE_OF("\"throughput\": \"rotation:0\", " ON("ring:4")), csv);
    cell_of(csv, "a", "measure", sizeof cell, cell);
    assert_string_equal(cell, "factor.low");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        cell_of(csv, "a", columns[i], sizeof cell, cell);
        assert_string_equal(cell, "");
    }
}

/* As on a command line: a size of bytes, with a rate. 8 Gbit/s carry a gigabyte a second. */
static void sizes_have_units(void **state)
{
    (void)state;
    double mean, most;
    run_series(
        FILE_OF("\"collective\": \"all-reduce\", \"algorithm\": \"ring\", \"model\": \"flows\", \"size\": \"2GB\", "
                "\"link_rate\": \"8Gbit/s\", " ON("ring:4")),
        "time", &mean, &most);
    assert_near(mean, 3, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(points_are_checked_before_any_runs),
        cmocka_unit_test(runs_have_the_seeds_that_follow),
        cmocka_unit_test(measures_are_those_of_the_calls),
        cmocka_unit_test(a_replay_is_a_series),
        cmocka_unit_test(kinds_share_columns),
        cmocka_unit_test(no_factor_is_an_empty_cell),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(a_load_is_a_point_and_a_search_is_another),
        cmocka_unit_test(refused_packets_are_a_measure),
        cmocka_unit_test(a_network_compared_is_a_point),
        cmocka_unit_test(jobs_are_a_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
