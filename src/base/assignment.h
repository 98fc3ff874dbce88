/*
 * The heaviest assignment, with prices that prove it: which row goes to which column, so that the sum of their weights
 * is largest. Rows have a supply and columns a demand (the transportation problem of Hitchcock 1941; all 1: the
 * assignment problem). Interchangeable items are one row or column, which makes the problem much smaller.
 */
#pragma once

#include "base/status.h"

/* Of the supply of the row, so much goes to the column. */
typedef struct np_assigned {
    uint32_t row, column, amount;
} np_assigned;

typedef struct np_assignment {
    /* The problem: the caller's. */
    uint32_t rows, columns;
    const uint32_t *supply, *demand; /* [rows], [columns] with the same sum, below 2^32 - 1 */
    const uint16_t *narrow;          /* [rows * columns] weights; NULL: they are in `wide` */
    const int64_t *wide;             /* [rows * columns] >= 0; the sum of all assigned ones is below 2^62 */
    int64_t enough; /* > 0: the search ends, without an assignment and with parts 0, if the bound is at most this */
    double gap;     /* 0: the heaviest; else one that is lighter than the bound by this share at most */

    /* The solution. */
    int64_t value;                     /* the sum of amount x weight */
    int64_t bound;                     /* no assignment is heavier: the sum of the prices */
    int64_t *row_price, *column_price; /* row_price[i] + column_price[j] >= weight of i and j, everywhere */
    np_assigned *assigned;             /* [parts] by row, then by column */
    uint32_t parts;

    void *block;
} np_assignment;

/*
 * Solves it. O(rows x columns) for each of a few rounds where weights are small whole numbers, as distances are; in the
 * worst case for each unit of supply. Clear it in any case. NP_ERROR_INTERNAL: other sums than said; NP_ERROR_MEMORY.
 */
np_status np_assignment_solve(np_assignment *assignment) NP_CHECKED;
void np_assignment_clear(np_assignment *assignment);
