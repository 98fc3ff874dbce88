/*
 * Fat-trees (Leighton, Maggs, Ranade & Rao 1994, section 7): a complete tree
 * whose edges are channels, pairs of opposite groups of links, that widen
 * towards the root.
 *   fat-tree:M    4-ary, channels double: 4^(M-l) vertices of 2^l nodes at level l
 *   fat-tree-8:M  8-ary, channels grow by 4: 8^(M-l) vertices of 4^l nodes
 * Levels count from the leaves (0) to the root (M). With g = 2 or 4, node k of
 * a vertex at level l is linked, both ways, to the nodes k, k + g^l, ...,
 * k + (g-1) g^l of the vertex's parent.
 *
 * Nodes are numbered level by level from the leaves: first(l) + v g^l + k is
 * node k of vertex v, whose parent is vertex v/4 (v/8). Leaf i is node i; the
 * leaves send and receive. Ports: j < g up, to node k + j g^l of the parent;
 * g + c down, to node k mod g^(l-1) of the c-th child. Leaves have no down
 * ports, the nodes of the root no up ports.
 *
 * Diameter 2M. Let the vertices of (l, v, k) and (l', v', k') meet at level L. One
 * way goes up to L, down to a leaf and up to l', in 2L + l' - l hops. Another goes
 * down to a leaf, up to L and down to l', in 2L + l - l' hops. The shorter one has
 * at most 2M hops. Two leaves that meet at the root need 2M.
 *
 * Symbols: side[0] = log2 of the children, side[1] = log2 g, stride[l] = first(l).
 */
#include "model/family/fat_tree.h"

#include <string.h>

#include "model/family/parameter.h"
#include "model/family/xgft.h"

static void number_levels(np_network *network, uint32_t height, uint32_t fan, uint32_t grow)
{
    network->dimensions = height;
    network->side[0] = fan;
    network->side[1] = grow;
    for (uint32_t level = 0; level <= height; level++)
        network->stride[level + 1] = network->stride[level] + (UINT32_C(1) << (fan * (height - level) + grow * level));
    network->nodes = network->stride[height + 1];
    network->ports = (UINT32_C(1) << grow) + (UINT32_C(1) << fan);
    network->terminals = network->input_nodes = network->stride[1];
}

static np_status create_with(np_network *network, const char *parameters, uint32_t most, uint32_t fan, uint32_t grow)
{
    uint32_t height;
    np_status st = np_parameter_whole(network, "the height", parameters, 1, most, &height);
    if (!st)
        number_levels(network, height, fan, grow);
    return st;
}

static np_status create_4(np_network *network, const char *parameters)
{
    if (strchr(parameters, '='))
        return np_fat_tree_of_ports(network, parameters);
    return create_with(network, parameters, 14, 2, 1); /* 6 (2 4^M - 2^M) link numbers */
}

static np_status create_8(np_network *network, const char *parameters)
{
    return create_with(network, parameters, 9, 3, 2); /* 12 (2 8^M - 4^M) link numbers */
}

static np_node head_up(const np_network *network, np_fat_tree_place at, uint32_t j)
{
    if (at.level == network->dimensions)
        return NP_NONE;
    uint32_t label = at.label + (j << (network->side[1] * at.level));
    return np_fat_tree_node(network, (np_fat_tree_place){at.level + 1, at.vertex >> network->side[0], label});
}

static np_node head_down(const np_network *network, np_fat_tree_place at, uint32_t child)
{
    if (!at.level)
        return NP_NONE;
    uint32_t label = at.label & ((UINT32_C(1) << (network->side[1] * (at.level - 1))) - 1);
    return np_fat_tree_node(network, (np_fat_tree_place){at.level - 1, at.vertex << network->side[0] | child, label});
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t ups = UINT32_C(1) << network->side[1];
    for (size_t i = 0; i < count; i++) {
        np_node x = np_divide(link[i], network->by_ports);
        np_port port = link[i] - x * network->ports;
        np_fat_tree_place at = np_fat_tree_place_of(network, x);
        head[i] = port < ups ? head_up(network, at, port) : head_down(network, at, port - ups);
    }
}

/* Every node below the root has g links up, each with an opposite link down. */
static uint64_t count_links(const np_network *network)
{
    return 2 * ((uint64_t)network->stride[network->dimensions] << network->side[1]);
}

/* The nodes of the root have no links up, and the leaves none down. A tree of height 1 has no other nodes. */
static uint64_t degree(const np_network *network)
{
    return network->dimensions > 1 ? network->ports : UINT64_C(1) << network->side[0];
}

const np_network_family np_fat_tree = {
    .info = {"fat-tree", "4-ary tree of height M whose channels double: 4^M leaves, 2^M roots",
             "Leighton, Maggs, Ranade & Rao 1994, section 7", .parameters = "M", .example = "fat-tree:5",
             .takes = "M 1..14"},
    .kind = NP_KIND_FAT_TREE,
    .create = create_4,
    .heads = heads,
    .count_links = count_links,
    .degree = degree,
    .linear = &(const np_linear){2, 0, 1},
};

const np_network_family np_fat_tree_8 = {
    .info = {"fat-tree-8", "8-ary tree of height M, channels grow by 4: 8^M leaves, 4^M roots",
             "Leighton, Maggs, Ranade & Rao 1994, section 7", .parameters = "M", .example = "fat-tree-8:3",
             .takes = "M 1..9"},
    .kind = NP_KIND_FAT_TREE,
    .create = create_8,
    .heads = heads,
    .count_links = count_links,
    .degree = degree,
    .linear = &(const np_linear){2, 0, 1},
};
