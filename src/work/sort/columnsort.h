/*
 * Columnsort (Leighton 1985) as a plan: to which positions the items of an r x s matrix move between the sorts of its
 * columns. Machines sort the columns and move the items; the plan itself costs no steps.
 *
 * Position q of the matrix, q = c r + i, is row i of column c. In the end the items ascend by position, column by
 * column.
 *
 *   1  sort the columns        2  transpose: pick up by columns, put down by rows
 *   3  sort the columns        4  untranspose, the inverse of 2
 *   5  sort the columns        6  shift by f positions: half a column
 *   7  sort the columns but the first      8  unshift
 *
 * It sorts for r >= 2 (s-1)^2 where s divides r, and for r >= s (s-1) where r and s have no common divisor; these
 * bounds are exact. The proof is in columnsort.c.
 *
 * Columns that are too large for a machine are sorted by Columnsort too. So a plan has levels, and the machine sorts
 * the columns of the last level.
 */
#ifndef NP_SORT_COLUMNSORT_H
#define NP_SORT_COLUMNSORT_H

#include <stdbool.h>

#include "base/status.h"

enum { NP_COLUMNSORT_LEVELS = 6 };

typedef struct np_columnsort {
    uint32_t levels;                        /* 0: one column */
    uint32_t rows[NP_COLUMNSORT_LEVELS];    /* r of each level: the column that the next level sorts */
    uint32_t columns[NP_COLUMNSORT_LEVELS]; /* s of each level */
    uint32_t shift[NP_COLUMNSORT_LEVELS];   /* f of each level */
    uint32_t column, count;                 /* rows of the columns that the machine sorts, and how many there are */
    uint32_t positions;                     /* column * count */
} np_columnsort;

/* U = (s-1)^2 - (s-g) (s-2) / 2 with g = gcd(r, s): the most items that can be on the wrong side of a boundary between
   columns after step 4. */
uint64_t np_columnsort_disorder(uint64_t rows, uint64_t columns);

/* Does Columnsort sort every input of r x s when it shifts by f? It does if f >= U and r - f >= U. */
bool np_columnsort_sorts(uint64_t rows, uint64_t columns, uint64_t shift);

/*
 * Makes a plan: columns[0] is the top level, and each level is within the columns of the level above; the innermost
 * columns have `column` rows. Shifts are half a column, rounded down to a multiple of grain. NP_ERROR_INPUT with the
 * figures if some level does not sort; NP_ERROR_LIMIT past 2^31 positions.
 */
np_status np_columnsort_init(np_columnsort *plan, uint32_t column, uint32_t levels, const uint32_t *columns,
                             uint32_t grain) NP_CHECKED;

/* Where the item at position q of an r x s matrix goes. */
uint32_t np_columnsort_transpose(uint32_t rows, uint32_t columns, uint32_t q);
uint32_t np_columnsort_untranspose(uint32_t rows, uint32_t columns, uint32_t q);

typedef struct np_columnsort_machine {
    void *context;
    /*
     * Sorts `columns` columns of plan->column items each, the first at item[0], except the columns for which idle[] is
     * true. idle may be NULL.
     */
    np_status (*sort)(void *context, uint32_t depth, uint32_t *item, uint32_t columns, const bool *idle);
    /* Charges for moving the items at positions from[count] to positions to[count], a permutation of some positions.
       The caller moves the items. `stage` is the name of the permutation: "transpose", ... */
    np_status (*move)(void *context, uint32_t depth, const char *stage, uint32_t count, const uint32_t *from,
                      const uint32_t *to);
    /* sort() can be given columns that begin at any multiple of the grain. Then the columns of step 7 are sorted where
       they are, in plans of one level. */
    bool windows;
} np_columnsort_machine;

/* Sorts item[plan->positions]. NP_ERROR_MEMORY, and the errors of the machine. */
np_status np_columnsort_run(const np_columnsort *plan, const np_columnsort_machine *machine, uint32_t *item) NP_CHECKED;

#endif
