/*
 * Series of load: the key has the traffic. With "loads" a point of the series is one point of a curve of latency, since
 * np_load measures each by itself; so the loads of a series go side by side and are resumed one by one. Without, a
 * point is a search for saturation, of which only its end is kept: what it looks at depends on the seed.
 */
#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "lab/experiment/experiment_once.h"
#include "model/traffic/trace.h"

static const np_field load_rows[] = {
    NP_ONCE_KEY("load", "SPEC", .list = "traffic"),
    {"loads", NP_FIELD_REAL, offsetof(np_once_point, load), .most = 64, .placeholder = "LOAD"},
    NP_ONCE_OPTIONS(np_load_options_fields),
};

static const np_fields load_fields = NP_FIELDS("load_point", "load", np_once_point, load_rows);

/* ---- What is measured ---- */

typedef struct load_seen {
    np_once_seen curve;
    const np_load_point *point; /* NULL: of a search */
} load_seen;

static void get_offered(const void *object, np_value *value)
{
    value->real = ((const load_seen *)object)->point->offered;
}

static bool is_point(const void *object) { return ((const load_seen *)object)->point; }

static const np_field seen_rows[] = {
    NP_ONCE_NODES,
    {"loads", NP_FIELD_REAL, .get = get_offered, .known = is_point},
    {NULL, NP_FIELD_INSET, offsetof(load_seen, curve.result), .flags = NP_FIELD_BEHIND,
     .fields = &np_load_curve_fields},
    {NULL, NP_FIELD_INSET, offsetof(load_seen, point), .flags = NP_FIELD_BEHIND, .fields = &np_load_point_fields},
};

static const np_fields seen_fields = NP_FIELDS("load_seen", "load", load_seen, seen_rows);

/* Which measures a point of the series has, is the same for all runs: a run may lack the value of some. */
static np_status begin(const np_once *o, const load_seen *seen)
{
    np_load_point whole = {.refused = seen->point ? seen->point->refused : 0}; /* a number where room is bounded */
    np_load_curve curve = *(const np_load_curve *)seen->curve.result;
    const double saturation = seen->point ? (double)NAN : 0;
    curve.saturation = (np_load_saturation){saturation, saturation, saturation};
    const load_seen first = {{o->network, &curve}, seen->point ? &whole : NULL};
    return np_experiment_measures_init(o->kind, &first, o->samples);
}

/* ---- Running ---- */

static const np_series *series_of(const np_experiment_job *job, const np_experiment_point *at)
{
    return &job->experiment->serie[at->series];
}

/* The options of a call; *room has the text of a load. */
static np_load_options options_of(const np_experiment_job *job, const np_experiment_point *at, size_t size, char *room)
{
    np_load_options options = ((const np_once_point *)np_experiment_options_of(job, at))->of.load;
    const char *load = np_series_text(series_of(job, at), at->number, "loads", size, room);
    options.loads = *load ? load : NULL;
    options.threads = job->threads;
    options.memory_limit = job->memory_limit;
    return options;
}

static np_status measure_load(const np_once *o)
{
    char room[NP_EXPERIMENT_NUMBER];
    np_load_options options = options_of(o->job, o->at, sizeof room, room);
    np_load_result *result = NULL;
    options.seed += np_once_number(o);
    options.watch = o->watch;
    np_status st = np_load(o->network, o->point->what, &options, &result);
    if (st)
        return st;
    const load_seen seen = {{o->network, result->curve}, options.loads ? result->curve->points : NULL};
    if (!o->done)
        st = begin(o, &seen);
    if (!st)
        np_experiment_measures_keep(o->kind, &seen, o->done, o->samples);
    np_load_free(result);
    return st;
}

/* ---- Checking ---- */

/* Cancels what measures; a search for deadlock goes on. */
static int at_once(void *context, const np_progress *progress)
{
    (void)context;
    return progress->stage && !strcmp(progress->stage, "load");
}

/* All that np_load refuses it refuses before it begins to measure, and is then cancelled. */
static np_status try_load(const np_experiment_job *job, const np_experiment_point *at, const np_network *network)
{
    char room[NP_EXPERIMENT_NUMBER];
    np_load_options options = options_of(job, at, sizeof room, room);
    np_load_result *result = NULL;
    options.threads = 1;
    options.watch = (np_watch){at_once, NULL};
    np_status st =
        np_load(network, ((const np_once_point *)np_experiment_options_of(job, at))->what, &options, &result);
    np_load_free(result);
    return st == NP_ERROR_CANCELLED ? NP_OK : st;
}

/* A point is one curve, or a point of it. */
static np_status check_single(const np_experiment_job *job, np_experiment_point *at, const char *key, const char *text)
{
    if (!text[np_parse_entry(text)])
        return NP_OK;
    return np_experiment_at_key(job, at, key,
                                NP_RAISE(NP_ERROR_INPUT, "'%.80s' are several: write a list, a string for each", text));
}

static np_status check_load(const np_experiment_job *job, np_experiment_point *at)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    const char *key;
    size_t i = 0;
    np_status st = check_single(job, at, "paths", p->of.load.paths);
    if (st || (p->of.load.scheme && (st = check_single(job, at, "scheme", p->of.load.scheme))))
        return st;
    if (np_trace_file(p->what))
        return np_experiment_at_key(job, at, "load",
                                    NP_RAISE(NP_ERROR_INPUT,
                                             "is a trace, which is played once and has no loads: netpram "
                                             "load plays it"));
    bool listed = p->load > 0;
    while ((key = np_series_given(series_of(job, at), at->number, &i)))
        if (listed && np_field_listed("from, to, resolution", key))
            return np_experiment_at_key(
                job, at, key, NP_RAISE(NP_ERROR_INPUT, "is for a search, and \"loads\" says what is measured"));
    return np_once_check(job, at);
}

const np_series_kind np_experiment_load = {
    .key = "load",
    .columns = "load,network,nodes,loads",
    .fields = &load_fields,
    .hides = "threads, memory, bound, links, window",
    .needs = "networks",
    .draws = "networks, load, loads, arrivals, packet_flits, seed",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {"loads", "offered load"}, {NULL, NULL}},
    .measured = &seen_fields,
    .measures =
        NP_NAMES("accepted", "refused", "latency.mean", "latency.ci95", "latency.p50", "latency.p99", "latency.p999",
                 "latency.max", "hops", "fairness", "saturated", "reached", "warmup", "measured", "packets",
                 "saturation.load", "saturation.low", "saturation.high", "zero_load_latency", "ideal_throughput"),
    .check = check_load,
    .look = try_load,
    .call = measure_load,
};
