/*
 * Columnsort (Leighton 1985) as a plan: which positions the items of an r x s matrix move to between
 * sorts of its columns. Machines sort columns and move items; nothing here costs a step.
 *
 * Position q of the matrix, q = c r + i, is row i of column c; the order of positions, column by
 * column, is the order that comes out.
 *
 *   1  sort the columns        2  transpose: pick up by columns, put down by rows
 *   3  sort the columns        4  untranspose, the inverse of 2
 *   5  sort the columns        6  shift by f positions: half a column
 *   7  sort the columns but the first      8  unshift
 *
 * It sorts for r >= 2 (s-1)^2 where s divides r, and for r >= s (s-1) where they have no common divisor; no less will
 * do. The proof is in columnsort.c.
 *
 * Columns too large for a machine are sorted by Columnsort in their turn: a plan has levels, of which the
 * last one's columns are those the machine sorts.
 */
#ifndef NP_SORT_COLUMNSORT_H
#define NP_SORT_COLUMNSORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { NP_COLUMNSORT_LEVELS = 6 };

typedef struct np_columnsort {
    uint32_t levels;                        /* 0: one column */
    uint32_t rows[NP_COLUMNSORT_LEVELS];    /* r of each level: the column that the next one sorts */
    uint32_t columns[NP_COLUMNSORT_LEVELS]; /* s of each level */
    uint32_t shift[NP_COLUMNSORT_LEVELS];   /* f of each level */
    uint32_t column, count;                 /* rows of the columns that the machine sorts, and how many there are */
    uint32_t positions;                     /* column * count */
} np_columnsort;

/* U = (s-1)^2 - (s-g) (s-2) / 2 with g = gcd(r, s): most items that can be on the wrong side of a boundary between
   columns after step 4. */
uint64_t np_columnsort_disorder(uint64_t rows, uint64_t columns);

/* Does it sort every input of r x s when it shifts by f? If f and r - f are U or more. */
bool np_columnsort_sorts(uint64_t rows, uint64_t columns, uint64_t shift);

/*
 * A plan: columns[0] at the top, each level within the columns of the one above; `column` rows in the innermost. Shifts
 * are half a column, rounded down to a multiple of grain. NP_ERROR_INPUT with the figures if some level does not sort;
 * NP_ERROR_LIMIT past 2^31 positions.
 */
np_status np_columnsort_init(np_columnsort *plan, uint32_t column, uint32_t levels, const uint32_t *columns,
                             uint32_t grain) NP_CHECKED;

/* Where the item at position q of an r x s matrix goes. */
uint32_t np_columnsort_transpose(uint32_t rows, uint32_t columns, uint32_t q);
uint32_t np_columnsort_untranspose(uint32_t rows, uint32_t columns, uint32_t q);

typedef struct np_columnsort_machine {
    void *context;
    /*
     * Sorts each of `columns` columns of plan->column items, the first at item[0], except those for which idle, which
     * may be NULL, is true.
     */
    np_status (*sort)(void *context, uint32_t depth, uint32_t *item, uint32_t columns, const bool *idle);
    /* Charges for moving the items at positions from[] to positions to[], [count]: a permutation of some positions. The
       items are moved by the caller. `stage` says which: "transpose", ... */
    np_status (*move)(void *context, uint32_t depth, const char *stage, uint32_t count, const uint32_t *from,
                      const uint32_t *to);
    /* sort() can be given columns that begin at any multiple of the grain: it then sorts those of step 7 where they
       are. Of plans of one level. */
    bool windows;
} np_columnsort_machine;

/* Sorts item[plan->positions]. NP_ERROR_MEMORY, and what the machine fails with. */
np_status np_columnsort_run(const np_columnsort *plan, const np_columnsort_machine *machine, uint32_t *item) NP_CHECKED;

#endif
