/*
 * The heaviest assignment by prices (the Hungarian method: Kuhn 1955; Ford & Fulkerson 1956 for supplies).
 *
 * Prices u of rows and v of columns are such that the slack u_i + v_j - w_ij is never below 0. Amounts flow only over
 * pairs without slack. So when all is assigned, the value is the sum of the prices, and no assignment has more.
 *
 * A round has two halves. First, amounts are pushed along pairs without slack, from rows that have some left to columns
 * that lack some, by way of what is assigned already, as long as this finds any (the depth-first passes of Pothen & Fan
 * 1990 with their look ahead, on the matrix itself). Then one search from all rows that have some left, by slack as
 * length (Dijkstra 1959, dense, with the list of nearest columns of Jonker & Volgenant 1987), finds how far the nearest
 * column is that lacks some, and the prices move by that much. If weights are small whole numbers, most is assigned in
 * the first rounds.
 *
 * Prices begin at half of a column's largest weight: where weights are distances that is near the end, because in a
 * tree or a grid the middle of the longest ways is at half the distance.
 *
 * With a gap, the rounds end when the prices of what is left are worth less than the gap, and what is left is assigned
 * greedily. Ties go to the lowest number everywhere.
 */
#include "base/assignment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/order.h"

#define NONE UINT32_MAX

/* An amount that is assigned: a list for each column. */
typedef struct piece {
    uint32_t row, amount, next;
} piece;

/* A row on the way of a push, and where it looks for its next one. */
typedef struct frame {
    uint32_t row;
    uint32_t column; /* that it passes its amount to */
    uint32_t piece;  /* of the column, that is looked at next */
} frame;

typedef struct work {
    np_assignment *a;
    uint32_t total;                 /* supply */
    int64_t *u, *v;                 /* prices */
    uint32_t *has, *lacks;          /* [rows] supply and [columns] demand that is left */
    uint64_t left;                  /* the sum of either */
    uint32_t *open, opens;          /* the columns that lacked some when the pass began */
    uint32_t *first;                /* [columns] of its pieces */
    piece *piece;                   /* [total + 1] */
    uint32_t spare;                 /* the first of those not in use */
    unsigned char *row_seen, *seen; /* [rows], [columns] in this pass or search */
    frame *stack;                   /* [rows] */
    int64_t *row_far, *far;         /* [rows], [columns] of the search */
    uint32_t *order;                /* [columns] those that are settled first, then the nearest ones, then the others */
    int64_t *line;                  /* [columns] slacks of a row */
    void *block;
} work;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "an assignment";
    work *w = object;
    size_t rows = w->a->rows, columns = w->a->columns;
    np_arena_array(arena, &w->has, rows, sizeof *w->has, what);
    NP_ARENA_WORDS(arena, columns, what, &w->lacks, &w->open, &w->first);
    np_arena_array(arena, &w->piece, (size_t)w->total + 1, sizeof *w->piece, what);
    np_arena_array(arena, &w->row_seen, rows, 1, what);
    np_arena_array(arena, &w->seen, columns, 1, what);
    np_arena_array(arena, &w->stack, rows, sizeof *w->stack, what);
    np_arena_array(arena, &w->row_far, rows, sizeof *w->row_far, what);
    np_arena_array(arena, &w->far, columns, sizeof *w->far, what);
    np_arena_array(arena, &w->order, columns, sizeof *w->order, what);
    np_arena_array(arena, &w->line, columns, sizeof *w->line, what);
}

static inline int64_t weight(const np_assignment *a, uint32_t i, uint32_t j)
{
    size_t at = (size_t)i * a->columns + j;
    return a->narrow ? a->narrow[at] : a->wide[at];
}

static inline int64_t slack(const work *w, uint32_t i, uint32_t j) { return w->u[i] + w->v[j] - weight(w->a, i, j); }

/* line[j] = base + v_j - w_ij for all columns. */
NP_HOT static void slacks_of(const work *w, uint32_t i, int64_t base, int64_t *restrict line)
{
    const np_assignment *a = w->a;
    const int64_t *v = w->v;
    if (a->narrow) {
        const uint16_t *narrow = a->narrow + (size_t)i * a->columns;
        for (uint32_t j = 0; j < a->columns; j++)
            line[j] = base + v[j] - narrow[j];
    } else {
        const int64_t *wide = a->wide + (size_t)i * a->columns;
        for (uint32_t j = 0; j < a->columns; j++)
            line[j] = base + v[j] - wide[j];
    }
}

static int64_t least(const int64_t *line, uint32_t count)
{
    int64_t least = INT64_MAX;
    for (uint32_t j = 0; j < count; j++)
        least = line[j] < least ? line[j] : least;
    return least;
}

/* ---- Prices to begin with ---- */

static void begin_prices(work *w)
{
    const np_assignment *a = w->a;
    memset(w->v, 0, a->columns * sizeof *w->v);
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t j = 0; j < a->columns; j++)
            w->v[j] = weight(a, i, j) > w->v[j] ? weight(a, i, j) : w->v[j];
    for (uint32_t j = 0; j < a->columns; j++)
        w->v[j] /= 2;
    for (uint32_t i = 0; i < a->rows; i++) {
        slacks_of(w, i, 0, w->line);
        w->u[i] = -least(w->line, a->columns);
    }
    for (uint32_t j = 0; j < a->columns; j++)
        w->far[j] = INT64_MAX;
    for (uint32_t i = 0; i < a->rows; i++) {
        slacks_of(w, i, w->u[i], w->line);
        for (uint32_t j = 0; j < a->columns; j++)
            w->far[j] = w->line[j] < w->far[j] ? w->line[j] : w->far[j];
    }
    for (uint32_t j = 0; j < a->columns; j++)
        w->v[j] -= w->far[j];
}

static void begin(work *w)
{
    const np_assignment *a = w->a;
    memcpy(w->has, a->supply, a->rows * sizeof *w->has);
    memcpy(w->lacks, a->demand, a->columns * sizeof *w->lacks);
    w->left = w->total;
    for (uint32_t k = 0; k <= w->total; k++)
        w->piece[k].next = k < w->total ? k + 1 : NONE;
    w->spare = 0;
    for (uint32_t j = 0; j < a->columns; j++)
        w->first[j] = NONE;
    begin_prices(w);
}

/* ---- What is assigned ---- */

static void take(work *w, uint32_t row, uint32_t column, uint32_t amount)
{
    uint32_t *link = &w->first[column];
    while (w->piece[*link].row != row)
        link = &w->piece[*link].next;
    piece *p = &w->piece[*link];
    p->amount -= amount;
    if (p->amount)
        return;
    uint32_t gone = *link;
    *link = p->next;
    p->next = w->spare;
    w->spare = gone;
}

static void give(work *w, uint32_t row, uint32_t column, uint32_t amount)
{
    uint32_t k = w->first[column];
    while (k != NONE && w->piece[k].row != row)
        k = w->piece[k].next;
    if (k == NONE) {
        k = w->spare;
        w->spare = w->piece[k].next;
        w->piece[k] = (piece){.row = row, .next = w->first[column]};
        w->first[column] = k;
    }
    w->piece[k].amount += amount;
}

static uint32_t amount_of(const work *w, uint32_t row, uint32_t column)
{
    uint32_t k = w->first[column];
    while (w->piece[k].row != row)
        k = w->piece[k].next;
    return w->piece[k].amount;
}

/* ---- Pushing along pairs without slack ---- */

/* A column without slack that lacks some; NONE: there is none. */
static uint32_t look_ahead(const work *w, uint32_t i)
{
    for (uint32_t k = 0; k < w->opens; k++)
        if (w->lacks[w->open[k]] && !slack(w, i, w->open[k]))
            return w->open[k];
    return NONE;
}

/* The frames lead to a column that lacks some: as much as all of them let through moves on. */
static void push(work *w, uint32_t frames)
{
    frame *f = w->stack;
    uint32_t end = f[frames - 1].column, amount = w->has[f[0].row];
    amount = w->lacks[end] < amount ? w->lacks[end] : amount;
    for (uint32_t t = 0; t + 1 < frames; t++) {
        uint32_t through = amount_of(w, f[t + 1].row, f[t].column);
        amount = through < amount ? through : amount;
    }
    for (uint32_t t = 0; t + 1 < frames; t++)
        take(w, f[t + 1].row, f[t].column, amount);
    for (uint32_t t = 0; t < frames; t++)
        give(w, f[t].row, f[t].column, amount);
    w->has[f[0].row] -= amount;
    w->lacks[end] -= amount;
    w->left -= amount;
}

/* The next row behind a column without slack that f may pass its amount to; NONE: there is none. */
static uint32_t next_row(work *w, frame *f)
{
    for (;;) {
        for (; f->piece != NONE; f->piece = w->piece[f->piece].next)
            if (!w->row_seen[w->piece[f->piece].row])
                return w->piece[f->piece].row;
        do
            f->column++;
        while (f->column < w->a->columns && (w->seen[f->column] || slack(w, f->row, f->column)));
        if (f->column >= w->a->columns)
            return NONE;
        w->seen[f->column] = 1;
        f->piece = w->first[f->column];
    }
}

/* Looks for a way from the row to a column that lacks some, and pushes. False: there is none that this pass has not
 * seen. */
static bool push_from(work *w, uint32_t row)
{
    uint32_t frames = 0;
    while (row != NONE || frames) {
        if (row == NONE) {
            row = next_row(w, &w->stack[frames - 1]);
            frames -= row == NONE;
            continue;
        }
        frame *f = &w->stack[frames++];
        *f = (frame){row, NONE, NONE}; /* the column after NONE is 0 */
        w->row_seen[row] = 1;
        row = NONE;
        uint32_t free_column = look_ahead(w, f->row);
        if (free_column != NONE) {
            f->column = free_column;
            push(w, frames);
            return true;
        }
    }
    return false;
}

/* One pass over the rows that have some left. */
static bool pass(work *w)
{
    bool moved = false;
    memset(w->row_seen, 0, w->a->rows);
    memset(w->seen, 0, w->a->columns);
    w->opens = 0;
    for (uint32_t j = 0; j < w->a->columns; j++)
        if (w->lacks[j])
            w->open[w->opens++] = j;
    for (uint32_t i = 0; i < w->a->rows; i++)
        while (w->has[i] && push_from(w, i))
            moved = true;
    return moved;
}

/* ---- The search, and the new prices ---- */

typedef struct search {
    uint32_t settled, near; /* in `order`: columns before `settled` have been passed, those before `near` are nearest */
    int64_t distance;       /* of the nearest; -1: none is chosen yet */
    bool found;             /* one of them lacks some */
} search;

/* The row is reached at this distance. */
NP_HOT static void reach(work *w, uint32_t i, int64_t distance, search *s)
{
    w->row_seen[i] = 1;
    w->row_far[i] = distance;
    slacks_of(w, i, w->u[i] + distance, w->line);
    for (uint32_t k = s->near; k < w->a->columns; k++) {
        uint32_t j = w->order[k];
        if (w->line[j] >= w->far[j])
            continue;
        w->far[j] = w->line[j];
        if (w->line[j] > s->distance)
            continue;
        w->order[k] = w->order[s->near];
        w->order[s->near++] = j;
        s->found |= w->lacks[j] > 0;
    }
}

/* The nearest of the columns that are not settled come next. */
static void choose_nearest(work *w, search *s)
{
    s->distance = INT64_MAX;
    for (uint32_t k = s->settled; k < w->a->columns; k++)
        s->distance = w->far[w->order[k]] < s->distance ? w->far[w->order[k]] : s->distance;
    for (uint32_t k = s->near = s->settled; k < w->a->columns; k++) {
        uint32_t j = w->order[k];
        if (w->far[j] != s->distance)
            continue;
        w->order[k] = w->order[s->near];
        w->order[s->near++] = j;
        s->found |= w->lacks[j] > 0;
    }
}

/* All rows from which the column has something are as near as the column is. */
static void settle(work *w, search *s)
{
    uint32_t j = w->order[s->settled++];
    w->seen[j] = 1;
    for (uint32_t k = w->first[j]; k != NONE; k = w->piece[k].next)
        if (!w->row_seen[w->piece[k].row])
            reach(w, w->piece[k].row, s->distance, s);
}

/* How far the nearest column is that lacks some, from all rows that have some left; there is one. */
static int64_t nearest_lack(work *w)
{
    search s = {0, 0, -1, false};
    memset(w->row_seen, 0, w->a->rows);
    memset(w->seen, 0, w->a->columns);
    for (uint32_t j = 0; j < w->a->columns; j++) {
        w->order[j] = j;
        w->far[j] = INT64_MAX;
    }
    for (uint32_t i = 0; i < w->a->rows; i++)
        if (w->has[i])
            reach(w, i, 0, &s);
    while (!s.found) {
        if (s.settled == s.near)
            choose_nearest(w, &s);
        while (!s.found && s.settled < s.near)
            settle(w, &s);
    }
    return s.distance;
}

static void move_prices(work *w, int64_t distance)
{
    for (uint32_t i = 0; i < w->a->rows; i++)
        if (w->row_seen[i])
            w->u[i] -= distance - w->row_far[i];
    for (uint32_t j = 0; j < w->a->columns; j++)
        if (w->seen[j])
            w->v[j] += distance - w->far[j];
}

/* ---- The end ---- */

static int64_t worth(const work *w, const uint32_t *supply, const uint32_t *demand)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < w->a->rows; i++)
        sum += w->u[i] * supply[i];
    for (uint32_t j = 0; j < w->a->columns; j++)
        sum += w->v[j] * demand[j];
    return sum;
}

static bool is_near(const work *w)
{
    const np_assignment *a = w->a;
    return a->gap > 0 && (double)worth(w, w->has, w->lacks) <= a->gap * (double)worth(w, a->supply, a->demand);
}

/* What is left goes to the heaviest column that lacks some. */
static void assign_greedily(work *w)
{
    for (uint32_t i = 0; i < w->a->rows; i++)
        while (w->has[i]) {
            uint32_t best = NONE;
            for (uint32_t j = 0; j < w->a->columns; j++)
                if (w->lacks[j] && (best == NONE || weight(w->a, i, j) > weight(w->a, i, best)))
                    best = j;
            w->stack[0] = (frame){i, best, NONE};
            push(w, 1);
        }
}

static int by_row(const void *left, const void *right)
{
    const np_assigned *a = left, *b = right;
    return np_order_pair(a->row, b->row, a->column, b->column);
}

static void hand_over(work *w)
{
    np_assignment *a = w->a;
    for (uint32_t j = 0; j < a->columns; j++)
        for (uint32_t k = w->first[j]; k != NONE; k = w->piece[k].next) {
            a->assigned[a->parts++] = (np_assigned){w->piece[k].row, j, w->piece[k].amount};
            a->value += weight(a, w->piece[k].row, j) * w->piece[k].amount;
        }
    qsort(a->assigned, a->parts, sizeof *a->assigned, by_row);
}

static void solution(void *object, np_arena *arena)
{
    np_assignment *a = object;
    uint64_t total = 0;
    for (uint32_t i = 0; i < a->rows; i++)
        total += a->supply[i];
    np_arena_array(arena, &a->row_price, a->rows, sizeof *a->row_price, "prices");
    np_arena_array(arena, &a->column_price, a->columns, sizeof *a->column_price, "prices");
    np_arena_array(arena, &a->assigned, total, sizeof *a->assigned, "an assignment");
}

/* Unequal sums would leave rows that no column takes, and the search without an end. */
static np_status refuse_sums(const np_assignment *a, uint32_t *total)
{
    uint64_t supply = 0, demand = 0;
    for (uint32_t i = 0; i < a->rows; i++)
        supply += a->supply[i];
    for (uint32_t j = 0; j < a->columns; j++)
        demand += a->demand[j];
    *total = (uint32_t)supply;
    if (supply == demand && supply < UINT32_MAX)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INTERNAL,
                    "an assignment: a supply of %llu and a demand of %llu, not the same below 2^32 - 1",
                    (unsigned long long)supply, (unsigned long long)demand);
}

np_status np_assignment_solve(np_assignment *a)
{
    work w = {.a = a};
    np_status st;
    if ((st = refuse_sums(a, &w.total)) || (st = np_arena_place(a, solution, "an assignment", &a->block)))
        return st;
    a->value = 0;
    a->parts = 0;
    w.u = a->row_price;
    w.v = a->column_price;
    if ((st = np_arena_place(&w, layout, "an assignment", &w.block)))
        return st;
    begin(&w);
    for (;;) {
        a->bound = worth(&w, a->supply, a->demand);
        if (a->enough > 0 && a->bound <= a->enough)
            goto out;
        while (w.left && pass(&w))
            ;
        if (!w.left || is_near(&w))
            break;
        move_prices(&w, nearest_lack(&w));
    }
    assign_greedily(&w);
    hand_over(&w);
out:
    np_memory_free(w.block);
    return NP_OK;
}

void np_assignment_clear(np_assignment *a)
{
    np_memory_free(a->block);
    a->block = NULL;
}
