/*
 * The mesh of trees (Sibeyn, interconnection networks; Leighton 1992, section
 * 1.4): an n x n grid of nodes without links, n = 2^k. The nodes of every row are
 * the leaves of a complete binary tree, and so are the nodes of every column. There
 * are n^2 leaves and 2n (n-1) inner nodes, 3n^2 - 2n nodes in all. Every edge is
 * directed both ways. The leaves send and receive.
 *
 * Nodes: leaf (i, j) is i n + j. Then come the inner nodes of the row trees, row by
 * row, each tree by levels from its root; then the inner nodes of the column trees.
 * Ports of a leaf: 0 up the tree of its row, 1 up the tree of its column. Ports of
 * an inner node: 0 up, 1 and 2 down; the roots have no port 0.
 *
 * Diameter 4k: no leaf is farther from a root than k links, and two leaves in
 * different halves of their rows and columns need 2k in each.
 *
 * Bisection n. The n links from the roots of the row trees to their right
 * children cut the columns into two halves; the roots can be divided between the
 * halves. Fewer than n links are not enough. They cut neither every row tree nor
 * every column tree. Let A be the side of a row tree that is not cut. A row tree
 * and a column tree share a leaf, so all trees that are not cut are on side A.
 * The other side has no node of a tree that is not cut; if r + c < n trees are
 * cut, it has at most r c leaves and (r + c)(n-1) other nodes, less than half.
 */
#include "model/family/mesh_of_trees.h"

enum { SIDE_MIN = 2, SIDE_MAX = 16384 }; /* 3 (3 n^2 - 2 n) link numbers */

static np_status read_side(const char *text, uint32_t *n)
{
    uint64_t value;
    if (!np_parse_whole(text, 0, UINT64_MAX, &value))
        return NP_RAISE(NP_ERROR_INPUT, "mesh-of-trees:%s: the side must be a power of two, as in mesh-of-trees:16",
                        text);
    uint64_t power = SIDE_MIN;
    while (power < SIDE_MAX && power + power / 2 <= value) /* the nearest: beyond the middle of power and 2 power */
        power *= 2;
    if (power != value)
        return NP_RAISE(value > SIDE_MAX ? NP_ERROR_LIMIT : NP_ERROR_INPUT,
                        "mesh-of-trees:%s: the side must be a power of two in %d..%d (link numbers have 32 bits): try "
                        "mesh-of-trees:%u",
                        text, SIDE_MIN, SIDE_MAX, (unsigned)power);
    *n = (uint32_t)value;
    return NP_OK;
}

static np_status create(np_network *network, const char *parameters)
{
    uint32_t n = 0;
    np_status st = read_side(parameters, &n);
    if (st)
        return st;
    network->side[0] = n;
    network->dimensions = (uint32_t)__builtin_ctz(n);
    network->by_side[0] = np_divider_of(n - 1);
    network->nodes = 3 * n * n - 2 * n;
    network->ports = 3;
    network->terminals = network->input_nodes = n * n;
    return NP_OK;
}

static np_node head_of(const np_network *network, np_node x, np_port port)
{
    uint32_t n = np_mesh_tree_side(network);
    np_mesh_tree_place at = np_mesh_tree_place_of(network, x);
    if (at.kind == NP_MESH_LEAF) {
        if (port == 2)
            return NP_NONE;
        return port ? np_mesh_tree_node(network, NP_MESH_COLUMN, at.place, (n + at.line) / 2)
                    : np_mesh_tree_node(network, NP_MESH_ROW, at.line, (n + at.place) / 2);
    }
    if (!port && at.place == 1)
        return NP_NONE;
    return np_mesh_tree_node(network, at.kind, at.line, port ? 2 * at.place + port - 1 : at.place / 2);
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    for (size_t i = 0; i < count; i++) {
        np_node x = np_divide(link[i], network->by_ports);
        head[i] = head_of(network, x, link[i] - 3 * x);
    }
}

/* Each of the 2n trees has 2n - 2 edges. */
static uint64_t count_links(const np_network *network)
{
    uint64_t n = np_mesh_tree_side(network);
    return 8 * n * (n - 1);
}

static uint64_t degree(const np_network *network) { return np_mesh_tree_side(network) > 2 ? 3 : 2; }

static bool bisection(const np_network *network, uint64_t *out)
{
    *out = np_mesh_tree_side(network);
    return true;
}

const np_network_family np_mesh_of_trees = {
    .info = {"mesh-of-trees", "N x N leaves, rows and columns joined by trees, N = 2^K",
             "Sibeyn, interconnection networks", .parameters = "N", .example = "mesh-of-trees:16",
             .takes = "N 2..16384"},
    .kind = NP_KIND_MESH_OF_TREES,
    .create = create,
    .heads = heads,
    .count_links = count_links,
    .degree = degree,
    .linear = &(const np_linear){4, 0, 1},
    .bisection = bisection,
};
