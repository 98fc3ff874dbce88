/*
 * Leveled fat-trees (Leighton, Maggs, Ranade & Rao 1994, section 7), 4-ary and 8-ary. A packet goes
 * up channels until its leaf is below it. It then waits on a chain for as long as the way to the
 * root and back would take, and goes down.
 *
 * Symbols, as in the family (model/family/fat_tree.c): height m, tree level l (leaves
 * 0, root m), vertices v with 2^fan children and g^l nodes at level l, label k
 * of a node in its vertex, M = g^m nodes at the root.
 *
 * The logical network has depth 2m. Tree level l is on logical levels
 *   l             as up-nodes: ports 0 .. g-1 up, to labels k + j g^l; then the chain's
 *   l+1 .. 2m-l-1 as chain nodes: port 0 to the same node on the next level
 *   2m-l          as down-nodes: port c down to child c
 * So 2(m-l) edges that stay in the node join an up-node to its down-node; at the root both are one
 * node. Leaves have no chain: only packets for their own leaf would use it, and these are not sent.
 * Logical level t thus has tree levels 1 .. min(t, 2m-t), or the leaves if t is 0 or 2m, in this
 * order, each in the order of its physical nodes. table[t (m+1) + l] is the first node of tree
 * level l on logical level t.
 *
 * At up-node (l, v, k), packet for leaf x, next hop: node path(x) mod g^(l+1) of the parent if x is
 * not below v, else the chain. path(x) is a random polynomial in x, mod M, of degree log2(M) - 1
 * (at least 1). It is the root node from which x is reached; path(x) mod g^l is the label on level
 * l (Lemma 7.1). Packets for one leaf that meet have the same way to go: they combine. The paper's
 * P is NP_POLYNOMIAL_PRIME. The paper leaves the 8-ary tree to the reader; we take log2(M)
 * coefficients there as well. The coefficients are drawn as hash function 1: hash function 0 gives
 * the ranks, which must not depend on the paths.
 */
#include "model/leveled/leveled_routing.h"

#include "base/memory.h"
#include "base/polynomial.h"
#include "model/family/fat_tree.h"
#include "model/network/read_node.h"

enum { LOGICAL_NODES_MAX = 0x7ffffffe, PATH_HASH = 1 };

typedef struct tree {
    const np_network *network;
    uint32_t m, fan, grow;
    uint32_t *first; /* [2m+1][m+1]: the leveled routing's table */
} tree;

static tree tree_of(const np_leveled_routing *routing)
{
    const np_network *network = routing->network;
    return (tree){network, np_fat_tree_height(network), np_fat_tree_fan(network), np_fat_tree_grow(network),
                  routing->table};
}

/* The tree levels on a logical level. */
static uint32_t lowest(const tree *t, uint32_t level) { return level > 0 && level < 2 * t->m; }
static uint32_t highest(const tree *t, uint32_t level) { return level < t->m ? level : 2 * t->m - level; }

static uint32_t nodes_on(const tree *t, uint32_t l)
{
    return np_fat_tree_first(t->network, l + 1) - np_fat_tree_first(t->network, l);
}

/* The logical node of (tree level l, vertex, label) on a logical level. */
static uint32_t node_at(const tree *t, uint32_t level, uint32_t l, uint32_t vertex, uint32_t label)
{
    return t->first[level * (t->m + 1) + l] + (vertex << (t->grow * l)) + label;
}

/* Fills the table; *nodes = the number of logical nodes. */
static void number_nodes(const tree *t, uint64_t *nodes)
{
    *nodes = 0;
    for (uint32_t level = 0; level <= 2 * t->m; level++)
        for (uint32_t l = lowest(t, level); l <= highest(t, level); l++) {
            t->first[level * (t->m + 1) + l] = (uint32_t)*nodes;
            *nodes += nodes_on(t, l);
        }
}

static void add_up(np_leveled *leveled, const tree *t, uint32_t l, uint32_t vertex, uint32_t label)
{
    np_node here = np_fat_tree_node(t->network, (np_fat_tree_place){l, vertex, label});
    uint32_t tail = node_at(t, l, l, vertex, label);
    for (np_port j = 0; j < UINT32_C(1) << t->grow; j++) {
        np_link link = np_network_link_at(t->network, here, j);
        uint32_t head = node_at(t, l + 1, l + 1, vertex >> t->fan, label + (j << (t->grow * l)));
        np_leveled_add_edge(leveled, tail, head, 1, &link);
    }
    if (l)
        np_leveled_add_edge(leveled, tail, node_at(t, l + 1, l, vertex, label), 0, NULL);
}

static void add_down(np_leveled *leveled, const tree *t, uint32_t l, uint32_t vertex, uint32_t label)
{
    np_node here = np_fat_tree_node(t->network, (np_fat_tree_place){l, vertex, label});
    uint32_t level = 2 * t->m - l, below = label & ((UINT32_C(1) << (t->grow * (l - 1))) - 1);
    for (np_port c = 0; c < UINT32_C(1) << t->fan; c++) {
        np_link link = np_network_link_at(t->network, here, (UINT32_C(1) << t->grow) + c);
        uint32_t head = node_at(t, level + 1, l - 1, vertex << t->fan | c, below);
        np_leveled_add_edge(leveled, node_at(t, level, l, vertex, label), head, 1, &link);
    }
}

/* The edges out of tree level l on a logical level. */
static void add_edges(np_leveled *leveled, const tree *t, uint32_t level, uint32_t l)
{
    uint32_t width = t->grow * l, mask = (UINT32_C(1) << width) - 1, nodes = nodes_on(t, l);
    for (uint32_t i = 0; i < nodes; i++) {
        if (level == 2 * t->m - l)
            add_down(leveled, t, l, i >> width, i & mask);
        else if (level == l)
            add_up(leveled, t, l, i >> width, i & mask);
        else
            np_leveled_add_edge(leveled, node_at(t, level, l, 0, i), node_at(t, level + 1, l, 0, i), 0, NULL);
    }
}

static void add_all(np_leveled *leveled, const tree *t)
{
    for (uint32_t level = 0; level <= 2 * t->m; level++)
        for (uint32_t l = lowest(t, level); l <= highest(t, level); l++)
            for (uint32_t i = 0; i < nodes_on(t, l); i++)
                np_leveled_add_node(leveled, level, np_fat_tree_first(t->network, l) + i);
    for (uint32_t level = 0; level < 2 * t->m; level++)
        for (uint32_t l = lowest(t, level); l <= highest(t, level); l++)
            add_edges(leveled, t, level, l);
}

/* The sizes of the leveled network of a fat-tree. */
static np_leveled fat_tree_sizes(const np_network *network)
{
    tree t = {network, np_fat_tree_height(network), np_fat_tree_fan(network), np_fat_tree_grow(network), NULL};
    uint64_t nodes = 2 * (uint64_t)nodes_on(&t, 0), edges = network->links;
    for (uint32_t l = 1; l <= t.m; l++) {
        nodes += (uint64_t)nodes_on(&t, l) * (2 * (t.m - l) + 1);
        edges += (uint64_t)nodes_on(&t, l) * 2 * (t.m - l);
    }
    return np_leveled_sizes(2 * t.m, nodes, edges, network->links, network->nodes, network->link_numbers);
}

static np_status prepare(np_leveled_routing *routing)
{
    const np_network *network = routing->network;
    uint32_t m = np_fat_tree_height(network);
    uint64_t nodes;
    np_status st =
        np_memory_zeroed(&routing->table, (size_t)(2 * m + 1) * (m + 1), sizeof(uint32_t), "the levels of a fat-tree");
    if (st)
        return st;
    tree t = tree_of(routing);
    number_nodes(&t, &nodes);
    if (nodes > LOGICAL_NODES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s has %llu nodes on its levels and chains: at most %d can be numbered",
                        np_network_spec(network), (unsigned long long)nodes, LOGICAL_NODES_MAX);
    np_leveled sizes = fat_tree_sizes(network);
    if ((st = np_leveled_create(&sizes, &routing->owned[0])))
        return st;
    routing->phases = 1;
    routing->phase[0] = (np_leveled_routing_phase){.name = "route", .leveled = routing->owned[0]};
    add_all(routing->owned[0], &t);
    return np_leveled_finish(routing->owned[0]);
}

/* From leaf `from` up to where it meets x, over the chain, down to x. path: the label at the root. */
static void add_path(const tree *t, np_node from, np_node x, uint32_t path, np_path_set *path_set)
{
    uint32_t ups = UINT32_C(1) << t->grow, children = UINT32_C(1) << t->fan, top = np_fat_tree_meet(t->fan, from, x);
    for (uint32_t l = 0; l < top; l++)
        np_path_set_hop(path_set, path >> (t->grow * l) & (ups - 1));
    for (uint32_t i = 0; i < 2 * (t->m - top); i++)
        np_path_set_hop(path_set,
                        i ? 0 : ups); /* the chain: the last port of an up-node, the only one of a chain node */
    for (uint32_t l = top; l-- > 0;)
        np_path_set_hop(path_set, x >> (t->fan * l) & (children - 1));
}

static np_status check_leaves(const np_leveled_routing *routing, const np_traffic *traffic)
{
    const np_network *network = routing->network;
    const np_node *source = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
        if (!np_network_serves(network, source[i], to[i]))
            return NP_RAISE(NP_ERROR_INPUT, "packet %u goes from node %s to node %s: the leaves of %s are nodes 0..%u",
                            i, NP_NODE_NAME(network, source[i]), NP_NODE_NAME(network, to[i]), np_network_spec(network),
                            np_network_terminals(network) - 1);
    return NP_OK;
}

static np_status choose(const np_leveled_routing *routing, const np_selection *selection, np_path_set *path_set)
{
    const np_node *source = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    np_packet packets = np_traffic_packets(selection->traffic);
    tree t = tree_of(routing);
    uint32_t bits = t.grow * t.m, coefficients = bits < 2 ? 2 : bits, roots = UINT32_C(1) << bits;
    uint64_t coefficient[NP_MAX_DIMENSIONS];
    np_draws draws = np_draws_for(selection->draws, NP_RANDOM_HASH);
    np_status st;
    draws.phase = (uint16_t)selection->phase;
    np_polynomial_draw(&draws, PATH_HASH, coefficients, coefficient);
    if ((st = check_leaves(routing, selection->traffic)) ||
        (st = np_path_set_reset(path_set, packets, (size_t)packets * 2 * t.m)))
        return st;
    for (np_packet i = 0; i < packets; i++)
        if (source[i] != to[i]) {
            uint32_t path = (uint32_t)(np_polynomial_at(coefficient, coefficients, to[i]) & (roots - 1));
            np_path_set_add(path_set, i, source[i], to[i]); /* leaf i is also logical node i */
            add_path(&t, source[i], to[i], path, path_set);
        }
    return NP_OK;
}

static unsigned sizes(const np_network *network, np_leveled *phase, uint64_t *table_bytes)
{
    uint32_t m = np_fat_tree_height(network);
    *phase = fat_tree_sizes(network);
    *table_bytes = (uint64_t)(2 * m + 1) * (m + 1) * sizeof(uint32_t);
    return 1;
}

const np_leveled_routing_ops np_leveled_routing_fat_tree = {
    .name = "path-hash",
    .networks = "fat-tree, fat-tree-8",
    .source = "Leighton, Maggs, Ranade & Rao 1994, section 7",
    .only = NP_KIND_FAT_TREE,
    .sizes = sizes,
    .prepare = prepare,
    .select = choose,
};
