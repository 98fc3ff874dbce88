/* Where a node of a fat-tree is. */
#pragma once

#include <string.h>

#include "model/network/network.h"

/* Level l (leaves: 0), number of the vertex on its level, label k among the nodes of the vertex. */
typedef struct np_fat_tree_place {
    uint32_t level, vertex, label;
} np_fat_tree_place;

/* Is it a fat-tree of Leighton, Maggs, Ranade & Rao? fat-tree-2 is another network. */
static inline bool np_fat_tree_is(const np_network *network) { return np_network_is(network, NP_KIND_FAT_TREE); }

/* A vertex has 2^fan children, and 2^(grow l) nodes at level l; the levels are 0 .. height. */
static inline uint32_t np_fat_tree_fan(const np_network *network) { return network->side[0]; }
static inline uint32_t np_fat_tree_grow(const np_network *network) { return network->side[1]; }
static inline uint32_t np_fat_tree_height(const np_network *network) { return network->dimensions; }

/* The first node of a level; level = height + 1 gives the number of nodes. */
static inline np_node np_fat_tree_first(const np_network *network, uint32_t level) { return network->stride[level]; }

static inline np_node np_fat_tree_node(const np_network *network, np_fat_tree_place place)
{
    return network->stride[place.level] + (place.vertex << (network->side[1] * place.level)) + place.label;
}

static inline np_fat_tree_place np_fat_tree_place_of(const np_network *network, np_node node)
{
    uint32_t level = 0;
    while (node >= network->stride[level + 1])
        level++;
    uint32_t inside = node - network->stride[level], width = network->side[1] * level;
    return (np_fat_tree_place){level, inside >> width, inside & ((UINT32_C(1) << width) - 1)};
}
