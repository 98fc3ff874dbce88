/*
 * Series of sorting: one algorithm on several networks, a point for each. All points share the experiment's
 * seed: `netpram sort` with this seed repeats a point.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "base/watch.h"
#include "netpram/sort.h"
#include "report/experiment.h"

/* A point. */
typedef struct sort_point {
    const char *network, *order; /* spec; of the keys */
    uint64_t keys;               /* 0: one a place */
    np_sort_options sort;
} sort_point;

static const np_field rows[] = {
    {"networks", NP_FIELD_TEXT, offsetof(sort_point, network), .placeholder = "SPEC"},
    {"order", NP_FIELD_TEXT, offsetof(sort_point, order), .preset = "random", .placeholder = "NAME"},
    {"keys", NP_FIELD_U64, offsetof(sort_point, keys), .low = 1, .high = UINT64_C(1) << 31, .placeholder = "N"},
    {NULL, NP_FIELD_INSET, offsetof(sort_point, sort), .fields = &np_sort_options_fields},
};

static const np_fields fields = NP_FIELDS("sort_point", "sorting", sort_point, rows);

/* What is measured of one run. */
typedef struct sample {
    double steps, steps_per_log_n, steps_per_log2_n; /* the last two: over log2 of the keys, and its square */
    double predicted, hops, comparators, queue_max, load_max, recursion_depth, redraws, fallbacks;
} sample;

#define AT(member) offsetof(sample, member)

static const np_field measures[] = {
    {"steps", NP_FIELD_REAL, .at = AT(steps)},
    {"steps_per_log_n", NP_FIELD_REAL, .at = AT(steps_per_log_n)},
    {"steps_per_log2_n", NP_FIELD_REAL, .at = AT(steps_per_log2_n)},
    {"predicted.steps", NP_FIELD_REAL, AT(predicted), .flags = NP_FIELD_ZERO},
    {"hops", NP_FIELD_REAL, .at = AT(hops)},
    {"comparators", NP_FIELD_REAL, .at = AT(comparators)},
    {"queue_max", NP_FIELD_REAL, .at = AT(queue_max)},
    {"load_max", NP_FIELD_REAL, .at = AT(load_max)},
    {"recursion_depth", NP_FIELD_REAL, .at = AT(recursion_depth)},
    {"redraws", NP_FIELD_REAL, .at = AT(redraws)},
    {"fallbacks", NP_FIELD_REAL, .at = AT(fallbacks)},
};

enum { MEASURES = sizeof measures / sizeof *measures };

static const np_fields measured = NP_FIELDS("sample", "sorting", sample, measures);

enum { AXIS_KEYS, AXIS_LOG2_KEYS, AXIS_NODES, AXIS_LOG2_NODES, AXES };

static const np_experiment_axis axes[] = {
    [AXIS_KEYS] = {"keys", "keys"},
    [AXIS_LOG2_KEYS] = {"log2_keys", "log2 of the keys"},
    [AXIS_NODES] = {"nodes", "nodes"},
    [AXIS_LOG2_NODES] = {"log2_nodes", "log2 of the nodes"},
    [AXES] = {NULL, NULL},
};

static np_status check_measure(const char *y) { return np_experiment_check_measure(&measured, measured.of, y); }

/* ---- Checking ---- */

static const sort_point *point_of(const np_experiment_job *job, const np_point *point)
{
    return np_series_options(&job->experiment->serie[point->series], point->number);
}

/* What is wrong with the series itself, whatever its networks. */
static np_status check_series(const np_experiment_job *job, const np_point *point, const np_network *network)
{
    const sort_point *p = point_of(job, point);
    const char *algorithm = p->sort.algorithm, *key;
    size_t i = 0;
    np_status st = np_sorter_applies(algorithm, network);
    if (st == NP_ERROR_INPUT) /* an algorithm that does not apply is an error of the point: np_sort_places reports it */
        return np_experiment_at_key(job, point, "algorithm", st);
    if ((st = np_keys_make(p->order, 0, 0, 0, NULL)))
        return np_experiment_at_key(job, point, "order", st);
    while ((key = np_series_given(&job->experiment->serie[point->series], point->number, &i))) {
        st = np_fields_find(&np_sort_options_fields, key) ? np_sorter_heeds(algorithm, key) : NP_OK;
        if (st)
            return np_experiment_at_key(job, point, key, st);
    }
    return NP_OK;
}

/* The network of a point, and how many keys it gets. */
static np_status make_point(const np_experiment_job *job, const np_point *point, np_network **network, uint64_t *keys)
{
    const sort_point *p = point_of(job, point);
    np_status st = np_network_create(p->network, network);
    if (st)
        return np_experiment_at_point(job, point, st);
    if (!(st = check_series(job, point, *network)) && (st = np_sort_places(*network, p->sort.algorithm, keys)))
        st = np_experiment_at_point(job, point, st);
    if (p->keys)
        *keys = p->keys;
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
    point->work = (double)keys * np_log2((double)keys + 1);
    np_network_free(network);
    return NP_OK;
}

/* ---- Running ---- */

/* What a sort calls back with. */
typedef struct watch {
    const np_experiment_job *job;
    const sort_point *point;
    uint32_t done;
} watch;

static void draw_keys(void *context, uint32_t run, size_t count, uint64_t *key)
{
    const watch *w = context;
    (void)!np_keys_make(w->point->order, count, w->point->sort.seed, run, key); /* its name was checked */
}

/* Called now and then within a run: a long one, too, can be cancelled. */
static int within_run(void *context, const np_progress *progress)
{
    const watch *w = context;
    (void)progress;
    return np_watch_tell(&w->job->watch, (np_progress){.unit = "runs", .done = w->done});
}

static sample sample_of(const np_sort_result *result)
{
    double steps = result->steps.mean, log = np_log2((double)result->keys + (result->keys < 2));
    return (sample){
        .steps = steps,
        .steps_per_log_n = steps / log,
        .steps_per_log2_n = steps / (log * log),
        .predicted = (double)result->predicted.steps,
        .hops = (double)result->hops,
        .comparators = (double)result->comparators,
        .queue_max = result->queue_max,
        .load_max = result->load_max,
        .recursion_depth = result->recursion_depth,
        .redraws = (double)result->redraws,
        .fallbacks = (double)result->fallbacks,
    };
}

static np_status make_room(const np_sort_result *result, np_samples *out)
{
    np_status st = np_samples_init(out, MEASURES + AXES, out->first, out->runs);
    if (st)
        return st;
    np_samples_add_axis(out, axes[AXIS_KEYS].name, (double)result->keys);
    np_samples_add_axis(out, axes[AXIS_LOG2_KEYS].name, np_log2((double)result->keys));
    np_samples_add_axis(out, axes[AXIS_NODES].name, (double)result->nodes);
    np_samples_add_axis(out, axes[AXIS_LOG2_NODES].name, np_log2((double)result->nodes));
    for (size_t m = 0; m < MEASURES; m++)
        if (strcmp(measures[m].name, "predicted.steps") || result->predicted.steps) /* not all have a formula */
            np_samples_add(out, "", measures[m].name);
    return NP_OK;
}

/* Keeps the measures of the i-th of the runs. */
static np_status keep(const np_sort_result *result, uint32_t i, np_samples *out)
{
    const sample s = sample_of(result);
    np_value value;
    np_status st = i ? NP_OK : make_room(result, out);
    for (size_t k = 0; k < out->count && !st; k++)
        if (!out->sample[k].axis && np_fields_get(&measured, &s, out->sample[k].measure, &value))
            out->sample[k].value[i] = np_value_number(&value);
    return st;
}

/* One run: what a result has but the steps is of all its runs together. */
static np_status sort_once(watch *w, const np_network *network, uint64_t keys, np_samples *samples)
{
    np_sort_options options = w->point->sort;
    np_sort_result *result = NULL;
    options.runs = 1;
    options.first_run = samples->first + w->done;
    options.threads = w->job->threads;
    options.draw_keys = draw_keys;
    options.context = w;
    options.watch = (np_watch){within_run, w};
    np_status st = np_sort(network, keys, NULL, &options, &result);
    if (!st && !result->sorted)
        st = NP_RAISE(NP_ERROR_INTERNAL, "the keys did not come out sorted: %s", result->wrong);
    if (!st)
        st = keep(result, w->done++, samples);
    if (!st)
        st = np_watch_check(&w->job->watch, (np_progress){.unit = "runs", .done = w->done});
    np_sort_result_free(result);
    return st;
}

static np_status run(const np_experiment_job *job, const np_point *point, np_samples *samples)
{
    watch w = {.job = job, .point = point_of(job, point)};
    np_network *network;
    uint64_t keys;
    np_status st = make_point(job, point, &network, &keys);
    if (st)
        return st;
    while (w.done < samples->runs && !st)
        st = sort_once(&w, network, keys, samples);
    np_network_free(network);
    return np_experiment_at_point(job, point, st);
}

const np_series_kind np_experiment_sort = {
    .key = "algorithm",
    .columns = "algorithm,network,keys,nodes",
    .fields = &fields,
    .hides = "threads",
    .draws = "networks, order, keys, seed",
    .along = "networks",
    .spec = offsetof(sort_point, network),
    .axes = axes,
    .check_measure = check_measure,
    .check = check,
    .run = run,
};
