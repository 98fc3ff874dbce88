/*
 * Sixteen destinations at once: distances to them, and the flow to them, split softly.
 *
 * Each row of an array has a value for each of 16 lanes, one lane a destination. All lanes do the same operations in
 * the same order, in vectors as wide as the processor has them; so the bits are the same on all. Loads are whole
 * numbers, so that their sums over blocks of destinations do not depend on the order.
 *
 * Flow is split at node u over the arcs e to nodes v that are nearer to the destination, in proportion to
 *
 *     (1 - slack/theta)^4,   slack = length(e) + distance(v) - distance(u),   0 where 1 - slack/theta < 1/20
 *
 * and rounded up: each share is made larger by more than all roundings on the way can have taken away. So what is
 * computed is at least the load of a flow that carries all demands, exactly.
 */
#pragma once

#include "base/arena.h"
#include "verdict/throughput/problem.h"

enum {
    NP_LANES = 16,
    NP_LANES_FAR = 1 << 30,    /* a distance: no way */
    NP_LANES_LENGTHS = 1 << 29 /* the length of a shortest path is less than this */
};

typedef int32_t np_lanes_whole[NP_LANES];
typedef float np_lanes_real[NP_LANES];

/* What one thread works with. */
typedef struct np_lanes {
    np_node nodes;                 /* of the layout */
    uint32_t arcs;                 /* of the layout; 0: distances only */
    np_lanes_whole *distance;      /* [nodes] */
    np_lanes_real *rest, *through; /* [nodes] flow that is still to be passed on, and all that was */
    np_lanes_real *share;          /* [arcs] of what passes through its tail */
    int64_t *load;                 /* [arcs] of all blocks so far, in units of 1/scale packets */
} np_lanes;

void np_lanes_layout(np_lanes *lanes, np_arena *arena);

/* The distances from all nodes to the targets from `first` on, as many as there are lanes or targets. */
void np_lanes_distances(const np_problem *problem, const int32_t *length, uint32_t first, np_lanes *lanes);

/* Adds the loads of the demands of these targets, for lengths whose distances are known. */
void np_lanes_split(const np_problem *problem, const int32_t *length, int32_t theta, double scale, uint32_t first,
                    np_lanes *lanes);

/* Targets of the block that begins at `first`. */
static inline uint32_t np_lanes_count(const np_problem *problem, uint32_t first)
{
    uint32_t left = problem->targets - first;
    return left < NP_LANES ? left : NP_LANES;
}
