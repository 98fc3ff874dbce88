/*
 * np_route: runs, their phases, and the result. A run is a pure function of
 * (plan, seed, run number), so runs may go to threads in any order; what they
 * leave is kept by run number or added up as integers.
 */
#include "route/result.h"

#include <omp.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "leveled/fat_tree.h"
#include "network/fat_tree.h"

/* What the threads of one np_route share. */
typedef struct np_routing {
    const np_route_plan *plan;
    np_engine_plan engine_plan;
    const np_traffic *traffic; /* every run's, NULL if each draws its own */
    np_route_outcome *outcome;

    /* Under the critical section "np_route". */
    uint32_t done;
    np_status status; /* of the failed run with the smallest number */
    uint32_t failed;
    char message[512];
} np_routing;

/* One thread's own things. */
typedef struct np_router {
    np_engine *engine; /* or */
    np_mover *mover;
    np_delay_counts *delays; /* [phases] */
    np_traffic *drawn;
} np_router;

/* Where a run is, for on_progress and on_hops. */
typedef struct np_whereabouts {
    const np_route_options *options;
    np_route_progress progress;
} np_whereabouts;

static void pass_progress(void *context, double share)
{
    np_whereabouts *where = context;
    where->progress.share = share;
    where->options->on_progress(where->options->context, &where->progress);
}

static int pass_step(void *context, const np_step_report *report)
{
    const np_whereabouts *where = context;
    return where->options->on_step(where->options->context, report);
}

static void pass_hops(void *context, np_step step, size_t count, const np_packet *packet, const np_link *link)
{
    const np_whereabouts *where = context;
    where->options->on_hops(where->options->context, where->progress.phase, step, count, packet, link);
}

static np_status route_phases(np_routing *routing, np_router *router, uint32_t run)
{
    np_route_result *result = &routing->outcome->result;
    const np_route_options *options = &routing->plan->options;
    np_whereabouts where = {options, {.run = run, .phases = (unsigned)result->phases}};
    np_engine_watch watch = {.on_step = options->on_step ? pass_step : NULL,
                             .on_hops = options->on_hops ? pass_hops : NULL,
                             .hash = options->hash,
                             .context = &where};
    if (options->on_progress && !routing->plan->parallel_runs)
        watch.on_progress = pass_progress;
    np_draws draws = {.seed = options->seed, .run = run};
    for (unsigned phase = 0; phase < result->phases; phase++) {
        np_phase_run *out = &routing->outcome->run[(size_t)phase * result->runs + run];
        where.progress.phase = phase;
        np_status st = np_engine_run(router->engine, &routing->engine_plan, phase, draws, &watch, out);
        if (!st)
            st = np_delay_counts_add(&router->delays[phase], out->packets, np_engine_delays(router->engine));
        if (st)
            return st;
    }
    return NP_OK;
}

static np_status move_phases(np_routing *routing, np_router *router, const np_traffic *traffic, uint32_t run)
{
    np_route_result *result = &routing->outcome->result;
    np_draws draws = {.seed = routing->plan->options.seed, .run = run};
    for (unsigned phase = 0; phase < result->phases; phase++) {
        np_phase_run *out = &routing->outcome->run[(size_t)phase * result->runs + run];
        const uint32_t *delay;
        size_t delays;
        np_status st = router->mover->ops->run(router->mover, phase, draws, traffic, out, &delay, &delays);
        if (!st)
            st = np_delay_counts_add(&router->delays[phase], (np_packet)delays, delay);
        if (st)
            return st;
    }
    return NP_OK;
}

/* Where the traffic has one: on fat-trees. */
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

/* As many as were routed: those of the options, or of the traffic. */
static void count_permutations(const np_network *network, np_route_result *result)
{
    result->permutations = result->phase[0].run[0].packets / np_network_terminals(network);
}

static np_status route_run(np_routing *routing, np_router *router, uint32_t run)
{
    const np_traffic *traffic = routing->traffic;
    np_status st;
    if (!traffic) {
        np_traffic_free(router->drawn);
        st = np_traffic_create(routing->plan->traffic, routing->plan->network, routing->plan->options.seed, run,
                               &router->drawn);
        if (st)
            return st;
        traffic = router->drawn;
    }
    if (router->engine)
        np_engine_place(router->engine, traffic);
    if (run == 0) {
        np_route_result *result = &routing->outcome->result;
        result->packets = np_traffic_packets(traffic);
        if ((st = np_traffic_relation(traffic, routing->plan->network, &result->relation)) ||
            (st = set_load_factor(routing->plan->network, traffic, result)))
            return st;
    }
    if (!router->mover)
        return route_phases(routing, router, run);
    st = move_phases(routing, router, traffic, run);
    if (!st && run == 0 && routing->plan->scheme->permutations)
        count_permutations(routing->plan->network, &routing->outcome->result);
    return st;
}

static np_status router_init(const np_routing *routing, np_router *router)
{
    np_engine_options options = np_route_plan_engine(routing->plan);
    np_status st;
    *router = (np_router){0};
    if ((st = np_memory_zeroed(&router->delays, routing->outcome->result.phases, sizeof *router->delays,
                               "the delay histograms")))
        return st;
    if (routing->plan->mover) {
        st = routing->plan->mover->ops->create(routing->plan->network, &routing->plan->options, routing->plan->mover,
                                               &router->mover);
        if (!st)
            router->mover->workers = options.workers;
        return st;
    }
    return np_engine_create(&options, &router->engine);
}

/* The thread's share goes into the result. */
static np_status router_clear(np_routing *routing, np_router *router)
{
    np_status st = NP_OK;
    for (size_t i = 0; router->delays && i < routing->outcome->result.phases; i++) {
        if (!st)
            st = np_delay_counts_merge(&routing->outcome->delays[i], &router->delays[i]);
        np_delay_counts_clear(&router->delays[i]);
    }
    np_memory_free(router->delays);
    np_engine_free(router->engine);
    if (router->mover)
        router->mover->ops->free(router->mover);
    np_traffic_free(router->drawn);
    return st;
}

/* After a run (or an attempt at one): counts it, or keeps the first failure in the order of runs. */
static void settle(np_routing *routing, uint32_t run, np_status st)
{
    const np_route_options *options = &routing->plan->options;
    if (!st) {
        routing->done++;
        if (options->on_run && !routing->status && options->on_run(options->context, routing->done))
            st = NP_RAISE(NP_ERROR_CANCELLED, "cancelled after %u runs", routing->done);
    }
    if (st && (!routing->status || run < routing->failed)) {
        routing->status = st;
        routing->failed = run;
        strncpy(routing->message, np_last_error(), sizeof routing->message - 1);
    }
}

/* Runs first, first + stride, ...: on one thread. */
static void route_runs(np_routing *routing, unsigned first, unsigned stride)
{
    uint32_t runs = routing->plan->options.runs;
    np_router router;
    np_status st = router_init(routing, &router);
    for (uint32_t run = first; run < runs; run += stride) {
        bool stop;
        if (!st)
            st = route_run(routing, &router, run);
#pragma omp critical(np_route)
        {
            settle(routing, run, st);
            stop = routing->status != NP_OK;
        }
        if (stop)
            break;
    }
#pragma omp critical(np_route)
    {
        st = router_clear(routing, &router);
        if (st)
            settle(routing, runs, st);
    }
}

static np_status route_all(np_routing *routing)
{
    unsigned threads = routing->plan->parallel_runs ? routing->plan->threads : 1;
    if (threads == 1) {
        route_runs(routing, 0, 1);
    } else {
#pragma omp parallel num_threads((int)threads)
        route_runs(routing, (unsigned)omp_get_thread_num(), (unsigned)omp_get_num_threads());
    }
    if (routing->status)
        return NP_RAISE(routing->status, "%s", routing->message);
    return np_route_outcome_summarise(routing->outcome);
}

static np_status route_plan(np_route_plan *plan, const np_traffic *traffic, np_route_result **out)
{
    double begin = np_clock_seconds();
    np_routing routing = {.plan = plan, .traffic = traffic};
    np_status st = np_route_outcome_create(plan, &routing.outcome);
    if (st)
        return st;
    routing.engine_plan = (np_engine_plan){
        .path = plan->path,
        .phases = np_route_plan_phases(plan),
        .targets = plan->scheme->targets,
        .targets_from = plan->scheme->targets_from,
        .context = plan->network,
    };
    if ((st = route_all(&routing))) {
        np_route_result_free(&routing.outcome->result);
        return st;
    }
    routing.outcome->result.wall_seconds = np_clock_seconds() - begin;
    *out = &routing.outcome->result;
    return NP_OK;
}

np_status np_route_traffic(const np_network *network, const np_traffic *traffic, const np_route_options *options,
                           np_route_result **out)
{
    np_route_plan plan;
    np_status st;
    *out = NULL;
    if (!(st = np_route_plan_init(&plan, network, NULL, traffic, options)))
        st = route_plan(&plan, traffic, out);
    np_route_plan_clear(&plan);
    return st;
}

np_status np_route(const np_network *network, const char *traffic, const np_route_options *options,
                   np_route_result **out)
{
    np_route_plan plan;
    np_traffic *made = NULL;
    np_status st;
    *out = NULL;
    if ((st = np_route_plan_init(&plan, network, traffic, NULL, options)))
        goto out;
    if (!plan.draws_traffic) {
        if ((st = np_traffic_create(traffic, network, options->seed, 0, &made)))
            goto out;
        /* A file's packets are counted only now: size up again before anything is allocated for them. */
        np_route_plan_clear(&plan);
        if ((st = np_route_plan_init(&plan, network, NULL, made, options)))
            goto out;
    }
    st = route_plan(&plan, made, out);
out:
    np_route_plan_clear(&plan);
    np_traffic_free(made);
    return st;
}
