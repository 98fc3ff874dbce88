/*
 * Where the columns of Columnsort are on a network, and what sorting them costs there. A layout's
 * places are column by column; place p is position p / places_per_column of the matrix and so on. Each kind of network
 * has one way of sorting a column of R places with h items each:
 *
 *   mesh, array, torus  columns are pieces of a snake through all nodes, along the longest side first: odd-even
 *                    transposition along the piece, R h steps. (Pieces that begin anywhere are sorted alike.)
 *   hypercube        columns are subcubes of R = 2^d nodes: Batcher's bitonic sort, d (d+1) / 2 comparators deep, of h
 *                    steps each (merge-splits)
 *   butterfly        columns are 2^d neighbouring rows of n nodes, R = n 2^d. Bitonic sort over rows and the positions
 * in them, of which the comparators within rows are replaced by odd-even transposition along the levels, n h steps.
 * Merge k, k = 1 .. d, is over bits k-1 .. 0 of the row: the rows turn, as rings, so that all items go up a level at
 * once; an item that has come to level n-k sends a copy over the cross edge there and at the k-1 levels that follow,
 * and of itself and the copy that comes the one is kept. The last is at level n-k after n-1 steps, and done k later: n
 * - 1 + k, each times h. Then rows are sorted again. h (n (1+d) + d (n-1) + d (d+1) / 2) steps. shuffle-exchange of 2k
 * bits  columns are butterflies of 2^k rows, embedded by Theorem 9.1 (embedding.h), lambda of them on one string. The
 * same with n = d = k; a step of transposition takes 2 lambda steps, one of the turning rows 2 lambda + 1, as copies
 * are compared across exchanges before items go on: the schedules of embedding.h. h (2 lambda k (k+1) + (2 lambda + 1)
 * (k (k-1) + k (k+1) / 2)) steps.
 */
#ifndef NP_SORT_LAYOUT_H
#define NP_SORT_LAYOUT_H

#include "sort/log.h"
#include "sort/sorter.h"

typedef struct np_sort_layout_kind np_sort_layout_kind;

typedef struct np_sort_layout {
    const np_sort_layout_kind *kind;
    const np_network *network;
    uint32_t columns, column; /* s and R: places of one */
    uint32_t bits;            /* d: 2^d rows of a column; 0 on a snake */
    uint32_t row;             /* places in a row: n or k; 1 on a hypercube; R on a snake */
    uint32_t per_string;      /* lambda; else 0 */
    bool windows;             /* columns can begin anywhere */
} np_sort_layout;

/* NULL: there is a layout; else why not. */
const char *np_sort_layout_refuses(const np_network *network);

/* As many columns as Columnsort can do with when each place has one item. np_sort_layout_refuses gives NULL. */
np_sort_layout np_sort_layout_of(const np_network *network);

/* node[places]. NP_ERROR_MEMORY. */
np_status np_sort_layout_nodes(const np_sort_layout *layout, np_node *node) NP_CHECKED;

/* What sorting `columns` columns at the same time costs, h items a place. */
np_sort_cost np_sort_layout_cost(const np_sort_layout *layout, uint32_t h, uint32_t columns);

/* Sorts a column, item[R h], as the network does. scratch: [2 h row]. */
void np_sort_layout_sort(const np_sort_layout *layout, uint32_t h, uint32_t *item, uint32_t *scratch);

#endif
