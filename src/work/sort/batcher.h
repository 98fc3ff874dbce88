/*
 * Batcher's two sorts (1968) on networks. batcher.c has the sorters `bitonic` and `odd-even-merge`. Each host, a family
 * of networks, has a file of its own that says where the items are and which steps move them. All hosts compare by the
 * same kernels.
 *
 * N = 2^n places in a line are numbered x. Merge k = 1 .. n turns two sorted runs of 2^(k-1) places into one run of
 * 2^k; its stage j = k-1 .. 0 compares over a distance of 2^j. With h items a place, the items are ascending in each
 * place, and a comparator is a merge-split (Knuth, section 5.3.4, exercise 38): both places send all their items, in h
 * steps.
 */
#pragma once

#include "work/sort/sorter.h"

/* Bit `turn` of a place says which way its run goes. No place has bit NP_BATCHER_UP, so all runs go up. */
enum { NP_BATCHER_UP = 31 };

typedef struct np_batcher {
    np_sorting *sorting;
    bool odd_even;
    uint32_t n, h;
    uint32_t *scratch; /* [2 h] */
} np_batcher;

extern const np_sorter_ops np_sorter_odd_even_merge;

/* Which of the two sorts it is. */
bool np_batcher_is_odd_even(const np_sorting *sorting);

/* Sorts each place's items, and then has them merged. */
np_status np_batcher_run(np_sorting *sorting, np_status (*merge)(np_batcher *batcher)) NP_CHECKED;

/*
 * Compares the places a .. a + count-1, which have the numbers from `first` on, with the places b .. b + count-1. The
 * lesser item goes to a, unless bit `turn` of the number of the place of a is 1.
 */
void np_batcher_compare(const np_batcher *batcher, uint32_t *a, uint32_t *b, uint32_t count, uint32_t first,
                        uint32_t turn);

/* Compares those of the 2^n places in a line that differ in bit j only. The lesser item goes to the place where bit j
   is 0, unless bit turn > j is 1. */
void np_batcher_compare_bit(const np_batcher *batcher, uint32_t *item, uint32_t j, uint32_t turn);

/* The places that differ in bit j only trade their items if their bit `half` > j is 1. */
void np_batcher_swap_bit(const np_batcher *batcher, uint32_t *item, uint32_t j, uint32_t half);

np_status np_batcher_rings_run(np_batcher *batcher);
uint64_t np_batcher_rings_steps(uint64_t n, uint64_t h, bool odd_even);
uint64_t np_batcher_rings_comparators(uint64_t n);

/*
 * On a butterfly: a plane has a word (or h of them) in each row, all at one level. It moves a level up (0 -> 1) or
 * down. The edge between level l and l + 1 crosses bit n-1-l of the row. Each function adds its hops and its
 * comparators to the cost. The caller adds the steps, because it may move several planes at once, from different
 * levels.
 */
void np_batcher_plane_straight(const np_batcher *batcher, const uint32_t *plane, uint32_t level, bool up,
                               np_sort_cost *cost);
/* Down. Words cross where bit `half` of the row is 1. half is above the bit that is crossed. */
void np_batcher_plane_reverse(const np_batcher *batcher, uint32_t *plane, uint32_t level, uint32_t half,
                              np_sort_cost *cost);
/* Up, both straight and across. At the upper level, rows keep the lesser or the greater of the two words that come. */
void np_batcher_plane_compare(const np_batcher *batcher, uint32_t *plane, uint32_t level, uint32_t turn,
                              np_sort_cost *cost);
