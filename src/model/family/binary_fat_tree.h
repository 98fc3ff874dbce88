/* Where a node of the binary fat-tree is. */
#pragma once

#include "model/network/network.h"

typedef struct np_binary_place {
    uint32_t level, vertex; /* leaves are level 0 */
} np_binary_place;

/* The first node of a level: 2^H leaves, then 2^(H-1) nodes, ... */
static inline np_node np_binary_first(uint32_t height, uint32_t level)
{
    return (UINT32_C(2) << height) - (UINT32_C(2) << (height - level));
}

/* Links up from a node: 2^level, but none from the root. */
static inline uint32_t np_binary_ups(uint32_t height, uint32_t level)
{
    return level < height ? UINT32_C(1) << level : 0;
}

static inline np_binary_place np_binary_place_of(uint32_t height, np_node node)
{
    /* Counted backwards from the last node, the levels from the root down are 1, 2..3, 4..7, ... */
    uint32_t back = (UINT32_C(2) << height) - 1 - node;
    uint32_t depth = 31 - (uint32_t)__builtin_clz(back);
    return (np_binary_place){height - depth, (UINT32_C(2) << depth) - 1 - back};
}
