/*
 * The sorters `bitonic` and `odd-even-merge` (Batcher 1968), on the networks of a table.
 *
 * Bitonic: runs go up and down in turn. Two runs make a bitonic sequence, which half-cleaners sort: place x is compared
 * with the place that differs from x in bit j, j = k-1 .. 0.
 *
 * Odd-even merge: all runs go up. In Batcher's own form place x is compared with x + 2^j; this addition carries. The
 * hypercube uses Batcher's form, in Gray-code order. Networks of bounded degree would pay for each carry by a walk. So
 * the butterfly and the shuffle-exchange use Leighton's form (1992, section 3.5): even(A) is merged with odd(B) to C,
 * odd(A) with even(B) to D, and C_i is compared with D_i. Lay B out backwards behind A. Then the even places of A and
 * the odd places of B are the even places of the whole. C comes out at the even places and D at the odd places, and C_i
 * and D_i differ in bit 0 only. The merges to C and D do the same with bits 1, 2, .. So all comparisons are between
 * places that differ in one bit, the most significant bit first. They are the comparisons of the bitonic merge, and as
 * many. One difference is left: runs do not alternate, so B must be reversed by moves, and the moves are charged.
 */
#include "work/sort/batcher.h"

#include "base/hot.h"
#include "base/memory.h"

static const char *refuses(const np_network *network)
{
    return np_sort_host_refuses("bitonic", network, "it is laid out on three families of networks only");
}

bool np_batcher_is_odd_even(const np_sorting *sorting) { return sorting->ops == &np_sorter_odd_even_merge; }

np_status np_batcher_run(np_sorting *sorting, np_status (*merge)(np_batcher *batcher))
{
    uint32_t h = sorting->per_place;
    np_batcher batcher = {
        .sorting = sorting, .odd_even = np_batcher_is_odd_even(sorting), .n = sorting->network->dimensions, .h = h};
    np_status st = np_memory_array(&batcher.scratch, 2 * (size_t)h, sizeof *batcher.scratch, "a merge");
    if (st)
        return st;
    for (uint32_t p = 0; p < sorting->places; p++)
        np_sort_locally(sorting->item + (size_t)p * h, h);
    st = merge(&batcher);
    np_memory_free(batcher.scratch);
    return st;
}

/* Both directions select instead of branching on the keys, so that the loop vectorises. */
NP_HOT static void compare_ones(uint32_t *restrict a, uint32_t *restrict b, uint32_t count, uint32_t first,
                                uint32_t turn)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
        uint32_t down = -((first + i) >> turn & 1), differ = (low ^ high) & down;
        a[i] = low ^ differ;
        b[i] = high ^ differ;
    }
}

void np_batcher_compare(const np_batcher *batcher, uint32_t *a, uint32_t *b, uint32_t count, uint32_t first,
                        uint32_t turn)
{
    uint32_t h = batcher->h;
    if (h == 1) {
        compare_ones(a, b, count, first, turn);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *low = a + (size_t)i * h, *high = b + (size_t)i * h;
        bool down = (first + i) >> turn & 1;
        np_sort_merge_split(down ? high : low, down ? low : high, h, batcher->scratch);
    }
}

void np_batcher_compare_bit(const np_batcher *batcher, uint32_t *item, uint32_t j, uint32_t turn)
{
    size_t h = batcher->h;
    for (uint32_t x = 0; !(x >> batcher->n); x += UINT32_C(2) << j)
        np_batcher_compare(batcher, item + x * h, item + (x + (UINT32_C(1) << j)) * h, UINT32_C(1) << j, x, turn);
}

void np_batcher_swap_bit(const np_batcher *batcher, uint32_t *item, uint32_t j, uint32_t half)
{
    size_t h = batcher->h, run = h << j;
    for (uint32_t x = 0; !(x >> batcher->n); x += UINT32_C(2) << j) {
        uint32_t *a = item + x * h, *b = a + run;
        if (!(x >> half & 1))
            continue;
        for (size_t i = 0; i < run; i++) {
            uint32_t item_a = a[i];
            a[i] = b[i];
            b[i] = item_a;
        }
    }
}

const np_sorter_ops np_sorter_bitonic = {
    .info = {"bitonic", "Batcher's bitonic sort, log^2 N steps", "Batcher 1968; Stone 1971",
             .networks = "hypercube, butterfly, shuffle-exchange"},
    .indexing = "nodes; on the butterfly rows, each from level 0 up",
    .oblivious = true,
    .heeds = "trace",
    .refuses = refuses,
    NP_SORT_BY_HOSTS,
    .predict = np_sort_host_predict,
};

const np_sorter_ops np_sorter_odd_even_merge = {
    .info = {"odd-even-merge", "Batcher's odd-even merge sort, log^2 N steps",
             "Batcher 1968; Leighton 1992, section 3.5", .networks = "hypercube, butterfly, shuffle-exchange"},
    .indexing = "nodes, on the hypercube in Gray-code order; on the butterfly rows, each from level 0 up",
    .oblivious = true,
    .heeds = "trace",
    .refuses = refuses,
    NP_SORT_BY_HOSTS,
    .predict = np_sort_host_predict,
};
