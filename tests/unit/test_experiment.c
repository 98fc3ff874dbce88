/* Experiment files: what is refused and with which place, and what a small one writes. */
#include <dirent.h>
#include <unistd.h>

#include "base/memory.h"
#include "support.h"

#define SERIES                                                                                                         \
    "\"series\": [{\"label\": \"a\", \"scheme\": \"greedy\", \"traffic\": \"complement\", \"networks\": "              \
    "[\"hypercube:3\", \"hypercube:4\"]}]"
/* A series of that scheme with more keys. */
#define MERGE(scheme, more)                                                                                            \
    "{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"" scheme "\", \"traffic\": \"random\", " more     \
    ", \"networks\": [\"butterfly-io:3\"]}]}"
#define GOOD "{\"name\": \"e\", " SERIES "}"
#define PLOT(more) "{\"name\": \"e\", " SERIES ", \"plots\": [{\"file\": \"p\", \"y\": \"route.steps\"" more "}]}"

static np_status parse(const char *text, np_experiment **out)
{
    /* A copy of just that length: reading past it is seen by the sanitizer. */
    char *copy = malloc(strlen(text) + !*text);
    memcpy(copy, text, strlen(text));
    np_status st = np_experiment_parse("x.json", copy, strlen(text), out);
    free(copy);
    return st;
}

static void mistakes_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "x.json:1: not JSON"},
        {"{\n\"name\": \"e\",\n]", "x.json:3: not JSON"},
        {"\xef\xbb\xbf{\"name\": \"e\"}", "x.json: series: is missing: it must be a list of objects"},
        {"{\"name\": \"e\", \"name\": \"f\"}", "x.json:1: not JSON: duplicate object key"},
        {"[]", "x.json: must be an object, not a list"},
        {"{" SERIES "}", "x.json: name: is missing: it must be a string"},
        {"{\"name\": \"a/b\"}", "x.json: name: must be at most 100 letters"},
        {"{\"name\": \".b\"}", "x.json: name: must be at most 100 letters"},
        {"{\"name\": \"e\"}", "x.json: series: is missing: it must be a list of objects"},
        {"{\"name\": \"e\", \"series\": []}", "x.json: series: must not be empty"},
        {"{\"name\": \"e\", \"serie\": []}", "x.json: serie: no such key: did you mean 'series'?"},
        {"{\"se\\nries\": 1}", "x.json: se\\x0aries: no such key: did you mean 'series'?"},
        {"{\"name\": \"e\", \"runs\": 0, " SERIES "}", "x.json: runs 0: must be a whole number in 1..4294967295"},
        {"{\"name\": \"e\", \"runs\": 1.5, " SERIES "}",
         "x.json: runs: must be a word or a whole number, not a number"},
        {"{\"name\": \"e\", \"seed\": -1, " SERIES "}", "x.json: seed -1: must be a whole number"},
        {"{\"name\": \"e\", \"seed\": 99999999999999999999, " SERIES "}", "x.json:1: not JSON: too big integer"},
        {"{\"name\": \"e\", \"series\": [1]}", "x.json: series[0]: must be an object, not a whole number"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\"}]}", "x.json: series[0].scheme: is missing"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"\"}]}", "x.json: series[0].label: must not be empty"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"s\", \"traffic\": \"t\", \"networks\": "
         "[\"x\", 2]}]}",
         "x.json: series[0].networks[1]: must be a string, not a whole number"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"s\", \"traffic\": [\"t\"], \"networks\": "
         "[\"x\", \"y\"]}]}",
         "x.json: series[0].networks: a list beside that of 'traffic' must be as long"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"s\", \"traffic\": [\"t\", 1], \"networks\": "
         "[\"x\", \"y\"]}]}",
         "x.json: series[0].traffic[1]: must be a string, not a whole number"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"s\", \"networks\": [\"x\"]}]}",
         "x.json: series[0].traffic: is missing: it must be a string"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"s\", \"traffic\": \"t\", \"networks\": "
         "\"x\"}]}",
         "x.json: series[0].networks: must be a list of strings, not a string"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"s\", \"traffic\": \"t\", \"networks\": "
         "[\"x\"], "
         "\"overlap\": 1}]}",
         "x.json: series[0].overlap: must be true or false, not a whole number"},
        {"{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"s\", \"traffic\": \"t\", \"networks\": "
         "[\"x\"]}, "
         "{\"label\": \"a\", \"scheme\": \"s\", \"traffic\": \"t\", \"networks\": [\"x\"]}]}",
         "x.json: series[1].label: another series has the same label"},
        {PLOT(", \"x\": \"links\""), "x.json: plots[0].x: must be \"nodes\", \"log2_nodes\", \"log2_terminals\", "
                                     "\"relation\" or \"bound\""},
        {PLOT(", \"y_min\": \"3\""), "x.json: plots[0].y_min: must be a number, not a string"},
        {PLOT(", \"log_x\": \"yes\""), "x.json: plots[0].log_x: must be true or false, not a string"},
        {PLOT(", \"series\": [\"b\"]"), "x.json: plots[0].series[0]: must be the label"},
        {PLOT(", \"colour\": 1"), "x.json: plots[0].colour: no such key"},
        {MERGE("ranked", "\"queue_size\": 0"),
         "x.json: series[0].queue_size 0: must be a whole number in 1..1073741824"},
        {MERGE("ranked", "\"queue_size\": 1.5"),
         "x.json: series[0].queue_size: must be a word or a whole number, not a number"},
        {MERGE("ranked", "\"queue_sise\": 1"), "x.json: series[0].queue_sise: no such key: did you mean 'queue_size'?"},
        {MERGE("ranked", "\"room\": \"beginn\""), "x.json: series[0].room beginn: did you mean 'begin'?"},
        {MERGE("ranked", "\"room\": \"a\\nb\""), "x.json: series[0].room a\\x0ab: choose from"},
        {MERGE("ranked", "\"combine\": true"), "x.json: series[0].combine true: choose from"},
        {MERGE("ranked", "\"message_length\": \"8..1\""),
         "x.json: series[0].message_length 8..1: must be a length in 1..65535"},
        {MERGE("ranked", "\"no_ghosts\": 1"), "x.json: series[0].no_ghosts: must be true or false, not a whole number"},
        {MERGE("constrained", "\"permutations\": 0"),
         "x.json: series[0].permutations 0: must be a whole number in 1.."},
        {"{\"name\": \"e\", " SERIES ", \"plots\": [{\"file\": \"p\", \"y\": \"total.ratio\"}]}",
         "x.json: plots[0].y: of all phases together there are the steps only"},
        {"{\"name\": \"e\", " SERIES ", \"plots\": [{\"file\": \"p\", \"y\": \"steps\"}]}",
         "x.json: plots[0].y: must be a phase and a measure"},
        {"{\"name\": \"e\", " SERIES ", \"plots\": [{\"file\": \"p\", \"y\": \"A.stops\"}]}",
         "x.json: plots[0].y: must be a phase and a measure"},
        {"{\"name\": \"e\", " SERIES
         ", \"plots\": [{\"file\": \"p\", \"y\": \"A.steps\"}, {\"file\": \"p\", \"y\": \"A.steps\"}]}",
         "x.json: plots[1].file: another plot has the same file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_experiment *experiment;
        assert_refused(parse(cases[i].text, &experiment), NP_ERROR_INPUT, cases[i].message);
        assert_null(experiment);
    }
}

/* Refusals that need the networks: the place, then what np_route says. */
static void points_are_checked_before_any_runs(void **state)
{
    (void)state;
    static const struct {
        const char *series, *message;
        np_status status;
    } cases[] = {
        {"\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": [\"hypercube:3\", \"hypercub:3\"]",
         "x.json: series[1], with networks[1]: ", NP_ERROR_INPUT},
        {"\"scheme\": \"gredy\", \"traffic\": \"random\", \"networks\": [\"hypercube:3\"]",
         "x.json: series[1].scheme: no scheme 'gredy'", NP_ERROR_INPUT},
        {"\"scheme\": \"ccc\", \"traffic\": \"random\", \"networks\": [\"hypercube:3\"]",
         "x.json: series[1], with networks[0]: ", NP_ERROR_APPLY},
        {"\"scheme\": \"greedy\", \"traffic\": \"randm\", \"networks\": [\"hypercube:3\"]",
         "x.json: series[1], with networks[0]: ", NP_ERROR_INPUT},
        {"\"scheme\": \"greedy\", \"traffic\": \"random\", \"queue\": \"fif\", \"networks\": [\"hypercube:3\"]",
         "x.json: series[1], with networks[0]: ", NP_ERROR_INPUT},
        {"\"scheme\": \"greedy\", \"traffic\": \"random\", \"networks\": [\"hypercube:20\"]",
         "x.json: series[1], with networks[0]: 1048576 packets on hypercube:20 need ", NP_ERROR_LIMIT},
        {"\"scheme\": \"waves\", \"traffic\": \"random\", \"networks\": [\"hypercube:24\"]",
         "x.json: series[1], with networks[0]: no memory for a leveled network", NP_ERROR_LIMIT},
    };
    np_experiment_options options;
    np_experiment_options_init(&options);
    options.memory_limit = 1 << 20;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        np_experiment *experiment;
        snprintf(text, sizeof text,
                 "{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"greedy\", \"traffic\": \"random\", "
                 "\"networks\": [\"hypercube:3\"]}, {\"label\": \"b\", %s}]}",
                 cases[i].series);
        assert_ok(parse(text, &experiment));
        assert_refused(np_experiment_check(experiment, &options), cases[i].status, cases[i].message);
        options.only = "a"; /* what is not run need not be good */
        assert_ok(np_experiment_check(experiment, &options));
        options.only = "c";
        assert_refused(np_experiment_check(experiment, &options), NP_ERROR_INPUT, "no series 'c': there are a, b");
        options.only = NULL;
        np_experiment_free(experiment);
    }
}

/* Options that only some schemes heed, and those that do not go together. */
static void schemes_heed_their_options(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {MERGE("ranked",
               "\"queue_size\": 1, \"room\": \"freed\", \"ranks\": \"hash\", \"rank_range\": 99, \"independence\": 3"),
         NULL},
        {MERGE("ranked", "\"message_length\": \"1..8\", \"messages\": \"pipelined\", \"no_ghosts\": false"), NULL},
        {MERGE("ranked", "\"combine\": \"sum\", \"message_length\": 3"), NULL},
        {MERGE("waves", "\"queue_size\": 1, \"room\": \"freed\", \"waves\": 4"), NULL},
        {MERGE("waves", "\"combine\": \"sum\""), "x.json: series[0].combine: is for scheme 'ranked', not for 'waves'"},
        {MERGE("ranked", "\"waves\": 4"), "x.json: series[0].waves: is for scheme 'waves', not for 'ranked'"},
        {MERGE("ranked", "\"combine\": \"sum\", \"ranks\": \"random\""),
         "x.json: series[0], with networks[0]: packets that combine need ranks by destination"},
        {MERGE("greedy", "\"queue_size\": 2"), "x.json: series[0].queue_size: is for scheme 'ranked'"},
        {MERGE("ranked", "\"permutations\": 2"), "x.json: series[0].permutations: is for scheme 'constrained'"},
        {MERGE("rankd", "\"queue_size\": 2"), "x.json: series[0].scheme: no scheme 'rankd': did you mean 'ranked'?"},
    };
    np_experiment_options options;
    np_experiment_options_init(&options);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_experiment *experiment;
        assert_ok(parse(cases[i].text, &experiment));
        np_status st = np_experiment_check(experiment, &options);
        if (cases[i].message)
            assert_refused(st, st == NP_ERROR_APPLY ? NP_ERROR_APPLY : NP_ERROR_INPUT, cases[i].message);
        else
            assert_ok(st);
        np_experiment_free(experiment);
    }
}

static char directory[64];

static char *inside(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/out/%s", directory, name);
    return path;
}

static void fresh_directory(void)
{
    strcpy(directory, "/tmp/netpram-test-XXXXXX");
    assert_non_null(mkdtemp(directory));
}

/* Counts and removes. */
static int sweep(void)
{
    int count = 0;
    DIR *open = opendir(inside("."));
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
            unlink(inside(entry->d_name));
            count++;
        }
    if (open)
        closedir(open);
    char path[80];
    snprintf(path, sizeof path, "%s/out", directory);
    rmdir(path);
    rmdir(directory);
    return count;
}

typedef struct counted {
    int count; /* times that the share grew: once a run, where no run takes long */
    double share;
} counted;

static int count_progress(void *context, const np_progress *progress)
{
    counted *c = context;
    assert_in_range(progress->done, 0, 2);
    assert_non_null(strstr(progress->stage, " of 2 "));
    assert_true(progress->share > 0 && progress->share <= 1.0000001);
    assert_true(progress->share >= c->share);
    c->count += progress->share > c->share;
    c->share = progress->share;
    return 0;
}

static int cancel(void *context, const np_progress *progress)
{
    (void)context;
    return strncmp(progress->stage, "point 2 ", 8) == 0;
}

/* The complement on the n-cube, dimension by dimension: every packet makes n hops, nobody waits. */
static void writes_csv_and_plots(void **state)
{
    (void)state;
    char text[16384] = "", out[96];
    counted calls = {0, 0};
    np_experiment *experiment;
    np_experiment_outcome outcome;
    np_experiment_options options;
    fresh_directory();
    np_experiment_options_init(&options);
    snprintf(out, sizeof out, "%s/out", directory);
    options.directory = out;
    options.runs = 2;
    options.threads = 1;
    options.watch = (np_watch){count_progress, &calls};
    assert_ok(parse(PLOT(", \"x\": \"log2_nodes\""), &experiment));
    assert_string_equal(np_experiment_name(experiment), "e");
    assert_ok(np_experiment_run(experiment, &options, &outcome));
    assert_int_equal(calls.count, 4);
    assert_int_equal(outcome.points, 2);
    assert_int_equal(outcome.plots, 1);
    FILE *file = fopen(inside("e.csv"), "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
#define REST ",,terminals,,,,false,,,2,1,false,2,begin,none,random,1073741824,,1,cycles,false,free,false,,complement\n"
    const char *start = "label,scheme,network,nodes,phase,measure,mean,variance,min,max,p50,p99,ci95,"
                        "paths,via,queue,fail,permutations,overlap,phase_time,fallback,runs,seed,same_traffic,queue_"
                        "size,room,combine,ranks,"
                        "rank_range,independence,message_length,messages,no_ghosts,ghosts,physical,waves,traffic\n"
                        "a,greedy,hypercube:3,8,route,steps,3,0,3,3,3,3," REST
                        "a,greedy,hypercube:3,8,route,physical_steps,3,0,3,3,3,3," REST
                        "a,greedy,hypercube:3,8,route,delay_max,0,0,0,0,0,0," REST;
    assert_int_equal(strncmp(text, start, strlen(start)), 0);
    assert_non_null(strstr(text, "a,greedy,hypercube:4,16,route,hops,64,0,64,64,64,64," REST));
    assert_non_null(strstr(text, "a,greedy,hypercube:4,16,total,steps,4,0,4,4,4,4," REST));
#undef REST
    memset(text, 0, sizeof text);
    file = fopen(inside("p.dat"), "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "# 'a'\n# x y error\n3 3 0\n4 4 0\n");
    assert_false(outcome.drawn);
    assert_int_equal(sweep(), 5); /* the database and its claims, too */
    np_experiment_free(experiment);
}

/*
 * Combining on the n-level butterfly: all 2^n inputs to output 0 for n = 3, in n + 1 steps with 7 combinations; each
 * to the output of its row for n = 8, with none. In both c = 1, L = n, log2 N = n. The scheme greedy is not leveled,
 * so the charts leave it out.
 */
static void charts_stand_over_the_bound(void **state)
{
    (void)state;
    char text[256] = "", out[96];
    np_experiment *experiment;
    np_experiment_outcome outcome;
    np_experiment_options options;
    fresh_directory();
    np_experiment_options_init(&options);
    snprintf(out, sizeof out, "%s/out", directory);
    options.directory = out;
    assert_ok(
        parse("{\"name\": \"e\", \"series\": [{\"label\": \"a\", \"scheme\": \"ranked\", \"combine\": \"or\", "
              "\"traffic\": [\"hotspot:0\", \"identity\"], \"networks\": [\"butterfly-io:3\", \"butterfly-io:8\"]}, "
              "{\"label\": \"b\", \"scheme\": \"greedy\", \"traffic\": \"hotspot:0\", "
              "\"networks\": [\"butterfly-io:3\"]}], \"plots\": ["
              "{\"file\": \"p\", \"x\": \"bound\", \"y\": \"total.steps\"}, "
              "{\"file\": \"q\", \"x\": \"log2_nodes\", \"y\": \"route.combined\"}]}",
              &experiment));
    assert_ok(np_experiment_run(experiment, &options, &outcome));
    static const struct {
        const char *name, *want;
    } data[] = {{"p.dat", "# 'a'\n# x y error\n7 4 0\n17 "},
                {"q.dat", "# 'a'\n# x y error\n5 7 0\n11.1699250014423 0 0\n"}};
    for (size_t i = 0; i < 2; i++) {
        FILE *file = fopen(inside(data[i].name), "r");
        assert_non_null(file);
        memset(text, 0, sizeof text);
        assert_true(fread(text, 1, sizeof text - 1, file) > 0);
        fclose(file);
        assert_int_equal(strncmp(text, data[i].want, strlen(data[i].want)), 0);
        assert_null(strstr(text, "'b'"));
    }
    sweep();
    np_experiment_free(experiment);
}

static void keeps_what_is_done_when_cancelled_or_wrong(void **state)
{
    (void)state;
    char out[96];
    np_experiment *experiment;
    np_experiment_outcome outcome;
    np_experiment_options options;
    fresh_directory();
    np_experiment_options_init(&options);
    snprintf(out, sizeof out, "%s/out", directory);
    options.directory = out;
    options.watch.tell = cancel;
    assert_ok(parse(GOOD, &experiment));
    assert_refused(np_experiment_run(experiment, &options, &outcome), NP_ERROR_CANCELLED, "");
    assert_int_equal(outcome.points, 1);
    assert_int_equal(outcome.points_all, 2);
    assert_int_equal(sweep(), 2); /* the database and its claims */
    np_experiment_free(experiment);

    fresh_directory();
    snprintf(out, sizeof out, "%s/out", directory);
    options.watch.tell = NULL;
    assert_ok(parse("{\"name\": \"e\", " SERIES ", \"plots\": [{\"file\": \"p\", \"y\": \"B.steps\"}]}", &experiment));
    assert_refused(np_experiment_run(experiment, &options, &outcome), NP_ERROR_INPUT,
                   "plots[0].y: no series has 'B.steps'");
    assert_int_equal(outcome.points, 2);
    assert_int_equal(sweep(), 3); /* the CSV, which is whole */
    np_experiment_free(experiment);
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    np_experiment *experiment;
    int failures = 0;
    for (long n = 1;; n++, failures++) {
        np_memory_fail_after(n);
        np_status st = parse(PLOT(""), &experiment);
        np_memory_fail_after(0);
        if (!st)
            break;
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_null(experiment);
    }
    assert_true(failures >= 5);
    np_experiment_free(experiment);
    np_experiment_free(NULL);
}

static void files_are_read(void **state)
{
    (void)state;
    np_experiment *experiment;
    char *path = support_file(GOOD);
    assert_ok(np_experiment_read(path, &experiment));
    np_experiment_free(experiment);
    unlink(path);
    assert_refused(np_experiment_read(path, &experiment), NP_ERROR_IO, path);
    free(path);
    assert_ok(np_experiment_read("../experiments/valiant-brebner-1981.json", &experiment));
    np_experiment_options options;
    np_experiment_options_init(&options);
    assert_ok(np_experiment_check(experiment, &options));
    np_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(points_are_checked_before_any_runs),
        cmocka_unit_test(schemes_heed_their_options),
        cmocka_unit_test(writes_csv_and_plots),
        cmocka_unit_test(charts_stand_over_the_bound),
        cmocka_unit_test(keeps_what_is_done_when_cancelled_or_wrong),
        cmocka_unit_test(survives_each_failed_allocation),
        cmocka_unit_test(files_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
