/*
 * Splitting groups of rows further, by splitters that are sampled within each group.
 *
 * The items of a group of R = 2^bits rows are at level n - bits, at random rows of the group (they came from random
 * rows of the network, and splitters do not look at the row). To split the group into 2^t groups, about oversampling
 * 2^t of its items are candidates. They are too many for a sort by ranks, and may be more than the group has rows: h
 * candidates for each row. A prefix computation numbers the C candidates, and the k-th goes to row floor(k R / C) of
 * the group; candidates beyond h R are left out. Odd-even merging sorts them: each row has a run of h words, and a
 * comparator splits a pair of runs in h steps. Then each row offers the least of its words, and splitters among the
 * offered words are distributed. A group with few items has rows without words. No word stands for an infinite word,
 * which splits nothing off.
 */
#include "papers/flashsort/flashsort.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { CANDIDATES = NP_FLASHSORT_FULL + 8, INTERVALS }; /* phases */

/* All groups' candidates. */
typedef struct refine {
    uint32_t bits, levels, groups, h; /* h words a row */
    uint32_t *total;                  /* [groups] items */
    uint32_t *word;                   /* [N][h] candidates of each row, NP_NONE behind the last */
    uint32_t *row;                    /* [candidates] rows where they are drawn */
    uint32_t *merged;                 /* [2 h] */
} refine;

/* Draws candidates into flash->sample. The expected number leaves room for some more. */
static void draw_candidates(np_flashsort *flash, const refine *r)
{
    const np_flashsort_items *items = &flash->items;
    np_draws draws = np_draws_for(flash->sorting->draws, NP_RANDOM_CANDIDATE);
    double most = ldexp(r->h, (int)r->bits), expected = most - sqrt(most);
    draws.phase = CANDIDATES;
    flash->sample.count = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        double p = expected / r->total[items->row[i] >> r->bits];
        if (!np_recursion_draws(&draws, i, 0, p))
            continue;
        np_flashsort_pick(flash, items->item[i], items->row[i], flash->rows.n - r->bits);
    }
}

/* Sends candidates to their rows of the group: r->word. total[] = how many each group has, at most h a row. */
static np_status spread_candidates(np_flashsort *flash, refine *r)
{
    np_rows_way way = np_rows_there_and_back(&flash->rows, flash->rows.n, flash->rows.n - r->bits, r->bits);
    const np_flashsort_items *sample = &flash->sample;
    const np_block whole = np_flashsort_whole(flash);
    uint32_t most = r->h << r->bits;
    np_status st;
    draw_candidates(flash, r);
    np_flashsort_number(flash, &whole, sample, "refine-number", r->bits, r->total);
    if ((st = np_rows_empty(&flash->rows, &way, sample->count)))
        return st;
    memset(r->word, 0xff, ((size_t)r->h << flash->rows.n) * sizeof *r->word); /* NP_NONE */
    for (uint32_t i = 0; i < sample->count; i++) {
        uint32_t row = sample->row[i], group = row >> r->bits, k = flash->before[row]++;
        uint32_t count = r->total[group] < most ? r->total[group] : most;
        if (k >= most)
            continue;
        uint32_t to = (group << r->bits) + (uint32_t)(((uint64_t)k << r->bits) / count), slot = 0;
        np_rows_send(&flash->rows, &way, i, sample->item[i], row, to);
        while (r->word[(size_t)to * r->h + slot] != NP_NONE)
            slot++;
        r->word[(size_t)to * r->h + slot] = sample->item[i];
    }
    for (uint32_t i = 0; i < r->groups; i++)
        r->total[i] = r->total[i] < most ? r->total[i] : most;
    return np_flashsort_stage(flash, "refine-candidates", &way, false, CANDIDATES);
}

/* All groups at the same time, and in as many steps. */
static void sort_candidates(np_flashsort *flash, refine *r)
{
    np_block block = np_flashsort_block(flash, 0, r->bits, 0, &flash->sorting->clock);
    np_sort_cost sum = {.load_max = 2 * r->h};
    for (uint32_t i = 0; i < r->groups; i++) {
        np_sort_cost cost = {0};
        block.first = i << r->bits;
        np_block_odd_even_merge_runs(&block, r->h, r->word + ((size_t)i << r->bits) * r->h, r->merged, &cost);
        sum.steps = cost.steps;
        sum.packets += r->total[i];
        sum.hops += cost.hops;
        sum.comparators += cost.comparators;
    }
    np_flashsort_charge(flash, "refine-sort", &sum);
}

/* Distributes the splitters of each group, chosen among the least words of its rows. */
static void distribute(np_flashsort *flash, refine *r)
{
    uint32_t parts = UINT32_C(1) << r->levels;
    np_sort_clock begin = flash->sorting->clock, clock = begin;
    np_block block = np_flashsort_block(flash, 0, r->bits, 0, &clock);
    for (uint32_t row = 0; row < UINT32_C(1) << flash->rows.n; row++)
        flash->picked[row] = r->word[(size_t)row * r->h];
    for (uint32_t i = 0; i < r->groups; i++) {
        size_t first = (size_t)i << r->bits;
        uint32_t count = (r->total[i] + r->h - 1) / r->h;
        clock = begin;
        block.first = (uint32_t)first;
        np_block_distribute(&block, "refine-splitters", count < parts - 1 ? parts - 1 : count, flash->picked + first,
                            r->levels, flash->splitter + first * r->levels);
    }
    flash->sorting->clock = clock; /* all groups take equally long */
}

static np_status make_room(np_flashsort *flash, refine *r)
{
    size_t rows = (size_t)1 << flash->rows.n;
    np_status st;
    if ((st = np_memory_array(&r->word, rows * r->h, sizeof *r->word, "the groups' candidates")) ||
        (st = np_memory_array(&r->merged, 2 * (size_t)r->h, sizeof *r->merged, "a merge")))
        return st;
    return np_flashsort_room_splitters(flash, r->levels * rows);
}

/* x / 2^bits, rounded up, but at least 1. */
static uint64_t ceiling(uint64_t x, uint32_t bits) { return x ? ((x - 1) >> bits) + 1 : 1; }

static np_status split_all(np_flashsort *flash, refine *r)
{
    uint32_t oversampling = flash->sorting->options->constants.oversampling;
    np_status st = np_memory_array(&r->total, r->groups, sizeof *r->total, "the groups");
    if (st)
        return st;
    const np_block whole = np_flashsort_whole(flash);
    np_flashsort_number(flash, &whole, &flash->items, "refine-count", r->bits, r->total);
    /* As many candidates for each row as make oversampling 2^levels in all; all rows know this number. */
    r->h = (uint32_t)ceiling((uint64_t)oversampling << r->levels, r->bits);
    if ((st = make_room(flash, r)))
        return st;
    flash->rows.kind = 1; /* copies of the items */
    if (!(st = spread_candidates(flash, r))) {
        sort_candidates(flash, r);
        distribute(flash, r);
    }
    flash->rows.kind = 0;
    if (st)
        return st;
    return np_flashsort_to_groups(flash, "refine-intervals", r->bits, r->levels, INTERVALS);
}

np_status np_flashsort_refine(np_flashsort *flash, uint32_t bits, uint32_t group)
{
    refine r = {.bits = bits, .levels = bits - group, .groups = UINT32_C(1) << (flash->rows.n - bits)};
    np_status st = split_all(flash, &r);
    NP_MEMORY_FREE(r.total, r.word, r.merged);
    return st;
}
