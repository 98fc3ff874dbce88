/* Sweeps: what texts with braces stand for, which curves and points a sweep has, their fits and comparisons. */
#include <math.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/experiment/experiment.h"
#include "support.h"

#define SWEEP(more, swept)                                                                                             \
    "{\"name\": \"e\", \"runs\": 9, \"series\": [{\"label\": \"a\", " more "\"sweep\": {" swept "}}]}"

static np_status parse(const char *text, np_experiment **out)
{
    return np_experiment_parse("x.json", text, strlen(text), out);
}

static void texts_stand_for_several(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want; /* joined by blanks */
        bool number;
    } cases[] = {
        {"a", "a", false},
        {"1..3", "1..3", false},
        {"1..3", "1 2 3", true},
        {"1..8x2", "1 2 4 8", true},
        {"1..9x2", "1 2 4 8", true},
        {"5..5", "5", true},
        {"0..10+5", "0 5 10", true},
        {"hypercube:{6..8}", "hypercube:6 hypercube:7 hypercube:8", false},
        {"mesh:{4,8}x{1..2}", "mesh:4x1 mesh:4x2 mesh:8x1 mesh:8x2", false},
        {"{a,b,}c", "ac bc c", false},
        {"{a}", "{a}", false},
        {"{a", "{a", false},
        {"a}{1..2}", "a}1 a}2", false},
        {"{18446744073709551614..18446744073709551615}", "18446744073709551614 18446744073709551615", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[256] = "";
        json_t *list = json_array();
        assert_ok(np_experiment_expand(cases[i].text, cases[i].number, list));
        for (size_t k = 0; k < json_array_size(list); k++) {
            strcat(got, k ? " " : "");
            strcat(got, json_string_value(json_array_get(list, k)));
        }
        json_decref(list);
        assert_string_equal(got, cases[i].want);
    }
}

static void mistakes_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {SWEEP("", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:{5..3}\""),
         "x.json: series[0].sweep.networks: the range 5..3 is empty"},
        {SWEEP("", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": "
                   "\"ring:{,}{,}{,}{,}{1..1}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}3\""),
         "x.json: series[0].sweep.networks: more than 16 lists or ranges in braces"},
        {SWEEP("", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:{1..3x1}\""),
         "x.json: series[0].sweep.networks: the range 1..3x1 has no end"},
        {SWEEP("", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:{1..99999}\""),
         "x.json: series[0].sweep.networks: more than 65536 values"},
        {SWEEP("", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"netwroks\": \"ring:3\""),
         "x.json: series[0].sweep.netwroks: no such key: did you mean 'networks'?"},
        {SWEEP("\"traffic\": \"random\", ", "\"scheme\": \"greedy\", \"traffic\": \"random\""),
         "x.json: series[0].sweep.traffic: is given outside of the sweep, too"},
        {SWEEP("",
               "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:3\", \"queue_size\": [2, -1]"),
         "x.json: series[0].sweep.queue_size[1]"},
        {SWEEP("\"along\": \"traffic\", \"traffic\": \"random\", ", "\"scheme\": \"greedy\", \"networks\": \"ring:3\""),
         "x.json: series[0].along: must be one of the keys under \"sweep\""},
        {SWEEP("\"fit\": \"steps\", ", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:3\""),
         "x.json: series[0].fit: must be a phase and a measure"},
        {SWEEP("\"fit\": [], ", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:3\""),
         "x.json: series[0].fit: must be a measure or a list of measures"},
        {SWEEP("\"fit_x\": \"size\", ", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:3\""),
         "x.json: series[0].fit_x: must be an axis"},
        {SWEEP("\"against\": \"b\", ", "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:3\""),
         "x.json: series[0].against: there is no such series"},
        {SWEEP("\"against\": {\"shceme\": \"x\"}, ",
               "\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": \"ring:3\""),
         "x.json: series[0].shceme: no such key: did you mean 'scheme'?"},
        {SWEEP("\"against\": {\"traffic\": \"random\"}, ",
               "\"scheme\": \"greedy\", \"traffic\": [\"random\", \"tornado\"], \"networks\": \"ring:3\""),
         "x.json: series[0].against: the points of that series have other draws"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_experiment *experiment;
        assert_refused(parse(cases[i].text, &experiment), NP_ERROR_INPUT, cases[i].message);
        assert_null(experiment);
    }
    np_experiment *large;
    assert_refused(parse(SWEEP("", "\"scheme\": \"greedy\", \"traffic\": \"random\", "
                                   "\"networks\": \"ring:{1..2000}{1..20}\", \"seed\": \"1..100\""),
                         &large),
                   NP_ERROR_LIMIT, "x.json: series[0]: more than 1048576 points");
}

/* The labels of all curves, and the number of points of each. */
static void curves_of(const char *text, char *out)
{
    np_experiment *e;
    *out = '\0';
    assert_ok(parse(text, &e));
    for (size_t i = 0; i < e->series; i++)
        sprintf(out + strlen(out), "%s %zu\n", e->serie[i].label, e->serie[i].points);
    np_experiment_free(e);
}

static void a_sweep_is_its_product(void **state)
{
    (void)state;
    char got[512];
    curves_of(SWEEP("\"traffic\": \"random\", ",
                    "\"networks\": \"ring:{3..6}\", \"scheme\": [\"greedy\", \"valiant\"], "
                    "\"queue_size\": \"1..2\""),
              got);
    assert_string_equal(got, "a; greedy; queue_size 1 4\na; greedy; queue_size 2 4\n"
                             "a; valiant; queue_size 1 4\na; valiant; queue_size 2 4\n");
    curves_of(SWEEP("\"along\": \"queue_size\", \"traffic\": \"random\", ",
                    "\"networks\": \"ring:{3..4}\", \"scheme\": \"greedy\", \"queue_size\": \"1..3\""),
              got);
    assert_string_equal(got, "a; ring:3 3\na; ring:4 3\n");
    curves_of(SWEEP("\"traffic\": [\"random\", \"tornado\"], \"networks\": [\"ring:3\", \"ring:4\"], ",
                    "\"scheme\": \"{greedy,valiant}\""),
              got);
    assert_string_equal(got, "a; greedy 2\na; valiant 2\n");
    curves_of(SWEEP("\"program\": \"or\", ", "\"machine\": \"butterfly:{2..4}\""), got);
    assert_string_equal(got, "a 3\n");
    curves_of(SWEEP("", "\"program\": \"or\", \"machine\": \"butterfly:{2..4}\", \"slack\": \"1..2\""), got);
    assert_string_equal(got, "a; butterfly:2 2\na; butterfly:3 2\na; butterfly:4 2\n");
}

/* Points of a curve: which entries go together. */
static void every_choice_comes_once(void **state)
{
    (void)state;
    np_experiment *e;
    char seen[64][64];
    size_t count = 0;
    assert_ok(parse(SWEEP("\"traffic\": [\"random\", \"tornado\"], \"networks\": [\"ring:3\", \"ring:4\"], "
                          "\"along\": \"seed\", ",
                          "\"scheme\": \"greedy\", \"seed\": \"1..3\", \"queue\": \"{fifo,lifo}\", \"overlap\": "
                          "[true, false]"),
                    &e));
    for (size_t i = 0; i < e->series; i++)
        for (size_t p = 0; p < e->serie[i].points; p++) {
            static const char *const keys[] = {"traffic", "networks", "seed", "queue", "overlap"};
            seen[count][0] = '\0';
            for (size_t k = 0; k < 5; k++) {
                char room[NP_EXPERIMENT_NUMBER];
                strcat(seen[count], np_series_text(&e->serie[i], p, keys[k], sizeof room, room));
                strcat(seen[count], " ");
            }
            assert_true(strstr(seen[count], "random ring:3") || strstr(seen[count], "tornado ring:4"));
            for (size_t before = 0; before < count; before++)
                assert_string_not_equal(seen[before], seen[count]);
            count++;
        }
    assert_int_equal(count, 2 * 3 * 2 * 2);
    np_experiment_free(e);
}

/* ---- Runs ---- */

static char directory[64];

static void run(np_experiment *experiment, void (*on_finding)(void *context, const char *line), void *context)
{
    np_experiment_options options;
    np_experiment_outcome outcome;
    strcpy(directory, "/tmp/netpram-test-XXXXXX");
    assert_non_null(mkdtemp(directory));
    np_experiment_options_init(&options);
    options.directory = directory;
    options.on_finding = on_finding;
    options.context = context;
    assert_ok(np_experiment_run(experiment, &options, &outcome));
    np_experiment_free(experiment);
}

/* The text of a file; the file is removed. */
static char *take(const char *name)
{
    static char text[1 << 17];
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    return text;
}

static void remove_all(void)
{
    static const char *const names[] = {"e.csv", "e.sqlite", "e.sqlite-claims", "e.gp", "e.dat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void keep(void *context, const char *line)
{
    strcat(context, line);
    strcat(context, "\n");
}

/* The complement takes n steps on the n-cube, greedily: log2 N exactly. */
static void growth_is_fitted(void **state)
{
    (void)state;
    static const np_sweep_options options = {
        sizeof(np_sweep_options), "e", "total.steps", "log2_nodes", "total.steps", NULL};
    static const np_sweep_value value[] = {{NULL, "hypercube:{3..6}"}, {"scheme", "greedy"}, {"traffic", "complement"}};
    char findings[512] = "";
    np_experiment *experiment;
    np_sweep_options by_nodes = options;
    by_nodes.x = NULL;
    assert_ok(np_experiment_sweep(&by_nodes, 3, value, &experiment));
    run(experiment, keep, findings);
    assert_non_null(strstr(findings, "e: total.steps = "));
    assert_non_null(strstr(findings, " + 1 log2 nodes, a +- "));
    assert_non_null(strstr(findings, "explains 100%"));
    const char *csv = take("e.csv");
    assert_non_null(strstr(csv, ",traffic,fit,a,a_ci95,b,b_ci95,explained\n"));
    assert_non_null(strstr(csv, ",total,steps,3,0,3,3,3,3,,"));
    assert_non_null(strstr(csv, ",complement,a + b log2 N,"));
    assert_non_null(strstr(csv, ",complement,,,,,,\n")); /* of the other measures */
    assert_non_null(strstr(take("e.dat"), "log2 nodes'\n# x y\n8 "));
    assert_non_null(strstr(take("e.gp"), "with lines linecolor rgb '#0072b2' dashtype '.' title"));
    remove_all();
}

/* A ring that counts how often it is made. */
static unsigned made;

static np_status create_counted(np_network *network, const char *parameters)
{
    (void)parameters;
    made++;
    np_network_shape(network, 5, 2);
    return NP_OK;
}

static void counted_heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    (void)network;
    for (size_t i = 0; i < count; i++)
        head[i] = (link[i] / 2 + (link[i] % 2 ? 1 : 4)) % 5;
}

static const np_network_family counted = {
    .info = {"counted", "a ring", "", .parameters = "N", .example = "counted:5"},
    .create = create_counted,
    .heads = counted_heads,
};

/* Once to choose its scheme, and once to check and to run all points on it. */
static void a_network_is_made_twice(void **state)
{
    (void)state;
    static const np_sweep_options options = {.size = sizeof options, .name = "e"};
    static const np_sweep_value value[] = {{NULL, "counted:5"}, {"seed", "1..6"}, {"queue", "fifo,lifo"}};
    np_experiment *experiment;
    assert_ok(np_network_register(&counted));
    assert_ok(np_experiment_sweep(&options, 3, value, &experiment));
    assert_int_equal(made, 1);
    run(experiment, NULL, NULL);
    assert_int_equal(made, 2);
    remove_all();
}

static void too_few_points_are_told(void **state)
{
    (void)state;
    static const np_sweep_options options = {.size = sizeof options, .name = "e", .fit = "total.steps"};
    static const np_sweep_value value[] = {{NULL, "ring:{3..4}"}, {"scheme", "greedy"}};
    char findings[512] = "";
    np_experiment *experiment;
    assert_ok(np_experiment_sweep(&options, 2, value, &experiment));
    run(experiment, keep, findings);
    assert_string_equal(findings, "e: total.steps: no fit: it needs three points, of more than one size\n");
    remove_all();
}

/* Against the samples themselves: the same draws, run by run. */
static void curves_are_compared_run_by_run(void **state)
{
    (void)state;
    enum { RUNS = 9 };
    static const np_sweep_options options = {sizeof(np_sweep_options), "e", "total.steps", NULL, NULL, "scheme=greedy"};
    static const np_sweep_value value[] = {{NULL, "mesh:4x4"}, {"scheme", "greedy,valiant"}, {"runs", "9"}};
    char findings[512] = "", want[200];
    double steps[2][RUNS] = {{0}};
    np_experiment *experiment;
    np_network *network = support_network("mesh:4x4");
    for (int k = 0; k < 2; k++) {
        np_route_options route;
        np_route_result *result;
        np_route_options_init(&route);
        route.scheme = k ? "valiant" : "greedy";
        route.runs = RUNS;
        assert_ok(np_route(network, "random", &route, &result));
        for (size_t i = 0; i < result->phases; i++)
            for (size_t r = 0; r < RUNS; r++)
                steps[k][r] += result->phase[i].run[r].steps;
        np_route_result_free(result);
    }
    np_network_free(network);
    np_paired pair;
    assert_ok(np_paired_compare(RUNS, steps[1], steps[0], &pair));
    assert_ok(np_experiment_sweep(&options, 3, value, &experiment));
    run(experiment, keep, findings);
    snprintf(want, sizeof want, "valiant against greedy on mesh:4x4: total.steps %+.4g +- %.3g, p = %.3g\n",
             pair.difference, pair.difference_error, pair.p);
    assert_string_equal(findings, want);
    const char *csv = take("e.csv");
    snprintf(want, sizeof want, ",random,greedy,%.10g,%.10g,%.10g\n", pair.difference, pair.difference_error, pair.p);
    assert_non_null(strstr(csv, want));
    assert_non_null(strstr(csv, ",random,,,,\n")); /* greedy with itself */
    remove_all();
}

/* Messages of a command line name no place in a file. */
static void command_lines_are_refused_in_their_words(void **state)
{
    (void)state;
    static const np_sweep_options options = {.size = sizeof(np_sweep_options), .name = "e"};
    static const struct {
        np_sweep_value value[2];
        const char *message;
    } cases[] = {
        {{{NULL, "ring:3"}, {"slack", "2"}}, "sweep needs --scheme, --program or --algorithm"},
        {{{NULL, "ring:3"}, {"seed", "x"}}, "sweep: seed x: must be a whole number"},
        {{{NULL, "ring:3"}, {NULL, "rong:3"}}, "no network family 'rong'"},
        {{{"scheme", "greedy"}, {"seed", "1"}}, "sweep: networks: is missing"},
        {{{"program", "or"}, {"slack", "1,x"}}, "sweep: slack x: must be a whole number"},
        {{{"program", "or"}, {"slack", "4..1"}}, "sweep: slack: the range 4..1 is empty"},
        {{{"scheme", "\xff"}, {NULL, "ring:3"}}, "sweep: a value is no text in UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_experiment *experiment;
        assert_refused(np_experiment_sweep(&options, 2, cases[i].value, &experiment), NP_ERROR_INPUT, cases[i].message);
        assert_null(experiment);
    }
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    static const np_sweep_options options = {sizeof(np_sweep_options), "e", "total.steps", NULL, "total.steps",
                                             "scheme=greedy"};
    static const np_sweep_value value[] = {{NULL, "ring:{3..6}"}, {"scheme", "greedy,valiant"}};
    np_experiment *experiment;
    int failures = 0;
    for (long n = 1;; n++, failures++) {
        np_memory_fail_after(n);
        np_status st = np_experiment_sweep(&options, 2, value, &experiment);
        np_memory_fail_after(0);
        if (!st)
            break;
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_null(experiment);
    }
    assert_true(failures >= 10);
    np_experiment_free(experiment);
}

/* Runs, fits, comparisons, CSV and charts: every failure is told, and none is kept. */
static void a_run_survives_each_failed_allocation(void **state)
{
    (void)state;
    static const np_sweep_options sweep = {sizeof(np_sweep_options), "e", "total.steps", NULL, "total.steps",
                                           "scheme=greedy"};
    static const np_sweep_value value[] = {{NULL, "ring:{3..5}"}, {"scheme", "greedy,valiant"}, {"runs", "2"}};
    char findings[1024] = "";
    np_experiment *experiment;
    np_experiment_options options;
    np_experiment_outcome outcome;
    int failures = 0;
    assert_ok(np_experiment_sweep(&sweep, 3, value, &experiment));
    strcpy(directory, "/tmp/netpram-test-XXXXXX");
    assert_non_null(mkdtemp(directory));
    np_experiment_options_init(&options);
    options.directory = directory;
    options.threads = 1;
    options.on_finding = keep;
    options.context = findings;
    for (long n = 1;; n += 1 + n / 40, failures++) { /* the runs themselves have tests of their own */
        char path[128];
        snprintf(path, sizeof path, "%s/e.sqlite", directory);
        unlink(path);
        *findings = '\0';
        np_memory_fail_after(n);
        np_status st = np_experiment_run(experiment, &options, &outcome);
        np_memory_fail_after(0);
        if (!st)
            break;
        assert_int_equal(st, NP_ERROR_MEMORY);
    }
    assert_true(failures >= 50);
    assert_non_null(strstr(findings, "valiant against greedy on ring:5: total.steps "));
    np_experiment_free(experiment);
    remove_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_stand_for_several),
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(a_sweep_is_its_product),
        cmocka_unit_test(every_choice_comes_once),
        cmocka_unit_test(growth_is_fitted),
        cmocka_unit_test(a_network_is_made_twice),
        cmocka_unit_test(too_few_points_are_told),
        cmocka_unit_test(curves_are_compared_run_by_run),
        cmocka_unit_test(command_lines_are_refused_in_their_words),
        cmocka_unit_test(survives_each_failed_allocation),
        cmocka_unit_test(a_run_survives_each_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
