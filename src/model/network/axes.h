/*
 * Grids as algorithms see them: meshes, tori, arrays, rings, and hypercubes, which are meshes of sides 2 (Sibeyn).
 * Coordinates: node u has coordinate (u / stride) mod side on each axis; one port goes up the axis and one goes down.
 * Arrays and rings are meshes and tori of one dimension. Hypercubes have one port for both directions.
 */
#pragma once

#include "model/network/network.h"

typedef struct np_axes {
    uint32_t count; /* 0: the network has none */
    bool wrap;      /* tori and rings */
    bool cube;      /* ports are axes */
    uint32_t side[NP_MAX_DIMENSIONS], stride[NP_MAX_DIMENSIONS];
    np_divider by_side[NP_MAX_DIMENSIONS], by_stride[NP_MAX_DIMENSIONS];
} np_axes;

/* The axes of meshes, tori, arrays, rings and hypercubes; count is 0 for other networks. */
np_axes np_axes_of(const np_network *network);

/* Adds an axis behind the others. */
void np_axes_add(np_axes *axes, uint32_t side, uint32_t stride);

/* The axes by descending length; axes of equal length stay in order. */
static inline void np_axes_longest_first(uint32_t count, const uint32_t *side, uint32_t *axis)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at && side[axis[at - 1]] < side[i]; at--)
            axis[at] = axis[at - 1];
        axis[at] = i;
    }
}

/* The axes of a torus of rows x columns nodes, numbered row by row; of no network. */
np_axes np_axes_of_torus(uint32_t rows, uint32_t columns);

static inline uint32_t np_axes_coordinate(const np_axes *axes, np_node u, uint32_t axis)
{
    return np_modulo(np_divide(u, axes->by_stride[axis]), axes->by_side[axis]);
}

static inline np_port np_axes_port(const np_axes *axes, uint32_t axis, bool up)
{
    return axes->cube ? axis : 2 * axis + up;
}

static inline uint32_t np_axes_of_port(const np_axes *axes, np_port port) { return axes->cube ? port : port / 2; }

/* The next node up or down; it must exist. */
static inline np_node np_axes_step(const np_axes *axes, np_node u, uint32_t axis, bool up)
{
    uint32_t x = np_axes_coordinate(axes, u, axis), last = axes->side[axis] - 1, stride = axes->stride[axis];
    if (up)
        return x < last ? u + stride : u - last * stride;
    return x ? u - stride : u + last * stride;
}

/* The same node with another coordinate. */
static inline np_node np_axes_with(const np_axes *axes, np_node u, uint32_t axis, uint32_t x)
{
    return u + (x - np_axes_coordinate(axes, u, axis)) * axes->stride[axis]; /* modulo 2^32 */
}

/* Hops from one coordinate to another. */
static inline uint32_t np_axes_distance(const np_axes *axes, uint32_t axis, uint32_t from, uint32_t to)
{
    uint32_t d = from < to ? to - from : from - to;
    return axes->wrap && axes->side[axis] - d < d ? axes->side[axis] - d : d;
}

/* How many nodes of its line are above and below node u. On a ring, half of the other nodes are on each side. */
static inline void np_axes_reach(const np_axes *axes, uint32_t axis, np_node u, uint32_t *up, uint32_t *down)
{
    uint32_t side = axes->side[axis];
    *up = axes->wrap ? side / 2 : side - 1 - np_axes_coordinate(axes, u, axis);
    *down = side - 1 - *up;
}

/*
 * Node v after the translation that takes u to node 0, on a network whose nodes are numbered by sides and strides: v -
 * x in every coordinate. For the `relative` of families.
 */
np_node np_network_translated(const np_network *network, np_node u, np_node v);

/*
 * The snake of a grid: its nodes in an order in which successive nodes are neighbours (a Hamiltonian path). Every
 * second line of the last axis runs backwards, every second plane of the last two axes, and so on. On an array and a
 * ring the snake is 0, 1, 2, ...
 */

/* The node at a place of the snake of the grid with these sides and strides. */
np_node np_axes_snake(uint32_t count, const uint32_t *side, const uint32_t *stride, uint32_t place);

/* The same of a whole network, which is a mesh, torus, array or ring. */
static inline np_node np_network_snake(const np_network *network, uint32_t place)
{
    return np_axes_snake(network->dimensions, network->side, network->stride, place);
}
