/*
 * What the runners share whose hops are known before they are made: paths by any rule, on any network; a replay that
 * carries the hops out; and observers that are told the hops afterwards.
 */
#pragma once

#include "model/path/routes.h"
#include "papers/offline/replay.h"
#include "run/route/plan.h"

/* plan->shared becomes the path rule. queue: what results say. */
np_status np_hop_replayed_bind(np_route_plan *plan, const char *queue) NP_CHECKED;
void np_hop_replayed_unbind(np_route_plan *plan);

/* The bytes of what follows, at most, if no path is longer than is known. */
uint64_t np_hop_replayed_bytes(const np_route_plan *plan);

/* The paths of a run's packets. */
typedef struct np_hop_replayed_paths {
    np_path path;
    np_routes *routes; /* NULL: the rule finds none */
} np_hop_replayed_paths;

np_status np_hop_replayed_find(const np_route_plan *plan, const np_runner_job *job,
                               np_hop_replayed_paths *out) NP_CHECKED;
void np_hop_replayed_paths_clear(np_hop_replayed_paths *paths);

/* Tells the observers of the run, if there are any. */
np_status np_hop_replayed_tell(const np_hop_replay *replay, const np_route_plan *plan, const np_runner_job *job,
                               const np_phase_run *run) NP_CHECKED;
