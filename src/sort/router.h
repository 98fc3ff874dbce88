/*
 * Routing for sorters: packets from node to node of the network by leveled networks and the merging engine; what a
 * sorter needs it for is known to the sorter, so only the cost comes back. Can be used again and again. On hypercubes
 * and butterflies in two phases of which a step is one of the network (router_rows.h); elsewhere as scheme `ranked`
 * does it, and as many steps of the network for one of the leveled network as that takes.
 */
#ifndef NP_SORT_ROUTER_H
#define NP_SORT_ROUTER_H

#include "sort/log.h"
#include "sort/sorter.h"

typedef struct np_sort_router np_sort_router;

/* NP_ERROR_APPLY if the network is not routed as a leveled one. The sorting outlives it. */
np_status np_sort_router_create(const np_sorting *sorting, np_sort_router **out) NP_CHECKED;
void np_sort_router_free(np_sort_router *router);

/*
 * How many steps of the network one step of the leveled network of a phase takes: in the i-th part of it every edge
 * that crosses i links or more crosses the i-th of them; the parts are as long as the most edges that cross one link.
 * np_route, which counts steps of the leveled network, reports the longest part and more of it as the emulation.
 */
uint32_t np_sort_router_slowdown(const np_sort_router *router, unsigned phase);

/*
 * Routes packet i from node from[i] to node to[i]; those with from[i] == to[i] do not move. phase numbers the routing
 * in the run, for its random choices: no two of a run have one number. Steps are those of the network: the
 * slowdown times what np_route counts, phase by phase. delay_max is in steps of the leveled network.
 */
np_status np_sort_router_run(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                             uint16_t phase, np_sort_cost *out) NP_CHECKED;

#endif
