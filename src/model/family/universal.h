/*
 * The universal networks (Leighton, Maggs, Ranade & Rao 1994, section 7), and the places of their nodes:
 *   universal:m     area: 4-ary fat-tree, channels double: M = 2^m; meshes of m x m, m = log2 M
 *   universal-3d:m  volume: 8-ary fat-tree, channels grow by 4: M = 4^m; meshes of s x s x s, s = sqrt(log2 M) =
 *                   sqrt(2m), rounded up
 *
 * Processors are numbered leaf by leaf, and row by row in a mesh. The leaf is the first processor of its mesh. Then
 * come the nodes of levels 1 .. m of the fat-tree, in the order of the families fat-tree and fat-tree-8. Then come the
 * chains, in the order of their fat-tree nodes.
 */
#pragma once

#include <stdbool.h>

#include "netpram/base.h"

enum {
    NP_SHAPE_AREA_HEIGHT_MAX = 10,  /* ours: 105 million processors, 0.9 thousand million link numbers */
    NP_SHAPE_VOLUME_HEIGHT_MAX = 7, /* 134 million, and 2.0 thousand million */
    NP_SHAPE_HEIGHT_MAX = 10,
    NP_SHAPE_AXES = 3
};

typedef struct np_shape {
    uint32_t m;
    uint32_t fan, grow;  /* a vertex has 2^fan children, and 2^(grow l) nodes on level l */
    uint32_t axes, side; /* of a leaf's mesh */
    uint32_t mesh;       /* side^axes */
} np_shape;

static inline np_shape np_shape_of(uint32_t m, bool volume)
{
    uint32_t side = 1;
    while (side * side < 2 * m)
        side++;
    return volume ? (np_shape){m, 3, 2, 3, side, side * side * side} : (np_shape){m, 2, 1, 2, m, m * m};
}

static inline uint32_t np_shape_height_max(bool volume)
{
    return volume ? NP_SHAPE_VOLUME_HEIGHT_MAX : NP_SHAPE_AREA_HEIGHT_MAX;
}

static inline uint32_t np_shape_leaves(const np_shape *s) { return UINT32_C(1) << (s->fan * s->m); }
static inline uint32_t np_shape_processors(const np_shape *s) { return np_shape_leaves(s) * s->mesh; }

/* Nodes of the fat-tree at level l of 1..m: 2^(grow l) at each of 2^(fan (m-l)) vertices. */
static inline uint32_t np_shape_level(const np_shape *s, uint32_t l)
{
    return UINT32_C(1) << (s->fan * (s->m - l) + s->grow * l);
}

/* Nodes of the chain at a fat-tree node of level l; the chain has one edge more. There is none at the root. */
static inline uint32_t np_shape_chain(const np_shape *s, uint32_t l) { return l < s->m ? 2 * (s->m - l) - 1 : 0; }

/* Processor (x, y, z) of the mesh at a leaf; the leaf itself is (0, 0, 0). In the plane z is 0. */
static inline np_node np_shape_processor(const np_shape *s, uint32_t leaf, uint32_t x, uint32_t y, uint32_t z)
{
    return leaf * s->mesh + (z * s->side + y) * s->side + x;
}

/* Node `label` of a vertex at level l of 0..m. */
static inline np_node np_shape_node(const np_shape *s, uint32_t l, uint32_t vertex, uint32_t label)
{
    if (!l)
        return vertex * s->mesh;
    /* each level has half the nodes of the level below: levels 1 .. l-1 have 2^(fan m) (1/2 + 1/4 + ..) */
    return np_shape_processors(s) + np_shape_leaves(s) - 2 * np_shape_level(s, l) + (vertex << (s->grow * l)) + label;
}

/* The first chain node at level l; l = m gives the number of nodes. */
static inline np_node np_shape_first_chain(const np_shape *s, uint32_t l)
{
    np_node first = np_shape_processors(s) + np_shape_leaves(s) - np_shape_level(s, s->m);
    for (uint32_t below = 1; below < l; below++)
        first += np_shape_level(s, below) * np_shape_chain(s, below);
    return first;
}

/* Node i of the chain at node `label` of a vertex at level l. */
static inline np_node np_shape_chain_node(const np_shape *s, uint32_t l, uint32_t vertex, uint32_t label, uint32_t i)
{
    return np_shape_first_chain(s, l) + ((vertex << (s->grow * l)) + label) * np_shape_chain(s, l) + i;
}

static inline uint32_t np_shape_nodes(const np_shape *s) { return np_shape_first_chain(s, s->m); }

/* Directed links: every edge both ways. A node at level l has 2^grow edges up, and its chain has 2(m-l) edges. */
static inline uint64_t np_shape_links(const np_shape *s)
{
    uint64_t links = (uint64_t)np_shape_leaves(s) * 2 * s->axes * (s->mesh / s->side) * (s->side - 1);
    for (uint32_t l = 0; l < s->m; l++)
        links += (uint64_t)np_shape_level(s, l) * ((2U << s->grow) + (l ? 2 * (s->m - l) : 0));
    return links;
}
