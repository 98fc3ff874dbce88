/*
 * Series of routing: one scheme on several networks, a point for each. All
 * points share the experiment's seed: `netpram route` with this seed repeats a
 * row of the CSV. The runs of a point go side by side.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "netpram/route.h"
#include "report/csv.h"
#include "report/experiment.h"

/* A point. */
typedef struct route_point {
    const char *network, *traffic; /* specs */
    np_route_options route;
} route_point;

static const np_field rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(route_point, route), .fields = &np_route_options_fields},
    {"traffic", NP_FIELD_TEXT, .at = offsetof(route_point, traffic)},
    {"networks", NP_FIELD_TEXT, .at = offsetof(route_point, network)},
};

static const np_fields fields = {"route_point", "routing", sizeof(route_point), sizeof rows / sizeof *rows, rows};

enum { AXIS_NODES, AXIS_LOG2_NODES, AXIS_LOG2_TERMINALS, AXIS_RELATION, AXIS_BOUND };

static const np_experiment_axis axes[] = {
    [AXIS_NODES] = {"nodes", "nodes"},
    [AXIS_LOG2_NODES] = {"log2_nodes", "log2 of the nodes"},
    [AXIS_LOG2_TERMINALS] = {"log2_terminals", "log2 of the terminals"}, /* n on omega:n */
    [AXIS_RELATION] = {"relation", "h: packets from or to a node at most"},
    [AXIS_BOUND] = {"bound", "c + L + log2 N"}, /* merging takes O(c + L + log2 N); "total": of all phases together */
    {NULL, NULL},
};

static bool is_measure(const char *name)
{
    const np_field *field = np_fields_find(&np_phase_result_fields, name);
    return field && field->kind == NP_FIELD_SUMMARY;
}

/* "A.steps": a phase and a measure. */
static np_status check_measure(const char *y)
{
    const char *point = strchr(y, '.');
    if (!point || point == y || !is_measure(point + 1))
        return NP_RAISE(NP_ERROR_INPUT, "must be a phase and a measure of the report, as in \"A.steps\"");
    if (!strncmp(y, "total.", strlen("total.")) && strcmp(point + 1, "steps") != 0)
        return NP_RAISE(NP_ERROR_INPUT, "of all phases together there are the steps only: \"total.steps\"");
    return NP_OK;
}

/* ---- Checking ---- */

static np_route_options options_of(const np_experiment_job *job, const route_point *p)
{
    np_route_options options = p->route;
    options.seed = job->experiment->seed;
    options.runs = job->runs;
    options.threads = job->threads;
    options.memory_limit = job->memory_limit;
    return options;
}

/* An unknown scheme is an error of the series, and so is an option that the scheme does not use. A scheme that does not
 * apply to the network is an error of the point, found later. */
static np_status check_scheme(const np_experiment_job *job, const np_point *point, const np_network *network)
{
    const np_series *series = &job->experiment->serie[point->series];
    const char *scheme = ((const route_point *)np_series_options(series, point->number))->route.scheme, *key;
    json_t *value;
    if (np_scheme_applies(scheme, network) == NP_ERROR_INPUT)
        return np_experiment_at_key(job, point, "scheme", NP_ERROR_INPUT);
    json_object_foreach(series->object, key, value)
    {
        bool asked = np_fields_find(&np_merge_options_fields, key) || !strcmp(key, "permutations");
        np_status st = asked ? np_scheme_heeds(scheme, key) : NP_OK;
        if (st)
            return np_experiment_at_key(job, point, key, st);
    }
    return NP_OK;
}

/* The network of a point, on which its scheme can be looked for. */
static np_status make_network(const np_experiment_job *job, const np_point *point, const route_point *p,
                              np_network **out)
{
    np_status st = np_network_create(p->network, out);
    if (st)
        return np_experiment_at_point(job, point, st);
    if ((st = check_scheme(job, point, *out)))
        np_network_free(*out);
    return st;
}

static np_status check(const np_experiment_job *job, np_point *point)
{
    const route_point *p = np_series_options(&job->experiment->serie[point->series], point->number);
    const np_route_options options = options_of(job, p);
    np_network *network;
    uint64_t bytes, packets, nodes;
    bool random;
    np_status st = make_network(job, point, p, &network);
    if (st)
        return st;
    if (!(st = np_route_memory(network, p->traffic, &options, &bytes)))
        st = np_traffic_estimate(p->traffic, network, &packets, &random);
    if (!st && options.memory_limit && bytes > options.memory_limit)
        st = NP_RAISE(NP_ERROR_LIMIT, "'%s' needs %.1f MB and may take %.1f MB", p->network, (double)bytes / 1e6,
                      (double)options.memory_limit / 1e6);
    nodes = np_network_nodes(network);
    np_network_free(network);
    if (!st)
        point->work = (double)(packets ? packets : nodes) * log2((double)nodes + 1);
    return np_experiment_at_point(job, point, st);
}

/* ---- Running ---- */

/* The mean of c + L + log2 N over the runs, of the phase alone. 0 if it is not leveled. */
static double bound_of(const np_phase_result *phase, uint32_t runs)
{
    double sum = 0;
    for (uint32_t r = 0; r < runs && phase->leveled; r++)
        sum += np_phase_run_bound(&phase->run[r]);
    return sum / runs;
}

static void add_row(np_point *point, const np_network *network, uint32_t relation, const char *phase,
                    const char *measure, const np_summary *summary, double bound)
{
    np_experiment_row *row = &point->row[point->rows++];
    strcpy(row->phase, phase);
    row->measure = measure;
    row->summary = *summary;
    row->x[AXIS_NODES] = (double)np_network_nodes(network);
    row->x[AXIS_LOG2_NODES] = log2((double)np_network_nodes(network));
    row->x[AXIS_LOG2_TERMINALS] = log2((double)np_network_terminals(network));
    row->x[AXIS_RELATION] = relation;
    row->x[AXIS_BOUND] = bound > 0 ? bound : (double)NAN;
}

static void add_phase(np_point *point, const np_network *network, uint32_t relation, const np_phase_result *phase,
                      double bound)
{
    const np_field *field;
    for (size_t i = 0; (field = np_fields_row(&np_phase_result_fields, i, NULL)); i++) {
        np_value value;
        if (field->kind != NP_FIELD_SUMMARY || !np_field_get(field, phase, &value))
            continue;
        const np_summary *summary = value.object;
        if (summary->count)
            add_row(point, network, relation, phase->name, field->name, summary, bound);
    }
}

/* Keeps the summaries. For all phases together only the steps are kept. */
static np_status keep(np_point *point, const np_network *network, const np_route_result *result)
{
    size_t rows_max = result->phases * np_phase_result_fields.count + 1; /* some fields are no measures */
    double total = 0;
    np_status st = np_memory_zeroed(&point->row, rows_max, sizeof *point->row, "an experiment's results");
    if (st)
        return st;
    for (size_t i = 0; i < result->phases; i++) {
        double bound = bound_of(&result->phase[i], result->runs);
        add_phase(point, network, result->relation, &result->phase[i], bound);
        total += bound;
    }
    add_row(point, network, result->relation, "total", "steps", &result->total_steps, total);
    return NP_OK;
}

static np_status run(const np_experiment_job *job, np_point *point)
{
    const route_point *p = np_series_options(&job->experiment->serie[point->series], point->number);
    np_route_options options = options_of(job, p);
    np_route_result *result = NULL;
    np_network *network;
    np_status st = make_network(job, point, p, &network);
    if (st)
        return st;
    options.on_run = job->on_run;
    options.context = job->context;
    if (!(st = np_route(network, p->traffic, &options, &result)))
        st = keep(point, network, result);
    np_route_result_free(result);
    np_network_free(network);
    return np_experiment_at_point(job, point, st);
}

const np_series_kind np_experiment_route = {
    .key = "scheme",
    .columns = "scheme,network,nodes,phase",
    .fields = &fields,
    .hides = "seed, runs, threads, memory",
    .needs = "traffic",
    .along = "networks",
    .spec = offsetof(route_point, network),
    .axes = axes,
    .check_measure = check_measure,
    .check = check,
    .run = run,
};
