/* What ranade_lists.c and ranade_rows.c share: a batch that is made ready, part by part. */
#pragma once

#include "base/hot.h"
#include "engine/merging/ranade_inside.h"

enum { NP_RANADE_NUMBERS = NP_RANADE_PAIRS + 1 /* of pairs in a word: the last one is of none */ };

#define NP_RANADE_NO_TAG UINT32_MAX
#define NP_RANADE_NEW_WORD (UINT32_C(1) << 2 * NP_RANADE_PAIRS) /* of no pairs yet */

/* A batch that is made ready. */
typedef struct np_ranade_lists {
    np_ranade *ranade;
    unsigned bits;          /* s: 2^s parts */
    uint32_t c;             /* of phase 2: the column n + 1 + c whose lists are written */
    uint64_t before, words; /* of direction bits: of the columns before it; so far */
} np_ranade_lists;

/* The words of a list. */
NP_INLINE uint32_t np_ranade_words_of(uint32_t pairs)
{
    return pairs / NP_RANADE_PAIRS + (pairs % NP_RANADE_PAIRS != 0);
}

/* ---- Parts ---- */

/* Which part has the row in phase 1. */
NP_INLINE uint32_t np_ranade_part_of_row(const np_ranade_lists *l, uint32_t row)
{
    return row >> (l->ranade->n - l->bits);
}

/* Rows first .. first + count - 1, and again every `stride` rows, below `rows`. */
typedef struct np_ranade_row_range {
    uint32_t first, count, stride;
} np_ranade_row_range;

/* The rows that the part has while ways are at column n + 1 + c, or in phase 1, for c = 0. */
NP_INLINE np_ranade_row_range np_ranade_rows_of(const np_ranade_lists *l, uint32_t c, uint32_t part)
{
    uint32_t n = l->ranade->n, rest = n - l->bits;
    if (c < rest)
        return (np_ranade_row_range){part << rest, UINT32_C(1) << rest, UINT32_C(1) << n};
    return (np_ranade_row_range){part << (rest - l->bits), UINT32_C(1) << (rest - l->bits), UINT32_C(1) << rest};
}

/* The words piece[].words[place] of the parts before `part`. */
NP_INLINE uint64_t np_ranade_words_before(const np_ranade_lists *l, uint32_t place, uint32_t part)
{
    uint64_t sum = 0;
    for (uint32_t p = 0; p < part; p++)
        sum += l->ranade->piece[p].words[place];
    return sum;
}

/*
 * Tasks of ranade_rows.c, one after the other: switches are cleared and requests counted; initial queues and ways are
 * filled, and piece[].words[0], the words of phase 1, counted; its lists are written.
 */
void np_ranade_count_rows(const np_ranade_lists *l, uint32_t part);
void np_ranade_fill_rows(const np_ranade_lists *l, uint32_t part);
void np_ranade_write_rows(const np_ranade_lists *l, uint32_t part);
