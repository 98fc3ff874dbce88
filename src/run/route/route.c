/*
 * np_route: runs, their phases, and the result. A run is a pure function of
 * (plan, seed, run number), so threads may take runs in any order. What a run
 * yields is kept by run number or added up as integers.
 */
#include "run/route/result.h"

#include <pthread.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/runs.h"
#include "base/threads.h"
#include "base/watch.h"
#include "model/leveled/fat_tree.h"
#include "model/family/fat_tree.h"
#include "model/traffic/traffic.h"
#include "verdict/throughput/steps.h"

/* What the threads of one np_route share. */
typedef struct np_routing {
    const np_route_plan *plan;
    np_route_outcome *outcome;
    np_runs runs;         /* what has become of them */
    pthread_mutex_t lock; /* of the outcome */
} np_routing;

/* What one thread has to itself. */
typedef struct np_router {
    np_runner *runner;
    np_delay_counts *delays; /* [phases] */
    np_delay_counts run;     /* of the present phase of the present run */
    np_traffic *drawn;
} np_router;

/* Where a run is, for the watch. */
typedef struct np_whereabouts {
    const np_route_options *options;
    uint32_t run;
    unsigned phase, phases;
    bool stop; /* the watch cancelled */
} np_whereabouts;

static int tell(np_whereabouts *where, const char *stage, double share)
{
    if (np_watch_tell(&where->options->watch, (np_progress){stage, "phases", where->phase, where->phases, share}))
        where->stop = true;
    return where->stop;
}

static int pass_progress(void *context, const np_progress *part)
{
    np_whereabouts *where = context;
    double of_run = (where->phase + part->share) / where->phases;
    double share = (where->run + of_run) / where->options->runs;
    return tell(where, NULL, share);
}

static int pass_paths(void *context, const np_progress *part) { return tell(context, "paths", part->share); }

static int pass_step(void *context, const np_step_report *report)
{
    const np_whereabouts *where = context;
    return where->options->on_step(where->options->context, report);
}

/* Of a phase that was not played on physical links: its steps are physical ones, or each takes as many as it can. */
static void set_physical_steps(np_phase_run *out)
{
    if (!out->physical_steps)
        out->physical_steps = out->emulation.steps ? (uint64_t)out->steps * out->emulation.steps : out->steps;
}

static np_status route_phases(np_routing *routing, np_router *router, const np_traffic *traffic, uint32_t run)
{
    const np_route_plan *plan = routing->plan;
    const np_route_options *options = &plan->options;
    unsigned phases = (unsigned)routing->outcome->result.phases;
    np_whereabouts where = {options, .run = run, .phases = phases};
    bool progress = options->watch.tell && (!plan->parallel_runs || plan->threads == 1);
    np_engine_watch watch = {.on_step = options->on_step ? pass_step : NULL,
                             .observer = options->observer,
                             .runs = options->runs,
                             .phases = phases,
                             .progress = {progress ? pass_progress : NULL, &where},
                             .paths = {progress ? pass_paths : NULL, &where},
                             .hash = options->hash,
                             .context = &where};
    for (unsigned phase = 0; phase < phases; phase++) {
        np_runner_job job = {phase, {.seed = options->seed, .run = options->first_run + run}, traffic, &watch};
        np_phase_run *out = &routing->outcome->run[(size_t)phase * options->runs + run];
        np_delays delays = {NULL, 0, 0};
        where.phase = phase;
        watch.phase = routing->outcome->result.phase[phase].name;
        np_status st = plan->runner->run(router->runner, &job, out, &delays);
        if (!st && where.stop)
            st = NP_RAISE(NP_ERROR_CANCELLED, "cancelled in phase %u", phase);
        if (st || (st = np_delay_counts_add(&router->delays[phase], &router->run, &delays, options->job, out)))
            return st;
        set_physical_steps(out);
    }
    return NP_OK;
}

/* Sets the load factor if the traffic has one, which it has on fat-trees. */
static np_status set_load_factor(const np_network *network, const np_traffic *traffic, np_route_result *result)
{
    np_fat_tree_load load;
    np_status st;
    if (!np_fat_tree_is(network))
        return NP_OK;
    if ((st = np_fat_tree_load_factor(network, traffic, &load)))
        return st;
    result->has_load_factor = true;
    result->load_factor = load.factor;
    return NP_OK;
}

/* What the result says of the traffic of its first run. */
static np_status describe_traffic(np_routing *routing, const np_traffic *traffic)
{
    np_route_result *result = &routing->outcome->result;
    np_status st;
    result->packets = np_traffic_packets(traffic);
    if ((st = np_traffic_relation_of(traffic, routing->plan->network, routing->plan->options.job, &result->relation)))
        return st;
    return set_load_factor(routing->plan->network, traffic, result);
}

/* Counts the permutations that were routed: as the options say, or as the traffic has. */
static void count_permutations(const np_route_plan *plan, np_route_result *result)
{
    if (np_scheme_lists(plan->scheme, "permutations"))
        result->permutations = result->phase[0].run[0].packets / np_network_terminals(plan->network);
}

static int pass_certificate(void *context, const np_progress *part)
{
    return tell(context, "the bound of steps", part->share);
}

/* What no schedule can beat for the traffic: of the run, or of all runs. */
static np_status certify(const np_routing *routing, const np_traffic *traffic, uint32_t run, uint32_t runs)
{
    const np_route_plan *plan = routing->plan;
    np_whereabouts where = {&plan->options, .run = run, .phases = 1};
    const np_watch watch = {plan->options.watch.tell && !plan->parallel_runs ? pass_certificate : NULL, &where};
    uint64_t *bound = routing->outcome->steps_bound;
    np_status st = np_steps_bound(plan->network, traffic, np_route_plan_certifiers(plan), &watch, &bound[run]);
    for (uint32_t r = run + 1; r < runs; r++)
        bound[r] = bound[run];
    return st;
}

static np_status route_run(np_routing *routing, np_router *router, uint32_t run)
{
    const np_traffic *traffic = routing->plan->traffic;
    np_status st;
    if (!traffic) {
        np_traffic_free(router->drawn);
        st = np_route_plan_draw_traffic(routing->plan, routing->plan->options.first_run + run, &router->drawn);
        if ((st = np_job_agree(routing->plan->options.job, st)))
            return st;
        traffic = router->drawn;
        if (routing->plan->options.certify && (st = certify(routing, traffic, run, run + 1)))
            return st;
    }
    if ((run == 0 && (st = describe_traffic(routing, traffic))) || (st = route_phases(routing, router, traffic, run)))
        return st;
    if (run == 0)
        count_permutations(routing->plan, &routing->outcome->result);
    return NP_OK;
}

static np_status router_init(const np_routing *routing, np_router *router)
{
    np_status st;
    *router = (np_router){0};
    if ((st = np_memory_zeroed(&router->delays, routing->outcome->result.phases, sizeof *router->delays,
                               "the delay histograms")))
        return st;
    return np_runner_create(routing->plan, &router->runner);
}

/* Adds the share of the thread to the result, and frees what the thread has. */
static void router_clear(np_routing *routing, np_router *router)
{
    np_delay_counts_clear(&router->run);
    np_runner_free(router->runner);
    np_traffic_free(router->drawn);
    for (size_t i = 0; router->delays && i < routing->outcome->result.phases; i++) {
        np_delay_counts_merge(&routing->outcome->delays[i], &router->delays[i]);
        np_delay_counts_clear(&router->delays[i]);
    }
    np_memory_free(router->delays);
}

/* Routes runs until none is left, on one thread. */
static void route_runs(void *context, unsigned thread, uint32_t item)
{
    np_routing *routing = context;
    np_router router;
    uint32_t run;
    (void)thread, (void)item;
    if (!np_runs_next(&routing->runs, &run))
        return;
    np_status st = np_job_agree(routing->plan->options.job, router_init(routing, &router));
    do
        np_runs_settle(&routing->runs, run, st ? st : route_run(routing, &router, run));
    while (np_runs_next(&routing->runs, &run));
    pthread_mutex_lock(&routing->lock);
    router_clear(routing, &router);
    pthread_mutex_unlock(&routing->lock);
}

static np_status route_all(np_routing *routing)
{
    unsigned threads = np_route_plan_runners(routing->plan);
    const np_route_plan *plan = routing->plan;
    np_status st =
        plan->options.certify && plan->traffic ? certify(routing, plan->traffic, 0, plan->options.runs) : NP_OK;
    if (st)
        return st;
    np_threads_each(threads, threads, route_runs, routing);
    st = np_runs_outcome(&routing->runs);
    return st ? st : np_route_outcome_summarise(routing->outcome);
}

static np_status route_plan(const np_route_plan *plan, double begin, np_route_result **out)
{
    static const np_watch nobody; /* between runs, ranks could not agree that one of them is cancelled */
    np_routing routing = {
        .plan = plan,
        .runs = {.watch = plan->options.job ? &nobody : &plan->options.watch, .of = plan->options.runs},
        .lock = PTHREAD_MUTEX_INITIALIZER};
    np_status st = np_job_agree(plan->options.job, np_route_outcome_create(plan, &routing.outcome));
    if (st) {
        np_route_result_free((np_route_result *)routing.outcome);
        return st;
    }
    if ((st = route_all(&routing))) {
        np_route_result_free(&routing.outcome->result);
        return st;
    }
    routing.outcome->result.wall_seconds = np_clock_seconds() - begin;
    *out = &routing.outcome->result;
    return NP_OK;
}

static np_status route_taken(const np_network *network, const char *spec, const np_traffic *traffic,
                             const np_route_options *taken, double begin, np_route_result **out)
{
    np_route_plan plan;
    np_status st = np_route_plan_init(&plan, network, spec, traffic, taken);
    if (!st)
        st = np_route_plan_make_traffic(&plan);
    if (!(st = np_job_agree(taken->job, st)) && (st = np_job_agree(taken->job, route_plan(&plan, begin, out)))) {
        np_route_result_free(*out);
        *out = NULL;
    }
    np_route_plan_clear(&plan);
    return st;
}

/* Of the caller's traffic, a rank takes its part. */
static np_status route_part(const np_network *network, const np_traffic *traffic, const np_route_options *taken,
                            double begin, np_route_result **out)
{
    np_traffic *part;
    np_status st = np_job_agree(taken->job, np_traffic_take_part(traffic, taken->job, &part));
    if (!st)
        st = route_taken(network, NULL, part, taken, begin, out);
    np_traffic_free(part);
    return st;
}

static np_status route(const np_network *network, const char *spec, const np_traffic *traffic,
                       const np_route_options *options, np_route_result **out)
{
    double begin = np_clock_seconds();
    np_route_options taken;
    *out = NULL;
    np_status st = np_options_take(&np_route_options_fields, options, &taken);
    if (st)
        return st;
    if (taken.job && taken.job->size == 1)
        taken.job = NULL;
    if (taken.job && taken.job->neighbours > 1 && !taken.memory_limit)
        taken.memory_limit = np_memory_default() / taken.job->neighbours;
    NP_ACCOUNT(taken.memory_limit, "a smaller network, fewer packets or fewer runs");
    return taken.job && traffic ? route_part(network, traffic, &taken, begin, out)
                                : route_taken(network, spec, traffic, &taken, begin, out);
}

np_status np_route_traffic(const np_network *network, const np_traffic *traffic, const np_route_options *options,
                           np_route_result **out)
{
    return route(network, NULL, traffic, options, out);
}

np_status np_route(const np_network *network, const char *traffic, const np_route_options *options,
                   np_route_result **out)
{
    return route(network, traffic, NULL, options, out);
}
