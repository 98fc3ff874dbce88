/*
 * Batcher's sorts on the hypercube: a place is a node.
 *
 * Bitonic: place x is node x, and a stage exchanges over one dimension: n (n + 1) / 2 stages of h steps.
 *
 * Odd-even merge compares x with x + 2^j, which is a neighbour of x only if the sum does not carry. So place x is node
 * gray(x) = x ^ x >> 1. Let y = x >> j. gray(y) and gray(y + 1) differ in one bit, say c. So gray(x) and gray(x + 2^j)
 * differ in bit j + c, and also in bit j - 1, because x and x + 2^j differ in bit j. Items make two hops, or one where
 * j = 0. Every item of the stage goes over dimension j - 1 first, to nodes that are all different, and then over
 * dimension j + c: no link carries two items. The second hop of an item takes place together with the first hop of the
 * next item, since the dimensions are different: h + 1 steps a stage, and h where j = 0. There are n (n - 1) / 2 stages
 * with j > 0, so for h = 1 the sort takes n^2 steps.
 */
#include "work/sort/batcher.h"
#include "work/sort/comparators.h"

static np_node gray(uint32_t x) { return x ^ x >> 1; }

static np_status plan(np_sorting *sorting) { return np_sorting_plan(sorting, sorting->network->nodes); }

static np_node node(const np_sorting *sorting, uint32_t place)
{
    return np_batcher_is_odd_even(sorting) ? gray(place) : place;
}

/* The items of place x on their way to place y. */
static void tell_way(const np_batcher *batcher, uint32_t x, uint32_t y, uint32_t j)
{
    const np_sorting *s = batcher->sorting;
    const uint32_t *item = s->item + (size_t)x * batcher->h;
    np_node from = node(s, x), to = node(s, y);
    if (!batcher->odd_even || !j) {
        np_sorting_tell(s, 0, from, to, item, NP_SORT_COMPARES);
        return;
    }
    np_node between = from ^ UINT32_C(1) << (j - 1);
    np_sorting_tell(s, 0, from, between, item, NP_SORT_COMPARES);
    np_sorting_tell(s, 1, between, to, item, NP_SORT_MOVES);
}

/* Compares the places first .. first + 2^j - 1 with the places 2^j further on. */
static void compare_run(const np_batcher *batcher, uint32_t first, uint32_t j, uint32_t turn, np_sort_cost *cost)
{
    uint32_t *item = batcher->sorting->item, run = UINT32_C(1) << j;
    size_t h = batcher->h;
    if (batcher->sorting->log.teller)
        for (uint32_t x = first; x < first + run; x++) {
            tell_way(batcher, x, x + run, j);
            tell_way(batcher, x + run, x, j);
        }
    np_batcher_compare(batcher, item + first * h, item + (first + run) * h, run, first, turn);
    cost->comparators += run;
}

/* Stage j of merge k. */
static void stage(const np_batcher *batcher, uint32_t k, uint32_t j)
{
    uint32_t h = batcher->h, hops = batcher->odd_even && j ? 2 : 1, step = UINT32_C(2) << j;
    np_sort_cost cost = {.steps = h + hops - 1, .load_max = (1 + hops) * h, .congestion = h};
    if (!batcher->odd_even || j + 1 == k) {
        uint32_t turn = batcher->odd_even ? NP_BATCHER_UP : k;
        for (uint32_t x = 0; !(x >> batcher->n); x += step)
            compare_run(batcher, x, j, turn, &cost);
    } else {
        for (uint32_t run = 0; !(run >> batcher->n); run += UINT32_C(1) << k)
            for (uint32_t x = step / 2; x + step <= UINT32_C(1) << k; x += step)
                compare_run(batcher, run + x, j, NP_BATCHER_UP, &cost);
    }
    cost.packets = 2 * cost.comparators * h;
    cost.hops = hops * cost.packets;
    np_sorting_charge(batcher->sorting, "exchange", &cost);
}

static np_status merge_all(np_batcher *batcher)
{
    np_status st = NP_OK;
    for (uint32_t k = 1; k <= batcher->n && !st; k++)
        for (uint32_t j = k; j-- && !st;) {
            stage(batcher, k, j);
            st = np_sorting_progress(batcher->sorting, "exchange");
        }
    return st;
}

static void predict(const np_sorting *sorting, np_sort_prediction *out)
{
    bool odd_even = np_batcher_is_odd_even(sorting);
    uint64_t n = sorting->network->dimensions, h = sorting->per_place, stages = n * (n + 1) / 2;
    *out = (np_sort_prediction){.steps = h * stages, .formula = "h n (n + 1) / 2"};
    out->comparators = np_comparators_bitonic(sorting->places);
    if (odd_even)
        *out = (np_sort_prediction){.steps = h * stages + stages - n,
                                    .comparators = np_comparators_odd_even_merge(sorting->places),
                                    .formula = "h n (n + 1) / 2 + n (n - 1) / 2"};
}

static np_status run(np_sorting *sorting) { return np_batcher_run(sorting, merge_all); }

const np_sort_host np_batcher_hypercube = {
    .sorters = "bitonic, odd-even-merge",
    .networks = NP_KIND_HYPERCUBE,
    .plan = plan,
    .node = node,
    .run = run,
    .predict = predict,
};
