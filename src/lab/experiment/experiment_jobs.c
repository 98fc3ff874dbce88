/*
 * Series of jobs that share a network: the key has the file of jobs. What is kept of a run is how the jobs did
 * together: the file says which jobs there are, and the CSV has no row for each.
 */
#include <math.h>

#include "lab/experiment/experiment_once.h"

static const np_field rows[] = {
    NP_ONCE_KEY("jobs", "FILE", .list = NULL),
    NP_ONCE_OPTIONS(np_flows_options_fields),
};

static const np_fields fields = NP_FIELDS("jobs_point", "jobs", np_once_point, rows);

/* ---- What is measured ---- */

/* The mean slowdown of the jobs that take time alone, and the largest; NAN: there is none. */
static void find_slowdown(const void *object, double *mean, double *most)
{
    const np_jobs_result *r = ((const np_once_seen *)object)->result;
    double sum = 0;
    size_t count = 0;
    *most = NAN;
    for (size_t i = 0; i < r->count; i++) {
        double slowdown = r->job[i].slowdown;
        if (isnan(slowdown))
            continue;
        sum += slowdown;
        count++;
        *most = slowdown <= *most ? *most : slowdown;
    }
    *mean = count ? sum / (double)count : NAN;
}

static void get_mean(const void *object, np_value *value)
{
    double most;
    find_slowdown(object, &value->real, &most);
}

static void get_most(const void *object, np_value *value)
{
    double mean;
    find_slowdown(object, &mean, &value->real);
}

static const np_field seen_rows[] = {
    {"slowdown.mean", NP_FIELD_REAL, .get = get_mean},
    {"slowdown.max", NP_FIELD_REAL, .get = get_most},
    NP_ONCE_MEASURED(np_jobs_result_fields),
};

static const np_fields seen_fields = NP_FIELDS("jobs_seen", "jobs", np_once_seen, seen_rows);

/* ---- Running ---- */

static np_status play(const np_once *o)
{
    np_flows_options options = o->point->of.flows;
    np_jobs_file *file = NULL;
    np_jobs_result *result = NULL;
    options.memory_limit = o->job->memory_limit;
    options.watch = o->watch;
    options.seed += np_once_number(o);
    np_status st = np_jobs_file_read(o->point->what, o->network, options.link_rate, &file);
    if (!st && !(st = np_jobs_play(o->network, file->count, file->job, &options, &result)))
        st = np_once_keep(o, result);
    np_jobs_free(result);
    np_jobs_file_free(file);
    return st;
}

/* A wrong file is found before the first run. */
static np_status look(const np_experiment_job *job, const np_experiment_point *at, const np_network *network)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    np_jobs_file *file = NULL;
    np_status st = np_jobs_file_read(p->what, network, p->of.flows.link_rate, &file);
    np_jobs_file_free(file);
    return st;
}

const np_series_kind np_experiment_jobs = {
    .key = "jobs",
    .columns = "jobs,network,nodes",
    .fields = &fields,
    .hides = "size, sizes, load, arrivals, split, memory, flows, links",
    .needs = "networks",
    .draws = "networks, jobs, seed",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {NULL, NULL}},
    .measured = &seen_fields,
    .measures = NP_NAMES("makespan", "slowdown.mean", "slowdown.max"),
    .check = np_once_check,
    .look = look,
    .call = play,
};
