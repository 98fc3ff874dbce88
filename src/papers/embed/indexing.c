/*
 * Indexing schemes of grids (Sibeyn, lecture notes, embeddings). With i the row and j the column of an n x n mesh:
 *
 *   row-major           i n + j
 *   column-major        i + j n
 *   snake-like          along the rows as row-major, odd rows backwards: consecutive nodes are neighbours
 *   shuffled-row-major  the bits of i and j alternate: i_(k-1) j_(k-1) .. i_0 j_0
 *   hilbert             Hilbert's curve (1891): the four quarters one after the other, the first and the
 *                       last transposed
 *
 * The first three are for grids of any dimension and sides; the first dimension is the most
 * significant one (column-major: the least significant). shuffled-row-major is for dimensions of
 * one length, a power of two; hilbert is for two such dimensions.
 */
#include "base/account.h"
#include "base/memory.h"
#include "papers/embed/embedding.h"

typedef struct indexing {
    np_entry info;
    const char *(*refuses)(const np_network *grid); /* NULL: applies; else the reason, after "because" */
    np_node (*node)(const np_network *grid, np_node index);
    np_node (*index)(const np_network *grid, np_node node);
} indexing;

static np_node same(const np_network *grid, np_node u)
{
    (void)grid;
    return u;
}

static np_node column_node(const np_network *grid, np_node index)
{
    np_node node = 0;
    for (uint32_t i = 0; i < grid->dimensions; i++) {
        node += index % grid->side[i] * grid->stride[i];
        index /= grid->side[i];
    }
    return node;
}

static np_node column_index(const np_network *grid, np_node node)
{
    np_node index = 0;
    for (uint32_t i = grid->dimensions; i--;)
        index = index * grid->side[i] + np_network_coordinate(grid, node, i);
    return index;
}

static np_node snake_index(const np_network *grid, np_node node)
{
    np_node index = 0;
    for (uint32_t i = 0; i < grid->dimensions; i++) {
        uint32_t c = np_network_coordinate(grid, node, i);
        index = index * grid->side[i] + (index % 2 ? grid->side[i] - 1 - c : c);
    }
    return index;
}

static bool equal_powers_of_two(const np_network *grid)
{
    for (uint32_t i = 0; i < grid->dimensions; i++)
        if (grid->side[i] != grid->side[0] || grid->side[i] & (grid->side[i] - 1))
            return false;
    return true;
}

static const char *refuses_shuffled(const np_network *grid)
{
    return equal_powers_of_two(grid) ? NULL : "its sides must be equal and powers of two, as in mesh:8x8";
}

static np_node shuffled_node(const np_network *grid, np_node index)
{
    uint32_t k = np_embed_log2(grid->side[0]), d = grid->dimensions;
    np_node node = 0;
    for (uint32_t bit = 0; bit < k; bit++)
        for (uint32_t i = 0; i < d; i++)
            node += (index >> (bit * d + (d - 1 - i)) & 1) << bit << k * (d - 1 - i);
    return node;
}

static np_node shuffled_index(const np_network *grid, np_node node)
{
    uint32_t k = np_embed_log2(grid->side[0]), d = grid->dimensions;
    np_node index = 0;
    for (uint32_t bit = 0; bit < k; bit++)
        for (uint32_t i = 0; i < d; i++)
            index += (np_network_coordinate(grid, node, i) >> bit & 1) << (bit * d + (d - 1 - i));
    return index;
}

static const char *refuses_hilbert(const np_network *grid)
{
    return grid->dimensions == 2 && equal_powers_of_two(grid)
               ? NULL
               : "it must have two sides, equal and powers of two, as in mesh:8x8";
}

/*
 * A quarter is (half of the rows, half of the columns); the quarters are in the order (0,0), (0,1),
 * (1,1), (1,0). In the first quarter rows and columns change places. In the last quarter they
 * change places and both run backwards. side: of the quarter.
 */
static void turn(uint32_t side, uint32_t down, uint32_t right, uint32_t *i, uint32_t *j)
{
    if (right)
        return;
    uint32_t a = *j, b = *i;
    *i = down ? side - 1 - a : a;
    *j = down ? side - 1 - b : b;
}

static np_node hilbert_node(const np_network *grid, np_node index)
{
    uint32_t i = 0, j = 0;
    for (uint32_t side = 1; side < grid->side[0]; side *= 2, index /= 4) {
        uint32_t down = index >> 1 & 1, right = (index ^ index >> 1) & 1;
        turn(side, down, right, &i, &j);
        i += down * side;
        j += right * side;
    }
    return i * grid->stride[0] + j;
}

static np_node hilbert_index(const np_network *grid, np_node node)
{
    uint32_t i = np_network_coordinate(grid, node, 0), j = np_network_coordinate(grid, node, 1), index = 0;
    for (uint32_t side = grid->side[0] / 2; side; side /= 2) {
        uint32_t down = i >= side, right = j >= side;
        index = index << 2 | down << 1 | (down ^ right);
        i -= down * side;
        j -= right * side;
        turn(side, down, right, &i, &j);
    }
    return index;
}

static const indexing row_major = {
    .info = {"row-major", "row by row", "Sibeyn, lecture notes, embeddings", .networks = "mesh, torus, array, ring"},
    .node = same,
    .index = same,
};

static const indexing column_major = {
    .info = {"column-major", "column by column", "Sibeyn, lecture notes, embeddings",
             .networks = "mesh, torus, array, ring"},
    .node = column_node,
    .index = column_index,
};

static const indexing snake_like = {
    .info = {"snake-like", "row by row, every other one backwards", "Sibeyn, lecture notes, embeddings",
             .networks = "mesh, torus, array, ring"},
    .node = np_network_snake,
    .index = snake_index,
};

static const indexing shuffled_row_major = {
    .info = {"shuffled-row-major", "the bits of row and column by turns", "Sibeyn, lecture notes, embeddings",
             .networks = "mesh, torus of equal sides 2^k"},
    .refuses = refuses_shuffled,
    .node = shuffled_node,
    .index = shuffled_index,
};

static const indexing hilbert = {
    .info = {"hilbert", "along Hilbert's curve", "Hilbert 1891", .networks = "mesh, torus 2^k x 2^k"},
    .refuses = refuses_hilbert,
    .node = hilbert_node,
    .index = hilbert_index,
};

const np_registry np_indexings = {
    .list = "indexings",
    .title = "indexing schemes of grids (--indexing of embed)",
    .what = "indexing",
    .built_in =
        NP_ENTRIES(&row_major.info, &column_major.info, &snake_like.info, &shuffled_row_major.info, &hilbert.info),
};

static np_status find(const char *name, const np_network *grid, const indexing **out)
{
    const char *reason;
    np_status st = np_registry_find(&np_indexings, name, out);
    if (st)
        return st;
    reason = np_network_is(grid, NP_KIND_GRIDS) ? np_only_refuses(NULL, (*out)->refuses, grid) : "it is no grid";
    if (!reason)
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY, "indexing '%s' does not apply to %s because %s (it applies to %s)", name,
                    np_network_spec(grid), reason, (*out)->info.networks);
}

np_status np_indexing_applies(const char *name, const np_network *grid)
{
    const indexing *scheme;
    return find(name, grid, &scheme);
}

np_status np_indexing_nodes(const char *name, const np_network *grid, np_node *node)
{
    const indexing *scheme;
    np_status st = find(name, grid, &scheme);
    for (np_node i = 0; !st && i < grid->nodes; i++)
        node[i] = scheme->node(grid, i);
    return st;
}

np_node np_indexing_index(const char *name, const np_network *grid, np_node node)
{
    const indexing *scheme;
    return find(name, grid, &scheme) || node >= grid->nodes ? NP_NONE : scheme->index(grid, node);
}

np_node np_indexing_node(const char *name, const np_network *grid, np_node index)
{
    const indexing *scheme;
    return find(name, grid, &scheme) || index >= grid->nodes ? NP_NONE : scheme->node(grid, index);
}

np_status np_indexing_adjacent_pairs(const char *name, const np_network *grid, uint64_t *out)
{
    const indexing *scheme;
    np_status st = find(name, grid, &scheme);
    *out = 0;
    for (np_node i = 1; !st && i < grid->nodes; i++)
        *out += np_network_link_between(grid, scheme->node(grid, i - 1), scheme->node(grid, i)) != NP_NONE;
    return st;
}

np_status np_embedding_by_indexing(const char *name, const np_network *guest, const np_network *grid,
                                   uint64_t memory_limit, np_embedding **out)
{
    NP_ACCOUNT(memory_limit, "a smaller guest");
    np_node *node;
    np_status st;
    *out = NULL;
    if ((st = np_indexing_applies(name, grid)))
        return st;
    if (guest->nodes > grid->nodes)
        return NP_RAISE(NP_ERROR_APPLY, "%s has %u nodes, but %s has %u indices only: try a larger grid",
                        np_network_spec(guest), guest->nodes, np_network_spec(grid), grid->nodes);
    if ((st = np_memory_array(&node, grid->nodes, sizeof *node, "an indexing")))
        return st;
    if (!(st = np_indexing_nodes(name, grid, node)))
        st = np_embedding_from_map(guest, grid, node, true, memory_limit, out);
    np_memory_free(node);
    return st;
}
