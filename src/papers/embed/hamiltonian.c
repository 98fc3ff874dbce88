/*
 * Rings through all nodes of a mesh. A two-dimensional mesh is Hamiltonian if and only if at least
 * one side is even (Sibeyn, lecture notes, embeddings). The same holds for meshes of more
 * dimensions.
 *
 * We see a mesh of two or more dimensions as a grid: `a` rows, along one dimension, and `m`
 * columns, along the snake of the other dimensions. Node (i, j) is in row i and column j.
 *
 * `hamiltonian-cycle`, a even: the cycle goes forwards and backwards in turn along the rows,
 * through columns 1 .. m-1, from (0,1) to (a-1,1), where an even number of rows ends; then back
 * along column 0. Here a = 4, m = 5:
 *
 *     +--1--2--3--4
 *     |  .  .  .  |
 *     |  8--7--6--5
 *     |  |
 *     |  9-10-11-12
 *     |           |
 *     +-16-15-14-13
 *
 * `even-cycle`, n nodes, n even: the same cycle with shorter rows. Rows 2i and 2i + 1 have equal
 * length: t columns besides column 0, with 1 <= t < m. If a is odd, the last row is left out; for
 * more than (a - 1) m nodes row 0 is left out instead, and pairs of its nodes are hung into the
 * cycle from row 1. With a' = a, or a - 1 if a is odd, this gives cycles of 2a' .. am nodes (am - 1
 * if am is odd), in steps of 2. Shorter cycles have fewer rows, with t = 1.
 *
 * If all sides are odd, there is no Hamiltonian cycle: colour the nodes black and white as on a
 * chess board; the two colours are not equally many, but a cycle alternates between them. So
 * dilation 2 is best. `corner-cycle` has one path of two links. It is the cycle through rows 1 ..
 * a-1, an even number of rows. The pairs of row 0 are hung in: from (1,j) to (1,j+1) through (0,j)
 * and (0,j+1). Then the corner (0,0) is hung in between (1,1) and (0,1). The path of two links goes
 * from (1,1) to the corner through (0,1) and crosses a link of the cycle. Every other way would
 * cross one too: both links of the corner in this grid belong to paths. So congestion is 2.
 */
#include "base/memory.h"
#include "papers/embed/embedding.h"

/* A mesh as a grid: dimension `along` makes the rows, the other dimensions make the columns. */
typedef struct grid {
    uint32_t a, m, stride; /* rows; columns; the stride from a row to the next */
    uint32_t others, side[NP_MAX_DIMENSIONS], stride_of[NP_MAX_DIMENSIONS];
} grid;

static grid grid_of(const np_network *mesh, uint32_t along)
{
    grid g = {.a = mesh->side[along], .m = mesh->nodes / mesh->side[along], .stride = mesh->stride[along]};
    for (uint32_t i = 0; i < mesh->dimensions; i++) {
        if (i == along)
            continue;
        g.side[g.others] = mesh->side[i];
        g.stride_of[g.others++] = mesh->stride[i];
    }
    return g;
}

static np_node at(const grid *g, uint32_t i, uint32_t j)
{
    return i * g->stride + np_axes_snake(g->others, g->side, g->stride_of, j);
}

/* The first dimension with an even side; `dimensions` if all sides are odd. */
static uint32_t even_dimension(const np_network *mesh)
{
    uint32_t i = 0;
    while (i < mesh->dimensions && mesh->side[i] % 2)
        i++;
    return i;
}

static bool refuses_line(const np_network *host, char reason[NP_EMBED_REASON])
{
    if (host->dimensions > 1)
        return false;
    return np_embed_refuse(reason, "there is no cycle in one dimension: try embedding 'folded-snake'");
}

static bool refuses_size(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    if (guest->nodes == host->nodes)
        return false;
    return np_embed_refuse(reason, "it goes through all nodes: try ring:%u", host->nodes);
}

static bool refuses_even(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    if (refuses_line(host, reason))
        return true;
    if (even_dimension(host) < host->dimensions)
        return refuses_size(guest, host, reason);
    return np_embed_refuse(
        reason,
        "all its sides are odd: a cycle alternates between black and white nodes, but there are %u and %u: "
        "try an even side, or embedding 'corner-cycle'",
        host->nodes / 2 + 1, host->nodes / 2);
}

static bool refuses_odd(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    if (refuses_line(host, reason))
        return true;
    if (even_dimension(host) == host->dimensions)
        return refuses_size(guest, host, reason);
    return np_embed_refuse(reason, "it has an even side, and so a Hamiltonian cycle: try embedding "
                                   "'hamiltonian-cycle'");
}

static np_status place_even(const np_network *guest, const np_network *host, np_node *map)
{
    grid g = grid_of(host, even_dimension(host));
    (void)guest;
    for (uint32_t i = 0; i < g.a; i++)
        for (uint32_t t = 1; t < g.m; t++)
            *map++ = at(&g, i, i % 2 ? g.m - t : t);
    for (uint32_t i = g.a; i--;)
        *map++ = at(&g, i, 0);
    return NP_OK;
}

/* How many rows an even cycle can have, and how many nodes. */
static uint32_t even_rows(const grid *g) { return g->a - g->a % 2; }
static uint32_t even_nodes(const grid *g) { return g->a * g->m - g->a * g->m % 2; }

static grid grid_of_even_cycle(const np_network *host)
{
    uint32_t even = even_dimension(host);
    return grid_of(host, even < host->dimensions ? even : 0);
}

static bool refuses_short(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    grid g = grid_of_even_cycle(host);
    uint32_t most = even_nodes(&g);
    if (host->dimensions < 2)
        return np_embed_refuse(reason, "there is no cycle in one dimension: try embedding 'folded-snake'");
    if (guest->nodes % 2 && guest->nodes < most)
        return np_embed_refuse(reason, "meshes have no odd cycles: try ring:%u, or embedding 'folded-snake'",
                               guest->nodes + 1);
    if (guest->nodes < 4 || guest->nodes > most)
        return np_embed_refuse(reason,
                               "the cycles found there have 4..%u nodes: try ring:%u, or embedding 'folded-snake'",
                               most, guest->nodes < 4 ? 4 : most);
    return false;
}

/*
 * For odd `a`: the cycle through all rows but row 0. The first `pairs` pairs of nodes of row 0 are
 * hung in from row 1, and with `corner` the corner (0,0). m is odd, too.
 */
static void place_without_row(const grid *g, uint32_t pairs, bool corner, np_node *map)
{
    for (uint32_t j = 1; j < g->m; j += 2) {
        *map++ = at(g, 1, j);
        if (j == 1 && corner)
            *map++ = at(g, 0, 0);
        if (j < 2 * pairs) {
            *map++ = at(g, 0, j);
            *map++ = at(g, 0, j + 1);
        }
        *map++ = at(g, 1, j + 1);
    }
    for (uint32_t i = 2; i < g->a; i++)
        for (uint32_t t = 1; t < g->m; t++)
            *map++ = at(g, i, i % 2 ? t : g->m - t);
    for (uint32_t i = g->a - 1; i > 0; i--)
        *map++ = at(g, i, 0);
}

static np_status place_short(const np_network *guest, const np_network *host, np_node *map)
{
    grid g = grid_of_even_cycle(host);
    uint32_t half = guest->nodes / 2, rows = half < even_rows(&g) ? half : even_rows(&g);
    uint32_t left = half - rows / 2; /* columns left for the pairs of rows that follow, in all */
    bool narrow = half <= rows;      /* one column, and any number of rows */
    if (guest->nodes > even_rows(&g) * g.m) {
        place_without_row(&g, (guest->nodes - even_rows(&g) * g.m) / 2, false, map);
        return NP_OK;
    }
    for (uint32_t i = 0; i < rows; i += 2) {
        uint32_t later = (rows - i - 1) / 2, t = left - later < g.m - 1 ? left - later : g.m - 1;
        for (uint32_t j = 1; j <= (narrow ? 1 : t); j++)
            *map++ = at(&g, i, j);
        for (uint32_t j = narrow ? 1 : t; j && i + 1 < rows; j--)
            *map++ = at(&g, i + 1, j);
        left -= t;
    }
    for (uint32_t i = rows; i--;)
        *map++ = at(&g, i, 0);
    return NP_OK;
}

static np_status place_odd(const np_network *guest, const np_network *host, np_node *map)
{
    grid g = grid_of(host, 0);
    (void)guest;
    place_without_row(&g, g.m / 2, true, map);
    return NP_OK;
}

/*
 * Paths have one link; but the path between nodes 0 and 1, (1,1) and the corner, goes through node
 * 2, which is (0,1).
 */
static uint32_t walk_odd(const np_embedding *embedding, np_node u, np_node v, np_link *link)
{
    const np_network *host = embedding->host;
    const np_node *map = embedding->map;
    bool two = u + v == 1;
    if (!link)
        return two ? 2 : 1;
    link[0] = np_network_link_between(host, map[u], two ? map[2] : map[v]);
    if (two)
        link[1] = np_network_link_between(host, map[2], map[v]);
    return two ? 2 : 1;
}

/*
 * Tori have a Hamiltonian cycle for all sides. If a side is even, the cycle of the mesh will do. If
 * all sides are odd, take a cycle of M nodes through the first dimensions, and the next dimension,
 * of side a. Together they are a grid of R rows and C columns, R >= C, whose rows and columns close
 * to rings. The walk goes once around each row. If it goes to the right, it ends one column to the
 * left of where it began; if it goes to the left, one column to the right. The next row begins in
 * the column in which this row ends. After R rows, (R - C) / 2 of them to the left, the walk is C
 * columns further to the left, which is where it began.
 */
/* Fills out with a cycle through the product of cycle[M] and a ring of side a with stride `stride`. */
static void close_product(const np_node *cycle, uint32_t M, uint32_t a, uint32_t stride, np_node *out)
{
    uint32_t rows = M > a ? M : a, columns = M > a ? a : M, column = 0;
    for (uint32_t r = 0; r < rows; r++) {
        bool left = r < (rows - columns) / 2;
        for (uint32_t t = 0; t < columns; t++) {
            uint32_t c = (column + (left ? columns - t : t)) % columns;
            *out++ = M > a ? cycle[r] + c * stride : cycle[c] + r * stride;
        }
        column = (column + (left ? 1 : columns - 1)) % columns;
    }
}

static np_status place_torus(const np_network *guest, const np_network *host, np_node *map)
{
    np_node *cycle;
    uint32_t M = host->side[0];
    np_status st;
    if (host->dimensions > 1 && even_dimension(host) < host->dimensions)
        return place_even(guest, host, map);
    if ((st = np_memory_array(&cycle, host->nodes, sizeof *cycle, "a Hamiltonian cycle")))
        return st;
    for (uint32_t i = 0; i < M; i++)
        map[i] = i * host->stride[0];
    for (uint32_t d = 1; d < host->dimensions; M *= host->side[d++]) {
        for (uint32_t i = 0; i < M; i++)
            cycle[i] = map[i];
        close_product(cycle, M, host->side[d], host->stride[d], map);
    }
    np_memory_free(cycle);
    return NP_OK;
}

/* If there are two nodes, both guest links from one to the other take the same host link. */
static void state_torus(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)host;
    out->congestion = guest->nodes > 2 ? 1 : 2;
}

const np_embedding_ops np_embedding_hamiltonian_cycle = {
    .info = {"hamiltonian-cycle", "through all nodes of a mesh with an even side", "Sibeyn, lecture notes, embeddings",
             .guests = "ring", .hosts = "mesh"},
    .guests = NP_KIND_RING,
    .hosts = NP_KIND_MESH,
    .refuses = refuses_even,
    .place = place_even,
    .dilation = 1,
    .congestion = 1,
    .expansion = 1,
};

const np_embedding_ops np_embedding_even_cycle = {
    .info = {"even-cycle", "through some of the nodes, an even number", "", .guests = "ring", .hosts = "mesh, torus"},
    .guests = NP_KIND_RING,
    .hosts = NP_KIND_MESH | NP_KIND_TORUS,
    .refuses = refuses_short,
    .place = place_short,
    .dilation = 1,
    .congestion = 1,
};

const np_embedding_ops np_embedding_corner_cycle = {
    .info = {"corner-cycle", "through all nodes of a mesh of odd sides: one path has two links", "", .guests = "ring",
             .hosts = "mesh"},
    .guests = NP_KIND_RING,
    .hosts = NP_KIND_MESH,
    .refuses = refuses_odd,
    .place = place_odd,
    .walk = walk_odd,
    .dilation = 2,
    .congestion = 2,
    .expansion = 1,
};

const np_embedding_ops np_embedding_torus_cycle = {
    .info = {"torus-cycle", "through all nodes of a torus of any sides", "", .guests = "ring", .hosts = "torus, ring"},
    .guests = NP_KIND_RING,
    .hosts = NP_KIND_CLOSED_GRIDS,
    .refuses = refuses_size,
    .place = place_torus,
    .dilation = 1,
    .state = state_torus,
    .expansion = 1,
};
