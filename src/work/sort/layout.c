/*
 * See layout.h. On butterflies items are kept by positions in their rows. Rows turn, so a position is at one level
 * after another; a position is named by the level where it would be if no row had turned. The sum of all turns is known
 * from the beginning, and the first sort of the rows compensates for it.
 */
#include "work/sort/layout.h"

#include "model/network/axes.h"
#include "work/sort/batcher.h"
#include "work/sort/columnsort.h"

static bool sorts(uint64_t rows, uint64_t columns) { return np_columnsort_sorts(rows, columns, rows / 2); }

/* R places in a line take R stages of h steps, with R (R-1) / 2 comparators, as in transposition.c. */
static np_sort_cost line_cost(uint64_t places, uint64_t h)
{
    uint64_t comparators = places * (places - 1) / 2;
    return (np_sort_cost){.steps = places * h, .comparators = comparators, .hops = 2 * comparators * h};
}

/* ---- snakes ---- */

static void shape_snake(np_sort_layout *layout)
{
    uint32_t nodes = layout->network->nodes, s = 1;
    for (uint32_t t = 2; (uint64_t)t * t * (t - 1) <= nodes + t; t++) /* rows: t (t-1) - 1 at least */
        if (nodes % t == 0 && sorts(nodes / t, t))
            s = t;
    layout->columns = s;
    layout->column = layout->row = nodes / s;
    layout->windows = true;
}

static np_status snake_nodes(const np_sort_layout *layout, np_node *node)
{
    for (uint32_t p = 0; p < layout->network->nodes; p++)
        node[p] = np_network_snake(layout->network, p);
    return NP_OK;
}

static np_sort_cost snake_cost(const np_sort_layout *layout, uint32_t h) { return line_cost(layout->column, h); }

const np_sort_layout_kind np_sort_layout_snake = {NP_KIND_GRIDS, NULL, shape_snake, snake_nodes, snake_cost};

/* ---- hypercube ---- */

static void shape_cube(np_sort_layout *layout)
{
    uint32_t n = layout->network->dimensions, b = 0;
    while (b < n && sorts(UINT64_C(1) << (n - b - 1), UINT64_C(2) << b))
        b++;
    layout->columns = UINT32_C(1) << b;
    layout->bits = n - b;
    layout->column = UINT32_C(1) << layout->bits;
    layout->row = 1;
}

static np_status cube_nodes(const np_sort_layout *layout, np_node *node)
{
    for (uint32_t p = 0; p < layout->network->nodes; p++)
        node[p] = p;
    return NP_OK;
}

static np_sort_cost cube_cost(const np_sort_layout *layout, uint32_t h)
{
    uint64_t d = layout->bits, depth = d * (d + 1) / 2, comparators = depth * layout->column / 2;
    return (np_sort_cost){.steps = depth * h, .comparators = comparators, .hops = 2 * comparators * h};
}

const np_sort_layout_kind np_sort_layout_hypercube = {NP_KIND_HYPERCUBE, NULL, shape_cube, cube_nodes, cube_cost};

/* ---- butterfly ---- */

static void shape_butterfly(np_sort_layout *layout)
{
    uint64_t n = layout->network->dimensions, b = 0;
    while (b < n && sorts(n << (n - b - 1), UINT64_C(2) << b))
        b++;
    layout->columns = UINT32_C(1) << b;
    layout->bits = (uint32_t)(n - b);
    layout->row = (uint32_t)n;
    layout->column = layout->row << layout->bits;
}

np_sort_cost np_sort_layout_rows(const np_sort_layout *layout, uint32_t h, uint64_t links, uint64_t *turns)
{
    uint64_t d = layout->bits, n = layout->row, depth = d * (d + 1) / 2, rows = UINT64_C(1) << d;
    np_sort_cost line = line_cost(n, h);
    *turns = d * (n - 1) + depth;
    return (np_sort_cost){
        .steps = (1 + d) * line.steps + *turns * h,
        .comparators = (1 + d) * rows * line.comparators + depth * rows / 2 * n,
        .hops = (1 + d) * rows * line.hops * links + rows * n * h * (*turns * links + depth),
    };
}

static np_sort_cost butterfly_cost(const np_sort_layout *layout, uint32_t h)
{
    uint64_t turns;
    return np_sort_layout_rows(layout, h, 1, &turns);
}

const np_sort_layout_kind np_sort_layout_butterfly = {NP_KIND_BUTTERFLY, NULL, shape_butterfly, cube_nodes,
                                                      butterfly_cost};

/* ---- all ---- */

static const np_sort_layout_kind *find(const np_network *network)
{
    const np_sort_layout_kind *const *kind = np_sort_layouts;
    while (*kind && !np_network_is(network, (*kind)->networks))
        kind++;
    return *kind;
}

const char *np_sort_layout_refuses(const np_network *network)
{
    const np_sort_layout_kind *kind = find(network);
    if (!kind)
        return "nothing is known there that sorts columns";
    return kind->refuses ? kind->refuses(network) : NULL;
}

np_sort_layout np_sort_layout_of(const np_network *network)
{
    np_sort_layout layout = {.kind = find(network), .network = network};
    layout.kind->shape(&layout);
    return layout;
}

np_status np_sort_layout_nodes(const np_sort_layout *layout, np_node *node)
{
    return layout->kind->nodes(layout, node);
}

np_sort_cost np_sort_layout_cost(const np_sort_layout *layout, uint32_t h, uint32_t columns)
{
    np_sort_cost cost = layout->kind->cost(layout, h);
    cost.comparators *= columns;
    cost.hops *= columns;
    cost.packets = cost.hops;
    cost.load_max = 2 * h;
    cost.queue_max = cost.congestion = 0;
    return cost;
}

/*
 * Odd-even transposition of `places` places, h items ascending in each. It stops when two stages in a row have found
 * all in order, because the stages that are left would do nothing.
 */
static void sort_line(uint32_t places, uint32_t h, uint32_t *item, bool descending, uint32_t *scratch)
{
    uint32_t idle = 0;
    for (uint32_t stage = 0; stage < places && idle < 2; stage++) {
        idle++;
        for (uint32_t p = stage % 2; p + 1 < places; p += 2) {
            uint32_t *low = item + (size_t)(descending ? p + 1 : p) * h;
            uint32_t *high = item + (size_t)(descending ? p : p + 1) * h;
            if (low[h - 1] <= high[0])
                continue;
            np_sort_merge_split(low, high, h, scratch);
            idle = 0;
        }
    }
}

/* Merge k of the bitonic sort. Blocks of 2^k rows go up where bit k is 0, and so does the whole in the last merge. */
static void merge_rows(const np_sort_layout *layout, uint32_t k, uint32_t h, uint32_t *item, uint32_t *scratch)
{
    uint32_t rows = UINT32_C(1) << layout->bits;
    const np_batcher batcher = {.h = h, .scratch = scratch};
    size_t wide = (size_t)layout->row * h;
    for (uint32_t j = k; j-- > 0;)
        for (uint32_t w = 0; w < rows; w++) {
            uint32_t *own = item + w * wide, *other = own + (wide << j);
            bool descending = w >> k & 1;
            if (!(w >> j & 1))
                np_batcher_compare(&batcher, descending ? other : own, descending ? own : other, layout->row, 0,
                                   NP_BATCHER_UP);
        }
}

void np_sort_layout_sort(const np_sort_layout *layout, uint32_t h, uint32_t *item, uint32_t *scratch)
{
    uint32_t rows = UINT32_C(1) << layout->bits;
    size_t wide = (size_t)layout->row * h;
    for (uint32_t p = 0; p < layout->column; p++)
        np_sort_locally(item + (size_t)p * h, h);
    for (uint32_t k = 0; k <= layout->bits; k++) {
        if (k)
            merge_rows(layout, k, h, item, scratch);
        for (uint32_t w = 0; w < rows; w++)
            sort_line(layout->row, h, item + w * wide, w >> k & 1, scratch);
    }
}
