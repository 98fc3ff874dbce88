/*
 * The items of which each rank of a job (job.h) has a range of its own: nodes, or packets. Arrays over them are as
 * large as the range.
 */
#pragma once

#include <stdbool.h>

#include "base/divide.h"
#include "base/job.h"

/* The items of this rank: first .. last-1. Item i is of rank i / each: all have as many, but for the last ones. */
typedef struct np_share {
    uint32_t first, last;
    np_divider each;
} np_share;

/* NULL: all items. */
static inline np_share np_share_of(const np_job *job, uint32_t items)
{
    uint64_t size = job ? job->size : 1, each = (items + size - 1) / size;
    uint64_t first = job ? job->rank * each : 0, last = first + each;
    each = each ? each : 1;
    return (np_share){(uint32_t)(first < items ? first : items), (uint32_t)(last < items ? last : items),
                      np_divider_of((uint32_t)each)};
}

static inline uint32_t np_share_items(const np_share *share) { return share->last - share->first; }

static inline bool np_share_has(const np_share *share, uint32_t item)
{
    return item - share->first < np_share_items(share);
}

static inline uint32_t np_share_owner(const np_share *share, uint32_t item) { return np_divide(item, share->each); }

/* An array of the items from `first` on, to be indexed by the numbers of items. */
static inline void *np_array_from(const void *array, size_t first, size_t size)
{
    return (void *)((uintptr_t)array - first * size);
}

/*
 * Collective: counts where items are. Each rank names so many items; count[i] grows by 1 for each item share->first + i
 * that any rank names.
 */
np_status np_share_count(const np_share *share, const np_job *job, size_t items, const uint32_t *item,
                         uint32_t *count) NP_CHECKED;
