/*
 * The dimension by dimension way of a packet on a grid: in phase p it goes along axis (c + p) mod d, where c is its
 * colour, from its source's coordinate to its destination's. With one colour all use the same axis in a phase: that is
 * uni-axial. With d colours, those of the sum of all coordinates of both ends modulo d (a chess board, for d = 2), d
 * such algorithms are laid over one another, and no two colours meet on an axis. Where d divides the side the sum
 * splits all lines evenly; where no side has a divisor in common with d, the sum of the ends' numbers does so nearly.
 */
#ifndef NP_COLLECTIVE_GRID_LEG_H
#define NP_COLLECTIVE_GRID_LEG_H

#include "collective/collective.h"

/*
 * In sweeps first all packets that go down an axis move, then all that go up: nodes then need one port only. In calls
 * they move both ways, but only over every other link at once, so that the links used are a matching.
 */
typedef enum np_grid_style { NP_GRID_UNI_AXIAL, NP_GRID_OVERLAY, NP_GRID_SWEEPS, NP_GRID_CALLS } np_grid_style;

/* Looked up for every packet, without a division. */
typedef struct np_grid_map {
    const np_axes *axes;
    np_grid_style style;
    size_t nodes;
    uint32_t colours;     /* 1 but of overlays */
    uint32_t *coordinate; /* [nodes][axes] */
    uint32_t *sum;        /* [nodes] of a node's coordinates */
    uint32_t *colour;     /* [nodes] of that, or of its number, modulo the colours */
} np_grid_map;

/* NP_ERROR_MEMORY. Clear it in any case. */
np_status np_grid_map_init(np_grid_map *map, const np_collective_job *job, np_grid_style style) NP_CHECKED;
void np_grid_map_clear(np_grid_map *map);

/* At `node`, with coordinate x on the axis, to y, up or down by so many hops; 0: it stays. */
typedef struct np_grid_leg {
    np_node node;
    uint32_t axis, x, y, hops, up;
} np_grid_leg;

static inline uint32_t np_grid_phases(const np_axes *axes, np_grid_style style)
{
    return style == NP_GRID_SWEEPS ? 2 * axes->count : axes->count;
}

/* Of a packet from one node to another. */
void np_grid_leg_of(const np_grid_map *map, uint32_t phase, np_node from, np_node to, np_grid_leg *leg);

/* grid_time.c: rounds by the lemma of the linear array, for meshes and hypercubes. */
np_status np_grid_time(const np_collective_job *job, np_grid_style style, uint64_t *out) NP_CHECKED;

/* Refuses what takes too much memory: bytes, called what. */
np_status np_grid_fits(const np_collective_job *job, uint64_t bytes) NP_CHECKED;

#endif
