/*
 * The events that the analysis of section 8 needs, and what was measured. The lemmas promise the events for constants
 * that are large enough, with log2 N for the oversampling. Where a lemma leaves the constant open, the bound is open
 * too.
 */
#include "work/sort/flashsort.h"

#include <math.h>

void np_flashsort_event_candidates(np_flashsort *flash, uint32_t candidates, double expected)
{
    np_sort_log_event(&flash->sorting->log, "well-partitioned", "Lemma 8.1",
                      "candidates less their expectation, by half of it", 2 * fabs(candidates - expected) / expected,
                      1);
}

void np_flashsort_event_sample(np_flashsort *flash, uint32_t candidates, double expected)
{
    np_sort_log_event(&flash->sorting->log, "sample", "Theorem 8.10",
                      "the full sort's candidates less their expectation, by half of it",
                      2 * fabs(candidates - expected) / expected, 1);
}

void np_flashsort_event_interval(np_flashsort *flash, uint32_t bits, uint32_t items, uint32_t largest, uint32_t inputs)
{
    np_sort_log *log = &flash->sorting->log;
    double unit = items * (double)flash->rows.n / sqrt(ldexp(1, (int)bits));
    np_sort_log_event(log, "delta-split", "Lemma 8.2", "largest interval, by n log N / sqrt(M)", largest / unit, 0);
    np_sort_log_event(log, "fitting", "Lemma 8.4", "largest interval, by the inputs of its block",
                      largest / (double)inputs, 1);
}

void np_flashsort_event_group(np_flashsort *flash, uint32_t items, uint32_t rows)
{
    double even = flash->items.count * (double)rows / ldexp(1, (int)flash->rows.n);
    np_sort_log_event(&flash->sorting->log, "group-split", "Theorem 8.10",
                      "items of the full sort's largest group, by the mean", items / even, 0);
}

void np_flashsort_event_congestion(np_flashsort *flash, uint32_t bits, uint32_t congestion)
{
    np_sort_log_event(&flash->sorting->log, "congestion", "Lemma 8.5", "packets over a link in steps 6 and 7, by log M",
                      congestion / (double)bits, 0);
}

void np_flashsort_event_delay(np_flashsort *flash, uint64_t excess)
{
    np_sort_log_event(&flash->sorting->log, "cumulative-delay", "Lemma 8.9",
                      "steps beyond the levels on a branch of the recursion, by log N", (double)excess / flash->rows.n,
                      0);
}
