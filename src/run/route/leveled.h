/*
 * What the runners on leveled networks share: stage 1 of Leighton, Maggs, Ranade & Rao 1994, which chooses paths
 * (model/leveled/stage_one.h), and what results say of it. Each runner adds the engine that schedules the packets
 * (stage 2).
 */
#pragma once

#include "model/leveled/stage_one.h"
#include "run/route/plan.h"

/* The bytes of an engine that moves so many packets over each of the leveled networks. */
typedef uint64_t np_leveled_engine(const np_route_plan *plan, unsigned count, const np_leveled *const *leveled,
                                   np_packet packets);

/* Stage 1 of a bound plan. Owned by the plan. */
const np_stage_one *np_leveled_of(const np_route_plan *plan);

/*
 * For np_runner_ops. Refuses a leveled routing of more bytes than options.memory_limit, before it is made, with
 * NP_ERROR_LIMIT. Sets paths, phases, shared and shared_bytes. The runner sets queue.
 */
np_status np_leveled_bind(np_route_plan *plan) NP_CHECKED;
void np_leveled_unbind(np_route_plan *plan);
void np_leveled_phase(const np_route_plan *plan, unsigned phase, np_phase_result *out);

/*
 * The bytes of a runner: engine, paths, and histograms of delays. A packet waits hardly longer than twice as many steps
 * as there are levels: measured. Of leveled networks that are made for a run, the most; but where it is not known how
 * long paths can be, what grows with them is left out.
 */
uint64_t np_leveled_runner_bytes(const np_route_plan *plan, np_leveled_engine *engine);

/*
 * Chooses the leveled network and the paths of a phase; sets the phase of *draws. A leveled network that is made for
 * the run is refused with NP_ERROR_LIMIT before it takes more than the options allow.
 */
np_status np_leveled_choose(const np_route_plan *plan, const np_runner_job *job, bool combine, np_draws *draws,
                            np_chosen *chosen) NP_CHECKED;

/*
 * Packets for their own node are in no path set. They count in the first phase, as in every scheme: with delay 0 and no
 * hops. Returns the traffic if some rest in this phase, else NULL.
 */
const np_traffic *np_leveled_resting(const np_runner_job *job, const np_path_set *path_set);

/* After the run: the delays of the path set's packets, and of those that rest, which out->packets then counts. */
np_delays np_leveled_delays(const np_traffic *resting, const np_path_set *path_set, const uint32_t *delay,
                            np_phase_run *out);

/* out->emulation: what it costs to play the leveled network. NP_ERROR_MEMORY. */
np_status np_leveled_emulate(const np_route_plan *plan, unsigned phase, const np_chosen *chosen,
                             np_phase_run *out) NP_CHECKED;

/* The leveled network of a phase as observers see it, if the run is observed: its edges cross links of the network. */
np_event_leveled np_leveled_seen(const np_route_plan *plan, unsigned phase, const np_leveled *leveled);
