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
 */
#pragma once

#include "work/sort/router.h"

typedef struct np_columnsort {
    uint32_t column, columns; /* r, s */
    uint32_t shift;           /* f */
    uint32_t positions;       /* r s */
} np_columnsort;

/* U = (s-1)^2 - (s-g) (s-2) / 2 with g = gcd(r, s): the most items that can be on the wrong side of a boundary between
   columns after step 4. */
uint64_t np_columnsort_disorder(uint64_t rows, uint64_t columns);

/* Does Columnsort sort every input of r x s when it shifts by f? It does if f >= U and r - f >= U. */
bool np_columnsort_sorts(uint64_t rows, uint64_t columns, uint64_t shift);

/* Makes a plan. The shift is half a column, rounded down to a multiple of grain. NP_ERROR_INPUT with the figures if it
   does not sort; NP_ERROR_LIMIT past 2^31 positions. */
np_status np_columnsort_init(np_columnsort *plan, uint32_t column, uint32_t columns, uint32_t grain) NP_CHECKED;

/* Where the item at position q goes. */
typedef uint32_t np_columnsort_permutation(const np_columnsort *plan, uint32_t q);
np_columnsort_permutation np_columnsort_transpose, np_columnsort_untranspose, np_columnsort_shift,
    np_columnsort_unshift;

typedef struct np_columnsort_machine {
    void *context;
    /* Sorts `columns` columns, the first at item[0]. It is column number `first` of the matrix. */
    np_status (*sort)(void *context, uint32_t *item, uint32_t first, uint32_t columns);
    /* Charges for moving the item at each position to position to[positions]. The caller moves the items. `stage` is
       the name of the permutation: "transpose", ... */
    np_status (*move)(void *context, const char *stage, const uint32_t *to);
    /* sort() can be given columns that begin at any multiple of the grain. Then the columns of step 7 are sorted where
       they are. */
    bool windows;
} np_columnsort_machine;

/* Sorts item[plan->positions]. NP_ERROR_MEMORY, and the errors of the machine. */
np_status np_columnsort_run(const np_columnsort *plan, const np_columnsort_machine *machine, uint32_t *item) NP_CHECKED;

/*
 * On a network the sorter says at which node each place is and sorts the columns; the items of all places are routed
 * from node to node between the sorts (router.h).
 */

/* How the places of a sorter, column by column, are on the network. */
typedef struct np_columnsort_host {
    uint32_t columns, column;                               /* s, and the places of a column */
    bool windows;                                           /* as in np_columnsort_machine, with a grain of a place */
    np_status (*nodes)(const void *context, np_node *node); /* node[places] */
    np_status (*sort)(void *context, uint32_t *item, uint32_t first, uint32_t columns); /* likewise; charges the run */
    void *context;
} np_columnsort_host;

/* Sorts the items. NP_ERROR_MEMORY; NP_ERROR_APPLY as np_sort_router_init; the errors of the host. */
np_status np_columnsort_on_network(np_sorting *sorting, const np_columnsort_host *host) NP_CHECKED;
