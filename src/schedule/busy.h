/*
 * The set of busy links of one range of links: a bitmap that is walked in order, and
 * above it one byte for each group of 64 words. So a walk touches neither an idle
 * link nor a long stretch of idle links. A walk in order gives the entering order
 * of the model (rule 2 of the design) for free.
 */
#ifndef NP_SCHEDULE_BUSY_H
#define NP_SCHEDULE_BUSY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "netpram/base.h"

typedef struct np_busy {
    np_link first;  /* the link of bit 0, a multiple of 4096 */
    size_t words;   /* words of `bits` */
    uint64_t *bits; /* [words + 1], padded to whole groups; the last one stays 0 */
    uint8_t *group; /* [words / 64] 1: some word of the group may be non-zero. Bytes, because one store sets a byte */
} np_busy;

/* An empty set of links first .. last-1, in the arrays of its owner. */
void np_busy_layout(np_busy *busy, np_link first, np_link last, np_arena *arena);

static inline bool np_busy_has(const np_busy *busy, np_link link)
{
    return busy->bits[(link >> 6) - (busy->first >> 6)] >> (link & 63) & 1;
}

static inline void np_busy_set(np_busy *busy, np_link link)
{
    busy->bits[(link >> 6) - (busy->first >> 6)] |= UINT64_C(1) << (link & 63);
    busy->group[(link >> 12) - (busy->first >> 12)] = 1;
}

/* As np_busy_set; false: the link was in the set. */
static inline bool np_busy_add(np_busy *busy, np_link link)
{
    uint64_t *word = &busy->bits[(link >> 6) - (busy->first >> 6)], old = *word, bit = UINT64_C(1) << (link & 63);
    *word = old | bit;
    busy->group[(link >> 12) - (busy->first >> 12)] = 1;
    return !(old & bit);
}

/* A walk through the busy links in ascending order. */
typedef struct np_busy_walk {
    size_t word; /* next word to look at */
} np_busy_walk;

/*
 * Takes the next busy links out of the set and returns how many: at most `limit`
 * (which is at least 64), and always all links of a word; 0 at the end. Links already
 * given out may be set again between two calls; this walk does not meet them again.
 */
size_t np_busy_take(np_busy *busy, np_busy_walk *walk, size_t limit, np_link *link);

#endif
