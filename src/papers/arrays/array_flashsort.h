/*
 * Flashsort on arrays of any dimension (Leighton, Maggs, Ranade & Rao 1994, section 10), shared by its files:
 *
 *   array_box.c        boxes: subarrays, prefix computations on them, how they are cut
 *   array_route.c      packets along the lines of a box, by the merging engine
 *   array_base.c       the end of the recursion: odd-even transposition, or shearsort
 *   array_split.c      how a box is split: candidates, splitters, splitter-directed routing
 *   array_flashsort.c  the recursion, and the sort of any number of keys
 *
 * Symbols: k dimensions with sides m_1 .. m_k, N nodes, K items, h = ceil(K / N) a node; a box has M nodes, n items.
 */
#pragma once

#include "papers/arrays/array_box.h"
#include "work/sort/engine.h"
#include "papers/flashsort/recursion.h"

/* Items, the nodes where they are, and the numbers under which they draw: the numbers that they had at the root. */
typedef struct np_array_list {
    uint32_t count;
    uint32_t *item, *node, *id;
    size_t room;
    void *block;   /* the arrays, if the list owns them */
    uint32_t kind; /* for observers: what the items are (np_sort_teller_copy) */
    uint32_t word; /* likewise, if it is not 0: the word of the first; the others follow */
} np_array_list;

/* The first `count` items from `first` on; the list keeps its arrays. */
static inline np_array_list np_array_list_slice(const np_array_list *list, uint32_t first, uint32_t count)
{
    return (np_array_list){.count = count,
                           .item = list->item + first,
                           .node = list->node + first,
                           .id = list->id + first,
                           .kind = list->kind};
}

/* Makes room for `room` items; count is left as it is. After NP_ERROR_MEMORY the list must be cleared all the same. */
np_status np_array_list_create(np_array_list *list, size_t room) NP_CHECKED;
void np_array_list_clear(np_array_list *list);

typedef struct np_array_flash {
    np_sorting *sorting;
    uint32_t order[NP_MAX_DIMENSIONS]; /* of the places */
    uint32_t sides;                    /* their sum */
    np_sort_engine engine;

    /* By node, for one box at a time; load: 0 between uses. */
    uint32_t *value, *before, *scratch, *lower, *upper, *load;

    /* [items], for one box at a time. */
    uint32_t *target, *child;
    np_array_list moved;
    uint32_t *slot; /* [16 * items] */
    void *block;    /* the arrays above */
} np_array_flash;

/* The candidates by which a box is split. */
typedef struct np_array_sample {
    double expected;
    np_array_cuts cuts;
    bool light; /* there are so many candidates that the subroutine sorts them */
} np_array_sample;

/* A box at work. */
typedef struct np_array_part {
    np_array_flash *flash;
    np_array_box box;
    np_array_list list; /* when it is sorted, in ascending order */
    np_array_sample sample;
    uint32_t longest[NP_MAX_DIMENSIONS]; /* the dimensions of the box, the longest side first */
    uint32_t depth;
    uint32_t room;     /* items that a node of a child may have on average */
    uint16_t phase;    /* numbers of phases begin here */
    bool numbered;     /* each item knows how many are before it, row by row in flash->order */
    bool along;        /* item i is at place floor(i / h) of the snake through the box */
    const char *stage; /* the name of its sort, if it is not split */
    np_sort_clock *clock;
    uint64_t delay; /* steps that packets waited, on the branch that leads here */
} np_array_part;

void np_array_part_charge(np_array_flash *flash, np_array_part *part, const char *stage, const np_sort_cost *cost);

/* --- array_route.c --- */

/*
 * Moves each item of the list to target[] along the lines of one dimension after the other, in the given order. Updates
 * list->node[] and adds to the cost.
 */
np_status np_array_route(np_array_flash *flash, const np_array_box *box, const np_array_list *list,
                         const uint32_t *target, const uint32_t *order, uint16_t phase, np_sort_cost *cost) NP_CHECKED;

/* --- array_base.c --- */

/* How the items of a box are sorted without splitting it. */
typedef struct np_array_base {
    np_array_box box; /* the places are along its snake, from `start` on */
    uint32_t order[NP_MAX_DIMENSIONS];
    uint32_t h, places, start; /* h items a place */
    uint32_t rows, columns;    /* of shearsort; 0: transposition */
    uint32_t kind;             /* for observers: what the items are (np_sort_teller_copy) */
    uint64_t steps;
} np_array_base;

/* The fastest base for `items` items, in the middle of the box. */
np_array_base np_array_base_of(const np_array_box *box, const uint32_t *order, uint32_t items);

/* The fastest base whose places are the first places of the box's own snake. */
np_array_base np_array_base_in_place(const np_array_box *box, const uint32_t *order, uint32_t items);

np_node np_array_base_node(const np_array_base *base, uint32_t place);

/* How many slots the base has, which are filled up with NP_NONE at the end: not more than 2 (items + h). */
size_t np_array_base_slots(const np_array_base *base);

/* Sorts the slots. Behind the last slot there is scratch room for 2 h. Adds to the cost. */
void np_array_base_run(const np_array_base *base, uint32_t *slot, np_sort_cost *cost);

/* flash->value[] = how many items of the list are at each node of the box. */
void np_array_count(np_array_flash *flash, const np_array_box *box, const np_array_list *list);

/* Item i of the list goes to place flash->child[i] of the base, along the dimensions in the given order. */
np_status np_array_base_gather(np_array_flash *flash, np_array_part *part, const np_array_list *list,
                               const np_array_base *base, const uint32_t *order, uint16_t phase,
                               const char *stage) NP_CHECKED;

/* Sorts the items of the list, which are there. */
np_status np_array_base_sort(np_array_flash *flash, np_array_part *part, np_array_list *list, np_array_base *base,
                             const char *stage) NP_CHECKED;

/* Sorts the part's items in the middle of its box, or in place, with as few items a node as possible. It never fails to
   sort. */
np_status np_array_sort_base(np_array_flash *flash, np_array_part *part) NP_CHECKED;

/* --- array_split.c --- */

/* For a part: np_recursion_ops.split. The items of the list are then in order of the children. */
np_status np_array_split(void *part, uint32_t attempt, uint32_t *children, uint32_t *count) NP_CHECKED;

/* --- array_flashsort.c --- */

/* The recursive subroutine. */
np_status np_array_sort_part(np_array_part *part) NP_CHECKED;
