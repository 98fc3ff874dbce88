/*
 * See deal_numbers.h. In a block of b x b nodes:
 *
 *   1  In each column the counts of the strips are added up towards the middle row, from both ends: b/2 steps for the
 *      first strip, and one more for each other.
 *   2  The middle row adds up the columns, from both ends towards the middle: b/2 steps. A node of the left half hears
 * how many packets are in the columns left of it, and one of the right half how many are right of it. 3  The numbers go
 * back along the columns: b/2 steps.
 *
 * The left half counts up from 0, the right half down from -1. So all packets of the block have successive numbers, and
 * nothing needs to cross the whole block: 1.5 b + n/b steps instead of 3 b + n/b. In a column the order is: the middle
 * row, up from it, down from it.
 *
 * In a step a node sends what it knew before the step. So nodes are visited against the direction of the messages.
 *
 * Symbols: b, S = ceil(n/b) strips, k a strip; `middle` the middle row; the `outer` neighbour is farther from the
 * middle.
 */
#include "papers/grids/deal_numbers.h"

#include <string.h>

#define NOBODY SIZE_MAX

np_deal_numbers np_deal_numbers_sizes(const np_network *network)
{
    np_deal_numbers d = {.side = network->side[0], .width = 1};
    while ((uint64_t)d.width * d.width * d.width <= (uint64_t)d.side * d.side)
        d.width *= 2;
    d.width = d.width < d.side ? d.width : d.side;
    d.strips = (d.side + d.width - 1) / d.width;
    return d;
}

void np_deal_numbers_layout(np_deal_numbers *d, np_arena *arena)
{
    static const char what[] = "the numbers of packets";
    size_t nodes = (size_t)d->side * d->side, counts = nodes * d->strips;
    np_arena_array(arena, &d->count, counts, sizeof *d->count, what);
    np_arena_array(arena, &d->base, counts, sizeof *d->base, what);
    np_arena_array(arena, &d->given, counts, sizeof *d->given, what);
    np_arena_array(arena, &d->inward, nodes, sizeof *d->inward, what);
    np_arena_array(arena, &d->across, nodes, sizeof *d->across, what);
    np_arena_array(arena, &d->up, nodes, sizeof *d->up, what);
    np_arena_array(arena, &d->down, nodes, sizeof *d->down, what);
    np_arena_array(arena, &d->known, nodes, sizeof *d->known, what);
    np_arena_array(arena, &d->taken, NP_GRID_PORTS * nodes, sizeof *d->taken, what);
}

uint32_t np_deal_numbers_steps(const np_deal_numbers *d) { return 3 * d->width / 2 + d->strips; }

static size_t place(const np_deal_numbers *d, size_t node, uint32_t strip) { return node * d->strips + strip; }

void np_deal_numbers_begin(np_deal_numbers *d, const np_grid_queues *queues)
{
    size_t nodes = (size_t)d->side * d->side, counts = nodes * d->strips;
    d->queues = queues;
    memset(d->count, 0, counts * sizeof *d->count);
    memset(d->base, 0, counts * sizeof *d->base);
    memset(d->given, 0, counts * sizeof *d->given);
    memset(d->inward, 0, nodes);
    memset(d->across, 0, nodes);
    memset(d->up, 0, nodes);
    memset(d->down, 0, nodes);
    memset(d->known, 0, nodes);
    memset(d->taken, 0, NP_GRID_PORTS * nodes * sizeof *d->taken);
    for (size_t p = 0; p < queues->packets; p++)
        d->count[place(d, queues->at[p], np_grid_column(queues, queues->to[p]) / d->width)]++;
}

/* Lines of the block, in one dimension: first .. end - 1, the middle one among them. */
typedef struct extent {
    int64_t first, middle, end;
} extent;

static extent extent_of(const np_deal_numbers *d, uint32_t block)
{
    uint32_t first = block * d->width, end = first + d->width < d->side ? first + d->width : d->side;
    return (extent){first, (first + end) / 2, end};
}

static bool idle(const np_deal_numbers *d, size_t node, np_port port)
{
    return d->taken[node * NP_GRID_PORTS + port] != d->queues->step;
}

/* A column of a block on one side of the middle row: row after row from `near` outwards, to `end`. */
typedef struct half {
    size_t column;
    int64_t near, end;
    int outwards; /* 1, or -1 */
} half;

static size_t node_at(const np_deal_numbers *d, int64_t row, size_t column) { return (size_t)row * d->side + column; }

static half half_of(const extent *rows, size_t column, bool below)
{
    return below ? (half){column, rows->middle + 1, rows->end, 1}
                 : (half){column, rows->middle - 1, rows->first - 1, -1};
}

/* Packets of the node itself, when all counts for the strip have come. */
static uint32_t own(const np_deal_numbers *d, const half *h, int64_t row, uint32_t k)
{
    uint32_t count = d->count[place(d, node_at(d, row, h->column), k)];
    int64_t outer = row + h->outwards;
    return outer == h->end ? count : count - d->count[place(d, node_at(d, outer, h->column), k)];
}

/* 1. From the nearest row outwards. */
static void send_inwards(np_deal_numbers *d, const half *h)
{
    for (int64_t row = h->near; row != h->end; row += h->outwards) {
        size_t u = node_at(d, row, h->column), inner = node_at(d, row - h->outwards, h->column);
        int64_t outer = row + h->outwards;
        uint32_t k = d->inward[u];
        if (k == d->strips || (outer != h->end && d->inward[node_at(d, outer, h->column)] <= k) ||
            !idle(d, u, h->outwards > 0 ? NP_GRID_UP : NP_GRID_DOWN))
            continue;
        d->count[place(d, inner, k)] += d->count[place(d, u, k)];
        d->inward[u]++;
    }
}

/* 3. From the farthest row inwards: the row that is asked sends to its outer neighbour. */
static void send_outwards(np_deal_numbers *d, const half *h)
{
    for (int64_t row = h->end - 2 * h->outwards; (row - h->near) * h->outwards >= 0; row -= h->outwards) {
        size_t u = node_at(d, row, h->column), outer = node_at(d, row + h->outwards, h->column);
        uint8_t *sent = h->outwards > 0 ? d->down : d->up;
        uint32_t k = sent[u];
        if (k >= d->known[u] || !idle(d, u, h->outwards > 0 ? NP_GRID_DOWN : NP_GRID_UP))
            continue;
        d->base[place(d, outer, k)] = d->base[place(d, u, k)] + (int32_t)own(d, h, row, k);
        d->known[outer]++;
        sent[u]++;
    }
}

/* 3. The middle row to the nearest row of a half, if there is one. */
static void leave_middle(np_deal_numbers *d, const extent *rows, size_t column, bool below)
{
    const half h = half_of(rows, column, below), above = half_of(rows, column, false);
    size_t u = node_at(d, rows->middle, column), outer = node_at(d, h.near, column);
    uint8_t *sent = below ? d->down : d->up;
    uint32_t k = sent[u], before;
    if (h.near == h.end || k >= d->known[u] || !idle(d, u, below ? NP_GRID_DOWN : NP_GRID_UP))
        return;
    before = d->count[place(d, u, k)];
    if (rows->middle + 1 < rows->end)
        before -= d->count[place(d, node_at(d, rows->middle + 1, column), k)];
    if (!below)
        before -= d->count[place(d, node_at(d, above.near, column), k)];
    d->base[place(d, outer, k)] = d->base[place(d, u, k)] + (int32_t)before;
    d->known[outer]++;
    sent[u]++;
}

/* A node of the middle row: its place on the way to the middle of the row. */
typedef struct crossing {
    size_t node, outer, inner; /* NOBODY: there is none in its half of the block */
    bool left;
} crossing;

static crossing crossing_of(const np_deal_numbers *d, const extent *rows, const extent *columns, int64_t y)
{
    crossing c = {node_at(d, rows->middle, (size_t)y), NOBODY, NOBODY, y < columns->middle};
    if (c.left) {
        c.outer = y == columns->first ? NOBODY : c.node - 1;
        c.inner = y + 1 == columns->middle ? NOBODY : c.node + 1;
    } else {
        c.outer = y + 1 == columns->end ? NOBODY : c.node + 1;
        c.inner = y == columns->middle ? NOBODY : c.node - 1;
    }
    return c;
}

/* 2. Strips of which all counts have come to a node of the middle row. Until then `base` is a number of packets. */
static void learn(np_deal_numbers *d, const extent *rows, const crossing *c)
{
    for (; d->known[c->node] < d->strips; d->known[c->node]++) {
        uint32_t k = d->known[c->node];
        int32_t *base = &d->base[place(d, c->node, k)];
        if ((rows->middle > rows->first && d->inward[c->node - d->side] <= k) ||
            (rows->middle + 1 < rows->end && d->inward[c->node + d->side] <= k) ||
            (c->outer != NOBODY && d->across[c->outer] <= k))
            return;
        if (!c->left)
            *base = -(*base + (int32_t)d->count[place(d, c->node, k)]);
    }
}

/* 2. To the inner neighbour: how many packets are in the columns from here outwards. */
static void go_across(np_deal_numbers *d, const crossing *c)
{
    uint32_t k = d->across[c->node];
    if (c->inner == NOBODY || k >= d->known[c->node] || !idle(d, c->node, c->left ? NP_GRID_RIGHT : NP_GRID_LEFT))
        return;
    int32_t base = d->base[place(d, c->node, k)];
    d->base[place(d, c->inner, k)] = c->left ? base + (int32_t)d->count[place(d, c->node, k)] : -base;
    d->across[c->node]++;
}

static void step_columns(np_deal_numbers *d, const extent *rows, const extent *columns, bool inwards)
{
    for (int64_t y = columns->first; y < columns->end; y++)
        for (int below = 0; below < 2; below++) {
            const half h = half_of(rows, (size_t)y, below);
            if (inwards) {
                send_inwards(d, &h);
                continue;
            }
            send_outwards(d, &h);
            leave_middle(d, rows, (size_t)y, below);
        }
}

static void step_block(np_deal_numbers *d, const extent *rows, const extent *columns)
{
    for (int64_t y = columns->first; y < columns->end; y++) {
        const crossing c = crossing_of(d, rows, columns, y);
        learn(d, rows, &c);
    }
    step_columns(d, rows, columns, false);
    for (int64_t y = columns->middle; y-- > columns->first;) {
        const crossing c = crossing_of(d, rows, columns, y);
        go_across(d, &c);
    }
    for (int64_t y = columns->middle; y < columns->end; y++) {
        const crossing c = crossing_of(d, rows, columns, y);
        go_across(d, &c);
    }
    step_columns(d, rows, columns, true);
}

void np_deal_numbers_step(np_deal_numbers *d)
{
    for (size_t i = 0; i < d->queues->moves; i++)
        d->taken[d->queues->over[i]] = d->queues->step;
    for (uint32_t i = 0; i < d->strips; i++)
        for (uint32_t j = 0; j < d->strips; j++) {
            const extent rows = extent_of(d, i), columns = extent_of(d, j);
            step_block(d, &rows, &columns);
        }
}

bool np_deal_numbers_take(np_deal_numbers *d, np_packet p, int32_t *number)
{
    np_node u = d->queues->at[p];
    uint32_t k = np_grid_column(d->queues, d->queues->to[p]) / d->width;
    *number = d->base[place(d, u, k)] + (int32_t)d->given[place(d, u, k)]++;
    return k < d->known[u];
}
