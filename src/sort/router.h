/*
 * Routing for sorters: packets from node to node of the network by its own leveled
 * networks and the merging engine, as scheme `ranked` does; what a sorter needs it for is known to the
 * sorter, so only the cost comes back. Can be used again and again.
 */
#ifndef NP_SORT_ROUTER_H
#define NP_SORT_ROUTER_H

#include "netpram/route.h"
#include "sort/log.h"
#include "sort/sorter.h"

typedef struct np_sort_router np_sort_router;

/* NP_ERROR_APPLY if the network is not routed as a leveled one. The sorting outlives it. */
np_status np_sort_router_create(const np_sorting *sorting, np_sort_router **out) NP_CHECKED;
void np_sort_router_free(np_sort_router *router);

/*
 * What it costs the network to be the leveled one, most of all phases: steps are those of the leveled network, as
 * np_route counts them; one of them takes links_per_link steps of the network at most.
 */
void np_sort_router_emulation(const np_sort_router *router, np_emulation_result *out);

/*
 * Routes packet i from node from[i] to node to[i]; those with from[i] == to[i] do not move. phase numbers the routing
 * in the run, for its random choices: no two of a run have one number.
 */
np_status np_sort_router_run(np_sort_router *router, uint32_t packets, const np_node *from, const np_node *to,
                             uint16_t phase, np_sort_cost *out) NP_CHECKED;

#endif
