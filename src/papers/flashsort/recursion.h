/*
 * The recursion of flashsort (Leighton, Maggs, Ranade & Rao 1994, Figure 6), on whatever a network is split into: a
 * part is sorted at once, or it draws splitters, which split it into children that do the same, all at the same time.
 *
 * Departure. The paper gives the probability that splitters fail, but not what is done then. Here the part draws again,
 * and after `redraws` redraws it is sorted by a method that sorts every input.
 */
#pragma once

#include "work/sort/sorter.h"

/* The parts of a network. `part` is a part at work. */
typedef struct np_recursion_ops {
    /* Sorts the part at once, if this ends the recursion. */
    np_status (*end)(void *part, bool *ended);
    /* Splits it: *children = how many children there are, with count[i] items in the i-th. 0: the splitters failed. */
    np_status (*split)(void *part, uint32_t attempt, uint32_t *children, uint32_t *count);
    /* Sorts the i-th child, on its own clock. */
    np_status (*child)(void *part, uint32_t i, const uint32_t *count, np_sort_clock *clock);
    /* Sorts the part without splitters. */
    np_status (*fall_back)(void *part);
} np_recursion_ops;

/* Sorts the part, which has at most so many children. Its clock continues when the last child is done. */
np_status np_recursion_sort(np_sorting *sorting, const np_recursion_ops *ops, void *part, uint32_t children,
                            np_sort_clock *clock) NP_CHECKED;

/* The number of a phase of an attempt: what, 0 .. 3, it does. */
uint16_t np_recursion_phase(uint32_t first, uint32_t attempt, uint32_t what);

/* Is the item with this number a candidate, if each is with probability p? */
static inline bool np_recursion_draws(const np_draws *draws, uint32_t number, uint32_t attempt, double p)
{
    return p >= 1 || np_random_u64(draws, number, attempt) < (uint64_t)(p * 18446744073709551616.0);
}

/* Logs that of `expected` candidates so many came. */
void np_recursion_candidates(np_sorting *sorting, uint32_t candidates, double expected);
