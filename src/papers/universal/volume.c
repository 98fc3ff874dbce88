/*
 * The layout of a volume-universal network on the grid of space. Nodes are boxes of grid points, and wires run along
 * grid lines. No two wires use the same piece of a line. Wires may cross, and where they cross each goes straight on.
 * (So on a grid twice as fine, of eight times the volume, no two wires meet at all.) A wire carries both directions.
 *
 * The paper embeds the fat-tree in the three-dimensional tree of meshes (Leighton, Maggs, Ranade & Rao 1994, section
 * 7). This layout is ours and has the same shape, with explicit tracks: volume O(8^m m^(3/2)) = O(N).
 *
 * A block of level l consists of eight blocks of level l-1, two along each axis. A slab across z between them holds the
 * vertex's 4^l nodes and the tracks to the nodes. A shaft across x between the upper four blocks holds the 4^(l+1)
 * wires up, which leave at z = 0, the block's way out. The upper blocks are upside down, so all eight ways out lead
 * into the slab.
 *
 *       x ->
 *     +--------+-+--------+  z = 0    Seen along y. From the upper blocks downwards the slab has
 *     | 0 1    |S|    2 3 |             X layers   of the blocks on the left, on the right; of the wires up
 *     +--------+-+--------+             Y layers
 *     |       slab        |             nodes      1 layer, and 1 for the chains' ways back (not at the root)
 *     +--------+-+--------+             Y layers
 *     | 4 5    | |    6 7 |             X layers   of the lower blocks
 *     +--------+-+--------+
 *
 * Columns and lines. Seen along z, a block of level l is 2^l x 2^l columns of leaf blocks. Label k of a node at level l
 * is (i, j): i has the even bits of k, j the odd bits. So the node's wires up go to (i + a 2^l, j + b 2^l), a, b < 2.
 * Node (i, j) stands in column (i, j) of leaf blocks, and has the slot of 4p x (2r + 2) points there for itself. The
 * wire out of a block to label (i, j) of the parent leaves by column x = floor(i / r) of the shaft and by line
 * r (j mod 2) + i mod r of the 2r + 2 lines of slot floor(j / 2).
 *
 * The wire from a block to node (i, j) goes
 *     along z   to X layer floor(i / r) of the block's side;
 *     along x   to column 4 (j mod p) + c in slot i, where c = 0 for blocks on the left and 1 on the right;
 *     along z   to Y layer floor(j / p), of the front or back block;
 *     along y   to line 2r (front) or 2r + 1 (back) of slot j;
 *     along z   to the node's box.
 * Wires up go the same way backwards: from column c = 2 + a, line 2r + b of the slot, to X layer floor(i / r).
 *
 * Why no two wires meet. Ways out are in the columns of shafts, the other pieces in the columns of slots, and no slot
 * is in a shaft. An X layer and a line determine i and j; so do a column and a line. A column and a Y layer determine
 * i, j and the block. Lines 2r and 2r + 1 are no ways out.
 *
 * Size. Let r = s and p = s/2, rounded up. Then there are six sets of about 2^l / s X layers and four sets of about
 * 2 2^l / s Y layers. So along z a block measures 2^l s and O(1/s) more for each level, in all
 * O(2^m (s + m / s)) = O(2^m s). Along x it is the same. Along y a block measures 2^l (2s + 2).
 */
#include "papers/universal/layout.h"

enum { X, Y, Z, CLASSES = 4 };

/* The layers of a block's slab, counted from its first. */
typedef struct slab {
    uint32_t ways;   /* number of X layers of one side's blocks */
    uint32_t front;  /* number of Y layers of the front blocks; the back blocks have as many */
    uint32_t up;     /* first X layer of the wires up */
    uint32_t upper;  /* first Y layer */
    uint32_t node;   /* the layer of the nodes */
    uint32_t lower;  /* first Y layer */
    uint32_t across; /* first X layer of the lower blocks */
    uint32_t height;
} slab;

/* For levels 0 .. m: the columns of the shaft, the width and height of a block, and its slab. */
typedef struct layout {
    np_shape shape;
    uint32_t r, p, lines; /* lines: of a slot, along y */
    uint32_t shaft[NP_SHAPE_VOLUME_HEIGHT_MAX + 1], width[NP_SHAPE_VOLUME_HEIGHT_MAX + 1],
        height[NP_SHAPE_VOLUME_HEIGHT_MAX + 1];
    slab slab[NP_SHAPE_VOLUME_HEIGHT_MAX + 1];
    const np_layout_sink *sink;
} layout;

/* A block's place. With `flip` its layers count upwards from its last one. */
typedef struct place {
    uint32_t x, y, z, height;
    bool flip;
} place;

static uint32_t over(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

static slab slab_of(const layout *t, uint32_t l)
{
    slab s = {.ways = over(UINT32_C(1) << l, t->r), .front = over(UINT32_C(1) << l, t->p)};
    s.up = 2 * s.ways;
    s.upper = s.up + t->shaft[l];
    s.node = s.upper + 2 * s.front;
    s.lower = s.node + 1 + (l < t->shape.m);
    s.across = s.lower + 2 * s.front;
    s.height = s.across + 2 * s.ways;
    return s;
}

static layout layout_of(uint32_t m, const np_layout_sink *sink)
{
    np_shape s = np_shape_of(m, true);
    layout t = {.shape = s, .r = s.side, .p = (s.side + 1) / 2, .lines = 2 * s.side + 2, .sink = sink};
    for (uint32_t l = 0; l <= m; l++) {
        t.shaft[l] = l < m ? over(UINT32_C(2) << l, t.r) : 0;
        t.slab[l] = slab_of(&t, l);
        t.width[l] = (l ? 2 * t.width[l - 1] : CLASSES * t.p) + t.shaft[l];
        t.height[l] = l ? 2 * t.height[l - 1] + t.slab[l].height : s.side;
    }
    return t;
}

void np_layout_sides_volume(uint32_t m, uint64_t *side)
{
    layout t = layout_of(m, NULL);
    side[X] = t.width[m];
    side[Y] = (uint64_t)t.lines << m;
    side[Z] = t.height[m];
}

/* ---- drawing ---- */

/* The coordinates in the layout of a point of a block. */
static void locate(const place *p, const uint32_t *point, uint32_t *out)
{
    out[X] = p->x + point[X];
    out[Y] = p->y + point[Y];
    out[Z] = p->flip ? p->z + p->height - 1 - point[Z] : p->z + point[Z];
}

/* A node's box: width x depth points in one layer, from `at` on. */
static void put_node(const layout *t, const place *p, np_node node, const uint32_t *at, uint32_t width, uint32_t depth)
{
    np_layout_box box;
    const uint32_t last[] = {at[X] + width - 1, at[Y] + depth - 1, at[Z]};
    locate(p, at, box.low);
    locate(p, last, box.high);
    t->sink->node(t->sink->context, node, box);
}

/* A wire being drawn. */
typedef struct pen {
    const layout *t;
    const place *p;
    np_node from, to;
    uint32_t at[NP_SHAPE_AXES];
} pen;

/* Draws a straight piece along the axis to coordinate `to`. */
static void draw(pen *w, int axis, uint32_t to)
{
    uint32_t next[] = {w->at[X], w->at[Y], w->at[Z]}, begin[NP_SHAPE_AXES], end[NP_SHAPE_AXES];
    if (w->at[axis] == to)
        return;
    next[axis] = to;
    locate(w->p, w->at, begin);
    locate(w->p, next, end);
    w->t->sink->wire(w->t->sink->context, w->from, w->to, begin, end);
    w->at[axis] = to;
}

/* The column and the line by which a block of level l sends its wire to label (i, j) of the parent. */
static uint32_t exit_column(const layout *t, uint32_t l, uint32_t i)
{
    return (l ? t->width[l - 1] : CLASSES * t->p) + i / t->r;
}

static uint32_t exit_line(const layout *t, uint32_t i, uint32_t j)
{
    return j / 2 * t->lines + j % 2 * t->r + i % t->r;
}

/* The first column of slot i of a block. */
static uint32_t slot_column(const layout *t, uint32_t i)
{
    uint32_t x = 0;
    for (uint32_t l = 0; i >> l; l++)
        x += i >> l & 1 ? t->width[l] + t->shaft[l + 1] : 0;
    return x;
}

/* Bits axis, axis + 2, .. of a label, as a number. */
static uint32_t coordinate(uint32_t label, int axis)
{
    uint32_t out = 0;
    for (uint32_t l = 0; label >> 2 * l; l++)
        out |= (label >> (2 * l + (uint32_t)axis) & 1) << l;
    return out;
}

/*
 * The mesh: from the corner x grows to the left, y backwards and z away from the way out. The corner is a line of
 * r + 2 points, 0 .. r + 1, next to the shaft: it ends where the mesh begins, and it passes the four ways out.
 */
static void lay_leaf(const layout *t, const place *p, uint32_t leaf)
{
    const np_shape *s = &t->shape;
    uint32_t corner = CLASSES * t->p - 1;
    for (uint32_t i = 0; i < s->mesh; i++) {
        uint32_t x = i % s->side, y = i / s->side % s->side, z = i / s->side / s->side, stride = 1;
        const uint32_t at[] = {corner - x, t->r + 1 + y, z}, first[] = {corner, 0, 0};
        const uint32_t next[] = {corner - x - 1, t->r + 2 + y, z + 1}, mine[] = {x, y, z};
        np_node u = leaf * s->mesh + i;
        put_node(t, p, u, i ? at : first, 1, i ? 1 : t->r + 2);
        for (int k = X; k <= Z; k++, stride *= s->side)
            if (mine[k] + 1 < s->side)
                draw(&(pen){t, p, u, u + stride, {at[X], at[Y], at[Z]}}, k, next[k]);
    }
    for (uint32_t label = 0; label < 4; label++) {
        uint32_t i = coordinate(label, X), j = coordinate(label, Y);
        np_node parent = np_shape_node(s, 1, leaf >> 3, label);
        draw(&(pen){t, p, leaf * s->mesh, parent, {corner, exit_line(t, i, j), 0}}, X, exit_column(t, 0, i));
    }
}

/* A node of a vertex in its block. */
typedef struct spot {
    uint32_t l, vertex, label, i, j;
    uint32_t x, y; /* first column and line of its slot */
    uint32_t box;  /* first column of its box */
    slab s;
    uint32_t top; /* the slab's first layer */
} spot;

/* The wire from child c: bit 0 of c is back, bit 1 right, bit 2 lower. */
static void lay_wire_down(const layout *t, const place *p, const spot *n, uint32_t c)
{
    uint32_t back = c & 1, right = c >> 1 & 1, lower = c >> 2, width = t->width[n->l - 1];
    uint32_t below = n->label & ((UINT32_C(1) << 2 * (n->l - 1)) - 1);
    pen w = {t,
             p,
             np_shape_node(&t->shape, n->l - 1, n->vertex << 3 | c, below),
             np_shape_node(&t->shape, n->l, n->vertex, n->label),
             {0}};
    w.at[X] = right * (width + t->shaft[n->l]) + exit_column(t, n->l - 1, n->i);
    w.at[Y] = back * (t->lines << (n->l - 1)) + exit_line(t, n->i, n->j);
    w.at[Z] = lower ? n->top + n->s.height : n->top - 1;
    draw(&w, Z, n->top + (lower ? n->s.across : 0) + right * n->s.ways + n->i / t->r);
    draw(&w, X, n->box + right);
    draw(&w, Z, n->top + (lower ? n->s.lower : n->s.upper) + back * n->s.front + n->j / t->p);
    draw(&w, Y, n->y + 2 * t->r + back);
    draw(&w, Z, n->top + n->s.node);
}

/* The wire to label (i + a 2^l, j + b 2^l) of the parent, up to the end of the block. */
static void lay_wire_up(const layout *t, const place *p, const spot *n, uint32_t a, uint32_t b)
{
    uint32_t i = n->i + (a << n->l), j = n->j + (b << n->l), above = n->label + ((2 * b + a) << 2 * n->l);
    pen w = {t,
             p,
             np_shape_node(&t->shape, n->l, n->vertex, n->label),
             np_shape_node(&t->shape, n->l + 1, n->vertex >> 3, above),
             {n->box + 2 + a, n->y + 2 * t->r + b, n->top + n->s.node}};
    draw(&w, Z, n->top + n->s.upper + b * n->s.front + n->j / t->p);
    draw(&w, Y, exit_line(t, i, j));
    draw(&w, Z, n->top + n->s.up + i / t->r);
    draw(&w, X, exit_column(t, n->l, i));
    draw(&w, Z, 0);
}

/*
 * The place of node k of a chain. The chain runs forth and back along the lines of the slot before the box. It leaves
 * the line next to the box free, for the wire from the box to the chain.
 */
static void chain_at(const layout *t, const spot *n, uint32_t k, uint32_t *at)
{
    uint32_t width = CLASSES * t->p, row = k / width, x = k % width;
    at[X] = n->x + (row % 2 ? width - 1 - x : x);
    at[Y] = n->y + 2 * t->r - 2 - row;
    at[Z] = n->top + n->s.node;
}

static void lay_chain(const layout *t, const place *p, const spot *n)
{
    np_node u = np_shape_node(&t->shape, n->l, n->vertex, n->label);
    np_node first = np_shape_chain_node(&t->shape, n->l, n->vertex, n->label, 0);
    uint32_t length = np_shape_chain(&t->shape, n->l), at[NP_SHAPE_AXES];
    pen w = {t, p, u, first, {n->box, n->y + 2 * t->r, n->top + n->s.node}};
    draw(&w, Y, n->y + 2 * t->r - 1);
    draw(&w, X, n->x);
    for (uint32_t k = 0; k < length; k++) {
        chain_at(t, n, k, at);
        put_node(t, p, first + k, at, 1, 1);
        w.to = first + k;
        draw(&w, X, at[X]); /* one of these two moves */
        draw(&w, Y, at[Y]);
        w.from = first + k;
    }
    w.to = u;
    draw(&w, Z, n->top + n->s.node + 1);
    draw(&w, X, n->box + CLASSES - 1);
    draw(&w, Y, n->y + 2 * t->r);
    draw(&w, Z, n->top + n->s.node);
}

static void lay_node(const layout *t, const place *p, uint32_t l, uint32_t vertex, uint32_t label)
{
    spot n = {.l = l, .vertex = vertex, .label = label, .i = coordinate(label, X), .j = coordinate(label, Y)};
    n.x = slot_column(t, n.i);
    n.y = n.j * t->lines;
    n.box = n.x + CLASSES * (n.j % t->p);
    n.s = t->slab[l];
    n.top = t->height[l - 1];
    const uint32_t at[] = {n.box, n.y + 2 * t->r, n.top + n.s.node};
    put_node(t, p, np_shape_node(&t->shape, l, vertex, label), at, CLASSES, 2);
    for (uint32_t c = 0; c < 8; c++)
        lay_wire_down(t, p, &n, c);
    if (l == t->shape.m)
        return;
    for (uint32_t q = 0; q < 4; q++)
        lay_wire_up(t, p, &n, q & 1, q >> 1);
    lay_chain(t, p, &n);
}

static void lay_block(const layout *t, place p, uint32_t l, uint32_t vertex)
{
    if (!l) {
        lay_leaf(t, &p, vertex);
        return;
    }
    uint32_t height = t->height[l - 1], width = t->width[l - 1];
    for (uint32_t c = 0; c < 8; c++) {
        bool upper = !(c >> 2); /* on the side of the way out, and so turned over */
        place child = {p.x + (c >> 1 & 1) * (width + t->shaft[l]), p.y + (c & 1) * (t->lines << (l - 1)),
                       upper == !p.flip ? p.z : p.z + p.height - height, height, p.flip != upper};
        lay_block(t, child, l - 1, vertex << 3 | c);
    }
    for (uint32_t label = 0; label < UINT32_C(1) << 2 * l; label++)
        lay_node(t, &p, l, vertex, label);
}

void np_layout_volume(uint32_t m, const np_layout_sink *sink)
{
    layout t = layout_of(m, sink);
    lay_block(&t, (place){0, 0, 0, t.height[m], false}, m, 0);
}
