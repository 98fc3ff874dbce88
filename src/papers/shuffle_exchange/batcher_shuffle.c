/*
 * Batcher's sorts on the shuffle-exchange (Stone 1971): a place is a node.
 *
 * A shuffle takes the item of node x to the node whose label is x rotated left by one bit. After s shuffles, exchange
 * links join the places that differ in bit n - s (mod n). So n shuffles go through all bits, the most significant bit
 * first, and bring every item home. Links lead one way only, so merge k takes n shuffles for its k bits. Merge 1 takes
 * none, because its bit 0 is already where it is needed. In all there are n (n - 1) shuffles and n (n + 1) / 2
 * exchanges, of h steps each.
 *
 * Odd-even merge in Leighton's form: n shuffles reverse the second run of every pair (the run trades items over bits
 * k-2 .. 0), and n more shuffles merge. (The reversal could be done during the merge before, if its comparators kept
 * the other item. But that would be the bitonic sort.)
 *
 * In memory, items stay where they are, by place; `turned` says where the places are. The two nodes that shuffle to
 * themselves need no link for it.
 */
#include "work/sort/batcher.h"
#include "work/sort/comparators.h"

/* The node of a place after s shuffles, s < n. */
static np_node turn_left(uint32_t n, uint32_t s, uint32_t place)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << n) - 1);
    return s ? (place << s & mask) | place >> (n - s) : place;
}

static np_status plan(np_sorting *sorting) { return np_sorting_plan(sorting, sorting->network->nodes); }

static np_node node(const np_sorting *sorting, uint32_t place)
{
    (void)sorting;
    return place;
}

static void shuffle(const np_batcher *batcher, uint32_t *turned)
{
    np_sorting *s = batcher->sorting;
    uint32_t n = batcher->n, next = (*turned + 1) % n;
    np_sort_cost cost = {.steps = batcher->h, .load_max = batcher->h, .congestion = batcher->h};
    for (uint32_t x = 0; s->log.teller && x < s->places; x++)
        if (turn_left(n, *turned, x) != turn_left(n, next, x))
            np_sorting_tell(s, 0, turn_left(n, *turned, x), turn_left(n, next, x), s->item + (size_t)x * batcher->h,
                            NP_SORT_MOVES);
    cost.packets = cost.hops = (uint64_t)batcher->h * (s->places - 2);
    np_sorting_charge(s, "shuffle", &cost);
    *turned = next;
}

/* Places that differ in bit j: all of them compare their items, or those trade them of which bit `half` is 1. */
static void tell_exchange(const np_batcher *batcher, uint32_t j, uint32_t half)
{
    const np_sorting *s = batcher->sorting;
    uint32_t turned = (batcher->n - j) % batcher->n;
    for (uint32_t x = 0; s->log.teller && x < s->places; x++) {
        const uint32_t *item = s->item + (size_t)x * batcher->h;
        np_node from = turn_left(batcher->n, turned, x);
        if (half == NP_BATCHER_UP || x >> half & 1)
            np_sorting_tell(s, 0, from, from ^ 1, item, half == NP_BATCHER_UP ? NP_SORT_COMPARES : NP_SORT_MOVES);
    }
}

static void compare(const np_batcher *batcher, uint32_t j, uint32_t turn)
{
    np_sorting *s = batcher->sorting;
    np_sort_cost cost = {.steps = batcher->h, .load_max = 2 * batcher->h, .congestion = batcher->h};
    tell_exchange(batcher, j, NP_BATCHER_UP);
    np_batcher_compare_bit(batcher, s->item, j, turn);
    cost.comparators = s->places / 2;
    cost.packets = cost.hops = (uint64_t)batcher->h * s->places;
    np_sorting_charge(s, "exchange", &cost);
}

static void swap(const np_batcher *batcher, uint32_t j, uint32_t half)
{
    np_sorting *s = batcher->sorting;
    np_sort_cost cost = {.steps = batcher->h, .load_max = batcher->h, .congestion = batcher->h};
    tell_exchange(batcher, j, half);
    np_batcher_swap_bit(batcher, s->item, j, half);
    cost.packets = cost.hops = (uint64_t)batcher->h * (s->places / 2);
    np_sorting_charge(s, "reverse", &cost);
}

/* n shuffles. On the way bits low_bits-1 .. 0 are compared, or they are swapped in the upper half of each run. */
static void go_round(const np_batcher *batcher, uint32_t low_bits, bool compares, uint32_t bit)
{
    uint32_t turned = 0;
    for (uint32_t j = batcher->n; j--;) {
        shuffle(batcher, &turned);
        if (j < low_bits && compares)
            compare(batcher, j, bit);
        else if (j < low_bits)
            swap(batcher, j, bit);
    }
}

static np_status merge_all(np_batcher *batcher)
{
    np_status st = NP_OK;
    compare(batcher, 0, batcher->odd_even ? NP_BATCHER_UP : 1);
    for (uint32_t k = 2; k <= batcher->n && !st; k++) {
        if (batcher->odd_even)
            go_round(batcher, k - 1, false, k - 1);
        go_round(batcher, k, true, batcher->odd_even ? NP_BATCHER_UP : k);
        st = np_sorting_progress(batcher->sorting, "exchange");
    }
    return st;
}

static void predict(const np_sorting *sorting, np_sort_prediction *out)
{
    bool odd_even = np_batcher_is_odd_even(sorting);
    uint64_t n = sorting->network->dimensions, h = sorting->per_place;
    uint64_t comparators = np_comparators_bitonic(sorting->places);
    *out = (np_sort_prediction){h * (n * (n - 1) + n * (n + 1) / 2), comparators, "h (n (n - 1) + n (n + 1) / 2)"};
    if (odd_even)
        *out = (np_sort_prediction){h * (2 * n * (n - 1) + n * n), comparators, "h (2 n (n - 1) + n^2)"};
}

static np_status run(np_sorting *sorting) { return np_batcher_run(sorting, merge_all); }

const np_sort_host np_batcher_shuffle_exchange = {
    .sorters = "bitonic, odd-even-merge",
    .networks = NP_KIND_SHUFFLE_EXCHANGE,
    .plan = plan,
    .node = node,
    .run = run,
    .predict = predict,
};
