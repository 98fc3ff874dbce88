/*
 * Where the columns of Columnsort are on a network, and what sorting them costs there. Places are numbered column by
 * column. A column has R places of h items each:
 *
 * mesh, torus, array, ring: a column is a piece of the snake (model/network/axes.h), sorted by odd-even transposition.
 * A piece can begin anywhere.
 *     R h steps
 *
 * hypercube: a column is a subcube of R = 2^d nodes, sorted by Batcher's bitonic sort, with merge-splits.
 *     h d (d+1) / 2 steps
 *
 * butterfly: a column is 2^d neighbouring rows of n nodes, R = n 2^d. It is sorted by bitonic sort over rows and the
 * positions in them, but odd-even transposition along the levels, of n h steps, replaces the comparators within rows.
 * Merge k = 1 .. d is over bits k-1 .. 0 of the row. Rows turn, as rings, so that all items go up a level at once. An
 * item that has come to level n-k sends a copy over the cross edge, there and at the k-1 levels that follow. The node
 * keeps one of the two, the item or the copy that comes. The last item is at level n-k after n-1 steps, and done k
 * steps later. Then rows are sorted again. (`bitonic` does the same over all rows: batcher_rings.c.)
 *     h (n (1+d) + d (n-1) + d (d+1) / 2) steps
 *
 * shuffle-exchange of 2k bits: a column is a butterfly of 2^k rows, embedded by Theorem 9.1 (embedding.h), one on a
 * string. The sort is the sort of the butterfly with n = d = k. A step of transposition takes 2 steps. A step of the
 * turning rows takes 3, because copies are compared across exchanges before items go on. Schedules: embedding.h.
 *     h (2 k (k+1) + 3 (k (k-1) + k (k+1) / 2)) steps
 */
#pragma once

#include "work/sort/sorter.h"

typedef struct np_sort_layout_kind np_sort_layout_kind;

typedef struct np_sort_layout {
    const np_sort_layout_kind *kind;
    const np_network *network;
    uint32_t columns, column; /* s, and R: the places of a column */
    uint32_t bits;            /* d: 2^d rows of a column; 0 on a snake */
    uint32_t row;             /* places in a row: n or k; 1 on a hypercube; R on a snake */
    bool windows;             /* columns can begin anywhere */
} np_sort_layout;

/* On a family of networks. np_sort_layouts, in sorters.c, lists all, with NULL behind the last. */
struct np_sort_layout_kind {
    np_kind networks;
    /* Returns NULL, or the reason why not. A null pointer: it never refuses. */
    const char *(*refuses)(const np_network *network);
    void (*shape)(np_sort_layout *layout);
    np_status (*nodes)(const np_sort_layout *layout, np_node *node);
    np_sort_cost (*cost)(const np_sort_layout *layout, uint32_t h); /* of one column */
};

extern const np_sort_layout_kind *const np_sort_layouts[];

/* The cost of a column of rows that turn: rows are sorted at first and after each of d merges. A step along a row
   crosses `links` links. *turns = the steps in which rows turn, in all merges together. */
np_sort_cost np_sort_layout_rows(const np_sort_layout *layout, uint32_t h, uint64_t links, uint64_t *turns);

/* NULL if there is a layout, else the reason why not. */
const char *np_sort_layout_refuses(const np_network *network);

/* The layout with the most columns with which Columnsort sorts when each place has one item. Requires that
   np_sort_layout_refuses gives NULL. */
np_sort_layout np_sort_layout_of(const np_network *network);

/* node[places]. NP_ERROR_MEMORY. */
np_status np_sort_layout_nodes(const np_sort_layout *layout, np_node *node) NP_CHECKED;

/* The cost of sorting `columns` columns at the same time, with h items a place. */
np_sort_cost np_sort_layout_cost(const np_sort_layout *layout, uint32_t h, uint32_t columns);

/* Sorts a column, item[R h], as the network does. scratch: [2 h row]. */
void np_sort_layout_sort(const np_sort_layout *layout, uint32_t h, uint32_t *item, uint32_t *scratch);
