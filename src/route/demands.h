/*
 * What the phases of a run ask of a path rule that finds routes beforehand:
 * before a phase begins, its targets are worked out and the routes found. With
 * overlap, the routes of all phases are found before the first.
 */
#ifndef NP_ROUTE_DEMANDS_H
#define NP_ROUTE_DEMANDS_H

#include "path/routes.h"
#include "route/runner.h"

typedef struct np_demands np_demands;

/* 0, and *out = NULL, if the path's rule finds no routes. Else path->routes becomes those of the demands. */
uint64_t np_demands_bytes(const np_route_plan *plan, const np_path *path);
np_status np_demands_create(const np_route_plan *plan, np_path *path, np_demands **out) NP_CHECKED;
void np_demands_free(np_demands *demands);

/* Finds the routes of the job's phase. at: where the packets are. */
np_status np_demands_find(np_demands *demands, const np_runner_job *job, const np_engine_plan *plan,
                          const np_node *at) NP_CHECKED;

#endif
