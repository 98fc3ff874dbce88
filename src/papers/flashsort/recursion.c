/* See recursion.h. */
#include "papers/flashsort/recursion.h"

#include <math.h>

#include "base/memory.h"

static np_status split(np_sorting *sorting, const np_recursion_ops *ops, void *part, uint32_t *children,
                       uint32_t *count)
{
    uint32_t redraws = sorting->options->constants.redraws;
    np_status st = NP_OK;
    *children = 0;
    for (uint32_t attempt = 0; attempt <= redraws && !*children && !st; attempt++) {
        st = ops->split(part, attempt, children, count);
        if (!*children && attempt < redraws && !st)
            sorting->log.redraws++;
    }
    return st;
}

static np_status sort_children(const np_recursion_ops *ops, void *part, uint32_t children, const uint32_t *count,
                               np_sort_clock *clock)
{
    const np_sort_clock begin = *clock;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < children && !st; i++) {
        np_sort_clock own = begin;
        own.branch = true;
        st = ops->child(part, i, count, &own);
        np_sort_clock_join(clock, &own);
    }
    return st;
}

np_status np_recursion_sort(np_sorting *sorting, const np_recursion_ops *ops, void *part, uint32_t children,
                            np_sort_clock *clock)
{
    uint32_t *count;
    bool ended;
    np_status st = ops->end(part, &ended);
    if (st || ended || (st = np_memory_array(&count, children, sizeof *count, "the intervals")))
        return st;
    if (!(st = split(sorting, ops, part, &children, count))) {
        sorting->log.fallbacks += !children;
        st = children ? sort_children(ops, part, children, count, clock) : ops->fall_back(part);
    }
    np_memory_free(count);
    return st;
}

uint16_t np_recursion_phase(uint32_t first, uint32_t attempt, uint32_t what)
{
    uint32_t same_from = 15; /* after 15 redraws ranks are drawn as before, but candidates are always drawn anew */
    return (uint16_t)(first + (attempt < same_from ? attempt : same_from) * 4 + what);
}

void np_recursion_candidates(np_sorting *sorting, uint32_t candidates, double expected)
{
    np_sort_log_event(&sorting->log, "well-partitioned", "Lemma 8.1",
                      "candidates less their expectation, by half of it", 2 * fabs(candidates - expected) / expected,
                      1);
}
