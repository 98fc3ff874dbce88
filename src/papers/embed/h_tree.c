/*
 * The complete binary tree of height H in a two-dimensional mesh, as an H (Leiserson 1980; Leighton 1992, section 1.3).
 *
 * The tree's rectangle has 2^a - 1 rows and 2^b - 1 columns, with a = floor(H/2) + 1 and b =
 * ceil(H/2) + 1. The root is in the middle. The subtrees are in the halves to the left and right of
 * it (b > a), or above and below it; the two directions alternate from level to level. If a node's
 * rectangle has 2^k - 1 places in the direction of its children, the node is 2^(k-2) away from
 * them: dilation 2^(b-2). The path to a child lies in the middle line of the rectangle, which
 * belongs to no subtree: congestion 1. If the rectangle fits into the mesh only when turned, rows
 * and columns change places.
 *
 * Expansion in its own rectangle: (2^a - 1)(2^b - 1) / (2^(H+1) - 1), less than 2.
 */
#include "papers/embed/embedding.h"

typedef struct rectangle {
    uint32_t row, column; /* of the root */
    uint32_t a, b;        /* 2^a - 1 rows, 2^b - 1 columns */
} rectangle;

static rectangle whole(uint32_t height)
{
    uint32_t a = height / 2 + 1, b = (height + 1) / 2 + 1;
    return (rectangle){(UINT32_C(1) << (a - 1)) - 1, (UINT32_C(1) << (b - 1)) - 1, a, b};
}

/* Does the rectangle fit into the mesh, as it is or turned? */
static bool fits(const np_network *host, uint32_t height, bool turned)
{
    uint64_t rows = (UINT64_C(1) << (height / 2 + 1)) - 1, columns = (UINT64_C(1) << ((height + 1) / 2 + 1)) - 1;
    return (turned ? columns : rows) <= host->side[0] && (turned ? rows : columns) <= host->side[1];
}

static bool refuses(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    uint32_t height = guest->dimensions, arity = guest->side[0];
    if (arity != 2)
        return np_embed_refuse(reason, "its nodes have %u children, not 2: try tree:%u", arity, height);
    if (host->dimensions != 2 || (!fits(host, height, false) && !fits(host, height, true)))
        return np_embed_refuse(reason, "an H of height %u takes two sides: try mesh:%llux%llu", height,
                               (1ULL << (height / 2 + 1)) - (height > 1), (1ULL << ((height + 1) / 2 + 1)) - 1);
    return false;
}

/* The rectangle of child c: the left or upper half (c = 0), or the other half. */
static rectangle child(rectangle r, uint32_t c)
{
    if (r.b > r.a) {
        uint32_t step = UINT32_C(1) << (r.b - 2);
        return (rectangle){r.row, c ? r.column + step : r.column - step, r.a, r.b - 1};
    }
    uint32_t step = UINT32_C(1) << (r.a - 2);
    return (rectangle){c ? r.row + step : r.row - step, r.column, r.a - 1, r.b};
}

/* Goes from the root down to node u. In binary, u + 1 tells the way: one bit a level, after the first bit. */
static rectangle place_of(uint32_t height, np_node u)
{
    rectangle r = whole(height);
    uint32_t level = 31 - (uint32_t)__builtin_clz(u + 1);
    while (level--)
        r = child(r, (u + 1) >> level & 1);
    return r;
}

static np_status place(const np_network *guest, const np_network *host, np_node *map)
{
    bool turned = !fits(host, guest->dimensions, false);
    for (np_node u = 0; u < guest->nodes; u++) {
        rectangle r = place_of(guest->dimensions, u);
        map[u] = (turned ? r.column : r.row) * host->stride[0] + (turned ? r.row : r.column) * host->stride[1];
    }
    return NP_OK;
}

static void state(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)host;
    out->dilation = UINT32_C(1) << (whole(guest->dimensions).b - 2);
}

const np_embedding_ops np_embedding_h_tree = {
    .info = {"h-tree", "complete binary trees, as an H: the subtrees in the halves of a rectangle", "Leiserson 1980",
             .guests = "tree", .hosts = "mesh"},
    .guests = NP_KIND_TREE,
    .hosts = NP_KIND_MESH,
    .refuses = refuses,
    .place = place,
    .congestion = 1,
    .state = state,
};
