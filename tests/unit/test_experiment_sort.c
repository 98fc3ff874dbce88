/* Series of sorting in experiment files: what is refused, and that points are what the sorts alone come to. */
#include <unistd.h>

#include "support.h"

#define FILE_OF(series) "{\"name\": \"e\", \"seed\": 5, \"series\": [{\"label\": \"a\", " series "}]}"
#define ARRAYS "\"algorithm\": \"odd-even-transposition\", \"networks\": [\"array:5\", \"array:9\"]"

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
        {FILE_OF("\"algorithm\": 1"), "x.json: series[0].algorithm: must be a string, not a whole number"},
        {FILE_OF(ARRAYS ", \"kes\": 1"), "x.json: series[0].kes: no such key: did you mean 'keys'?"},
        {FILE_OF(ARRAYS ", \"keys\": [1]"), "x.json: series[0].keys: a list beside that of 'networks' must be as long"},
        {FILE_OF(ARRAYS ", \"keys\": [1, 0]"), "x.json: series[0].keys[1] 0: must be a whole number in 1..2147483648"},
        {FILE_OF(ARRAYS ", \"order\": \"sortd\""),
         "x.json: series[0].order: no order of keys 'sortd': did you mean 'sorted'?"},
        {FILE_OF(ARRAYS ", \"cutoff\": 0"), "x.json: series[0].cutoff 0: must be a whole number in 1..4294967295"},
        {FILE_OF(ARRAYS ", \"candidates\": 1e9"),
         "x.json: series[0].candidates 1000000000: must be a number in 0.001..1000"},
        {FILE_OF(ARRAYS "}], \"plots\": [{\"file\": \"p\", \"y\": \"stps\""),
         "x.json: plots[0].y: no measure 'stps' of sorting: did you mean 'steps'?"},
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
        {FILE_OF("\"algorithm\": \"bubble\", \"networks\": [\"array:5\"]"),
         "x.json: series[0].algorithm: no sorting algorithm 'bubble'", NP_ERROR_INPUT},
        {FILE_OF(ARRAYS ", \"cutoff\": 3"),
         "x.json: series[0].cutoff: algorithm 'odd-even-transposition' has no use for cutoff", NP_ERROR_APPLY},
        {FILE_OF("\"algorithm\": \"odd-even-transposition\", \"networks\": [\"array:5\", \"complete:4\"]"),
         "x.json: series[0], with networks[1]: algorithm 'odd-even-transposition' does not sort on complete:4",
         NP_ERROR_APPLY},
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

/* The line of the CSV that begins with this; NULL: none. */
static char *find_line(char *csv, const char *begin)
{
    for (char *line = csv; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, begin, strlen(begin)))
            return line;
    return NULL;
}

static void points_are_what_sorts_come_to(void **state)
{
    (void)state;
    char directory[] = "/tmp/netpram-test-XXXXXX", path[64], csv[16384] = "";
    np_experiment_options options;
    np_experiment_outcome outcome;
    np_experiment *experiment;
    np_experiment_options_init(&options);
    assert_non_null(mkdtemp(directory));
    options.directory = directory;
    assert_ok(parse(FILE_OF(ARRAYS ", \"keys\": [1, 27]"), &experiment));
    assert_ok(np_experiment_run(experiment, &options, &outcome));
    np_experiment_free(experiment);
    assert_int_equal(outcome.points, 2);
    snprintf(path, sizeof path, "%s/e.csv", directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(csv, 1, sizeof csv - 1, file) > 0);
    fclose(file);
    /* N steps of neighbours, and h times as many with h keys a place; N (N - 1) / 2 comparators. */
    assert_non_null(strstr(csv, ",odd-even-transposition,array:5,1,5,steps,5,"));
    /* One key counts as two. */
    assert_non_null(strstr(csv, ",odd-even-transposition,array:5,1,5,steps_per_log_n,5,"));
    assert_non_null(strstr(csv, ",odd-even-transposition,array:5,1,5,steps_per_log2_n,5,"));
    assert_non_null(strstr(csv, ",odd-even-transposition,array:9,27,9,steps,27,"));
    assert_non_null(strstr(csv, ",odd-even-transposition,array:9,27,9,predicted.steps,27,"));
    assert_non_null(strstr(csv, ",odd-even-transposition,array:9,27,9,comparators,36,"));
    assert_non_null(find_line(csv, "label,algorithm,network,keys,nodes,measure,mean,"));
    static const char *const names[] = {"e.csv", "e.sqlite", "e.sqlite-claims"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(points_are_checked_before_any_runs),
        cmocka_unit_test(points_are_what_sorts_come_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
