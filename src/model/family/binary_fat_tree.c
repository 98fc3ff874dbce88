/*
 * The simplest fat-tree (Sibeyn, interconnection networks): a complete binary
 * tree of height H, with the leaves at level 0. A connection between levels i and
 * i + 1 has capacity 2^i: here it is 2^i parallel links each way. The fat-trees of
 * Leighton, Maggs, Ranade & Rao (fat_tree.c) are different: they are 4-ary and
 * 8-ary, and their vertices consist of nodes of constant degree.
 *
 * Nodes are numbered level by level from the leaves. The parent of vertex v of a
 * level is vertex v/2 of the next level. Leaves send and receive. Ports at level i:
 * 0 .. 2^i - 1 up (the root has none), then 2^(i-1) down to each child, the left
 * child first.
 *
 * The number of ports is between 1 and 2^H and differs from node to node. So the
 * links are kept in lists, H 2^(H+1) links in all: this is why H is limited.
 *
 * Bisection 2^(H-1), by the channel to one child of the root. A subtree of height i
 * has 2^(i+1) - 1 nodes, and 2^i links cut it off. So c links cut off fewer than 2c
 * nodes from the root, and half of all nodes are 2^H - 1.
 */
#include "model/family/binary_fat_tree.h"

#include "model/family/parameter.h"

enum { HEIGHT_MIN = 1, HEIGHT_MAX = 20 }; /* ours: 42 million links, in 340 MB */

/* At vertex v of level i: up to v/2 of level i + 1, down to 2v and 2v + 1 of level i - 1. */
static void fill(np_network *network)
{
    uint32_t height = network->dimensions;
    np_link link = 0;
    for (np_node u = 0; u < network->nodes; u++) {
        np_binary_place at = np_binary_place_of(height, u);
        uint32_t ups = np_binary_ups(height, at.level), downs = at.level ? UINT32_C(1) << at.level : 0;
        network->row[u] = link;
        for (uint32_t k = 0; k < ups; k++)
            network->head[link++] = np_binary_first(height, at.level + 1) + at.vertex / 2;
        for (uint32_t k = 0; k < downs; k++)
            network->head[link++] = np_binary_first(height, at.level - 1) + 2 * at.vertex + (k >= downs / 2);
        for (np_link l = network->row[u]; l < link; l++)
            network->tail[l] = u;
    }
    network->row[network->nodes] = link;
}

static np_status create(np_network *network, const char *parameters)
{
    uint32_t height;
    uint64_t value;
    if (np_parse_whole(parameters, HEIGHT_MAX + 1, UINT64_MAX, &value))
        return NP_RAISE(NP_ERROR_LIMIT,
                        "fat-tree-2:%s: the height must be at most %d (the links are kept in lists): try fat-tree-2:%d",
                        parameters, HEIGHT_MAX, HEIGHT_MAX);
    np_status st = np_parameter_whole(network, "the height", parameters, HEIGHT_MIN, HEIGHT_MAX, &height);
    if (st)
        return st;
    network->dimensions = height;
    network->nodes = (UINT32_C(2) << height) - 1;
    network->ports = UINT32_C(1) << height;
    network->terminals = network->input_nodes = UINT32_C(1) << height;
    network->links = (uint64_t)height << (height + 1);
    if ((st = np_network_take_rows(network, network->links)))
        return st;
    fill(network);
    return NP_OK;
}

static bool bisection(const np_network *network, uint64_t *out)
{
    *out = UINT64_C(1) << (network->dimensions - 1);
    return true;
}

const np_network_family np_binary_fat_tree = {
    .info = {"fat-tree-2", "binary tree of height H, 2^i parallel links from level i to i+1",
             "Sibeyn, interconnection networks", .parameters = "H", .example = "fat-tree-2:6", .takes = "H 1..20"},
    .kind = NP_KIND_BINARY_FAT_TREE,
    .create = create,
    .linear = &(const np_linear){2, 0, 1},
    .bisection = bisection,
};
