/*
 * Batcher's sorts on the wrapped butterfly, n levels of N = 2^n rows, when there is at most one item a row: a place
 * is a row, at its node of level 0. More items take all nodes (batcher_rings.c).
 *
 * All items move from level to level together. The way up crosses the most significant bit first, as merges need it:
 * merge k is the way from level n - k to level n, which is level 0 again. The way to level n - k takes k steps down or
 * n - k steps up, whichever is less. The bitonic sort takes n (n + 1) / 2 + floor(n^2 / 4) steps in all.
 *
 * Odd-even merge in Leighton's form (1992, section 3.5): the way to level n - k always leads down. It crosses bits
 * 0 .. k-2, and so reverses the second run of every pair. n (n + 1) steps in all.
 *
 * At (w, l): up to (w, l+1) and (w ^ 2^(n-1-l), l+1); down to (w, l-1) and (w ^ 2^(n-l), l-1).
 */
#include <stdio.h>

#include "work/sort/batcher.h"
#include "work/sort/comparators.h"

static bool in_rows(const np_sorting *sorting)
{
    return sorting->places == UINT32_C(1) << sorting->network->dimensions;
}

static np_status plan(np_sorting *sorting)
{
    uint32_t n = sorting->network->dimensions;
    bool rows = sorting->items && sorting->items <= UINT32_C(1) << n;
    return np_sorting_plan(sorting, rows ? UINT32_C(1) << n : sorting->network->nodes);
}

static np_node node(const np_sorting *sorting, uint32_t place)
{
    return in_rows(sorting) ? place * sorting->network->dimensions : place;
}

/* From level 0 to level n - k: odd-even merge goes down and reverses; bitonic sort takes the shorter way. */
static void walk(const np_batcher *batcher, uint32_t k)
{
    np_sorting *s = batcher->sorting;
    uint32_t n = batcher->n, level = 0;
    bool up = !batcher->odd_even && k > n - k;
    for (uint32_t i = 0; i < (up ? n - k : k); i++) {
        np_sort_cost cost = {.steps = 1, .load_max = 1};
        if (batcher->odd_even && i + 1 < k)
            np_batcher_plane_reverse(batcher, s->item, level, k - 1, &cost);
        else
            np_batcher_plane_straight(batcher, s->item, level, up, &cost);
        np_sorting_charge(s, batcher->odd_even ? "reverse" : "walk", &cost);
        level = up ? level + 1 : (level + n - 1) % n;
    }
}

static np_status run_rows(np_batcher *batcher)
{
    np_sorting *s = batcher->sorting;
    uint32_t n = batcher->n;
    np_status st = NP_OK;
    for (uint32_t k = 1; k <= n && !st; k++) {
        walk(batcher, k);
        for (uint32_t level = n - k; level < n; level++) {
            np_sort_cost cost = {.steps = 1, .load_max = 2};
            np_batcher_plane_compare(batcher, s->item, level, batcher->odd_even ? NP_BATCHER_UP : k, &cost);
            np_sorting_charge(s, "merge", &cost);
        }
        st = np_sorting_progress(s, "merge");
    }
    return st;
}

static np_status merge_all(np_batcher *batcher)
{
    return in_rows(batcher->sorting) ? run_rows(batcher) : np_batcher_rings_run(batcher);
}

static void predict(const np_sorting *sorting, np_sort_prediction *out)
{
    bool odd_even = np_batcher_is_odd_even(sorting);
    uint64_t n = sorting->network->dimensions, h = sorting->per_place;
    uint64_t comparators = np_comparators_bitonic(UINT32_C(1) << n);
    const char *formula[2][2] = {{"h n (5 n + 1) / 2", "n (n + 1) / 2 + floor(n^2 / 4)"},
                                 {"h (3 n^2 + n - 1)", "n (n + 1)"}};
    if (!in_rows(sorting))
        *out = (np_sort_prediction){np_batcher_rings_steps(n, h, odd_even), np_batcher_rings_comparators(n), ""};
    else
        *out = (np_sort_prediction){odd_even ? n * (n + 1) : n * (n + 1) / 2 + n * n / 4, comparators, ""};
    snprintf(out->formula, sizeof out->formula, "%s", formula[odd_even][in_rows(sorting)]);
}

static np_status run(np_sorting *sorting) { return np_batcher_run(sorting, merge_all); }

const np_sort_host np_batcher_butterfly = {
    .sorters = "bitonic, odd-even-merge",
    .networks = NP_KIND_BUTTERFLY,
    .plan = plan,
    .node = node,
    .run = run,
    .predict = predict,
};
