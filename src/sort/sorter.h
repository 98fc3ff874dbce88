/*
 * Sorters: one const descriptor and one line in sorters.c each. The driver (sort.c)
 * turns keys into items, lays them out at the sorter's places, has it sort, and
 * checks what came of it.
 *
 * Items. An item is the number of its key in the order of (key, origin): one word that
 * compares as the two would. A sorter compares items and moves them, and uses their values for
 * nothing else: it would move the same way if they were any other words in the same order
 * (tests run sorters on items with gaps to see that). NP_NONE stands for no item, and compares
 * as the infinite key that fills up places.
 */
#ifndef NP_SORT_SORTER_H
#define NP_SORT_SORTER_H

#include "base/log2.h"
#include "base/random.h"
#include "base/registry.h"
#include "merging/merge.h"
#include "network/network.h"
#include "sort/log.h"

typedef struct np_sorting {
    const np_network *network;
    const np_sort_options *options; /* resolved: constants are not 0, algorithm is not NULL */
    np_draws draws;                 /* seed and run; each stage sets purpose and phase */
    unsigned workers;               /* threads that may be used; results do not depend on it */
    uint32_t items;                 /* K */

    /* Set by plan(). */
    uint32_t places, per_place; /* items fit: K <= places * per_place */

    /* [places * per_place] place p has item[p * per_place] ..; before: the input, items 0 .. K-1 of it in order of
       their origin, then NP_NONE. After: ascending. */
    uint32_t *item;
    np_sort_log log;
    np_sort_clock clock;

    /*
     * Told of every item that crosses a link in step 0, 1, .. of the run, by the sorters that move their items
     * themselves and not by an engine: tests replay it on the network. Every link carries one item a step at most.
     * NULL: nobody looks.
     */
    void (*on_hop)(void *context, uint64_t step, np_node from, np_node to, uint32_t item);
    void *hop_context;
} np_sorting;

typedef struct np_sorter_ops {
    np_entry info;
    const char *indexing; /* the order of its places, in words: "rows, each from level 0 up" */
    bool oblivious;       /* its steps and comparisons do not depend on the keys */
    const char *heeds;    /* the options that it heeds of those that not all do: "queue_size, room"; NULL: none */

    /* NULL: applies; else the reason why not, in words that follow "because". */
    const char *(*refuses)(const np_network *network);

    /* Is it a good choice for whom has no wish, on a network that it applies to? NULL: it is. */
    bool (*suits)(const np_network *network);

    /*
     * Sets places and per_place for so many items, 0 < items. For 0 items: places for one a place and as many as there
     * are. NP_ERROR_LIMIT with the figure if that is too many.
     */
    np_status (*plan)(np_sorting *sorting);

    /* The node of a place, where its items are before and after. */
    np_node (*node)(const np_sorting *sorting, uint32_t place);

    np_status (*run)(np_sorting *sorting);

    /* What the textbooks' formulas say; leaves 0 what they do not. May be NULL. */
    void (*predict)(const np_sorting *sorting, np_sort_prediction *out);
} np_sorter_ops;

/* The registry of sorters, in sorters.c: the first that applies and suits is the default. */
extern const np_registry np_sorters;

/* By name; NP_ERROR_INPUT with the nearest one. */
np_status np_sorter_find(const char *name, const np_sorter_ops **out) NP_CHECKED;

/* places and per_place = ceil(items / places). NP_ERROR_LIMIT if places * per_place passes 2^31. */
np_status np_sorting_plan(np_sorting *sorting, uint64_t places) NP_CHECKED;

/*
 * Between stages: NP_ERROR_CANCELLED if the caller's on_progress says so.
 */
np_status np_sorting_progress(const np_sorting *sorting, const char *stage) NP_CHECKED;

/* Threads for the routing on columns of so many rows: one, unless they have work for far longer than they wait for each
   other, also on a machine that is busy with other things. */
unsigned np_sorting_threads(const np_sorting *sorting, uint64_t rows);

/* A merging engine for single packets, by what of the options of merging concerns them; the caller frees it. */
np_status np_sorting_merge_create(const np_sorting *sorting, np_merge **out) NP_CHECKED;

/*
 * Merge-split: two ascending runs of h items each become one, the lower half in a, the
 * upper in b. scratch: [2 h]. A comparator if h is 1.
 */
void np_sort_merge_split(uint32_t *a, uint32_t *b, uint32_t h, uint32_t *scratch);

/* Sorts the items of one place, which is local: sequentially, for free. */
void np_sort_locally(uint32_t *item, uint32_t count);

/*
 * The h items of a place go from node to node, one a step from now + wait on: what on_hop is told. Call it only if there
 * is one.
 */
void np_sorting_tell(const np_sorting *sorting, uint64_t wait, np_node from, np_node to, const uint32_t *item);

/* np_sort_log_charge on the sorting's own clock, at depth 0. */
void np_sorting_charge(np_sorting *sorting, const char *name, const np_sort_cost *cost);

#endif
