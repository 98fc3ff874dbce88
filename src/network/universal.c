/*
 * Area-universal networks (Leighton, Maggs, Ranade & Rao 1994, section 7):
 *   universal:M   a fat-tree of height m = M, 4^m leaves and 2^m roots; at each leaf an
 *                 m x m mesh; at each node above the leaves and below the root a chain
 * with m = log2 of the root's capacity, the paper's log M. Its N = 4^m m^2
 * processors are the mesh nodes, and send and receive.
 *
 * The leaf is the corner (0, 0) of its mesh: the paper connects the one to the other.
 * A chain at level l has 2(m-l) edges and leads from its node over 2(m-l) - 1
 * others back to it, one way.
 *
 * Numbers: processors, leaf by leaf, rows of a mesh one after the other; the
 * nodes of the fat-tree's levels 1 .. m, as those of the family fat-tree; the
 * chains, in the order of their nodes. Links of a node, in the order of its ports: in
 * the mesh to x-1, x+1, y-1, y+1, where they are; up; down; into the chain.
 *
 * Diameter 6m - 4: between the far corners of two meshes below different children of the root, 2(m-1) in each
 * mesh, which has one way out, and 2m in the tree. Chains are nearer: at level l >= 1 they are at most 2(m-l) - 1
 * from their node or to it, which makes at most 6m - 3 - 3l to a corner of a mesh, and 2m + 4(m-1) - 2 to a chain.
 */
#include "network/universal.h"

#include "base/memory.h"
#include "network/parameter.h"

typedef struct builder {
    np_network *network;
    uint32_t m, links; /* so far */
} builder;

static void add(builder *b, np_node from, np_node to)
{
    b->network->tail[b->links] = from;
    b->network->head[b->links++] = to;
    b->network->row[from + 1] = b->links;
}

static void add_up(builder *b, np_node from, uint32_t l, uint32_t vertex, uint32_t label)
{
    if (l < b->m)
        for (uint32_t j = 0; j < 2; j++)
            add(b, from, np_universal_node(b->m, l + 1, vertex >> 2, label + (j << l)));
}

static void add_processors(builder *b)
{
    uint32_t m = b->m, leaves = UINT32_C(1) << 2 * m;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (uint32_t i = 0; i < m * m; i++) {
            uint32_t x = i % m, y = i / m;
            np_node u = np_universal_processor(m, leaf, x, y);
            if (x)
                add(b, u, u - 1);
            if (x + 1 < m)
                add(b, u, u + 1);
            if (y)
                add(b, u, u - m);
            if (y + 1 < m)
                add(b, u, u + m);
            if (!i)
                add_up(b, u, 0, leaf, 0);
        }
}

static void add_tree(builder *b, uint32_t l)
{
    uint32_t m = b->m, nodes = np_universal_level(m, l);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t vertex = i >> l, label = i & ((UINT32_C(1) << l) - 1), below = label & ((UINT32_C(1) << (l - 1)) - 1);
        np_node u = np_universal_node(m, l, vertex, label);
        add_up(b, u, l, vertex, label);
        for (uint32_t c = 0; c < 4; c++)
            add(b, u, np_universal_node(m, l - 1, vertex << 2 | c, below));
        if (l < m)
            add(b, u, np_universal_chain_node(m, l, vertex, label, 0));
    }
}

static void add_chains(builder *b, uint32_t l)
{
    uint32_t m = b->m, nodes = np_universal_level(m, l), length = np_universal_chain(m, l);
    np_node first = np_universal_chain_node(m, l, 0, 0, 0), ends = np_universal_node(m, l, 0, 0);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t k = 0; k < length; k++)
            add(b, first + i * length + k, k + 1 < length ? first + i * length + k + 1 : ends + i);
}

static np_status create(np_network *network, const char *parameters)
{
    uint32_t m;
    np_status st = np_parameter_whole(network, "the height", parameters, 1, NP_UNIVERSAL_HEIGHT_MAX, &m);
    if (st)
        return st;
    network->dimensions = m;
    network->nodes = np_universal_nodes(m);
    network->ports = m > 1 ? 7 : 4; /* up, down and the chain; the only nodes of height 1 are leaves and roots */
    network->links = np_universal_links(m);
    network->link_numbers = (uint32_t)network->links;
    network->by_ports = np_divider_of(1); /* not used: rows carry the numbering */
    network->terminals = network->input_nodes = np_universal_processors(m);
    if ((st = np_memory_zeroed(&network->row, (size_t)network->nodes + 1, sizeof(uint32_t), "the rows of a network")) ||
        (st = np_memory_array(&network->head, network->links, sizeof(uint32_t), "the heads of the links")) ||
        (st = np_memory_array(&network->tail, network->links, sizeof(uint32_t), "the tails of the links")))
        return st;
    builder b = {network, m, 0};
    add_processors(&b);
    for (uint32_t l = 1; l <= m; l++)
        add_tree(&b, l);
    for (uint32_t l = 1; l < m; l++)
        add_chains(&b, l);
    return NP_OK;
}

/* See the head. */
static bool diameter(const np_network *network, uint64_t *out)
{
    *out = 6 * (uint64_t)network->dimensions - 4;
    return true;
}

const np_network_family_ops np_universal_family = {
    .info = {"universal", "M", "universal:3", "fat-tree:M with an M x M mesh at each leaf and chains: 4^M M^2 processors",
             "Leighton, Maggs, Ranade & Rao 1994, section 7"},
    .create = create,
    .diameter = diameter,
};
