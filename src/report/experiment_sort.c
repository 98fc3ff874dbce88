/*
 * Series of sorting: one algorithm on several networks, a point for each. All points share the experiment's seed: `netpram
 * sort` repeats one with that seed alone.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "netpram/keys.h"
#include "netpram/sort.h"
#include "report/csv.h"
#include "report/experiment.h"

typedef struct sort_series {
    const char *algorithm, *order;
    np_sort_options options;
    const char *given;    /* the last option given that not every sorter heeds; NULL: none */
    const char **network; /* [networks] specs */
    uint64_t *keys;       /* [networks] 0: one a place */
} sort_series;

/* What is measured over the runs of a point. */
typedef enum measure {
    STEPS,
    STEPS_PER_LOG,
    STEPS_PER_LOG2,
    PREDICTED,
    HOPS,
    COMPARATORS,
    QUEUE,
    LOAD,
    DEPTH,
    REDRAWS,
    FALLBACKS,
    MEASURES
} measure;

static const char *const measures[MEASURES] = {
    [STEPS] = "steps",
    [STEPS_PER_LOG] = "steps_per_log_n",   /* over log2 of the keys */
    [STEPS_PER_LOG2] = "steps_per_log2_n", /* over its square */
    [PREDICTED] = "predicted.steps",
    [HOPS] = "hops", /* of a run, in the mean; so are the others */
    [COMPARATORS] = "comparators",
    [QUEUE] = "queue_max",
    [LOAD] = "load_max",
    [DEPTH] = "recursion_depth",
    [REDRAWS] = "redraws",
    [FALLBACKS] = "fallbacks",
};

enum { AXIS_KEYS, AXIS_LOG2_KEYS, AXIS_NODES, AXIS_LOG2_NODES, AXES };

static const np_experiment_axis axes[] = {
    [AXIS_KEYS] = {"keys", "keys"},
    [AXIS_LOG2_KEYS] = {"log2_keys", "log2 of the keys"},
    [AXIS_NODES] = {"nodes", "nodes"},
    [AXIS_LOG2_NODES] = {"log2_nodes", "log2 of the nodes"},
    [AXES] = {NULL, NULL},
};

static sort_series *of(const np_series *series) { return series->own; }

/* ---- Reading ---- */

static const char *key_name(size_t i)
{
    static const char *const keys[] = {"algorithm", "networks", "order", "keys"};
    size_t count = sizeof keys / sizeof *keys;
    return i < count ? keys[i] : np_sort_option_name(i - count);
}

static np_status parse_networks(const np_experiment_place *at, json_t *object, np_series *series, sort_series *sort)
{
    json_t *list;
    np_status st = np_experiment_list(at, object, "networks", "strings", &list);
    if (st)
        return st;
    series->points = json_array_size(list);
    if ((st = np_memory_zeroed(&sort->network, series->points, sizeof *sort->network, "an experiment")) ||
        (st = np_memory_zeroed(&sort->keys, series->points, sizeof *sort->keys, "an experiment")))
        return st;
    return np_experiment_texts(at, list, "networks", "butterfly:10", sort->network);
}

/* As many for all networks, or one for each. */
static np_status parse_keys(const np_experiment_place *at, json_t *object, const np_series *series, sort_series *sort)
{
    json_t *list = json_object_get(object, "keys");
    uint64_t count = 0;
    np_status st;
    if (!json_is_array(list) && (st = np_experiment_whole(at, object, "keys", 1, UINT64_C(1) << 31, &count)))
        return st;
    if (json_is_array(list) && json_array_size(list) != series->points)
        return np_experiment_refuse(at, "keys", "a list must have one for each of the networks");
    for (size_t i = 0; i < series->points; i++) {
        json_t *entry = json_is_array(list) ? json_array_get(list, i) : NULL;
        sort->keys[i] = count;
        if (!entry)
            continue;
        if (!json_is_integer(entry) || json_integer_value(entry) < 1 || json_integer_value(entry) > INT64_C(1) << 31)
            return np_experiment_refuse(at, "keys", "must be whole numbers in 1..2147483648");
        sort->keys[i] = (uint64_t)json_integer_value(entry);
    }
    return NP_OK;
}

static np_status parse_options(const np_experiment_place *at, json_t *object, sort_series *sort)
{
    np_status st = NP_OK;
    np_sort_options_init(&sort->options);
    for (size_t i = 0; np_sort_option_name(i); i++) {
        const char *key = np_sort_option_name(i);
        json_t *value = json_object_get(object, key);
        np_experiment_word word;
        if (!value)
            continue;
        sort->given = key;
        if (json_is_real(value)) /* only `candidates` can be one */
            snprintf(word.text, sizeof word.text, "%.15g", json_real_value(value));
        else if ((st = np_experiment_word_of(at, key, value, &word)))
            return st;
        if ((st = np_sort_options_set(&sort->options, key, word.text)))
            return np_experiment_prefix(st, at, key);
    }
    return NP_OK;
}

static np_status parse(const np_experiment_place *at, json_t *object, np_series *series)
{
    sort_series *sort;
    np_status st = np_memory_zeroed(&sort, 1, sizeof *sort, "an experiment");
    series->own = sort;
    if (st)
        return st;
    sort->order = "random";
    if ((st = np_experiment_text(at, object, "algorithm", true, &sort->algorithm)) ||
        (st = np_experiment_text(at, object, "order", false, &sort->order)) ||
        (st = parse_networks(at, object, series, sort)) || (st = parse_keys(at, object, series, sort)))
        return st;
    return parse_options(at, object, sort);
}

static void destroy(void *own)
{
    sort_series *sort = own;
    if (!sort)
        return;
    np_memory_free(sort->network);
    np_memory_free(sort->keys);
    np_memory_free(sort);
}

static np_status check_measure(const char *y)
{
    for (size_t i = 0; i < MEASURES; i++)
        if (!strcmp(y, measures[i]))
            return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "no measure '%.40s' of sorting: did you mean '%s'?", y,
                    np_parse_nearest(y, measures, MEASURES));
}

/* ---- Checking ---- */

static const char *spec(const np_series *series, size_t number) { return of(series)->network[number]; }

static np_status at_point(const np_experiment_job *job, const np_point *point, np_status st)
{
    return np_status_prefix(st, "%s: series[%zu].networks[%zu]: ", job->experiment->source, point->series,
                            point->number);
}

/* What is wrong with the series itself, whatever its networks. */
static np_status check_series(const np_experiment_job *job, const np_point *point, const np_network *network)
{
    const sort_series *series = of(&job->experiment->serie[point->series]);
    const char *key = "algorithm";
    np_status st = np_sorter_applies(series->algorithm, network);
    if (st == NP_ERROR_APPLY)
        st = NP_OK; /* the point's fault: np_sort_places will say so */
    if (!st && (st = np_keys_make(series->order, 0, 0, 0, NULL)))
        key = "order";
    if (!st && series->given && (st = np_sorter_heeds(series->algorithm, series->given)))
        key = series->given;
    return st ? np_status_prefix(st, "%s: series[%zu].%s: ", job->experiment->source, point->series, key) : NP_OK;
}

/* The network of a point, and how many keys it gets. */
static np_status make_point(const np_experiment_job *job, const np_point *point, np_network **network, uint64_t *keys)
{
    const sort_series *series = of(&job->experiment->serie[point->series]);
    np_status st = np_network_create(series->network[point->number], network);
    if (st)
        return at_point(job, point, st);
    if (!(st = check_series(job, point, *network)) && (st = np_sort_places(*network, series->algorithm, keys)))
        st = at_point(job, point, st);
    if (series->keys[point->number])
        *keys = series->keys[point->number];
    if (st)
        np_network_free(*network);
    return st;
}

static np_status check(const np_experiment_job *job, np_point *point)
{
    np_network *network;
    uint64_t keys = 0;
    np_status st = make_point(job, point, &network, &keys);
    if (st)
        return st;
    point->work = (double)keys * log2((double)keys + 1);
    np_network_free(network);
    return NP_OK;
}

/* ---- Running ---- */

/* What a sort calls back with. */
typedef struct watch {
    const np_experiment_job *job;
    const sort_series *series;
    uint64_t seed;
    uint32_t done;
} watch;

static void draw_keys(void *context, uint32_t run, size_t count, uint64_t *key)
{
    const watch *w = context;
    (void)!np_keys_make(w->series->order, count, w->seed, run, key); /* its name was checked */
}

static int on_progress(void *context, uint32_t run, const char *stage, uint64_t steps)
{
    watch *w = context;
    (void)stage;
    (void)steps;
    if (run == w->done)
        return 0;
    w->done = run;
    return w->job->on_run(w->job->context, run);
}

/* One value for all runs. */
static np_summary constant(uint32_t runs, double value)
{
    return (np_summary){.count = runs, .mean = value, .min = value, .max = value, .p50 = value, .p99 = value};
}

/* The same steps in another unit. */
static np_summary scaled(np_summary s, double unit)
{
    s.mean /= unit;
    s.variance /= unit * unit;
    s.min /= unit;
    s.max /= unit;
    s.p50 /= unit;
    s.p99 /= unit;
    s.ci95 /= unit;
    return s;
}

static np_summary summary_of(const np_sort_result *result, measure m)
{
    double runs = result->runs, log = log2((double)result->keys + (result->keys < 2));
    const double value[MEASURES] = {
        [PREDICTED] = (double)result->predicted.steps,
        [HOPS] = (double)result->hops / runs,
        [COMPARATORS] = (double)result->comparators / runs,
        [QUEUE] = result->queue_max,
        [LOAD] = result->load_max,
        [DEPTH] = result->recursion_depth,
        [REDRAWS] = (double)result->redraws / runs,
        [FALLBACKS] = (double)result->fallbacks / runs,
    };
    if (m == STEPS || m == STEPS_PER_LOG || m == STEPS_PER_LOG2)
        return scaled(result->steps, m == STEPS ? 1 : m == STEPS_PER_LOG ? log : log * log);
    return constant(result->runs, value[m]);
}

static np_status keep(np_point *point, const np_sort_result *result)
{
    np_status st = np_memory_zeroed(&point->row, MEASURES, sizeof *point->row, "an experiment's results");
    if (st)
        return st;
    for (int m = 0; m < MEASURES; m++) {
        if (m == PREDICTED && !result->predicted.steps)
            continue;
        np_experiment_row *row = &point->row[point->rows++];
        row->measure = measures[m];
        row->summary = summary_of(result, (measure)m);
        row->x[AXIS_KEYS] = (double)result->keys;
        row->x[AXIS_LOG2_KEYS] = log2((double)result->keys);
        row->x[AXIS_NODES] = (double)result->nodes;
        row->x[AXIS_LOG2_NODES] = log2((double)result->nodes);
    }
    return NP_OK;
}

static np_status run(const np_experiment_job *job, np_point *point)
{
    const sort_series *series = of(&job->experiment->serie[point->series]);
    watch w = {.job = job, .series = series, .seed = job->experiment->seed};
    np_sort_options options = series->options;
    np_sort_result *result = NULL;
    np_network *network;
    uint64_t keys;
    np_status st = make_point(job, point, &network, &keys);
    if (st)
        return st;
    options.algorithm = series->algorithm;
    options.seed = job->experiment->seed;
    options.runs = job->runs;
    options.threads = job->threads;
    options.draw_keys = draw_keys;
    options.on_progress = on_progress;
    options.context = &w;
    st = np_sort(network, keys, NULL, &options, &result);
    if (!st && !result->sorted)
        st = NP_RAISE(NP_ERROR_INTERNAL, "the keys did not come out sorted: %s", result->wrong);
    if (!st && job->on_run(job->context, job->runs))
        st = NP_RAISE(NP_ERROR_CANCELLED, "cancelled after %u runs", job->runs);
    if (!st)
        st = keep(point, result);
    np_sort_result_free(result);
    np_network_free(network);
    return st ? at_point(job, point, st) : NP_OK;
}

static void csv(const np_series *series, const np_point *point, const np_experiment_row *row, FILE *stream)
{
    np_csv_text(of(series)->algorithm, stream);
    np_csv_text(spec(series, point->number), stream);
    fprintf(stream, "%.15g,%.15g,", row->x[AXIS_KEYS], row->x[AXIS_NODES]);
}

const np_series_kind np_experiment_sort = {
    .key = "algorithm",
    .columns = "algorithm,network,keys,nodes",
    .axes = axes,
    .key_name = key_name,
    .parse = parse,
    .free = destroy,
    .check_measure = check_measure,
    .spec = spec,
    .check = check,
    .run = run,
    .csv = csv,
};
