/* Maximum matchings of bipartite graphs that are given as matrices of bits. */
#pragma once

#include "base/arena.h"

/* The caller sets the first three members. The layout has the others. */
typedef struct np_matching {
    uint32_t rows, columns;
    const uint64_t
        *bit; /* [rows][np_matching_words] row r and column c may be matched: bit c % 64 of word c / 64 of r */

    uint32_t *row_of;    /* [columns] the result: the row that the column is matched with, or UINT32_MAX */
    uint32_t *column_of; /* [rows] likewise */
    uint64_t *seen;      /* [words] columns that this search has reached */
    uint32_t *before;    /* [columns] the row from which it has reached a column */
    uint32_t *queue;     /* [rows] */
} np_matching;

/* The words of a row. */
static inline size_t np_matching_words(uint32_t columns) { return ((size_t)columns + 63) / 64; }

void np_matching_layout(np_matching *matching, np_arena *arena);

/* Finds a maximum matching, a function of the bits alone. Returns its size. Time O(rows^2 words). */
uint32_t np_matching_find(np_matching *matching);
