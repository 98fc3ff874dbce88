/* Guests mapped to area-universal networks by halving them again and again. */
#pragma once

#include "papers/universal/guest.h"
#include "model/family/universal.h"

/* A guest being divided. Zero it before np_map_begin, and np_map_clear it in any case. */
typedef struct np_map {
    const np_guest *guest;
    np_guest_point *point;              /* [nodes] with coordinates: the nodes in order of the leaves */
    uint32_t *order;                    /* [nodes] without coordinates: the nodes in order of their parts */
    uint32_t depth;                     /* halvings so far: 2^depth parts, part i from floor(i n / 2^depth) in order */
    uint32_t *row, *neighbour, *weight; /* the guest without directions */
    uint64_t ends;                      /* ends of the guest's pairs, before parallel pairs are joined */
    void *block;                        /* the arrays above */
    const np_watch *watch;              /* is told by np_map_place; NULL: nobody. Set it after np_map_begin */
} np_map;

/* NP_ERROR_APPLY: no coordinates and no METIS; NP_ERROR_MEMORY. */
np_status np_map_begin(const np_guest *guest, np_map *map) NP_CHECKED;

/*
 * place[u] = the processor of U for node u, all different. U must have at least as many processors as the guest has
 * nodes. Without coordinates a call with a larger m continues the division of a call with a smaller m.
 */
np_status np_map_place(np_map *map, const np_shape *shape, np_node *place) NP_CHECKED;

void np_map_clear(np_map *map);
