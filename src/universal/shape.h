/*
 * The two universal networks (Leighton, Maggs, Ranade & Rao 1994, section 7):
 *   area    4-ary fat-tree, channels double: M = 2^m; meshes of m x m, m = log2 M
 *   volume  8-ary fat-tree, channels grow by 4: M = 4^m; meshes of s x s x s, s = sqrt(log2 M) = sqrt(2m), rounded up
 * Processors are numbered leaf by leaf, rows by rows; the leaf is the first of its mesh.
 */
#ifndef NP_UNIVERSAL_SHAPE_H
#define NP_UNIVERSAL_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "network/universal.h"

enum { NP_SHAPE_VOLUME_HEIGHT_MAX = 7, NP_SHAPE_AXES = 3 }; /* ours: 134 million processors */

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
    return volume ? NP_SHAPE_VOLUME_HEIGHT_MAX : NP_UNIVERSAL_HEIGHT_MAX;
}

static inline uint32_t np_shape_leaves(const np_shape *s) { return UINT32_C(1) << (s->fan * s->m); }
static inline uint32_t np_shape_processors(const np_shape *s) { return np_shape_leaves(s) * s->mesh; }

#endif
