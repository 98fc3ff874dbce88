/*
 * Blocks in blocks: a product drawn as copies of its last factor, placed as the nodes of the other factors are. A grid
 * is a product of lines, as a HyperX is drawn, too, and a hypercube a product of lines of two nodes: nested squares.
 * Successive lines go along and across in turn.
 */
#include "base/memory.h"
#include "model/network/axes.h"
#include "model/drawing/drawing.h"

/* Between blocks of blocks there is more room than between nodes. */
static const double GAP = 1.6;

/* The drawing of one factor. */
typedef struct factor {
    uint32_t side, stride;
    np_point *place; /* [side]; NULL: a line */
    np_point size;
} factor;

static np_status draw_factor(const np_network *network, factor *f)
{
    np_status st = np_memory_array(&f->place, f->side, sizeof *f->place, "the places of a factor");
    if (!st)
        st = np_drawing_default(network)->place(network, f->place);
    if (!st)
        f->size = np_drawing_settle(f->side, f->place);
    return st;
}

/* Puts each node in its copy of what is drawn so far, whose size is *size. */
static void nest(np_node nodes, const factor *f, np_point *place, np_point *size)
{
    double apart_x = size->x > 0 ? size->x + GAP : 1, apart_y = size->y > 0 ? size->y + GAP : 1;
    bool turn = size->x > size->y && f->size.x > f->size.y;
    for (np_node u = 0; u < nodes; u++) {
        uint32_t c = u / f->stride % f->side;
        np_point at = f->place ? f->place[c] : (np_point){c, 0};
        place[u].x += apart_x * (turn ? at.y : at.x);
        place[u].y += apart_y * (turn ? at.x : at.y);
    }
    size->x += apart_x * (turn ? f->size.y : f->size.x);
    size->y += apart_y * (turn ? f->size.x : f->size.y);
}

static np_status place(const np_network *network, np_point *place)
{
    np_axes axes = np_axes_of(network);
    bool lines = axes.count || !network->factors;
    uint32_t factors = axes.count ? axes.count : lines ? network->dimensions : network->factors;
    np_point size = {0, 0};
    for (np_node u = 0; u < network->nodes; u++)
        place[u] = size;
    for (uint32_t i = factors; i--;) {
        factor f = {axes.count ? axes.side[i] : network->side[i],
                    axes.count ? axes.stride[i] : network->stride[i],
                    NULL,
                    {0, 0}};
        np_status st = NP_OK;
        if (lines)
            f.size.x = f.side - 1;
        else
            st = draw_factor(network->factor[i], &f);
        if (!st)
            nest(network->nodes, &f, place, &size);
        np_memory_free(f.place);
        if (st)
            return st;
    }
    return NP_OK;
}

const np_drawing np_drawing_blocks = {
    .info = {"blocks", "blocks in blocks: grids row by row, hypercubes as nested squares, products, HyperX", "ours"},
    .only =
        &(const np_only){NP_KIND_PRODUCTS | NP_KIND_FACTORED | NP_KIND_HYPERX, "it is no grid, no cube and no product"},
    .place = place,
};
