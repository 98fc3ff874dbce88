/*
 * Paths on a mesh of trees, from leaf to leaf. At leaf (i, j), destination (i', j'),
 * the path goes up and down the tree of row i to (i, j'), and then up and down the
 * tree of column j' to (i', j'). In each tree it goes no higher than needed.
 *
 * Ticket: the destination.
 */
#include "model/family/mesh_of_trees.h"

#include "model/path/path.h"

enum { UP = 0, DOWN = 1, UP_COLUMN = 1 };

/* Depth of the tree's node h, the root at 0. */
static inline uint32_t depth_of(uint32_t h) { return 31 - (uint32_t)__builtin_clz(h); }

/* At inner node h of a tree with leaves of depth `bits`, destination leaf `to` of it. */
static inline np_port port_in_tree(uint32_t bits, uint32_t h, uint32_t to)
{
    uint32_t leaf = UINT32_C(1) << bits | to, below = bits - depth_of(h);
    if (leaf >> below != h)
        return UP;
    return DOWN + (leaf >> (below - 1) & 1);
}

/* Links between node h of a tree and its leaf `to`. */
static inline uint32_t hops_in_tree(uint32_t bits, uint32_t h, uint32_t to)
{
    uint32_t above = UINT32_C(1) << bits | to, depth = depth_of(h), ups = 0;
    above >>= bits - depth;
    while (above >> ups != h >> ups)
        ups++;
    return bits - depth + 2 * ups;
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t bits = path->network->dimensions, mask = np_mesh_tree_side(path->network) - 1;
    for (size_t i = 0; i < count; i++) {
        np_mesh_tree_place here = np_mesh_tree_place_of(path->network, at[i]);
        uint32_t row = (np_node)ticket[i] >> bits, column = (np_node)ticket[i] & mask;
        if (here.kind != NP_MESH_LEAF)
            port[i] = port_in_tree(bits, here.place, here.kind == NP_MESH_ROW ? column : row);
        else if (here.place != column)
            port[i] = UP;
        else
            port[i] = here.line != row ? UP_COLUMN : NP_NONE;
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    uint32_t bits = path->network->dimensions, n = np_mesh_tree_side(path->network);
    for (size_t i = 0; i < count; i++) {
        np_mesh_tree_place here = np_mesh_tree_place_of(path->network, at[i]);
        uint32_t row = (np_node)ticket[i] >> bits, column = (np_node)ticket[i] & (n - 1);
        if (here.kind == NP_MESH_LEAF)
            hops[i] = hops_in_tree(bits, n + here.place, column) + hops_in_tree(bits, n + here.line, row);
        else if (here.kind == NP_MESH_ROW)
            hops[i] = hops_in_tree(bits, here.place, column) + hops_in_tree(bits, n + here.line, row);
        else
            hops[i] = hops_in_tree(bits, here.place, row);
    }
}

const np_path_rule np_path_row_column = {
    .info = {"row-column", "by the tree of the row, then by that of the column", "Sibeyn, interconnection networks",
             .networks = "mesh-of-trees"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_MESH_OF_TREES, "it has no trees of rows and columns"},
    .start = np_path_start_target,
    .next = next,
    .remaining = remaining,
    .memoryless = true,
};
