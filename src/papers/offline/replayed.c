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
    return sizeof(np_hop_replayed) + np_hop_replay_bytes(plan->network, plan->packets) +
           (path->rule->chooser ? np_routes_bytes(&routes) : 0) + list_bytes(plan);
}

/* ---- A run ---- */

static np_status tell(const np_hop_replay *replay, const np_route_plan *plan, const np_runner_job *job,
                      const np_phase_run *run)
{
    const np_event_phase phase = np_runner_phase(job, plan->network);
    return np_hop_replay_tell(replay, np_runner_observer(job), &phase, run);
}

static np_status play_on(np_hop_replayed *r, np_hop_play *play, const np_path *path, const np_runner_job *job,
                         np_phase_run *out)
{
    const np_route_plan *plan = r->base.plan;
    np_status st;
    if ((st = np_hop_replay_create(plan->network, job->traffic, np_runner_observer(job) != NULL, &r->replay)) ||
        (st = play(plan, path, job, r->replay, out)) || (st = np_hop_replay_end(r->replay, out)))
        return st;
    return tell(r->replay, plan, job, out);
}

np_status np_hop_replayed_run(np_runner *runner, np_hop_play *play, const np_runner_job *job, np_phase_run *out,
                              np_delays *delays)
{
    const np_demand demand = {.draws = job->draws,
                              .count = np_traffic_packets(job->traffic),
                              .from = np_traffic_sources(job->traffic),
                              .to = np_traffic_destinations(job->traffic),
                              .watch = job->watch ? &job->watch->paths : NULL};
    np_hop_replayed *r = (np_hop_replayed *)runner;
    np_path path;
    np_routes *routes;
    np_hop_replayed_clear(runner);
    np_status st = np_routes_for(runner->plan->shared, &demand, &path, &routes);
    if (st)
        return st;
    st = play_on(r, play, &path, job, out);
    np_routes_free(routes);
    if (!st)
        *delays = (np_delays){np_hop_replay_delays(r->replay), demand.count, 0};
    return st;
}

void np_hop_replayed_clear(np_runner *runner)
{
    np_hop_replayed *r = (np_hop_replayed *)runner;
    np_hop_replay_free(r->replay);
    r->replay = NULL;
}
