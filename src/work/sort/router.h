/*
 * Routing for sorters: packets go from node to node of the network by leveled networks and the merging engine. The
 * sorter knows what it moves, so the router returns only the cost. A router can be used again and again. On hypercubes
 * and butterflies it routes in two phases, in which a step is a step of the network (rows.h). Elsewhere it
 * routes as scheme `ranked` does, and plays each step of the leveled network on the links (model/leveled/physical.h).
 */
#pragma once

#include "run/route/leveled.h"
#include "work/sort/rows.h"

typedef struct np_sort_router {
    const np_sorting *sorting;
    bool by_rows; /* a hypercube or a butterfly */
    np_rows rows;
    np_route_plan plan; /* elsewhere: of the scheme `ranked`, and its runner */
    np_runner *runner;
} np_sort_router;

/* NP_ERROR_APPLY if the network is not routed as a leveled one. The sorting outlives it. The caller clears it, also
   after an error. */
np_status np_sort_router_init(np_sort_router *router, const np_sorting *sorting) NP_CHECKED;
void np_sort_router_clear(np_sort_router *router);

/*
 * Routes packet i from node from[i] to node to[i]; packets with from[i] == to[i] do not move. stage: for observers, who
 * are told of steps of the leveled network. phase is the number of
 * the routing in the run, for its random choices: no two routings of a run have the same number. Steps are
 * physical steps, phase by phase. delay_max is in steps of the leveled
 * network.
 */
np_status np_sort_router_run(np_sort_router *router, const char *stage, uint32_t packets, const np_node *from,
                             const np_node *to, uint16_t phase, np_sort_cost *out) NP_CHECKED;
