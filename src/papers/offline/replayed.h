/*
 * What the runners share whose hops are known before they are made: paths by any rule, on any network; a replay that
 * carries the hops out, and knows the delays; and observers that are told the hops afterwards.
 */
#pragma once

#include "model/path/routes.h"
#include "papers/offline/replay.h"
#include "run/route/plan.h"

/* plan->shared becomes the path rule. queue: what results say. */
np_status np_hop_replayed_bind(np_route_plan *plan, const char *queue) NP_CHECKED;
void np_hop_replayed_unbind(np_route_plan *plan);

/* The runner of a thread. */
typedef struct np_hop_replayed {
    np_runner base;
    np_hop_replay *replay; /* of the last run, whose delays it has */
} np_hop_replayed;

void np_hop_replayed_clear(np_runner *runner);

/* The bytes of a runner, at most, if no path is longer than is known; what its `play` takes is not among them. */
uint64_t np_hop_replayed_bytes(const np_route_plan *plan);

/* Makes all hops of a run, on paths that have been found, and sets what it alone knows of them in *out. */
typedef np_status np_hop_play(const np_route_plan *plan, const np_path *path, const np_runner_job *job,
                              np_hop_replay *replay, np_phase_run *out);

/* np_runner_ops.run */
np_status np_hop_replayed_run(np_runner *runner, np_hop_play *play, const np_runner_job *job, np_phase_run *out,
                              np_delays *delays) NP_CHECKED;
