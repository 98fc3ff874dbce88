/*
 * Series of the verbs that judge a network or tell how long a job takes: throughput, its worst permutation, flows,
 * replay and collective. The key that names the verb has what it is about: the traffic, the path rule, the file, the
 * operation.
 */
#include <string.h>

#include "lab/experiment/experiment_once.h"
#include "run/flows/flows.h"
#include "verdict/throughput/own_paths.h"
#include "verdict/worst/shares.h"
#include "work/collective/collective.h"
#include "work/goal/goal.h"

/* ---- throughput: the traffic ---- */

static const np_field throughput_rows[] = {
    NP_ONCE_KEY("throughput", "SPEC", .list = "traffic"),
    NP_ONCE_OPTIONS(np_throughput_options_fields),
};

static const np_fields throughput_fields =
    NP_FIELDS("throughput_point", "a throughput", np_once_point, throughput_rows);

static const np_field throughput_seen_rows[] = {NP_ONCE_MEASURED(np_throughput_fields)};
static const np_fields throughput_seen =
    NP_FIELDS("throughput_seen", "a throughput", np_once_seen, throughput_seen_rows);

static np_status find_throughput(const np_once *o)
{
    np_throughput_options options = o->point->of.throughput;
    options.memory_limit = o->job->memory_limit;
    options.watch = o->watch;
    np_throughput *result = NULL;
    np_traffic *traffic;
    options.threads = o->job->threads;
    options.seed += np_once_number(o);
    np_status st = np_traffic_create(o->point->what, o->network, options.seed, 0, &traffic);
    if (!st && !(st = np_throughput_find(o->network, traffic, &options, &result)))
        st = np_once_keep(o, result);
    np_throughput_free(result);
    np_traffic_free(traffic);
    return st;
}

static np_status look_at_throughput(const np_experiment_job *job, const np_experiment_point *at,
                                    const np_network *network)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    uint64_t packets = 0;
    bool random;
    np_status st = np_traffic_estimate(p->what, network, &packets, &random);
    if (!st)
        st = np_experiment_demands(job, p->what, network, &packets);
    return st ? st : np_own_paths_check(network, &p->of.throughput);
}

const np_series_kind np_experiment_throughput = {
    .key = "throughput",
    .columns = "throughput,network,nodes",
    .fields = &throughput_fields,
    .hides = "threads, memory, certificate, paths_out, time_limit",
    .needs = "networks",
    .draws = "networks, throughput, seed",
    .along = "networks",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {NULL, NULL}},
    .measured = &throughput_seen,
    .measures = NP_NAMES("factor.low", "factor.high", "per_host.low", "per_host.high", "gap", "steps_bound",
                         "mean_hops", "iterations", "bounds.distance", "bounds.cut", "paths.factor", "paths.per_host",
                         "paths.share.low", "paths.share.high", "paths.mean_hops"),
    .check = np_once_check,
    .look = look_at_throughput,
    .call = find_throughput,
};

/* ---- worst: the path rule ---- */

static const np_field worst_rows[] = {
    NP_ONCE_KEY("worst", "RULE", .list = "paths"),
    NP_ONCE_OPTIONS(np_worst_options_fields),
};

static const np_fields worst_fields = NP_FIELDS("worst_point", "a worst permutation", np_once_point, worst_rows);

static const np_field worst_seen_rows[] = {NP_ONCE_MEASURED(np_worst_fields)};
static const np_fields worst_seen = NP_FIELDS("worst_seen", "a worst permutation", np_once_seen, worst_seen_rows);

static np_status find_worst(const np_once *o)
{
    np_worst_options options = o->point->of.worst;
    options.memory_limit = o->job->memory_limit;
    options.watch = o->watch;
    np_worst *result = NULL;
    options.paths = o->point->what;
    np_status st = np_worst_find(o->network, &options, &result);
    if (!st)
        st = np_once_keep(o, result);
    np_worst_free(result);
    return st;
}

static np_status look_at_worst(const np_experiment_job *job, const np_experiment_point *at, const np_network *network)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    return np_worst_check(network, p->what);
}

const np_series_kind np_experiment_worst = {
    .key = "worst",
    .columns = "worst,network,nodes",
    .fields = &worst_fields,
    .hides = "paths, memory",
    .needs = "networks",
    .draws = "networks",
    .along = "networks",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {NULL, NULL}},
    .measured = &worst_seen,
    .measures = NP_NAMES("worst.factor", "worst.load"),
    .check = np_once_check,
    .look = look_at_worst,
    .call = find_worst,
};

/* ---- flows: the traffic ---- */

static const np_field flows_rows[] = {
    NP_ONCE_KEY("flows", "SPEC", .list = "traffic"),
    NP_ONCE_OPTIONS(np_flows_options_fields),
};

static const np_fields flows_fields = NP_FIELDS("flows_point", "flows", np_once_point, flows_rows);

static const np_field flows_seen_rows[] = {NP_ONCE_MEASURED(np_flows_result_fields)};
static const np_fields flows_seen = NP_FIELDS("flows_seen", "flows", np_once_seen, flows_seen_rows);

static np_status play_flows(const np_once *o)
{
    np_flows_options options = o->point->of.flows;
    options.memory_limit = o->job->memory_limit;
    options.watch = o->watch;
    np_flows_result *result = NULL;
    options.seed += np_once_number(o);
    np_status st = np_flows(o->network, o->point->what, &options, &result);
    if (!st)
        st = np_once_keep(o, result);
    np_flows_free(result);
    return st;
}

static np_status look_at_flows(const np_experiment_job *job, const np_experiment_point *at, const np_network *network)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    np_flows_options options = p->of.flows;
    options.memory_limit = job->memory_limit;
    return np_flows_check(network, p->what, &options);
}

const np_series_kind np_experiment_flows = {
    .key = "flows",
    .columns = "flows,network,nodes,load",
    .fields = &flows_fields,
    .hides = "memory, links",
    .needs = "networks",
    .draws = "networks, flows, size, sizes, load, arrivals, seed",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {"load", "load"}, {NULL, NULL}},
    .measured = &flows_seen,
    .measures =
        NP_NAMES("makespan", "completion.mean", "completion.p50", "completion.p99", "completion.max", "slowdown.mean",
                 "slowdown.p50", "slowdown.p99", "slowdown.max", "sent", "busiest.use", "use_mean"),
    .check = np_once_check,
    .look = look_at_flows,
    .call = play_flows,
};

/* ---- replay: the file ---- */

static const np_field replay_rows[] = {
    NP_ONCE_KEY("replay", "FILE", .list = NULL),
    NP_ONCE_OPTIONS(np_replay_options_fields),
};

static const np_fields replay_fields = NP_FIELDS("replay_point", "a replay", np_once_point, replay_rows);

static const np_field replay_seen_rows[] = {NP_ONCE_MEASURED(np_replay_result_fields)};
static const np_fields replay_seen = NP_FIELDS("replay_seen", "a replay", np_once_seen, replay_seen_rows);

/* The seed is the experiment's, too: a model that draws nothing has none. */
static np_replay_options replay_of(const np_once_point *p, uint64_t run)
{
    np_replay_options options = p->of.replay;
    options.seed = strcmp(options.model, "loggops") ? options.seed + run : 1;
    return options;
}

static np_status play_replay(const np_once *o)
{
    np_replay_options options = replay_of(o->point, np_once_number(o));
    options.memory_limit = o->job->memory_limit;
    options.watch = o->watch;
    np_replay_result *result = NULL;
    np_status st = np_replay(o->network, o->point->what, &options, &result);
    if (!st)
        st = np_once_keep(o, result);
    np_replay_result_free(result);
    return st;
}

static np_status look_at_replay(const np_experiment_job *job, const np_experiment_point *at, const np_network *network)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    np_replay_options options = replay_of(p, 0);
    options.memory_limit = job->memory_limit;
    return np_replay_check(network, p->what, &options);
}

static np_status check_replays(const np_experiment_job *job, np_experiment_point *at)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    const char *key;
    size_t i = 0;
    while ((key = np_series_given(&job->experiment->serie[at->series], at->number, &i)))
        if (!strcmp(key, "seed") && !strcmp(p->of.replay.model, "loggops"))
            return np_experiment_at_key(
                job, at, key,
                NP_RAISE(NP_ERROR_APPLY, "model loggops draws nothing: leave the seed of the series out"));
    return np_once_check(job, at);
}

const np_series_kind np_experiment_replay = {
    .key = "replay",
    .columns = "replay,network,nodes",
    .fields = &replay_fields,
    .hides = "memory",
    .needs = "networks",
    .draws = "networks, replay, seed",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {"ranks", "ranks"}, {NULL, NULL}},
    .measured = &replay_seen,
    .measures = NP_NAMES("makespan"),
    .check = check_replays,
    .look = look_at_replay,
    .call = play_replay,
};

/* ---- collective: the operation ---- */

static const np_field collective_rows[] = {
    NP_ONCE_KEY("collective", "OPERATION", .list = NULL),
    NP_ONCE_OPTIONS(np_collective_options_fields),
};

static const np_fields collective_fields =
    NP_FIELDS("collective_point", "a collective operation", np_once_point, collective_rows);

static const np_field collective_seen_rows[] = {NP_ONCE_MEASURED(np_collective_result_fields)};
static const np_fields collective_seen =
    NP_FIELDS("collective_seen", "a collective operation", np_once_seen, collective_seen_rows);

static np_status do_collective(const np_once *o)
{
    np_collective_options options = o->point->of.collective;
    options.memory_limit = o->job->memory_limit;
    options.watch = o->watch;
    np_collective_result *result = NULL;
    options.seed += np_once_number(o);
    np_status st = np_collective(o->network, o->point->what, &options, &result);
    if (!st)
        st = np_once_keep(o, result);
    np_collective_result_free(result);
    return st;
}

static np_status look_at_operation(const np_experiment_job *job, const np_experiment_point *at,
                                   const np_network *network)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    np_collective_options options = p->of.collective;
    options.memory_limit = job->memory_limit;
    return np_collective_check(network, p->what, &options);
}

/* An option that the operation does not have is an error of the series. */
static np_status check_collective(const np_experiment_job *job, np_experiment_point *at)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    np_status st = np_collective_heeds(p->what, "seed");
    if (st == NP_ERROR_INPUT)
        return np_experiment_at_key(job, at, "collective", st);
    st = np_experiment_heeds(job, at, &np_collective_options_fields, np_collective_heeds, p->what);
    return st ? st : np_once_check(job, at);
}

const np_series_kind np_experiment_collective = {
    .key = "collective",
    .columns = "collective,network,nodes,size",
    .fields = &collective_fields,
    .hides = "memory, goal",
    .needs = "networks",
    .draws = "networks, collective, traffic, seed",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {"size", "data"}, {"ranks", "ranks"}, {NULL, NULL}},
    .measured = &collective_seen,
    .measures = NP_NAMES("rounds", "steps", "cost", "time", "algorithm_bandwidth", "bus_bandwidth", "transfers"),
    .check = check_collective,
    .look = look_at_operation,
    .call = do_collective,
};
