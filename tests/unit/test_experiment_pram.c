/* Series of PRAM programs in experiment files: what is refused, and that points are what the runs alone come to. */
#include <unistd.h>

#include "base/memory.h"
#include "support.h"

#define FILE_OF(series) "{\"name\": \"e\", \"seed\": 5, \"series\": [{\"label\": \"a\", " series "}]}"
#define PLOT(series, plot)                                                                                             \
    "{\"name\": \"e\", \"seed\": 5, \"runs\": 2, \"series\": [{\"label\": \"a\", " series                              \
    "}], \"plots\": [{\"file\": \"p\", " plot "}]}"
#define READS "\"program\": \"random-reads\", \"steps\": 3, \"machine\": \"butterfly:2\", \"slack\": [1, 3]"

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
        {FILE_OF("\"scheme\": \"cubes\", \"program\": \"or\""),
         "x.json: series[0].program: a series has \"scheme\" or \"program\", not both"},
        {FILE_OF("\"progam\": \"or\""), "x.json: series[0].progam: no such key: did you mean 'program'?"},
        {FILE_OF("\"machine\": \"ideal\""),
         "x.json: series[0].scheme: is missing: it must be a string, or there must be a \"program\""},
        {FILE_OF("\"program\": 1"), "x.json: series[0].program: must be a string, not a whole number"},
        {FILE_OF("\"program\": \"or\", \"slak\": 1"), "x.json: series[0].slak: no such key: did you mean 'slack'?"},
        {FILE_OF("\"program\": \"or\", \"networks\": [\"ring:3\"]"), "x.json: series[0].networks: no such key"},
        {FILE_OF("\"program\": \"or\", \"slack\": 0"),
         "x.json: series[0].slack 0: must be a whole number in 1..4294967295"},
        {FILE_OF("\"program\": \"or\", \"slack\": [1, -3]"),
         "x.json: series[0].slack[1] -3: must be a whole number in 1..4294967295"},
        {FILE_OF("\"program\": \"or\", \"slack\": [1, 1.5]"),
         "x.json: series[0].slack[1]: must be a word or a whole number, not a number"},
        {FILE_OF("\"program\": \"or\", \"slack\": []"), "x.json: series[0].slack: must not be empty"},
        {FILE_OF("\"program\": \"or\", \"n\": [1, 2, 3], \"slack\": [1, 2]"),
         "x.json: series[0].n: a list beside that of 'slack' must be as long"},
        {FILE_OF("\"program\": \"or\", \"map\": \"hsh\""), "x.json: series[0].map hsh: did you mean 'hash'?"},
        {FILE_OF("\"program\": \"or\", \"rule\": \"crw\""),
         "x.json: series[0].rule: no access rule 'crw': did you mean 'crew'?"},
        {FILE_OF("\"program\": \"or\", \"machine\": [\"ideal\", 3]"),
         "x.json: series[0].machine[1]: must be a string, not a whole number"},
        {FILE_OF("\"program\": \"or\", \"input\": \"\""), "x.json: series[0].input: must not be empty"},
        {PLOT(READS, "\"y\": \"network_steps.men\""),
         "x.json: plots[0].y: no measure 'network_steps.men' of a program: did you mean 'network_steps.mean'?"},
        {PLOT(READS, "\"y\": \"work\", \"x\": \"nodes\""),
         "x.json: plots[0].x: must be \"slack\", \"queue_size\", \"size\", \"processors\" or \"machine_n\""},
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
        {FILE_OF("\"program\": \"orr\""), "x.json: series[0].program: no program 'orr': did you mean 'or'?",
         NP_ERROR_INPUT},
        {FILE_OF("\"program\": \"or\", \"machine\": [\"ideal\", \"ideals\"]"),
         "x.json: series[0], with machine[1]: no machine 'ideals': did you mean 'ideal'?", NP_ERROR_INPUT},
        {FILE_OF("\"program\": \"or\", \"steps\": 3"), "x.json: series[0]: steps 3: or takes", NP_ERROR_INPUT},
        {FILE_OF("\"program\": \"matrix-product\", \"n\": [2, 4294967295]"),
         "x.json: series[0], with n[1]: ", NP_ERROR_LIMIT},
        {FILE_OF("\"program\": \"or\", \"machine\": \"butterfly:2\", \"processors\": 9"),
         "x.json: series[0]: 9 processors", NP_ERROR_INPUT},
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

/* ---- Runs ---- */

static char directory[64], content[1 << 16];

static void fresh_directory(np_experiment_options *options)
{
    strcpy(directory, "/tmp/netpram-test-XXXXXX");
    assert_non_null(mkdtemp(directory));
    np_experiment_options_init(options);
    options->directory = directory;
}

/* Its text; the file is removed. */
static const char *take(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    return content;
}

static void sweep(void)
{
    static const char *const names[] = {"e.csv", "e.sqlite", "e.sqlite-claims", "p.gp", "p.dat", "p.svg", "p.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(directory), 0);
}

/* Steps for each request of one of the 4 rows, of the run with that seed by itself. */
static double measured(uint32_t slack, uint64_t seed, uint64_t *total)
{
    np_pram_options pram;
    np_program_options program;
    np_program_result *result;
    np_pram_options_init(&pram);
    np_program_options_init(&program);
    pram.machine = "butterfly:2";
    pram.rule = NP_RULE_CREW;
    pram.slack = slack;
    pram.seed = seed;
    program.steps = 3;
    assert_ok(np_program_run("random-reads", &pram, &program, &result));
    assert_int_equal(result->report.requests, 3 * 8 * slack);
    double steps = (double)(result->report.network_steps - result->report.initialisation_steps);
    *total = result->report.network_steps;
    np_program_result_free(result);
    return steps / (3.0 * 2 * slack); /* a row has 2 processors */
}

/* Run r of a point has seed 5 + r. */
static void points_are_the_runs_alone(void **state)
{
    (void)state;
    np_experiment *experiment;
    np_experiment_options options;
    np_experiment_outcome outcome;
    uint64_t total[2];
    char want[256];
    double y[2];
    fresh_directory(&options);
    assert_ok(parse(PLOT(READS, "\"y\": \"steps_per_request\", \"log_x\": true"), &experiment));
    assert_ok(np_experiment_run(experiment, &options, &outcome));
    assert_int_equal(outcome.points, 2);
    assert_int_equal(outcome.plots, 1);
    for (uint32_t k = 0; k < 2; k++)
        y[k] = (measured(1 + 2 * k, 5, total) + measured(1 + 2 * k, 6, total + 1)) / 2;
    const char *data = take("p.dat");
    double x, got;
    assert_int_equal(sscanf(data, "# 'a'\n# x y error\n%lf %lf", &x, &got), 2);
    assert_float_equal(x, 1, 0);
    assert_float_equal(got, y[0], 1e-9);
    assert_int_equal(sscanf(strstr(data, "\n3 "), "%lf %lf", &x, &got), 2);
    assert_float_equal(got, y[1], 1e-9);
    const char *csv = take("e.csv");
    assert_int_equal(strncmp(csv, "label,program,machine,slack,queue_size,size,processors,machine_n,measure,mean,", 77),
                     0);
    snprintf(want, sizeof want, "\na,random-reads,butterfly:2,3,4,24,8,2,network_steps.total,%.15g,",
             (double)(total[0] + total[1]) / 2);
    assert_non_null(strstr(csv, want));
    assert_non_null(strstr(csv, "\na,random-reads,butterfly:2,1,4,8,8,2,work,24,0,24,24,24,24,,"));
    np_experiment_free(experiment);
    sweep();
}

/* Threads change nothing; lists that go together; a series of routing beside it has columns of its own. */
static void kinds_share_a_file(void **state)
{
    (void)state;
    static const char text[] =
        "{\"name\": \"e\", \"runs\": 5, \"series\": ["
        "{\"label\": \"a\", \"program\": \"prefix-sums\", \"machine\": [\"ideal\", \"butterfly:1\"], \"n\": [20, 10]},"
        "{\"label\": \"b\", \"scheme\": \"greedy\", \"traffic\": \"complement\", \"networks\": [\"hypercube:3\"]}],"
        "\"plots\": [{\"file\": \"p\", \"x\": \"size\", \"y\": \"work\"}]}";
    static char first[sizeof content];
    np_experiment *experiment;
    np_experiment_options options;
    np_experiment_outcome outcome;
    assert_ok(parse(text, &experiment));
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        fresh_directory(&options);
        options.threads = threads;
        assert_ok(np_experiment_run(experiment, &options, &outcome));
        const char *csv = take("e.csv");
        if (threads == 1)
            strcpy(first, csv);
        assert_string_equal(csv, first);
        assert_null(strstr(take("p.dat"), "'b'"));
        sweep();
    }
    assert_int_equal(strncmp(first, "label,scheme,network,nodes,phase,program,machine,", 49), 0);
    assert_non_null(strstr(first, "\na,,,,,prefix-sums,ideal,1,4,20,"));
    assert_non_null(strstr(first, "\na,,,,,prefix-sums,butterfly:1,1,4,10,2,1,pram_steps,"));
    assert_non_null(strstr(first, "\nb,greedy,hypercube:3,8,route,,,,2,,,,steps,3,0,3,3,3,3,,"));
    np_experiment_free(experiment);
}

static int cancel(void *context, const np_progress *progress)
{
    (void)context;
    assert_non_null(strstr(progress->stage, " on butterfly:2)"));
    return strncmp(progress->stage, "point 2 ", 8) == 0;
}

static void failures(void **state)
{
    (void)state;
    np_experiment *experiment;
    np_experiment_options options;
    np_experiment_outcome outcome;
    fresh_directory(&options);
    assert_ok(parse(FILE_OF("\"program\": \"maximum\", \"rule\": \"crcw-tolerant\", \"n\": 10"), &experiment));
    assert_refused(
        np_experiment_run(experiment, &options, &outcome), NP_ERROR_APPLY,
        "x.json: series[0]: seed 5: the answer is wrong (under rule crcw-tolerant): largest is 0, and not 9");
    np_experiment_free(experiment);
    options.watch.tell = cancel;
    assert_ok(parse(FILE_OF(READS), &experiment));
    assert_refused(np_experiment_run(experiment, &options, &outcome), NP_ERROR_CANCELLED, "with slack[1]: cancelled");
    np_experiment_free(experiment);
    sweep(); /* nothing is there but the database */
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    np_experiment *experiment;
    int failed = 0;
    for (long n = 1;; n++, failed++) {
        np_memory_fail_after(n);
        np_status st = parse(FILE_OF(READS), &experiment);
        np_memory_fail_after(0);
        if (!st)
            break;
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_null(experiment);
    }
    assert_true(failed >= 4);
    np_experiment_options options;
    np_experiment_outcome outcome;
    fresh_directory(&options);
    options.runs = options.threads = 1;
    for (long n = 1;; n++, failed++) {
        char path[128];
        snprintf(path, sizeof path, "%s/e.sqlite", directory);
        unlink(path); /* what earlier runs kept would not be run again */
        np_memory_fail_after(n);
        np_status st = np_experiment_run(experiment, &options, &outcome);
        np_memory_fail_after(0);
        if (!st)
            break;
        assert_int_equal(st, NP_ERROR_MEMORY);
    }
    assert_true(failed >= 20);
    np_experiment_free(experiment);
    sweep();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(points_are_checked_before_any_runs),
        cmocka_unit_test(points_are_the_runs_alone),
        cmocka_unit_test(kinds_share_a_file),
        cmocka_unit_test(failures),
        cmocka_unit_test(survives_each_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
