/*
 * The set of busy links of one range of links: a bitmap walked in order, and
 * above it one bit for each 64 words, so that neither an idle link nor a long
 * stretch of them is ever touched. Walking in order gives the entering order
 * of the model (rule 2 of the design) for free.
 */
#ifndef NP_SCHEDULE_BUSY_H
#define NP_SCHEDULE_BUSY_H

#include <stddef.h>

#include "base/status.h"
#include "netpram/types.h"

typedef struct np_busy {
    np_link first;   /* the link of bit 0 */
    size_t words;    /* of bits */
    uint64_t *bits;  /* [words], padded to whole groups */
    uint64_t *group; /* [(words + 4095) / 4096] bit g: some word 64 g .. 64 g + 63 may be non-zero */
} np_busy;

np_status np_busy_init(np_busy *busy, np_link first, np_link last) NP_CHECKED;
void np_busy_clear(np_busy *busy);
uint64_t np_busy_bytes(uint64_t links);

static inline void np_busy_set(np_busy *busy, np_link link)
{
    uint32_t i = link - busy->first;
    busy->bits[i >> 6] |= UINT64_C(1) << (i & 63);
    busy->group[i >> 18] |= UINT64_C(1) << (i >> 12 & 63);
}

static inline void np_busy_unset(np_busy *busy, np_link link)
{
    uint32_t i = link - busy->first;
    busy->bits[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

/* A walk through the busy links in ascending order. */
typedef struct np_busy_walk {
    size_t word;   /* next word to look at */
    uint64_t rest; /* bits of word - 1 not yet given out */
} np_busy_walk;

/*
 * The next up to `limit` busy links; 0 at the end. Bits of links already
 * given out may be cleared in between; none may be set.
 */
size_t np_busy_next(np_busy *busy, np_busy_walk *walk, size_t limit, np_link *link);

#endif
