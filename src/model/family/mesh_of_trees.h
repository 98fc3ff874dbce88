/* Where a node of a mesh of trees is. */
#pragma once

#include "model/network/network.h"

typedef enum np_mesh_tree_kind { NP_MESH_LEAF, NP_MESH_ROW, NP_MESH_COLUMN } np_mesh_tree_kind;

/*
 * A leaf (line = row, place = column), or an inner node of the tree of row or
 * column `line`: the nodes of a tree are numbered by levels from 1, its root,
 * so that the children of h are 2h and 2h+1 and leaf j is n + j.
 */
typedef struct np_mesh_tree_place {
    np_mesh_tree_kind kind;
    uint32_t line, place;
} np_mesh_tree_place;

/* n, the side of the grid of leaves. */
static inline uint32_t np_mesh_tree_side(const np_network *network) { return network->side[0]; }

static inline np_mesh_tree_place np_mesh_tree_place_of(const np_network *network, np_node x)
{
    uint32_t n = network->side[0], bits = network->dimensions;
    if (x < n << bits)
        return (np_mesh_tree_place){NP_MESH_LEAF, x >> bits, x & (n - 1)};
    uint32_t inner = x - (n << bits), tree = np_divide(inner, network->by_side[0]);
    uint32_t place = inner - tree * (n - 1) + 1;
    return tree < n ? (np_mesh_tree_place){NP_MESH_ROW, tree, place}
                    : (np_mesh_tree_place){NP_MESH_COLUMN, tree - n, place};
}

/* Node h of the tree of row or column `line`; h >= n is its leaf h - n. */
static inline np_node np_mesh_tree_node(const np_network *network, np_mesh_tree_kind kind, uint32_t line, uint32_t h)
{
    uint32_t n = network->side[0], bits = network->dimensions;
    if (h >= n)
        return kind == NP_MESH_ROW ? line << bits | (h - n) : (h - n) << bits | line;
    return (n << bits) + (line + (kind == NP_MESH_COLUMN ? n : 0)) * (n - 1) + h - 1;
}
