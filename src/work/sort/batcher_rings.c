/*
 * Batcher's sorts on the wrapped butterfly with items at all n N nodes, n levels of N = 2^n rows: place w n + l is
 * level l of row w, and holds h items.
 *
 * A row is a ring of n positions, which turns: all items of a row move along the ring together, in order. Items that
 * pass the levels n - k .. n on their way up meet the items of the rows that differ in bits k-1 .. 0, at their own
 * position in the row. So a sequence over 2^k rows is compared with itself at a distance of half its rows, then a
 * quarter, .. and at last 2^0 rows. Then each row has a bitonic sequence of n items, and the sequences are in the order
 * of the rows. Odd-even transposition along the row sorts the sequence in n steps.
 *
 * Bitonic. Merge k turns the rings up. The last position reaches level n - k after n - 1 steps, and is done k steps
 * later: n - 1 + k. Sorting the rows takes n steps at first, and n after every merge:
 * n + sum (2 n - 1 + k) = n (5 n + 1) / 2.
 *
 * Odd-even merge, Leighton's form (1992, section 3.5). The second run of a pair is reversed. Within its rows it is
 * reversed because the rows are sorted downward. The rows are reversed over bits 0 .. k-2 on the way down from level n.
 * So the positions, one after the other, go down to level 0 = n and on down to level n - k, turn there and go up k
 * levels, merging, while others still come down: links lead both ways. The last position takes n - 1 + 2 k steps. The
 * position that comes first is the first at the end too: a position d levels above level 0 ends d levels below level
 * n - 1, so the rings are mirrored. Merge 1 has nothing to reverse, and turns up as above.
 * n + n + n + sum (k > 1) (2 n - 1 + 2 k) = 3 n^2 + n - 1.
 *
 * All these numbers are multiplied by h, as h items take h steps over a link. (Items could follow each other more
 * closely, because a merge-split knows its first items before its last. We do not do this.)
 *
 * The rings are not turned back at the end. It is known from the beginning at which level position 0 ends. So the first
 * sort of the rows puts position 0 where it must be to end at level 0.
 *
 * In memory, plane c has position c of all rows and does not move; only origin and direction tell at which level it is.
 */
#include <string.h>

#include "base/memory.h"
#include "work/sort/batcher.h"

/* ---- Planes: an item of each row ---- */

enum way { STRAIGHT = 1, ACROSS = 2 };

/* The items of row w leave `level` for the next one, straight, across or both: as copies then, of which one is kept. */
static void tell_row(const np_batcher *batcher, const uint32_t *plane, uint32_t w, uint32_t level, bool up, int ways)
{
    uint32_t n = batcher->n, to = up ? (level + 1) % n : (level + n - 1) % n;
    uint32_t across = w ^ UINT32_C(1) << (n - 1 - (up ? level : to));
    np_sort_sending how = ways == (STRAIGHT | ACROSS) ? NP_SORT_COMPARES : NP_SORT_MOVES;
    const uint32_t *item = plane + (size_t)w * batcher->h;
    if (ways & STRAIGHT)
        np_sorting_tell(batcher->sorting, 0, w * n + level, w * n + to, item, how);
    if (ways & ACROSS)
        np_sorting_tell(batcher->sorting, 0, w * n + level, across * n + to, item, how);
}

static bool is_told(const np_batcher *batcher) { return batcher->sorting->log.teller; }

/* All rows' items cross a link. */
static void count_hops(const np_batcher *batcher, np_sort_cost *cost, uint32_t ways)
{
    uint64_t packets = ((uint64_t)batcher->h << batcher->n) * ways;
    cost->packets += packets;
    cost->hops += packets;
    cost->congestion = batcher->h;
}

void np_batcher_plane_straight(const np_batcher *batcher, const uint32_t *plane, uint32_t level, bool up,
                               np_sort_cost *cost)
{
    for (uint32_t w = 0; is_told(batcher) && !(w >> batcher->n); w++)
        tell_row(batcher, plane, w, level, up, STRAIGHT);
    count_hops(batcher, cost, 1);
}

void np_batcher_plane_reverse(const np_batcher *batcher, uint32_t *plane, uint32_t level, uint32_t half,
                              np_sort_cost *cost)
{
    for (uint32_t w = 0; is_told(batcher) && !(w >> batcher->n); w++)
        tell_row(batcher, plane, w, level, false, w >> half & 1 ? ACROSS : STRAIGHT);
    np_batcher_swap_bit(batcher, plane, level ? batcher->n - level : 0, half);
    count_hops(batcher, cost, 1);
}

void np_batcher_plane_compare(const np_batcher *batcher, uint32_t *plane, uint32_t level, uint32_t turn,
                              np_sort_cost *cost)
{
    for (uint32_t w = 0; is_told(batcher) && !(w >> batcher->n); w++)
        tell_row(batcher, plane, w, level, true, STRAIGHT | ACROSS);
    np_batcher_compare_bit(batcher, plane, batcher->n - 1 - level, turn);
    cost->comparators += UINT64_C(1) << (batcher->n - 1);
    count_hops(batcher, cost, 2);
}

typedef struct rings {
    const np_batcher *batcher;
    uint32_t n, rows, h;
    uint32_t origin; /* level of position 0 */
    bool mirrored;   /* position c is c levels below it, not above */
    uint32_t *plane; /* [n][rows][h] */
} rings;

static uint32_t *plane_of(const rings *r, uint32_t c) { return r->plane + (size_t)c * r->rows * r->h; }

static uint32_t level_of(const rings *r, uint32_t c) { return (r->origin + (r->mirrored ? r->n - c : c)) % r->n; }

/* Copies between items by places and planes, at the present levels. */
static void copy(rings *r, bool in)
{
    uint32_t *item = r->batcher->sorting->item;
    for (uint32_t c = 0; c < r->n; c++)
        for (uint32_t w = 0; w < r->rows; w++) {
            uint32_t *place = item + ((size_t)w * r->n + level_of(r, c)) * r->h;
            uint32_t *word = plane_of(r, c) + (size_t)w * r->h;
            memcpy(in ? word : place, in ? place : word, r->h * sizeof *word);
        }
}

/* Compares positions c and c + 1 of all rows, which are neighbours. */
static void compare_neighbours(const rings *r, uint32_t c, uint32_t turn, np_sort_cost *cost)
{
    const np_sorting *s = r->batcher->sorting;
    uint32_t *low = plane_of(r, c), *high = plane_of(r, c + 1);
    for (uint32_t w = 0; s->log.teller && w < r->rows; w++) {
        np_node a = w * r->n + level_of(r, c), b = w * r->n + level_of(r, c + 1);
        np_sort_tell_pair(s->log.teller, 0, a, b, low + (size_t)w * r->h, high + (size_t)w * r->h, r->h, 0);
    }
    np_batcher_compare(r->batcher, low, high, r->rows, 0, turn);
    cost->comparators += r->rows;
}

/* Odd-even transposition along every row, downward where bit `turn` of the row is 1. */
static void sort_rows(const rings *r, uint32_t turn)
{
    for (uint32_t stage = 0; stage < r->n; stage++) {
        np_sort_cost cost = {.steps = r->h, .load_max = 2 * r->h, .congestion = r->h};
        for (uint32_t c = stage % 2; c + 1 < r->n; c += 2)
            compare_neighbours(r, c, turn, &cost);
        cost.packets = cost.hops = 2 * cost.comparators * r->h;
        np_sorting_charge(r->batcher->sorting, "rows", &cost);
    }
}

/* The rings turn up until all positions have gone from level n - k to n. */
static void turn_up(rings *r, uint32_t k)
{
    uint32_t n = r->n;
    for (uint32_t t = 0; t < n - 1 + k; t++) {
        np_sort_cost cost = {.steps = r->h, .load_max = 2 * r->h};
        for (uint32_t c = 0; c < n; c++) {
            uint32_t level = (level_of(r, c) + t) % n, wait = (2 * n - k - level_of(r, c)) % n;
            if (t >= wait && t < wait + k)
                np_batcher_plane_compare(r->batcher, plane_of(r, c), level, r->batcher->odd_even ? NP_BATCHER_UP : k,
                                         &cost);
            else
                np_batcher_plane_straight(r->batcher, plane_of(r, c), level, true, &cost);
        }
        np_sorting_charge(r->batcher->sorting, "merge", &cost);
    }
    r->origin = (r->origin + k - 1) % n;
}

/* Step t of the way down to level n - k and up again, of the position that was at level d. */
static void go_there_and_back(const rings *r, uint32_t k, uint32_t d, uint32_t t, uint32_t *plane, np_sort_cost *cost)
{
    uint32_t n = r->n, level;
    if (t < d + k) {
        level = (d + 2 * n - t) % n; /* d - t, from d down to 0 and from n to n - k: t < 2 n */
        if (t >= d && t < d + k - 1)
            np_batcher_plane_reverse(r->batcher, plane, level, k - 1, cost);
        else
            np_batcher_plane_straight(r->batcher, plane, level, false, cost);
        return;
    }
    level = (t - d + 2 * (n - k)) % n;
    if (t < d + 2 * k)
        np_batcher_plane_compare(r->batcher, plane, level, NP_BATCHER_UP, cost);
    else
        np_batcher_plane_straight(r->batcher, plane, level, true, cost);
}

static void reverse_and_merge(rings *r, uint32_t k)
{
    for (uint32_t t = 0; t < r->n - 1 + 2 * k; t++) {
        np_sort_cost cost = {.steps = r->h, .load_max = 3 * r->h}; /* one comes down, two meet */
        for (uint32_t c = 0; c < r->n; c++)
            go_there_and_back(r, k, level_of(r, c), t, plane_of(r, c), &cost);
        np_sorting_charge(r->batcher->sorting, "merge", &cost);
    }
    r->origin = r->n - 1 - r->origin;
    r->mirrored = !r->mirrored;
}

/* Puts position 0 where it must be to end at level 0, with position c ending c levels above it. */
static void aim(rings *r)
{
    uint32_t n = r->n;
    r->mirrored = r->batcher->odd_even && n % 2 == 0; /* n - 1 times mirrored */
    if (r->batcher->odd_even)
        r->origin = r->mirrored ? n - 1 : 0;
    else
        r->origin = (n * n - n * (n - 1) / 2) % n; /* merge k turns by k - 1 */
}

static np_status merge_all(rings *r)
{
    np_status st = NP_OK;
    sort_rows(r, 0);
    for (uint32_t k = 1; k <= r->n && !st; k++) {
        if (r->batcher->odd_even && k > 1)
            reverse_and_merge(r, k);
        else
            turn_up(r, k);
        sort_rows(r, k);
        st = np_sorting_progress(r->batcher->sorting, "merge");
    }
    return st;
}

np_status np_batcher_rings_run(np_batcher *batcher)
{
    rings r = {.batcher = batcher, .n = batcher->n, .rows = UINT32_C(1) << batcher->n, .h = batcher->h};
    np_status st = np_memory_array(&r.plane, (size_t)batcher->sorting->places * r.h, sizeof *r.plane, "the planes");
    if (st)
        return st;
    aim(&r);
    copy(&r, true);
    batcher->sorting->elsewhere = true;
    st = merge_all(&r);
    batcher->sorting->elsewhere = false;
    copy(&r, false);
    np_memory_free(r.plane);
    return st;
}

uint64_t np_batcher_rings_steps(uint64_t n, uint64_t h, bool odd_even)
{
    return odd_even ? h * (3 * n * n + n - 1) : h * (n * (5 * n + 1) / 2);
}

/* (n + 1) times n (n - 1) / 2 comparators in every row; and n for each comparator of the sort over the rows. */
uint64_t np_batcher_rings_comparators(uint64_t n)
{
    return ((n + 1) * n * (n - 1) / 2 << n) + (n * (n * (n + 1) / 2) << (n - 1));
}
