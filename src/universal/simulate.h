/* A step of a guest, routed on an area-universal network. */
#ifndef NP_UNIVERSAL_SIMULATE_H
#define NP_UNIVERSAL_SIMULATE_H

#include "universal/load.h"

/* What the steps come to, as np_universal_result has it. */
typedef struct np_simulation {
    uint64_t packets, local;
    uint32_t gather, scatter;
    double *route, *congestion, *slowdown; /* [runs] */
    uint64_t combined;
} np_simulation;

/*
 * Routes options->runs steps. out is zeroed before; clear it in any case. NP_ERROR_MEMORY; NP_ERROR_LIMIT; NP_ERROR_INTERNAL
 * if a bus does not hear of all its nodes.
 */
np_status np_simulate(const np_guest *guest, const np_spread *spread, const np_shape *shape, const np_node *place,
                      const np_universal_options *options, np_simulation *out) NP_CHECKED;
void np_simulation_clear(np_simulation *simulation);

/* gather.c: the combining half of a step in the meshes. *steps until every bus has one packet at each of its leaves,
 * [row[groups]] of spread, that counts the nodes it stands for: weight[]; at the corner of the mesh if it has to go on. */
np_status np_gather_buses(const np_guest *guest, const np_spread *spread, const np_shape *shape, const np_node *place,
                          const np_universal_options *options, uint64_t *weight, uint32_t *steps,
                          uint64_t *combined) NP_CHECKED;

#endif
