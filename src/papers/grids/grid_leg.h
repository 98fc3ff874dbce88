/*
 * The way of a packet on a grid, dimension by dimension. In phase p the packet goes along axis (c + p) mod d, where c
 * is its colour, from its source's coordinate to its destination's coordinate. With one colour all packets use the same
 * axis in a phase: the algorithm is uni-axial. With d colours, d uni-axial algorithms are laid over one another, and no
 * two colours meet on an axis. The colour is the sum of all coordinates of both ends modulo d (a chess board, for
 * d = 2). Where d divides the side, this sum splits all lines evenly. Where no side has a divisor in common with d, the
 * sum of the numbers of the ends is used, which splits them nearly evenly.
 */
#pragma once

#include "work/collective/collective.h"

/*
 * In sweeps all packets that go down an axis move first, then all packets that go up: so nodes need only one port. In
 * calls packets move both ways, but only over every other link at once, so that the links in use are a matching.
 */
typedef enum np_grid_style { NP_GRID_UNI_AXIAL, NP_GRID_OVERLAY, NP_GRID_SWEEPS, NP_GRID_CALLS } np_grid_style;

/* Tables that are looked up for every packet, to avoid divisions. */
typedef struct np_grid_map {
    const np_axes *axes;
    np_grid_style style;
    size_t nodes;
    uint32_t colours;     /* 1, except for overlays */
    uint32_t *coordinate; /* [nodes][axes] */
    uint32_t *sum;        /* [nodes] of a node's coordinates */
    uint32_t *colour;     /* [nodes] the sum, or the node's number, modulo the colours */
} np_grid_map;

/* The tables' layout, which sets axes, style and colours; then what is in the tables. */
void np_grid_map_layout(np_grid_map *map, const np_collective_job *job, np_grid_style style, np_arena *arena);
void np_grid_map_fill(np_grid_map *map);

/* The leg begins at `node`, with coordinate x on the axis, and goes `hops` hops up or down to y. 0 hops: the packet
   stays. */
typedef struct np_grid_leg {
    np_node node;
    uint32_t axis, x, y, hops, up;
} np_grid_leg;

static inline uint32_t np_grid_phases(const np_axes *axes, np_grid_style style)
{
    return style == NP_GRID_SWEEPS ? 2 * axes->count : axes->count;
}

/* The leg in a phase of a packet from one node to another. */
void np_grid_leg_of(const np_grid_map *map, uint32_t phase, np_node from, np_node to, np_grid_leg *leg);

/* grid_time.c: rounds by the lemma of the linear array, for meshes and hypercubes. */
np_status np_grid_time(const np_collective_job *job, np_grid_style style, uint64_t *out) NP_CHECKED;
