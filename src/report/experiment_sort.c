/*
 * Series of sorting: one algorithm on several networks, a point for each. All points share the experiment's
 * seed: `netpram sort` with this seed repeats a point.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "netpram/sort.h"
#include "report/experiment.h"

/* A point. */
typedef struct sort_point {
    const char *network, *order; /* spec; of the keys */
    uint64_t keys;               /* 0: one a place */
    np_sort_options sort;
} sort_point;

static const np_field rows[] = {
    {"networks", NP_FIELD_TEXT, .at = offsetof(sort_point, network)},
    {"order", NP_FIELD_TEXT, offsetof(sort_point, order), .preset = "random"},
    {"keys", NP_FIELD_U64, offsetof(sort_point, keys), .low = 1, .high = UINT64_C(1) << 31},
    {NULL, NP_FIELD_INSET, offsetof(sort_point, sort), .fields = &np_sort_options_fields},
};

static const np_fields fields = {"sort_point", "sorting", sizeof(sort_point), sizeof rows / sizeof *rows, rows};

static void init(void *options) { np_merge_options_init(&((sort_point *)options)->sort.merge); }

/* What is measured over the runs of a point. Of hops and those after it: of a run, in the mean. */
typedef struct sample {
    np_summary steps, steps_per_log_n, steps_per_log2_n; /* the last two: over log2 of the keys, and its square */
    double predicted, hops, comparators, queue_max, load_max, recursion_depth, redraws, fallbacks;
} sample;

#define AT(member) offsetof(sample, member)

static const np_field measures[] = {
    {"steps", NP_FIELD_SUMMARY, .at = AT(steps)},
    {"steps_per_log_n", NP_FIELD_SUMMARY, .at = AT(steps_per_log_n)},
    {"steps_per_log2_n", NP_FIELD_SUMMARY, .at = AT(steps_per_log2_n)},
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

static const np_fields measured = {"sample", "sorting", sizeof(sample), MEASURES, measures};

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
    json_t *value;
    np_status st = np_sorter_applies(algorithm, network);
    if (st == NP_ERROR_INPUT) /* an algorithm that does not apply is an error of the point: np_sort_places reports it */
        return np_experiment_at_key(job, point, "algorithm", st);
    if ((st = np_keys_make(p->order, 0, 0, 0, NULL)))
        return np_experiment_at_key(job, point, "order", st);
    json_object_foreach(job->experiment->serie[point->series].object, key, value)
    {
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
    point->work = (double)keys * log2((double)keys + 1);
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
    (void)!np_keys_make(w->point->order, count, w->job->experiment->seed, run, key); /* its name was checked */
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

static sample sample_of(const np_sort_result *result)
{
    double runs = result->runs, log = log2((double)result->keys + (result->keys < 2));
    return (sample){
        .steps = result->steps,
        .steps_per_log_n = scaled(result->steps, log),
        .steps_per_log2_n = scaled(result->steps, log * log),
        .predicted = (double)result->predicted.steps,
        .hops = (double)result->hops / runs,
        .comparators = (double)result->comparators / runs,
        .queue_max = result->queue_max,
        .load_max = result->load_max,
        .recursion_depth = result->recursion_depth,
        .redraws = (double)result->redraws / runs,
        .fallbacks = (double)result->fallbacks / runs,
    };
}

static void add_row(np_point *point, const np_sort_result *result, const char *measure, const np_summary *summary)
{
    np_experiment_row *row = &point->row[point->rows++];
    row->measure = measure;
    row->summary = *summary;
    row->x[AXIS_KEYS] = (double)result->keys;
    row->x[AXIS_LOG2_KEYS] = log2((double)result->keys);
    row->x[AXIS_NODES] = (double)result->nodes;
    row->x[AXIS_LOG2_NODES] = log2((double)result->nodes);
}

static np_status keep(np_point *point, const np_sort_result *result)
{
    const sample s = sample_of(result);
    np_status st = np_memory_zeroed(&point->row, MEASURES, sizeof *point->row, "an experiment's results");
    for (size_t m = 0; m < MEASURES && !st; m++) {
        np_value value;
        np_field_get(&measures[m], &s, &value);
        if (value.kind == NP_VALUE_NULL)
            continue;
        np_summary same = constant(result->runs, np_value_number(&value));
        add_row(point, result, measures[m].name, value.kind == NP_VALUE_OBJECT ? value.object : &same);
    }
    return st;
}

static np_status run(const np_experiment_job *job, np_point *point)
{
    const sort_point *p = point_of(job, point);
    watch w = {.job = job, .point = p};
    np_sort_options options = p->sort;
    np_sort_result *result = NULL;
    np_network *network;
    uint64_t keys;
    np_status st = make_point(job, point, &network, &keys);
    if (st)
        return st;
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
    return np_experiment_at_point(job, point, st);
}

const np_series_kind np_experiment_sort = {
    .key = "algorithm",
    .columns = "algorithm,network,keys,nodes",
    .fields = &fields,
    .hides = "seed, runs, threads",
    .along = "networks",
    .spec = offsetof(sort_point, network),
    .axes = axes,
    .init = init,
    .check_measure = check_measure,
    .check = check,
    .run = run,
};
