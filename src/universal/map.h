/* Guests mapped to area-universal networks by dividing them in halves, again and again. */
#ifndef NP_UNIVERSAL_MAP_H
#define NP_UNIVERSAL_MAP_H

#include "universal/guest.h"
#include "network/universal.h"

/* A guest being divided. Zeroed before np_map_begin; np_map_clear in any case. */
typedef struct np_map {
    const np_guest *guest;
    np_guest_point *point;              /* [nodes] with coordinates: in order of the leaves */
    uint32_t *order;                    /* [nodes] without: the nodes in order of their parts */
    uint32_t depth;                     /* of the division: 2^depth parts, part i at floor(i n / 2^depth) .. of order */
    uint32_t *row, *neighbour, *weight; /* the guest without directions */
} np_map;

/* NP_ERROR_APPLY: no coordinates and no METIS; NP_ERROR_MEMORY. */
np_status np_map_begin(const np_guest *guest, np_map *map) NP_CHECKED;

/*
 * place[u] = the processor of U for node u: all different. U has
 * at least as many as there are nodes. Without coordinates a larger m goes on from the division for a smaller one.
 */
np_status np_map_place(np_map *map, const np_shape *shape, np_node *place) NP_CHECKED;

void np_map_clear(np_map *map);

#endif
