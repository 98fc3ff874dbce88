/*
 * Series of sorting: one algorithm on several networks, a point for each. All points share the experiment's
 * seed: `netpram sort` with this seed repeats a point.
 */
#include "base/real.h"
#include "base/watch.h"
#include "lab/experiment/experiment.h"

/* A point. */
typedef struct sort_point {
    const char *network; /* spec */
    np_sort_options sort;
} sort_point;

static const np_field rows[] = {
    {"networks", NP_FIELD_TEXT, offsetof(sort_point, network), .placeholder = "SPEC"},
    {NULL, NP_FIELD_INSET, offsetof(sort_point, sort), .fields = &np_sort_options_fields},
};

static const np_fields fields = NP_FIELDS("sort_point", "sorting", sort_point, rows);

/* ---- What is measured of a result of one run ---- */

static const np_sort_result *result(const void *object) { return object; }

static void get_steps(const void *object, np_value *value) { value->real = result(object)->steps.mean; }
static void get_log2_keys(const void *object, np_value *value) { value->real = np_log2((double)result(object)->keys); }

/* Over log2 of the keys; one key counts as two. */
static void get_per_log(const void *object, np_value *value)
{
    value->real = result(object)->steps.mean / np_log2((double)result(object)->keys + (result(object)->keys < 2));
}

static void get_per_log2(const void *object, np_value *value)
{
    double log = np_log2((double)result(object)->keys + (result(object)->keys < 2));
    value->real = result(object)->steps.mean / (log * log);
}

static void get_log2_nodes(const void *object, np_value *value)
{
    value->real = np_log2((double)result(object)->nodes);
}

static const np_field measured_rows[] = {
    {"steps", NP_FIELD_REAL, .get = get_steps},
    {"steps_per_log_n", NP_FIELD_REAL, .get = get_per_log},
    {"steps_per_log2_n", NP_FIELD_REAL, .get = get_per_log2},
    {"log2_keys", NP_FIELD_REAL, .get = get_log2_keys},
    {"log2_nodes", NP_FIELD_REAL, .get = get_log2_nodes},
    {NULL, NP_FIELD_INSET, .fields = &np_sort_result_fields},
};

static const np_fields measured = NP_FIELDS("sort_measured", "sorting", np_sort_result, measured_rows);

static const np_experiment_axis axes[] = {
    {"keys", "keys"}, {"log2_keys", "log2 of the keys"}, {"nodes", "nodes"}, {"log2_nodes", "log2 of the nodes"},
    {NULL, NULL},
};

/* ---- Checking ---- */

/* What is wrong with the series itself, whatever its networks. */
static np_status check_series(const np_experiment_job *job, const np_experiment_point *point, const np_network *network)
{
    const sort_point *p = np_experiment_options_of(job, point);
    const char *algorithm = p->sort.algorithm;
    np_status st = np_sorter_applies(algorithm, network);
    if (st == NP_ERROR_INPUT) /* an algorithm that does not apply is an error of the point: np_sort_places reports it */
        return np_experiment_at_key(job, point, "algorithm", st);
    return np_experiment_heeds(job, point, &np_sort_options_fields, np_sorter_heeds, algorithm);
}

/* The network of a point, and how many keys it gets. */
static np_status make_point(const np_experiment_job *job, const np_experiment_point *point, const np_network **network,
                            uint64_t *keys)
{
    const sort_point *p = np_experiment_options_of(job, point);
    np_status st = np_experiment_network(job, p->network, network);
    if (st)
        return np_experiment_at_point(job, point, st);
    if (!(st = check_series(job, point, *network)) && (st = np_sort_places(*network, p->sort.algorithm, keys)))
        st = np_experiment_at_point(job, point, st);
    if (p->sort.keys)
        *keys = p->sort.keys;
    return st;
}

static np_status check(const np_experiment_job *job, np_experiment_point *point)
{
    const np_network *network;
    uint64_t keys = 0;
    np_status st = make_point(job, point, &network, &keys);
    if (st)
        return st;
    point->work = (double)keys * np_log2((double)keys + 1);
    return NP_OK;
}

/* ---- Running ---- */

/* What a sort calls back with. */
typedef struct watch {
    const np_experiment_job *job;
    const sort_point *point;
    uint32_t done, runs;
} watch;

/* Called now and then within a run: a long one, too, can be cancelled. */
static int within_run(void *context, const np_progress *progress)
{
    const watch *w = context;
    return np_watch_tell(&w->job->watch,
                         (np_progress){.unit = "steps", .share = (w->done + progress->share) / w->runs});
}

/* One run: what a result has but the steps is of all its runs together. */
static np_status sort_once(watch *w, const np_network *network, np_samples *samples)
{
    np_sort_options options = w->point->sort;
    np_sort_result *result = NULL;
    options.runs = 1;
    options.first_run = samples->first + w->done;
    options.threads = w->job->threads;
    options.memory_limit = w->job->memory_limit;
    options.watch = (np_watch){within_run, w};
    np_status st = np_sort(network, 0, NULL, &options, &result);
    if (!st && !result->sorted)
        st = NP_RAISE(NP_ERROR_INTERNAL, "the keys did not come out sorted: %s", result->wrong);
    if (!st && !w->done)
        st = np_experiment_measures_init(&np_experiment_sort, result, samples);
    if (!st)
        np_experiment_measures_keep(&np_experiment_sort, result, w->done++, samples);
    if (!st)
        st = np_watch_check(&w->job->watch, (np_progress){.unit = "runs", .done = w->done});
    np_sort_result_free(result);
    return st;
}

static np_status run(const np_experiment_job *job, const np_experiment_point *point, np_samples *samples)
{
    watch w = {.job = job, .point = np_experiment_options_of(job, point), .runs = samples->runs};
    const np_network *network;
    uint64_t keys;
    np_status st = make_point(job, point, &network, &keys);
    if (st)
        return st;
    while (w.done < samples->runs && !st)
        st = sort_once(&w, network, samples);
    return np_experiment_at_point(job, point, st);
}

const np_series_kind np_experiment_sort = {
    .key = "algorithm",
    .columns = "algorithm,network,keys,nodes",
    .fields = &fields,
    .hides = "threads, memory, input, kind",
    .draws = "networks, order, keys, seed",
    .along = "networks",
    .spec = offsetof(sort_point, network),
    .axes = axes,
    .measured = &measured,
    .measures = NP_NAMES("steps", "steps_per_log_n", "steps_per_log2_n", "predicted.steps", "hops", "comparators",
                         "queue_max", "load_max", "recursion_depth", "redraws", "fallbacks"),
    .check = check,
    .run = run,
};
