/*
 * What the runners on leveled networks share: the leveled routing of the network,
 * which chooses paths (stage 1 of Leighton, Maggs, Ranade & Rao 1994), and what
 * results say of it. Each runner adds the engine that schedules the packets
 * (stage 2).
 */
#ifndef NP_ROUTE_LEVELED_H
#define NP_ROUTE_LEVELED_H

#include "leveled/leveled_routing.h"
#include "route/plan.h"

/* The leveled routing of a bound plan. Owned by the plan. */
const np_leveled_routing *np_leveled_of(const np_route_plan *plan);

/*
 * For np_runner_ops. Refuses a leveled routing of more bytes than options.memory_limit, before it is made, with
 * NP_ERROR_LIMIT. Sets paths, phases, shared and shared_bytes. The runner sets queue.
 */
np_status np_leveled_bind(np_route_plan *plan) NP_CHECKED;
void np_leveled_unbind(np_route_plan *plan);
void np_leveled_phase(const np_route_plan *plan, unsigned phase, np_phase_result *out);
/* The bytes of a path set for the phases. */
uint64_t np_leveled_paths_bytes(const np_route_plan *plan);

/* The bytes of the histograms of delays. A packet waits hardly longer than twice as many steps as there are levels:
   measured. */
uint64_t np_leveled_delays_bytes(const np_route_plan *plan);

/* The leveled network of a phase as observers see it, if the run is observed: its edges cross links of the network. */
np_event_leveled np_leveled_seen(const np_route_plan *plan, unsigned phase);

/* Chooses the paths of a phase; sets the phase of *draws. */
np_status np_leveled_select(const np_route_plan *plan, const np_runner_job *job, bool combine, np_draws *draws,
                            np_path_set *path_set) NP_CHECKED;

#endif
