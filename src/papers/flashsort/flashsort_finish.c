/*
 * The end of the full sort: groups of G = 2^bits rows, whose intervals are in order, are sorted, and every item goes to
 * its place.
 *
 * A group of m items has w nodes a row (n on a butterfly, 1 on a hypercube), and takes H = ceil(m / (G w)) items a
 * node. The items are at level n - bits of the rows of the group. A prefix computation numbers them, and they spread
 * over the nodes of the group: forward over the bits in which the group's rows differ, then along the row, backward, by
 * links not yet used. Item k goes to row k mod G, and there to the node that is w - 1 - floor(k / G) mod w links away:
 * the farthest first. The position of an item within its own row decides the order of merging, so that all rows of the
 * group send at the same time. If k decided, the rows would send one after the other.
 *
 * One row or two rows are one linear array: the levels 0 .. n-1 of the first row, from which a cross edge leads to
 * level 0 of the second. Odd-even transposition with H items a node sorts the array in G w H steps.
 *
 * More rows are the columns of Columnsort (Leighton 1985), of r = w H items, where H is raised until G divides r
 * and r >= 2 (G-1)^2. Rows are sorted by odd-even transposition. Permutations go forward along the row to level n, then
 * backward over the bits to level n - bits, and, once all items are there, backward along the row.
 *
 * Then a prefix computation over the network counts the items of the groups before each group, so the rank of each item
 * is known. The item goes to its place: along the row to level n, then backward over all bits to its row at level 0,
 * and, once all items are there, forward along the row. Ranks in merging are drawn (ordering by k takes more than twice
 * as long). The order of the items keeps the congestion low: the items of 2^i consecutive rows have consecutive ranks,
 * so they take i bits of their targets evenly.
 */
#include "work/sort/columnsort.h"
#include "papers/flashsort/flashsort.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "papers/flashsort/block_pass.h"

/* The first two are phases; the third is our choice. */
enum { PERMUTE = NP_FLASHSORT_FULL + 16, HOME = NP_FLASHSORT_FULL + 64, ROWS_OF_AN_ARRAY = 2 };

/* Position of an item in a group: row, node (level) of the row, slot of the node. */
typedef struct finish_group {
    uint32_t items, h; /* h a node */
    uint32_t base;     /* items of the groups before */
    size_t begin;      /* of its part of grid[] */
} finish_group;

typedef struct finish {
    np_flashsort *flash;
    uint32_t bits, rows, width, groups; /* rows: of a group */
    finish_group *group;
    uint32_t *total;       /* [groups] items of each */
    uint32_t *grid, *next; /* [positions of all groups] */
    size_t positions;
    uint16_t phase; /* of the next permutation */
} finish;

static bool columnsort(const finish *f) { return f->rows > ROWS_OF_AN_ARRAY; }

/* The items a node of a group of `items` items, at least 1. */
static uint32_t items_a_node(const finish *f, uint32_t items)
{
    uint32_t nodes = f->rows * f->width, h = items ? (items + nodes - 1) / nodes : 1;
    uint32_t least = columnsort(f) ? 2 * (f->rows - 1) * (f->rows - 1) : 0;
    while (columnsort(f) && (f->width * h < least || f->width * h % f->rows))
        h++;
    return h;
}

/* Positions of a group of `items` items. */
static size_t positions_of(const finish *f, uint32_t items)
{
    return (size_t)f->rows * f->width * items_a_node(f, items);
}

static np_status lay_out(finish *f)
{
    np_status st;
    for (uint32_t i = 0; i < f->groups; i++) {
        finish_group *g = &f->group[i];
        *g = (finish_group){.items = f->total[i], .h = items_a_node(f, f->total[i]), .begin = f->positions};
        f->positions += positions_of(f, g->items);
    }
    if (f->positions > UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu items, with the gaps between groups: at most 2^32 - 1", f->positions);
    if ((st = np_memory_array(&f->grid, f->positions, sizeof *f->grid, "the groups")) ||
        (st = np_memory_array(&f->next, columnsort(f) ? f->positions : 0, sizeof *f->next, "the groups")))
        return st;
    memset(f->grid, 0xff, f->positions * sizeof *f->grid); /* NP_NONE */
    return NP_OK;
}

/* Spreads the items over the nodes of their groups. */
static np_status spread(finish *f)
{
    np_flashsort *flash = f->flash;
    np_flashsort_items *items = &flash->items;
    uint32_t n = flash->rows.n, w = f->width;
    np_rows_way way = {.bits = (uint8_t)n,
                       .begin = (uint8_t)(n - f->bits),
                       .leg = {{(uint8_t)f->bits, false, true}, {(uint8_t)(w - 1), true, false}}};
    np_status st = np_rows_empty(&flash->rows, &way, items->count);
    if (st)
        return st;
    memcpy(flash->picked, flash->before, sizeof *flash->picked << n);
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t row = items->row[i], k = flash->before[row]++;
        const finish_group *g = &f->group[row >> f->bits];
        uint32_t to = k % f->rows, away = w - 1 - k / f->rows % w, level = (w - away) % w;
        np_rows_send_part(&flash->rows, &way, i, items->item[i], row, (row >> f->bits << f->bits) + to, 0,
                          f->bits + away);
        flash->rows.engine.path_set.rank[i] = k - flash->picked[row] + 1;
        f->grid[g->begin + ((size_t)to * w + level) * g->h + k / f->rows / w] = items->item[i];
    }
    return np_flashsort_stage(flash, "spread", &way, true, PERMUTE);
}

/* A number of each row walks straight from level to level. */
static void walk_straight(finish *f, const char *stage, uint32_t from, uint32_t to)
{
    np_flashsort *flash = f->flash;
    const uint32_t rows = UINT32_C(1) << flash->rows.n;
    const np_block block = np_flashsort_whole(flash);
    np_sort_cost cost = {.packets = rows, .load_max = 1};
    const np_block_who who = np_block_tell_numbers(&block, &cost, rows, from);
    np_block_pass_straight(&block, &cost, &who, from, to, rows);
    np_flashsort_charge(flash, stage, &cost);
}

/* All nodes of a row must know how many items the group has, and how many are before it. The node at level 0, which is
   level n, knows both (number_groups). The two numbers go round the row, from node to node. */
static void tell_rows(finish *f)
{
    if (f->width > 1)
        walk_straight(f, "tell-rows", f->flash->rows.n, f->flash->rows.n + f->width - 1);
}

/* How many of h ascending slots have an item. */
static uint32_t there(const uint32_t *item, uint32_t h)
{
    while (h && item[h - 1] == NP_NONE)
        h--;
    return h;
}

/* Node v of a line that begins with the row. */
static np_node line_node(const finish *f, uint32_t row, uint32_t v)
{
    return (row + v / f->width) * f->width + v % f->width;
}

/* Sorts the items of nodes in line, from a row of the network on, by odd-even transposition. */
static void transposition(const finish *f, uint32_t row, uint32_t *item, uint32_t nodes, uint32_t h, uint32_t *scratch,
                          np_sort_cost *cost)
{
    uint64_t steps = nodes > 1 ? (uint64_t)nodes * h : 0;
    for (uint32_t v = 0; v < nodes; v++)
        np_sort_locally(item + (size_t)v * h, h);
    for (uint32_t stage = 0; nodes > 1 && stage < nodes; stage++) {
        for (uint32_t v = stage % 2; v + 1 < nodes; v += 2) {
            uint32_t *low = item + (size_t)v * h, *high = low + h;
            uint32_t packets = there(low, h) + there(high, h), level = v % f->width;
            cost->hops += packets;
            np_sort_log_edges(&f->flash->sorting->log, f->width - 1 - level, level + 1 < f->width ? packets : 0,
                              level + 1 < f->width ? 0 : packets);
            cost->comparators++;
            if (f->flash->sorting->log.teller)
                np_sort_tell_pair(f->flash->sorting->log.teller, (uint64_t)stage * h, line_node(f, row, v),
                                  line_node(f, row, v + 1), low, high, h, 0);
            np_sort_merge_split(low, high, h, scratch);
        }
    }
    cost->steps = steps > cost->steps ? steps : cost->steps;
    cost->load_max = 2 * h > cost->load_max ? 2 * h : cost->load_max;
}

/* Sorts lines of `rows` rows each, all but the first `skip` lines of each group, at the same time. */
static np_status sort_lines(finish *f, uint32_t rows, uint32_t skip)
{
    np_sort_cost cost = {0};
    uint32_t most = 0, *scratch;
    for (uint32_t i = 0; i < f->groups; i++)
        most = f->group[i].h > most ? f->group[i].h : most;
    np_status st = np_memory_array(&scratch, 2 * (size_t)most, sizeof *scratch, "a merge");
    if (st)
        return st;
    for (uint32_t i = 0; i < f->groups; i++) {
        const finish_group *g = &f->group[i];
        size_t line = (size_t)rows * f->width * g->h;
        for (uint32_t row = skip; row < f->rows; row += rows)
            transposition(f, (i << f->bits) + row, f->grid + g->begin + row / rows * line, rows * f->width, g->h,
                          scratch, &cost);
    }
    np_memory_free(scratch);
    cost.packets = f->flash->items.count;
    np_flashsort_charge(f->flash, "transposition", &cost);
    return np_sorting_progress(f->flash->sorting, "transposition");
}

/* The matrix of a group. */
static np_columnsort matrix_of(const finish *f, const finish_group *g)
{
    uint32_t r = f->width * g->h;
    return (np_columnsort){.column = r, .columns = f->rows, .shift = r / 2, .positions = r * f->rows};
}

/* Adds the packets of one leg of a permutation, of one group. first: the leg over the rows. */
static void send_group(finish *f, uint32_t i, np_columnsort_permutation *to, const np_rows_way *way, bool first)
{
    const finish_group *g = &f->group[i];
    np_flashsort *flash = f->flash;
    const np_columnsort matrix = matrix_of(f, g);
    uint32_t n = flash->rows.n, w = f->width, r = matrix.column, row = i << f->bits, levels = np_rows_way_levels(way);
    for (uint32_t q = 0; q < matrix.positions; q++) {
        uint32_t item = f->grid[g->begin + q];
        if (item == NP_NONE)
            continue;
        uint32_t t = to(&matrix, q), number = (uint32_t)(g->begin + q);
        uint32_t level = q / g->h % w, to_level = t / g->h % w;
        if (first)
            np_rows_send_part(&flash->rows, way, number, item, row + q / r, row + t / r,
                              np_rows_begin(&flash->rows, level), levels);
        else
            np_rows_send_part(&flash->rows, way, number, item, row + t / r, row + t / r, 0,
                              (2 * n - f->bits - to_level) % n);
    }
}

/* One leg of a permutation of all groups. */
static np_status move(finish *f, np_columnsort_permutation *to, const np_rows_way *way, bool first, np_sort_cost *sum)
{
    np_flashsort *flash = f->flash;
    np_sort_cost cost;
    np_status st = np_rows_empty(&flash->rows, way, flash->items.count);
    if (st)
        return st;
    for (uint32_t i = 0; i < f->groups; i++)
        send_group(f, i, to, way, first);
    if ((st = np_rows_run(&flash->rows, way, false, f->phase++, sum->steps, &cost)))
        return st;
    np_sort_cost_add(sum, &cost);
    return NP_OK;
}

static np_status permute(finish *f, const char *stage, np_columnsort_permutation *to)
{
    np_flashsort *flash = f->flash;
    uint8_t n = (uint8_t)flash->rows.n, bits = (uint8_t)f->bits;
    np_rows_way over = np_rows_over(&flash->rows, bits);
    np_rows_way along = {.bits = n, .begin = (uint8_t)(2 * n - bits), .leg = {{(uint8_t)(n - 1), true, false}}};
    np_sort_cost cost = {0};
    np_status st;
    if ((st = move(f, to, &over, true, &cost)) || (!flash->rows.hypercube && (st = move(f, to, &along, false, &cost))))
        return st;
    cost.packets = flash->items.count;
    np_flashsort_charge(flash, stage, &cost);
    for (uint32_t i = 0; i < f->groups; i++) {
        const finish_group *g = &f->group[i];
        const np_columnsort matrix = matrix_of(f, g);
        for (uint32_t q = 0; q < matrix.positions; q++)
            f->next[g->begin + to(&matrix, q)] = f->grid[g->begin + q];
    }
    uint32_t *grid = f->grid;
    f->grid = f->next;
    f->next = grid;
    return NP_OK;
}

/* Leighton 1985, steps 1 to 8. */
static np_status sort_columns(finish *f)
{
    np_status st;
    /* The shift wraps around. Then the first half of column 0 is the last half column of the matrix. It is sorted
       already, and so is the rest of column 0. */
    if ((st = sort_lines(f, 1, 0)) || (st = permute(f, "transpose", np_columnsort_transpose)) ||
        (st = sort_lines(f, 1, 0)) || (st = permute(f, "untranspose", np_columnsort_untranspose)) ||
        (st = sort_lines(f, 1, 0)) || (st = permute(f, "shift", np_columnsort_shift)) || (st = sort_lines(f, 1, 1)))
        return st;
    return permute(f, "unshift", np_columnsort_unshift);
}

/* Sends every item over all bits to the row of its place, or along the row to its place. */
static np_status send_home(finish *f, bool over_rows)
{
    np_flashsort *flash = f->flash;
    np_sorting *sorting = flash->sorting;
    uint32_t n = flash->rows.n, w = f->width, h = sorting->per_place;
    const np_rows_way along = {.bits = (uint8_t)n, .leg = {{(uint8_t)(w - 1), false, false}}};
    const np_rows_way way = over_rows ? np_rows_over(&flash->rows, n) : along;
    np_status st;
    if ((st = np_rows_empty(&flash->rows, &way, flash->items.count)))
        return st;
    for (uint32_t i = 0; i < f->groups; i++) {
        const finish_group *g = &f->group[i];
        for (uint32_t q = 0; q < g->items; q++) {
            uint32_t item = f->grid[g->begin + q], number = g->base + q, place = number / h, row = place / w;
            uint32_t level = q / g->h % w, from = (i << f->bits) + q / g->h / w;
            flash->rows.engine.path_set.rank[flash->rows.engine.path_set.packets] = w - place % w;
            if (over_rows)
                np_rows_send_part(&flash->rows, &way, number, item, from, row, np_rows_begin(&flash->rows, level),
                                  np_rows_way_levels(&way));
            else
                np_rows_send_part(&flash->rows, &way, number, item, row, row, 0, place % w);
        }
    }
    return np_flashsort_stage(flash, over_rows ? "to-rows" : "to-places", &way, !over_rows,
                              (uint16_t)(HOME + over_rows));
}

/* Counts the items in the groups before each group. The rows of a group know its total at level n - bits. The prefix
   computation begins and ends at level n, so the totals first walk straight to level n. It adds up those of the groups'
   first rows; there every row then knows the group's total, and how many items are before the group. */
static void number_groups(finish *f)
{
    np_flashsort *flash = f->flash;
    np_block block = np_flashsort_whole(flash);
    if (!flash->rows.hypercube && f->bits)
        walk_straight(f, "number-groups", flash->rows.n - f->bits, flash->rows.n);
    memset(flash->count, 0, sizeof *flash->count << flash->rows.n);
    for (uint32_t i = 0; i < f->groups; i++)
        flash->count[i << f->bits] = f->total[i];
    np_block_prefix(&block, "number-groups", flash->count, flash->picked);
    for (uint32_t i = 0; i < f->groups; i++)
        f->group[i].base = flash->picked[i << f->bits];
}

static void deliver(finish *f)
{
    uint32_t *item = f->flash->sorting->item;
    memset(item, 0xff, (size_t)f->flash->sorting->places * f->flash->sorting->per_place * sizeof *item);
    for (uint32_t i = 0; i < f->groups; i++)
        memcpy(item + f->group[i].base, f->grid + f->group[i].begin, f->group[i].items * sizeof *item);
}

static np_status sort_groups(finish *f)
{
    np_flashsort *flash = f->flash;
    np_status st;
    if ((st = np_memory_array(&f->group, f->groups, sizeof *f->group, "the groups")) ||
        (st = np_memory_array(&f->total, f->groups, sizeof *f->total, "the groups")))
        return st;
    const np_block whole = np_flashsort_whole(flash);
    uint32_t most = np_flashsort_number(flash, &whole, &flash->items, "group-count", f->bits, f->total);
    double even = flash->items.count * (double)f->rows / ldexp(1, (int)flash->rows.n);
    np_sort_log_event(&flash->sorting->log, "group-split", "Theorem 8.10",
                      "items of the full sort's largest group, by the mean", most / even, 0);
    if ((st = lay_out(f)))
        return st;
    number_groups(f);
    tell_rows(f);
    if ((st = spread(f)) || (st = columnsort(f) ? sort_columns(f) : sort_lines(f, f->rows, 0)) ||
        (st = send_home(f, true)) || (f->width > 1 && (st = send_home(f, false))))
        return st;
    deliver(f);
    return NP_OK;
}

np_status np_flashsort_finish(np_flashsort *flash, uint32_t bits)
{
    finish f = {.flash = flash,
                .bits = bits,
                .rows = UINT32_C(1) << bits,
                .width = flash->rows.width,
                .groups = UINT32_C(1) << (flash->rows.n - bits),
                .phase = PERMUTE + 1};
    np_status st = sort_groups(&f);
    NP_MEMORY_FREE(f.group, f.total, f.grid, f.next);
    return st;
}
