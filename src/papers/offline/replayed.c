/* See replayed.h. */
#include "papers/offline/replayed.h"

np_status np_hop_replayed_bind(np_route_plan *plan, const char *queue)
{
    const char *paths = plan->options.paths ? plan->options.paths : "greedy";
    np_path *path;
    np_status st = np_path_create(paths, plan->network, &path);
    if (st)
        return st;
    plan->shared = path;
    plan->shared_bytes = path->table_bytes + (path->graph ? path->graph->bytes : 0);
    return np_route_plan_say(plan, np_path_name(path), queue);
}

void np_hop_replayed_unbind(np_route_plan *plan) { np_path_free(plan->shared); }

/* The list of hops for an observer, if all paths are as long as any can be. */
static uint64_t list_bytes(const np_route_plan *plan)
{
    uint64_t longest = np_path_longest(plan->shared);
    return plan->options.observer ? np_hop_list_bytes(plan->packets * longest, plan->packets, plan->packets) : 0;
}

uint64_t np_hop_replayed_bytes(const np_route_plan *plan)
{
    const np_path *path = plan->shared;
    const np_routes_options routes = np_routes_of_phase(path, plan->packets);
    return np_hop_replay_bytes(plan->network, plan->packets) + (path->rule->chooser ? np_routes_bytes(&routes) : 0) +
           list_bytes(plan);
}

/* ---- Paths ---- */

np_status np_hop_replayed_find(const np_route_plan *plan, const np_runner_job *job, np_hop_replayed_paths *out)
{
    const np_path *path = plan->shared;
    const np_demand demand = {.draws = job->draws,
                              .count = np_traffic_packets(job->traffic),
                              .from = np_traffic_sources(job->traffic),
                              .to = np_traffic_destinations(job->traffic),
                              .watch = job->watch ? &job->watch->paths : NULL};
    return np_routes_for(path, &demand, &out->path, &out->routes);
}

void np_hop_replayed_paths_clear(np_hop_replayed_paths *paths) { np_routes_free(paths->routes); }

np_status np_hop_replayed_tell(const np_hop_replay *replay, const np_route_plan *plan, const np_runner_job *job,
                               const np_phase_run *run)
{
    const np_event_phase told = np_runner_phase(job, plan->network);
    return np_hop_replay_tell(replay, np_runner_observer(job), &told, run);
}
