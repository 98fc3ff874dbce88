/*
 * Running an experiment: all points are checked before the first is run, so
 * that a mistake at the end of the file does not cost an hour. Points run one
 * after the other, the runs of a point side by side.
 *
 * All points share the experiment's seed: a row of the CSV is repeated by
 * `netpram route` with that seed alone.
 */
#include "report/experiment.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "netpram/output.h"
#include "report/csv.h"

/* All that the loops over the points share. */
typedef struct job {
    const np_experiment *experiment;
    const np_experiment_options *options;
    size_t points, present;
    np_point *point;   /* [points] */
    double done, work; /* of the points before the present one; of all */
} job;

void np_experiment_options_init(np_experiment_options *options)
{
    *options = (np_experiment_options){.directory = "."};
}

static uint32_t runs_of(const job *j) { return j->options->runs ? j->options->runs : j->experiment->runs; }

static bool wanted(const job *j, const np_series *series)
{
    return !j->options->only || !strcmp(j->options->only, series->label);
}

/* The labels there are, where none is the one asked for. */
static np_status refuse_label(const job *j)
{
    char labels[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < j->experiment->series && length < sizeof labels; i++)
        length += (size_t)snprintf(labels + length, sizeof labels - length, "%s%s", i ? ", " : "",
                                   j->experiment->serie[i].label);
    return NP_RAISE(NP_ERROR_INPUT, "%s: no series '%s': there are %s", j->experiment->source, j->options->only,
                    labels);
}

static np_status make_points(job *j)
{
    const np_experiment *e = j->experiment;
    size_t count = 0;
    for (size_t i = 0; i < e->series; i++)
        count += wanted(j, &e->serie[i]) ? e->serie[i].networks : 0;
    if (!count)
        return refuse_label(j);
    np_status st = np_memory_zeroed(&j->point, count, sizeof *j->point, "the points of an experiment");
    if (st)
        return st;
    for (size_t i = 0; i < e->series; i++)
        for (size_t k = 0; k < e->serie[i].networks && wanted(j, &e->serie[i]); k++)
            j->point[j->points++] = (np_point){
                .series = i, .network = e->serie[i].network[k], .traffic = e->serie[i].traffic[k]};
    return NP_OK;
}

static void free_points(job *j)
{
    for (size_t i = 0; i < j->points; i++)
        np_memory_free(j->point[i].phase), np_memory_free(j->point[i].bound);
    np_memory_free(j->point);
}

static void route_options(const job *j, const np_series *series, np_route_options *options)
{
    np_route_options_init(options);
    options->scheme = series->scheme;
    options->paths = series->paths;
    options->queue = series->queue;
    options->overlap = series->overlap;
    options->merge = series->merge;
    options->permutations = series->permutations;
    options->seed = j->experiment->seed;
    options->runs = runs_of(j);
    options->threads = j->options->threads;
    options->memory_limit = j->options->memory_limit;
}

/* The place of a point in the file, before the message of what is wrong with it. */
static np_status at_point(const job *j, const np_point *point, np_status st)
{
    const np_series *series = &j->experiment->serie[point->series];
    size_t k = 0;
    while (series->network[k] != point->network)
        k++;
    return np_status_prefix(st, "%s: series[%zu].networks[%zu]: ", j->experiment->source, point->series, k);
}

/* An unknown scheme is the series' fault, so is an option that it has no use for; one that does not apply is found
 * with the point. */
static np_status check_scheme(const job *j, const np_point *point, const np_network *network)
{
    const np_series *series = &j->experiment->serie[point->series];
    if (series->scheme && np_scheme_applies(series->scheme, network) == NP_ERROR_INPUT)
        return np_status_prefix(NP_ERROR_INPUT, "%s: series[%zu].scheme: ", j->experiment->source, point->series);
    np_status st = series->given ? np_scheme_heeds(series->scheme, series->given) : NP_OK;
    if (st)
        return np_status_prefix(st, "%s: series[%zu].%s: ", j->experiment->source, point->series, series->given);
    return NP_OK;
}

static np_status check_point(const job *j, np_point *point)
{
    const np_series *series = &j->experiment->serie[point->series];
    np_route_options options;
    np_network *network;
    uint64_t bytes, packets;
    bool random;
    np_status st;
    if ((st = np_network_create(point->network, &network)))
        return at_point(j, point, st);
    if ((st = check_scheme(j, point, network))) {
        np_network_free(network);
        return st;
    }
    route_options(j, series, &options);
    if (!(st = np_route_memory(network, point->traffic, &options, &bytes)))
        st = np_traffic_estimate(point->traffic, network, &packets, &random);
    if (!st && options.memory_limit && bytes > options.memory_limit)
        st = NP_RAISE(NP_ERROR_LIMIT, "'%s' needs %.1f MB and may take %.1f MB", point->network, (double)bytes / 1e6,
                      (double)options.memory_limit / 1e6);
    point->nodes = np_network_nodes(network);
    point->links = np_network_links(network);
    point->terminals = np_network_terminals(network);
    np_network_free(network);
    if (st)
        return at_point(j, point, st);
    point->work = (double)(packets ? packets : point->nodes) * log2((double)point->nodes + 1);
    return NP_OK;
}

static np_status check_points(job *j)
{
    for (size_t i = 0; i < j->points; i++) {
        np_status st = check_point(j, &j->point[i]);
        if (st)
            return st;
        j->work += j->point[i].work;
    }
    return NP_OK;
}

static int on_run(void *context, uint32_t done)
{
    const job *j = context;
    const np_point *point = &j->point[j->present];
    np_experiment_progress progress = {
        .point = j->present,
        .points = j->points,
        .run = done,
        .runs = runs_of(j),
        .share = (j->done + point->work * done / runs_of(j)) / j->work,
        .label = j->experiment->serie[point->series].label,
        .network = point->network,
    };
    return j->options->on_progress ? j->options->on_progress(j->options->context, &progress) : 0;
}

/* The mean of c + L + log2 N over the runs, of the phase alone. 0 if it is not leveled. */
static double bound_of(const np_phase_result *phase, uint32_t runs)
{
    double sum = 0;
    for (uint32_t r = 0; r < runs && phase->leveled; r++)
        sum += np_phase_run_bound(&phase->run[r]);
    return sum / runs;
}

/* Keeps the summaries; runs and histograms go with the result. */
static np_status keep(np_point *point, const np_route_result *result)
{
    static const char *const what = "an experiment's results";
    np_status st;
    if ((st = np_memory_zeroed(&point->phase, result->phases + 1, sizeof *point->phase, what)) ||
        (st = np_memory_zeroed(&point->bound, result->phases + 1, sizeof *point->bound, what)))
        return st;
    point->phases = result->phases + 1;
    for (size_t i = 0; i < result->phases; i++) {
        point->bound[i] = bound_of(&result->phase[i], result->runs);
        point->bound[result->phases] += point->bound[i];
    }
    for (size_t i = 0; i < result->phases; i++) {
        point->phase[i] = result->phase[i];
        point->phase[i].run = NULL;
        point->phase[i].delay_histogram = NULL;
        point->phase[i].delays = 0;
    }
    np_phase_result *total = &point->phase[result->phases];
    strcpy(total->name, "total");
    total->steps = result->total_steps;
    return NP_OK;
}

static np_status run_point(job *j, np_point *point)
{
    const np_series *series = &j->experiment->serie[point->series];
    np_route_result *result = NULL;
    np_route_options options;
    np_network *network;
    np_status st;
    if ((st = np_network_create(point->network, &network)))
        return at_point(j, point, st);
    if ((st = check_scheme(j, point, network))) {
        np_network_free(network);
        return st;
    }
    route_options(j, series, &options);
    options.on_run = on_run;
    options.context = j;
    if (!(st = np_route(network, point->traffic, &options, &result)))
        st = keep(point, result);
    np_route_result_free(result);
    np_network_free(network);
    return st ? at_point(j, point, st) : NP_OK;
}

static void csv_point(const job *j, const np_point *point, FILE *stream)
{
    const np_series *series = &j->experiment->serie[point->series];
    for (size_t i = 0; i < point->phases; i++)
        for (const np_measure *measure = np_measures; measure->name; measure++) {
            const np_summary *summary = np_measure_of(measure, &point->phase[i]);
            if (!summary->count || !np_measure_speaks(measure, &point->phase[i])) /* the total has steps only */
                continue;
            np_csv_text(series->label, stream);
            np_csv_text(series->scheme, stream);
            np_csv_text(point->network, stream);
            fprintf(stream, "%llu,", (unsigned long long)point->nodes);
            np_csv_text(point->phase[i].name, stream);
            np_csv_text(measure->name, stream);
            np_csv_summary(summary, stream);
            fputc('\n', stream);
        }
}

static np_status run_points(job *j, FILE *stream)
{
    fputs("label,scheme,network,nodes,phase,measure," NP_CSV_SUMMARY "\n", stream);
    for (size_t i = 0; i < j->points; i++) {
        j->present = i;
        np_status st = run_point(j, &j->point[i]);
        if (st)
            return st;
        j->done += j->point[i].work;
        csv_point(j, &j->point[i], stream);
        if (ferror(stream))
            return NP_OK; /* the commit says why */
    }
    return NP_OK;
}

/* The CSV is in place before the plots are drawn: it holds all that cost time. */
static np_status write_csv(job *j)
{
    np_output *output;
    char *path;
    size_t size = strlen(j->options->directory) + strlen(j->experiment->name) + sizeof "/.csv";
    np_status st;
    if ((st = np_memory_array(&path, size, 1, "a file name")))
        return st;
    snprintf(path, size, "%s/%s.csv", j->options->directory, j->experiment->name);
    st = np_output_open(path, &output);
    np_memory_free(path);
    if (st)
        return st;
    if ((st = run_points(j, np_output_stream(output)))) {
        np_output_discard(output);
        return st;
    }
    return np_output_commit(output);
}

np_status np_experiment_check(const np_experiment *experiment, const np_experiment_options *options)
{
    job j = {.experiment = experiment, .options = options};
    np_status st = make_points(&j);
    if (!st)
        st = check_points(&j);
    free_points(&j);
    return st;
}

np_status np_experiment_run(const np_experiment *experiment, const np_experiment_options *options,
                            np_experiment_outcome *outcome)
{
    job j = {.experiment = experiment, .options = options};
    np_status st;
    *outcome = (np_experiment_outcome){.drawn = true};
    if (!(st = make_points(&j)) && !(st = check_points(&j)) && !(st = np_output_directory(options->directory)) &&
        !(st = write_csv(&j))) {
        outcome->points = j.points;
        st = np_experiment_draw(experiment, options, j.points, j.point, outcome);
    }
    free_points(&j);
    return st;
}
