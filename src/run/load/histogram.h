/* Exact counts of whole numbers: latencies. */
#pragma once

#include "base/room.h"

/* Zeroed: empty. */
typedef struct np_histogram {
    uint64_t *count; /* [room] */
    size_t room;
    uint64_t values, max;
} np_histogram;

static inline np_status np_histogram_add(np_histogram *h, uint64_t value, uint64_t times)
{
    np_status st = value < h->room ? NP_OK : np_memory_reach(&h->count, value, &h->room, sizeof *h->count, "latencies");
    if (st)
        return st;
    h->count[value] += times;
    h->values += times;
    h->max = value > h->max ? value : h->max;
    return NP_OK;
}

static inline void np_histogram_empty(np_histogram *h)
{
    for (uint64_t v = 0; v < h->room && v <= h->max; v++)
        h->count[v] = 0;
    h->values = h->max = 0;
}

/* Adds what `from` has, which becomes empty. */
static inline np_status np_histogram_move(np_histogram *h, np_histogram *from)
{
    np_status st = NP_OK;
    for (uint64_t v = 0; !st && from->values && v <= from->max; v++)
        if (from->count[v])
            st = np_histogram_add(h, v, from->count[v]);
    np_histogram_empty(from);
    return st;
}

/* By nearest rank: the least value with `part` parts of `whole` of all values at or below it; 0 if there is none. */
static inline uint64_t np_histogram_quantile(const np_histogram *h, uint64_t part, uint64_t whole)
{
    uint64_t below = 0, value = 0;
    if (!h->values)
        return 0;
    uint64_t rank = (uint64_t)(((unsigned __int128)h->values * part + whole - 1) / whole);
    while ((below += h->count[value]) < rank)
        value++;
    return value;
}

static inline void np_histogram_clear(np_histogram *h) { np_memory_free(h->count); }
