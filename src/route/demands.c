/* See demands.h. */
#include "route/demands.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "route/plan.h"

struct np_demands {
    const np_route_plan *plan;
    np_routes *routes;
    np_node *at, *to; /* [packets] */
};

static void layout(void *object, np_arena *arena)
{
    np_demands *demands = object;
    np_arena_array(arena, &demands->at, demands->plan->packets, sizeof *demands->at, "where packets are");
    np_arena_array(arena, &demands->to, demands->plan->packets, sizeof *demands->to, "where packets go");
}

static bool overlaps(const np_route_plan *plan) { return plan->options.overlap && plan->phases > 1; }

static np_routes_options options_of(const np_route_plan *plan, const np_path *path)
{
    return (np_routes_options){
        .path = path,
        .packets = plan->packets,
        .slots = overlaps(plan) ? plan->phases : 1,
        .threads = np_route_plan_workers(plan),
    };
}

uint64_t np_demands_bytes(const np_route_plan *plan, const np_path *path)
{
    np_demands demands = {.plan = plan};
    np_routes_options options;
    if (!path->rule->chooser)
        return 0;
    options = options_of(plan, path);
    return np_arena_bytes(&demands, sizeof demands, layout) + np_routes_bytes(&options);
}

np_status np_demands_create(const np_route_plan *plan, np_path *path, np_demands **out)
{
    np_demands demands = {.plan = plan};
    np_routes_options options;
    np_status st;
    *out = NULL;
    if (!path->rule->chooser)
        return NP_OK;
    options = options_of(plan, path);
    if ((st = np_arena_create(&demands, sizeof demands, layout, "where packets go", out)))
        return st;
    if ((st = np_routes_create(&options, &(*out)->routes))) {
        np_demands_free(*out);
        *out = NULL;
        return st;
    }
    path->routes = (*out)->routes;
    return NP_OK;
}

void np_demands_free(np_demands *demands)
{
    if (demands)
        np_routes_free(demands->routes);
    np_memory_free(demands);
}

/* demands->to = the targets of the packets at demands->at in the phase. */
static void aim(np_demands *demands, const np_traffic *traffic, const np_engine_plan *plan, const np_draws *draws,
                unsigned phase)
{
    const np_node *destination = np_traffic_destinations(traffic);
    np_packet packets = np_traffic_packets(traffic), packet[NP_PATH_BATCH];
    for (np_packet base = 0; base < packets;) {
        size_t count = packets - base < NP_PATH_BATCH ? packets - base : NP_PATH_BATCH;
        np_aim aim = {demands->plan->network,
                      plan->tables,
                      phase,
                      draws,
                      count,
                      packet,
                      demands->at + base,
                      destination + base,
                      np_traffic_sources(traffic),
                      plan->via};
        for (size_t i = 0; i < count; i++)
            packet[i] = base + (np_packet)i;
        if (plan->targets)
            plan->targets(&aim, demands->to + base);
        else
            memcpy(demands->to + base, destination + base, count * sizeof *destination);
        base += (np_packet)count;
    }
}

static np_status find_phase(np_demands *demands, const np_runner_job *job, const np_engine_plan *plan, unsigned phase)
{
    const np_engine_watch *watch = job->watch;
    np_draws draws = job->draws;
    draws.phase = (uint16_t)phase;
    np_draws target_draws = np_draws_for(draws, NP_RANDOM_TARGET);
    np_demand demand = {.draws = draws,
                        .count = np_traffic_packets(job->traffic),
                        .from = demands->at,
                        .to = demands->to,
                        .watch = watch ? &watch->paths : NULL};
    aim(demands, job->traffic, plan, &target_draws, phase);
    return np_routes_find(demands->routes, overlaps(demands->plan) ? phase : 0, &demand);
}

np_status np_demands_find(np_demands *demands, const np_runner_job *job, const np_engine_plan *plan, const np_node *at)
{
    size_t bytes = np_traffic_packets(job->traffic) * sizeof *at;
    unsigned end = overlaps(demands->plan) ? plan->phases : job->phase + 1;
    np_status st;
    memcpy(demands->at, at, bytes);
    for (unsigned phase = job->phase; phase < end; phase++) {
        if ((st = find_phase(demands, job, plan, phase)))
            return st;
        memcpy(demands->at, demands->to, bytes);
    }
    return NP_OK;
}
