/*
 * Trees, with the root on top and children below it in the order of their numbers; fat-trees with the nodes of a vertex
 * side by side; the mesh of trees as a grid of leaves, with the inner nodes of a row's tree between its leaves, and
 * those of a column's tree beside them.
 */
#include "model/family/binary_fat_tree.h"
#include "model/drawing/drawing.h"
#include "model/family/mesh_of_trees.h"

/* Nodes x .. x + 2^t - 1 are the subtree of x, whose lowest one is bit t. */
static void place_binomial(const np_network *network, np_point *place)
{
    for (np_node u = 0; u < network->nodes; u++) {
        np_node below = u ? u & -u : network->nodes;
        place[u] = (np_point){u + (below - 1) / 2.0, __builtin_popcount(u)};
        place[u].y *=
            network->nodes / (2.0 * network->dimensions) > 1 ? network->nodes / (2.0 * network->dimensions) : 1;
    }
}

/*
 * Leaves are 2 apart. A node of a row's tree stands over the middle of its leaves, a node of a column's tree beside it.
 */
static void place_mesh(const np_network *network, np_point *place)
{
    uint32_t side = np_mesh_tree_side(network);
    for (np_node u = 0; u < network->nodes; u++) {
        np_mesh_tree_place at = np_mesh_tree_place_of(network, u);
        if (at.kind == NP_MESH_LEAF) {
            place[u] = (np_point){2.0 * at.place, 2.0 * at.line};
            continue;
        }
        uint32_t depth = 31 - (uint32_t)__builtin_clz(at.place), leaves = side >> depth;
        double middle = 2.0 * (at.place - (UINT32_C(1) << depth)) * leaves + (leaves - 1);
        double aside = 2.0 * at.line + 0.4 + 0.8 / (depth + 1);
        place[u] = at.kind == NP_MESH_ROW ? (np_point){middle, aside} : (np_point){aside, middle};
    }
}

/* How far node u is below the root. Nodes of trees are numbered level by level from the root, of fat-trees from the
 * leaves. */
static uint32_t depth_of(const np_network *network, np_node u)
{
    uint32_t depth = 0, height = network->dimensions;
    if (np_network_is(network, NP_KIND_BINARY_FAT_TREE))
        return height - np_binary_place_of(height, u).level;
    if (np_network_is(network, NP_KIND_FAT_TREE)) {
        for (depth = height; depth && u >= network->stride[height - depth + 1];)
            depth--;
        return depth;
    }
    for (np_port arity = network->ports - 1; u; depth++)
        u = (u - 1) / arity;
    return depth;
}

static np_status place(const np_network *network, np_point *place)
{
    if (np_network_is(network, NP_KIND_BINOMIAL_TREE))
        place_binomial(network, place);
    else if (np_network_is(network, NP_KIND_MESH_OF_TREES))
        place_mesh(network, place);
    else
        return np_drawing_rows_by(network, depth_of, place);
    return NP_OK;
}

const np_drawing np_drawing_tree = {
    .info = {"tree", "trees and fat-trees from the root downwards; the mesh of trees as its grid", "ours"},
    .only = &(const np_only){NP_KIND_FAT_TREE | NP_KIND_BINARY_FAT_TREE | NP_KIND_TREE | NP_KIND_BINOMIAL_TREE |
                                 NP_KIND_MESH_OF_TREES,
                             "it is no tree"},
    .place = place,
};
