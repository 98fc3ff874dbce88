/*
 * Series of routing: one scheme on several networks, a point for each. All
 * points share the experiment's seed: a row of the CSV is repeated by `netpram
 * route` with that seed alone. The runs of a point go side by side.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "netpram/route.h"
#include "report/csv.h"
#include "report/experiment.h"
#include "report/measure.h"

enum { PERMUTATIONS_MAX = 1 << 20 };

typedef struct route_series {
    const char *scheme, *paths, *queue; /* paths, queue: NULL if not given */
    bool overlap;
    np_merge_options merge;
    uint32_t permutations;
    const char *given; /* the last option given that not every scheme heeds; NULL: none */
    size_t networks;
    const char **network; /* [networks] specs */
    const char **traffic; /* [networks] */
} route_series;

enum { AXIS_NODES, AXIS_LOG2_NODES, AXIS_LOG2_TERMINALS, AXIS_RELATION, AXIS_BOUND };

static const np_experiment_axis axes[] = {
    [AXIS_NODES] = {"nodes", "nodes"},
    [AXIS_LOG2_NODES] = {"log2_nodes", "log2 of the nodes"},
    [AXIS_LOG2_TERMINALS] = {"log2_terminals", "log2 of the terminals"}, /* n on omega:n */
    [AXIS_RELATION] = {"relation", "h: packets from or to a node at most"},
    [AXIS_BOUND] = {"bound", "c + L + log2 N"}, /* what merging takes O(.) of; of all phases together for "total" */
    {NULL, NULL},
};

static const route_series *of(const np_series *series) { return series->own; }

/* ---- Reading ---- */

static const char *key_name(size_t i)
{
    static const char *const keys[] = {"scheme", "paths", "queue", "traffic", "overlap", "networks", "permutations"};
    size_t count = sizeof keys / sizeof *keys;
    return i < count ? keys[i] : np_merge_option_name(i - count);
}

static np_status parse_networks(const np_experiment_place *at, json_t *object, route_series *series)
{
    json_t *list;
    np_status st = np_experiment_list(at, object, "networks", "strings", &list);
    if (st)
        return st;
    series->networks = json_array_size(list);
    if ((st = np_memory_zeroed(&series->network, series->networks, sizeof *series->network, "an experiment")))
        return st;
    return np_experiment_texts(at, list, "networks", "hypercube:10", series->network);
}

/* One for all networks, or one for each. */
static np_status parse_traffic(const np_experiment_place *at, json_t *object, route_series *series)
{
    const char *text = NULL;
    json_t *list = json_object_get(object, "traffic");
    np_status st;
    if (!json_is_array(list) && (st = np_experiment_text(at, object, "traffic", true, &text)))
        return st;
    if (!text && json_array_size(list) != series->networks)
        return np_experiment_refuse(at, "traffic", "a list must have one for each of the networks");
    if ((st = np_memory_zeroed(&series->traffic, series->networks, sizeof *series->traffic, "an experiment")))
        return st;
    for (size_t i = 0; i < series->networks; i++)
        series->traffic[i] = text;
    return text ? NP_OK : np_experiment_texts(at, list, "traffic", "random", series->traffic);
}

/* An option of merging. */
static np_status get_merge(const np_experiment_place *at, json_t *object, const char *key, route_series *series)
{
    np_experiment_word word;
    json_t *value = json_object_get(object, key);
    if (!value)
        return NP_OK;
    np_status st = np_experiment_word_of(at, key, value, &word);
    if (st)
        return st;
    series->given = key;
    st = np_merge_options_set(&series->merge, key, word.text);
    if (!st && series->merge.rank_file && !strcmp(key, "ranks")) /* the whole path, which the JSON owns */
        series->merge.rank_file = strchr(json_string_value(value), ':') + 1;
    return st ? np_experiment_prefix(st, at, key) : NP_OK;
}

/* What only some schemes heed. */
static np_status parse_options(const np_experiment_place *at, json_t *object, route_series *series)
{
    uint64_t permutations = 0;
    np_status st = np_experiment_whole(at, object, "permutations", 1, PERMUTATIONS_MAX, &permutations);
    series->permutations = (uint32_t)permutations;
    series->given = permutations ? "permutations" : NULL;
    np_merge_options_init(&series->merge);
    for (size_t i = 0; np_merge_option_name(i) && !st; i++)
        st = get_merge(at, object, np_merge_option_name(i), series);
    return st;
}

static np_status parse(const np_experiment_place *at, json_t *object, np_series *series)
{
    route_series *route;
    np_status st = np_memory_zeroed(&route, 1, sizeof *route, "an experiment");
    series->own = route;
    if (st || (st = np_experiment_text(at, object, "scheme", true, &route->scheme)) ||
        (st = np_experiment_text(at, object, "paths", false, &route->paths)) ||
        (st = np_experiment_text(at, object, "queue", false, &route->queue)) ||
        (st = np_experiment_truth(at, object, "overlap", &route->overlap)) || (st = parse_options(at, object, route)) ||
        (st = parse_networks(at, object, route)) || (st = parse_traffic(at, object, route)))
        return st;
    series->points = route->networks;
    return NP_OK;
}

static void destroy(void *own)
{
    route_series *route = own;
    if (!route)
        return;
    np_memory_free(route->network);
    np_memory_free(route->traffic);
    np_memory_free(route);
}

/* "A.steps": a phase and a measure. */
static np_status check_measure(const char *y)
{
    const char *point = strchr(y, '.');
    if (!point || point == y || !np_measure_named(point + 1))
        return NP_RAISE(NP_ERROR_INPUT, "must be a phase and a measure of the report, as in \"A.steps\"");
    if (!strncmp(y, "total.", strlen("total.")) && strcmp(point + 1, "steps") != 0)
        return NP_RAISE(NP_ERROR_INPUT, "of all phases together there are the steps only: \"total.steps\"");
    return NP_OK;
}

/* ---- Checking ---- */

static const char *spec(const np_series *series, size_t number) { return of(series)->network[number]; }

static void route_options(const np_experiment_job *job, const route_series *series, np_route_options *options)
{
    np_route_options_init(options);
    options->scheme = series->scheme;
    options->paths = series->paths;
    options->queue = series->queue;
    options->overlap = series->overlap;
    options->merge = series->merge;
    options->permutations = series->permutations;
    options->seed = job->experiment->seed;
    options->runs = job->runs;
    options->threads = job->threads;
    options->memory_limit = job->memory_limit;
}

/* The place of a point in the file, before the message of what is wrong with it. */
static np_status at_point(const np_experiment_job *job, const np_point *point, np_status st)
{
    return np_status_prefix(st, "%s: series[%zu].networks[%zu]: ", job->experiment->source, point->series,
                            point->number);
}

/* An unknown scheme is the series' fault, so is an option that it has no use for; one that does not apply is found
 * with the point. */
static np_status check_scheme(const np_experiment_job *job, const np_point *point, const np_network *network)
{
    const route_series *series = of(&job->experiment->serie[point->series]);
    if (series->scheme && np_scheme_applies(series->scheme, network) == NP_ERROR_INPUT)
        return np_status_prefix(NP_ERROR_INPUT, "%s: series[%zu].scheme: ", job->experiment->source, point->series);
    np_status st = series->given ? np_scheme_heeds(series->scheme, series->given) : NP_OK;
    if (st)
        return np_status_prefix(st, "%s: series[%zu].%s: ", job->experiment->source, point->series, series->given);
    return NP_OK;
}

/* The network of a point, on which its scheme can be looked for. */
static np_status make_network(const np_experiment_job *job, const np_point *point, np_network **out)
{
    const route_series *series = of(&job->experiment->serie[point->series]);
    np_status st = np_network_create(series->network[point->number], out);
    if (st)
        return at_point(job, point, st);
    if ((st = check_scheme(job, point, *out)))
        np_network_free(*out);
    return st;
}

static np_status check(const np_experiment_job *job, np_point *point)
{
    const route_series *series = of(&job->experiment->serie[point->series]);
    const char *traffic = series->traffic[point->number];
    np_route_options options;
    np_network *network;
    uint64_t bytes, packets, nodes;
    bool random;
    np_status st = make_network(job, point, &network);
    if (st)
        return st;
    route_options(job, series, &options);
    if (!(st = np_route_memory(network, traffic, &options, &bytes)))
        st = np_traffic_estimate(traffic, network, &packets, &random);
    if (!st && options.memory_limit && bytes > options.memory_limit)
        st = NP_RAISE(NP_ERROR_LIMIT, "'%s' needs %.1f MB and may take %.1f MB", series->network[point->number],
                      (double)bytes / 1e6, (double)options.memory_limit / 1e6);
    nodes = np_network_nodes(network);
    np_network_free(network);
    if (st)
        return at_point(job, point, st);
    point->work = (double)(packets ? packets : nodes) * log2((double)nodes + 1);
    return NP_OK;
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
    for (const np_measure *measure = np_measures; measure->name; measure++) {
        const np_summary *summary = np_measure_of(measure, phase);
        if (summary->count && np_measure_speaks(measure, phase))
            add_row(point, network, relation, phase->name, measure->name, summary, bound);
    }
}

/* Keeps the summaries; of all phases together there are the steps only. */
static np_status keep(np_point *point, const np_network *network, const np_route_result *result)
{
    size_t measures = 0;
    double total = 0;
    while (np_measures[measures].name)
        measures++;
    np_status st =
        np_memory_zeroed(&point->row, result->phases * measures + 1, sizeof *point->row, "an experiment's results");
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
    const route_series *series = of(&job->experiment->serie[point->series]);
    np_route_result *result = NULL;
    np_route_options options;
    np_network *network;
    np_status st = make_network(job, point, &network);
    if (st)
        return st;
    route_options(job, series, &options);
    options.on_run = job->on_run;
    options.context = job->context;
    if (!(st = np_route(network, series->traffic[point->number], &options, &result)))
        st = keep(point, network, result);
    np_route_result_free(result);
    np_network_free(network);
    return st ? at_point(job, point, st) : NP_OK;
}

static void csv(const np_series *series, const np_point *point, const np_experiment_row *row, FILE *stream)
{
    np_csv_text(of(series)->scheme, stream);
    np_csv_text(of(series)->network[point->number], stream);
    fprintf(stream, "%.15g,", row->x[AXIS_NODES]);
    np_csv_text(row->phase, stream);
}

const np_series_kind np_experiment_route = {
    .key = "scheme",
    .columns = "scheme,network,nodes,phase",
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
