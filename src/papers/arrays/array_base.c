/*
 * Where the recursion of flashsort on arrays ends. Items go to the middle of their box, as few to a node as possible.
 * They are sorted there by the method that takes fewer steps:
 *
 *   transposition  along the snake of the box: n places take n stages of odd-even transposition
 *   shearsort      on a rows x b columns of the box's plane of the two longest sides (Scherson, Sen & Shamir 1986):
 *                  b stages for rows, ceil(log2 a) + 1 times, a stages for columns in between, ceil(log2 a) times
 *
 * With h items a node, a stage is a merge-split of h steps. Both methods sort every input, so they are also used where
 * splitters fail. Leighton, Maggs, Ranade & Rao 1994, section 10, sort the kM items that are left in a box
 * sequentially, or by "bubblesort" on lines. Shearsort sorts n items in O(sqrt(n) log n) steps, where n items are few
 * for a large box.
 *
 * Invariant: the places of a base are in the order of the snake through its box. A row of shearsort is the next b
 * places.
 */
#include <string.h>

#include "papers/arrays/array_flashsort.h"

np_node np_array_base_node(const np_array_base *base, uint32_t place)
{
    return np_array_box_snake(&base->box, base->order, base->start + place);
}

/* h (b (p + 1) + a p), p = ceil(log2 a) */
static uint64_t shear_steps(uint64_t h, uint64_t rows, uint64_t columns)
{
    uint64_t phases = np_log2_up(rows);
    return h * (columns * (phases + 1) + rows * phases);
}

/* Transposition along the snake of the box, on as many places as are needed, in the middle of the snake. */
static np_array_base snake_of(const np_array_box *box, const uint32_t *order, uint32_t h, uint32_t places)
{
    np_array_base base = {.box = *box, .h = h, .places = places, .steps = places > 1 ? (uint64_t)places * h : 0};
    memcpy(base.order, order, box->network->dimensions * sizeof *order);
    base.start = (box->nodes - places) / 2;
    return base;
}

/* The number of columns with which shearsort is fastest. 0: the plane is too small, or shearsort is not faster than
 *steps. */
static uint32_t best_columns(uint32_t h, uint32_t places, uint32_t slow_side, uint32_t fast_side, uint64_t *steps)
{
    uint32_t best = 0;
    for (uint32_t b = 1; b <= fast_side && b <= places; b++) {
        uint32_t rows = (places + b - 1) / b;
        uint64_t own = shear_steps(h, rows, b);
        if (rows <= slow_side && own < *steps) {
            best = b;
            *steps = own;
        }
    }
    return best;
}

np_array_base np_array_base_of(const np_array_box *box, const uint32_t *order, uint32_t items)
{
    uint32_t h = (items + box->nodes - 1) / box->nodes, places = h ? (items + h - 1) / h : 0;
    uint32_t k = box->network->dimensions, sorted[NP_MAX_DIMENSIONS];
    np_array_base base = snake_of(box, order, h, places);
    if (np_array_box_dimensions(box) < 2)
        return base;
    np_array_box_order(box, sorted);
    uint32_t slow = sorted[0], fast = sorted[1];
    uint32_t columns = best_columns(h, places, box->side[slow], box->side[fast], &base.steps);
    if (!columns)
        return base;
    base.columns = columns;
    base.rows = (places + columns - 1) / columns;
    base.start = 0;
    base.box.nodes = base.rows * columns;
    for (uint32_t i = 0, last = k - 2; i < k; i++) {
        uint32_t d = sorted[i], side = d == slow ? base.rows : d == fast ? columns : 1;
        base.box.low[d] += (box->side[d] - side) / 2;
        base.box.side[d] = side;
        base.order[d == slow ? k - 2 : d == fast ? k - 1 : --last] = d;
    }
    np_array_box_align(&base.box, base.order);
    return base;
}

np_array_base np_array_base_in_place(const np_array_box *box, const uint32_t *order, uint32_t items)
{
    uint32_t h = (items + box->nodes - 1) / box->nodes, places = h ? (items + h - 1) / h : 0;
    np_array_base base = snake_of(box, order, h, places);
    base.start = 0;
    if (box->network->dimensions != 2 || !places)
        return base;
    uint32_t columns = box->side[order[1]], rows = (places + columns - 1) / columns;
    uint64_t steps = shear_steps(h, rows, columns);
    if (steps < base.steps) {
        base.columns = columns;
        base.rows = rows;
        base.steps = steps;
    }
    return base;
}

/* The places along a line of the base: all, or a row or a column of shearsort. */
typedef struct line {
    const np_array_base *base;
    uint32_t first; /* the number of the row or column */
    bool column;
} line;

/* The base's place that is place p of the line. */
static uint32_t place_of(const line *of, uint32_t p)
{
    uint32_t columns = of->base->columns;
    if (!of->column)
        return of->first * columns + p;
    return p * columns + (p & 1 ? columns - 1 - of->first : of->first); /* along the snake */
}

/* One stage, after `wait` steps. Returns whether something moved. */
static bool exchange(const line *of, uint32_t places, uint32_t first, uint64_t wait, uint32_t *slot, uint32_t *scratch)
{
    const np_array_base *base = of->base;
    uint32_t h = base->h;
    bool moved = false;
    for (uint32_t p = first; p + 1 < places; p += 2) {
        uint32_t low = place_of(of, p), high = place_of(of, p + 1);
        uint32_t *a = slot + (size_t)low * h, *b = slot + (size_t)high * h;
        if (base->box.teller)
            np_sort_tell_pair(base->box.teller, wait, np_array_base_node(base, low), np_array_base_node(base, high), a,
                              b, h, base->kind);
        if (a[h - 1] > b[0]) {
            np_sort_merge_split(a, b, h, scratch);
            moved = true;
        }
    }
    return moved;
}

/* As many stages as places, after the steps of the cost. After two stages in which nothing moves, nothing will move any
   more; observers hear of all stages. */
static void transpose(const line *of, uint32_t places, const np_sort_cost *cost, uint32_t *slot, uint32_t *scratch)
{
    bool all = of->base->box.teller;
    for (uint32_t stage = 0, quiet = 0; stage < places && (quiet < 2 || all); stage++)
        quiet =
            exchange(of, places, stage % 2, cost->steps + (uint64_t)stage * of->base->h, slot, scratch) ? 0 : quiet + 1;
}

/* The cost of as many stages as places, on `lines` lines at the same time. */
static void charge(uint64_t lines, uint64_t places, uint64_t h, np_sort_cost *cost)
{
    uint64_t comparators = lines * (places * (places - 1) / 2);
    cost->steps += places > 1 ? places * h : 0;
    cost->comparators += comparators;
    cost->packets += 2 * comparators * h;
    cost->hops += 2 * comparators * h;
}

/* All rows, or all columns, at the same time. */
static void sort_lines(const np_array_base *base, bool column, uint32_t *slot, uint32_t *scratch, np_sort_cost *cost)
{
    uint32_t lines = column ? base->columns : base->rows, places = column ? base->rows : base->columns;
    for (uint32_t i = 0; i < lines; i++)
        transpose(&(line){base, i, column}, places, cost, slot, scratch);
    charge(lines, places, base->h, cost);
}

static void shearsort(const np_array_base *base, uint32_t *slot, uint32_t *scratch, np_sort_cost *cost)
{
    for (uint32_t phase = np_log2_up(base->rows); phase--;) {
        sort_lines(base, false, slot, scratch, cost);
        sort_lines(base, true, slot, scratch, cost);
    }
    sort_lines(base, false, slot, scratch, cost);
}

size_t np_array_base_slots(const np_array_base *base)
{
    return (base->columns ? (size_t)base->rows * base->columns : base->places) * base->h;
}

void np_array_base_run(const np_array_base *base, uint32_t *slot, np_sort_cost *cost)
{
    size_t slots = np_array_base_slots(base);
    for (size_t p = 0; p < slots; p += base->h)
        np_sort_locally(slot + p, base->h);
    if (base->columns) {
        shearsort(base, slot, slot + slots, cost);
    } else {
        const line of = {.base = base};
        transpose(&of, base->places, cost, slot, slot + slots);
        charge(1, base->places, base->h, cost);
    }
    if (2 * base->h > cost->load_max)
        cost->load_max = 2 * base->h;
}

void np_array_count(np_array_flash *flash, const np_array_box *box, const np_array_list *list)
{
    np_array_box_fill(box, flash->value, 0);
    for (uint32_t i = 0; i < list->count; i++)
        flash->value[list->node[i]]++;
}

np_status np_array_base_gather(np_array_flash *flash, np_array_part *part, const np_array_list *list,
                               const np_array_base *base, const uint32_t *order, uint16_t phase, const char *stage)
{
    np_sort_cost cost = {0};
    for (uint32_t i = 0; i < list->count; i++)
        flash->target[i] = np_array_base_node(base, flash->child[i] / base->h);
    np_status st = np_array_route(flash, &part->box, list, flash->target, order, phase, &cost);
    if (!st)
        np_array_part_charge(flash, part, stage, &cost);
    return st;
}

/* Item k of the box goes to place floor(k / h): flash->child[] = k. */
static np_status gather(np_array_flash *flash, np_array_part *part, const np_array_base *base)
{
    const np_array_list *list = &part->list;
    uint32_t k = part->box.network->dimensions, fastest_first[NP_MAX_DIMENSIONS];
    np_sort_cost count = {0};
    for (uint32_t i = 0; i < k; i++)
        fastest_first[i] = flash->order[k - 1 - i];
    np_array_count(flash, &part->box, list);
    np_array_box box = part->box;
    if (part->numbered)
        box.teller = NULL; /* nothing moves: the nodes know the numbers already */
    np_array_box_prefix(&box, flash->order, flash->value, flash->before, flash->scratch, &count);
    if (!part->numbered)
        np_array_part_charge(flash, part, "number", &count);
    for (uint32_t i = 0; i < list->count; i++)
        flash->child[i] = flash->before[list->node[i]]++;
    return np_array_base_gather(flash, part, list, base, fastest_first, part->phase, "gather");
}

/* Items that are at the places already need not be numbered, gathered and sent back. This saves three sweeps. */
static np_array_base choose(np_array_flash *flash, np_array_part *part)
{
    np_array_base in_place = np_array_base_in_place(&part->box, flash->order, part->list.count);
    if (!part->along)
        np_array_box_align(&part->box, flash->order);
    np_array_base base = np_array_base_of(&part->box, flash->order, part->list.count);
    if (part->along && in_place.steps <= base.steps + 3 * np_array_box_sides(&part->box))
        return in_place;
    part->along = false;
    return base;
}

np_status np_array_base_sort(np_array_flash *flash, np_array_part *part, np_array_list *list, np_array_base *base,
                             const char *stage)
{
    np_sort_cost cost = {0};
    base->kind = list->kind;
    memset(flash->slot, 0xff, np_array_base_slots(base) * sizeof *flash->slot); /* NP_NONE */
    for (uint32_t i = 0; i < list->count; i++)
        flash->slot[flash->child[i]] = list->item[i];
    np_array_base_run(base, flash->slot, &cost);
    for (uint32_t i = 0; i < list->count; i++) {
        list->item[i] = flash->slot[i];
        list->node[i] = np_array_base_node(base, i / base->h);
    }
    np_array_part_charge(flash, part, stage, &cost);
    return np_sorting_progress(flash->sorting, stage);
}

np_status np_array_sort_base(np_array_flash *flash, np_array_part *part)
{
    np_status st = NP_OK;
    if (part->list.count < 2)
        return NP_OK;
    np_array_base base = choose(flash, part);
    for (uint32_t i = 0; part->along && i < part->list.count; i++)
        flash->child[i] = i;
    if (!part->along)
        st = gather(flash, part, &base);
    return st ? st : np_array_base_sort(flash, part, &part->list, &base, part->stage);
}
