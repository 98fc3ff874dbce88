/*
 * The layout of an area-universal network in Thompson's grid. Nodes are boxes of grid points, and wires run along
 * grid lines. No two wires use the same piece of a line, but wires may cross. A wire carries both directions.
 *
 * The paper embeds the fat-tree in the tree of meshes and leaves the constants open (Leighton, Maggs, Ranade & Rao
 * 1994, section 7). This layout is ours and has the same shape: a block of level l is four blocks of level l-1 with a
 * cross of corridors between them. The widths of the corridors are in proportion to 2^l. All widths together come to
 * 2^m m, the side of the leaves' meshes together, so the area is O(4^m m^2) = O(N).
 *
 *     +--------+-+--------+      Blocks 0 and 1 are upside down. A block of level l has 2^(l+1) wires up.
 *     | 0      |V|      1 |      They leave it in its corridor V, at its top, or at its bottom if it is
 *     |        |V|        |      upside down. So the wires of all four children come into corridor H.
 *     +--------+-+--------+      H also holds the 2^l nodes of the vertex. Its rows, from the way out:
 *     |          H        |        tracks of the wires up   2^(l+1) rows (none at the root)
 *     +--------+-+--------+        tracks of child 0, 1     2^l each
 *     | 2      | |      3 |        the nodes, chains        1 row, and 1 for chains (not at the root)
 *     |        | |        |        tracks of child 2, 3     2^l each
 *     +--------+-+--------+
 *
 * A block of level 0 is a mesh of m rows. It is m + 2 or m + 3 columns wide, an even number. Its corner (0, 0) is in
 * the row nearest to the way out, in an odd column c. One wire up leaves straight from the corner; the other goes to
 * column c + 2 and leaves there.
 *
 * Columns. Blocks begin at even columns. Wires that come into H from children or leave by V are in odd columns; wires
 * that leave the nodes' boxes are in even columns; and each wire has a row of its own. So no two pieces overlap. The
 * slot of a node is width / 2^l = w columns wide, and w is even. From the left end of the slot:
 *     column 0, 2, 4, 6   above the box: wires of children 0, 1; up 0, up 1. The box covers columns 0 .. 6
 *     column 0, 2         below: wires of children 2, 3
 *     from column 7       the chain's first x = m-l-1 nodes, in the box's row. The other x + 1 nodes
 *                         come back in the row below, to column 6 and up into the box. With x = 0
 *                         the only node is below column 6, and is joined to columns 6 and 5.
 * 7 + x <= w = (m + 2 or 3) + 4l. At the root the box covers columns 0 .. 2.
 */
#include "papers/universal/layout.h"

typedef struct layout {
    uint32_t m;
    np_shape shape;
    const np_layout_sink *sink;
} layout;

/* A block's place. With `flip` its rows count upwards from its last one. */
typedef struct place {
    uint32_t x, y, height;
    bool flip;
} place;

static uint32_t leaf_width(uint32_t m) { return m + 2 + m % 2; }

/* 2 w(l-1) + 2^(l+2), or 2 w(m-1) at the root. */
static uint32_t width_of(uint32_t m, uint32_t l) { return (leaf_width(m) + 4 * (l < m ? l : m - 1)) << l; }

/* h(l) = 2 h(l-1) + 6 2^l + 2; at the root 2 h(m-1) + 4 2^m + 1. */
static uint32_t height_of(uint32_t m, uint32_t l)
{
    if (l == m)
        return 2 * height_of(m, m - 1) + (UINT32_C(4) << m) + 1;
    return ((m + 6 * l) << l) + 2 * ((UINT32_C(1) << l) - 1);
}

void np_layout_sides_area(uint32_t m, uint64_t *side)
{
    side[0] = width_of(m, m);
    side[1] = height_of(m, m);
    side[2] = 1;
}

/* Rows of a block, counted from its way out, to rows of the layout. */
static uint32_t row_of(const place *p, uint32_t y) { return p->flip ? p->y + p->height - 1 - y : p->y + y; }

static void put_node(const layout *t, const place *p, np_node node, uint32_t x0, uint32_t x1, uint32_t y)
{
    uint32_t row = row_of(p, y);
    t->sink->node(t->sink->context, node, (np_layout_box){{p->x + x0, row, 0}, {p->x + x1, row, 0}});
}

static void put_wire(const layout *t, const place *p, np_node from, np_node to, uint32_t x0, uint32_t y0, uint32_t x1,
                     uint32_t y1)
{
    const uint32_t begin[] = {p->x + x0, row_of(p, y0), 0}, end[] = {p->x + x1, row_of(p, y1), 0};
    if (x0 != x1 || y0 != y1)
        t->sink->wire(t->sink->context, from, to, begin, end);
}

/* The column of a block of level l in which the block's wire to label k of the parent leaves. */
static uint32_t exit_of(uint32_t m, uint32_t l, uint32_t k)
{
    return (l ? width_of(m, l - 1) + 1 : m - 1 + m % 2) + 2 * k;
}

/* The mesh: x grows to the left of the corner, y away from the way out. */
static void lay_leaf(const layout *t, const place *p, uint32_t leaf)
{
    uint32_t m = t->m, corner = exit_of(m, 0, 0);
    for (uint32_t y = 0; y < m; y++)
        for (uint32_t x = 0; x < m; x++) {
            np_node u = np_shape_processor(&t->shape, leaf, x, y, 0);
            put_node(t, p, u, corner - x, corner - x, y);
            if (x + 1 < m)
                put_wire(t, p, u, u + 1, corner - x, y, corner - x - 1, y);
            if (y + 1 < m)
                put_wire(t, p, u, u + m, corner - x, y, corner - x, y + 1);
        }
    put_wire(t, p, np_shape_node(&t->shape, 0, leaf, 0), np_shape_node(&t->shape, 1, leaf >> 2, 1), corner, 0,
             exit_of(m, 0, 1), 0);
}

/* Wire `from` -> `to`: from column x0, row y0, along the row `track`, to column x1, row y1. */
static void put_by_track(const layout *t, const place *p, np_node from, np_node to, uint32_t x0, uint32_t y0,
                         uint32_t track, uint32_t x1, uint32_t y1)
{
    put_wire(t, p, from, to, x0, y0, x0, track);
    put_wire(t, p, from, to, x0, track, x1, track);
    put_wire(t, p, from, to, x1, track, x1, y1);
}

/* The place of node i of a chain of 2 half + 1 nodes, in the slot that begins at column x and row y. */
static void chain_at(uint32_t half, uint32_t i, uint32_t x, uint32_t y, uint32_t at[2])
{
    at[0] = x + (i < half ? 7 + i : 6 + 2 * half - i);
    at[1] = y + (i >= half);
}

/* The chain of node u, the wires between the chain's nodes, and the wires that join the chain to u. */
static void lay_chain(const layout *t, const place *p, np_node u, np_node chain, uint32_t half, uint32_t x, uint32_t y)
{
    uint32_t at[2], last[2] = {x + 6, y};
    np_node before = u;
    for (uint32_t i = 0; i < 2 * half + 1; i++) {
        chain_at(half, i, x, y, at);
        put_node(t, p, chain + i, at[0], at[0], at[1]);
        put_wire(t, p, before, chain + i, last[0], last[1], at[0], at[1]);
        before = chain + i, last[0] = at[0], last[1] = at[1];
    }
    if (half)
        put_wire(t, p, before, u, x + 6, y + 1, x + 6, y);
    else
        put_by_track(t, p, before, u, x + 6, y + 1, y + 1, x + 5, y);
}

/* The rows of a block's corridor H, counted from the block's way out. */
typedef struct corridor {
    uint32_t up;     /* first track of the wires up */
    uint32_t upper;  /* first track of children 0 and 1 */
    uint32_t node;   /* the nodes' row; the chains' row is the next */
    uint32_t lower;  /* first track of children 2 and 3 */
    uint32_t blocks; /* first row of children 2 and 3 */
} corridor;

static corridor corridor_of(uint32_t m, uint32_t l)
{
    corridor h = {.up = height_of(m, l - 1)};
    h.upper = h.up + (l < m ? UINT32_C(2) << l : 0);
    h.node = h.upper + (UINT32_C(2) << l);
    h.lower = h.node + 1 + (l < m);
    h.blocks = h.lower + (UINT32_C(2) << l);
    return h;
}

/* Where the block of child c begins, seen from its parent. */
static uint32_t child_column(uint32_t m, uint32_t l, uint32_t c)
{
    return c % 2 ? width_of(m, l - 1) + (l < m ? UINT32_C(4) << l : 0) : 0;
}

/*
 * Node `label` of the vertex: its box, its chain, its wires up as far as the block reaches, and the wires from the
 * children's exits.
 */
static void lay_tree_node(const layout *t, const place *p, uint32_t l, uint32_t vertex, uint32_t label)
{
    uint32_t m = t->m, x = (width_of(m, l) >> l) * label, below = label & ((UINT32_C(1) << (l - 1)) - 1);
    corridor h = corridor_of(m, l);
    np_node u = np_shape_node(&t->shape, l, vertex, label);
    put_node(t, p, u, x, x + (l < m ? 6 : 2), h.node);
    for (uint32_t c = 0; c < 4; c++) {
        np_node child = np_shape_node(&t->shape, l - 1, vertex << 2 | c, below);
        uint32_t out = child_column(m, l, c) + exit_of(m, l - 1, label), track = ((c & 1) << l) + label;
        if (c < 2)
            put_by_track(t, p, child, u, out, h.up - 1, h.upper + track, x + 2 * c, h.node);
        else
            put_by_track(t, p, child, u, out, h.blocks, h.lower + track, x + 2 * (c - 2), h.node);
    }
    if (l == m)
        return;
    for (uint32_t j = 0; j < 2; j++) {
        uint32_t above = label + (j << l);
        put_by_track(t, p, u, np_shape_node(&t->shape, l + 1, vertex >> 2, above), x + 4 + 2 * j, h.node, h.up + above,
                     exit_of(m, l, above), 0);
    }
    lay_chain(t, p, u, np_shape_chain_node(&t->shape, l, vertex, label, 0), m - l - 1, x, h.node);
}

static void lay_block(const layout *t, place p, uint32_t l, uint32_t vertex)
{
    if (!l) {
        lay_leaf(t, &p, vertex);
        return;
    }
    uint32_t m = t->m, height = height_of(m, l - 1);
    for (uint32_t c = 0; c < 4; c++) {
        bool first = c < 2; /* on the side of the way out, and so turned over */
        place child = {p.x + child_column(m, l, c), first == !p.flip ? p.y : p.y + p.height - height, height,
                       p.flip != first};
        lay_block(t, child, l - 1, vertex << 2 | c);
    }
    for (uint32_t label = 0; label < UINT32_C(1) << l; label++)
        lay_tree_node(t, &p, l, vertex, label);
}

void np_layout_area(uint32_t m, const np_layout_sink *sink)
{
    layout t = {m, np_shape_of(m, false), sink};
    lay_block(&t, (place){0, 0, height_of(m, m), false}, m, 0);
}
