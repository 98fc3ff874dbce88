/*
 * Routing for sorters: packets go from node to node of the network by leveled networks and the merging engine. The
 * sorter knows what it moves, so the router returns only the cost. A router can be used again and again. On hypercubes
 * and butterflies it routes in two phases, in which a step is a step of the network (rows.h). Elsewhere it
 * routes as scheme `ranked` does, and plays each step of the leveled network on the links (model/leveled/physical.h).
 */
#ifndef NP_SORT_ROUTER_H
#define NP_SORT_ROUTER_H

#include "work/sort/sorter.h"

typedef struct np_sort_router np_sort_router;

/* NP_ERROR_APPLY if the network is not routed as a leveled one. The sorting outlives it. */
np_status np_sort_router_create(const np_sorting *sorting, np_sort_router **out) NP_CHECKED;
void np_sort_router_free(np_sort_router *router);

/*
 * Routes packet i from node from[i] to node to[i]; packets with from[i] == to[i] do not move. stage: for observers, who
 * are told of steps of the leveled network. phase is the number of
 * the routing in the run, for its random choices: no two routings of a run have the same number. Steps are
 * physical steps, phase by phase. delay_max is in steps of the leveled
 * network.
 */
np_status np_sort_router_run(np_sort_router *router, const char *stage, uint32_t packets, const np_node *from,
                             const np_node *to, uint16_t phase, np_sort_cost *out) NP_CHECKED;

#endif
