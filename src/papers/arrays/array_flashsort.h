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

#include "work/sort/engine.h"
#include "papers/flashsort/recursion.h"

/* --- array_box.c --- */

/*
 * Boxes: subarrays of meshes and tori of any dimension, and what the nodes of a box can compute together: how many
 * items there are, and how many are before each node. A torus is treated as the mesh that it contains.
 *
 * A box has the coordinates low[i] .. low[i] + side[i] - 1 in dimension i; a side may be 1. Arrays by node have a place
 * for each node of the network. An order is a permutation of the dimensions; the slowest dimension comes first.
 */

typedef struct np_array_box {
    const np_network *network;
    uint32_t low[NP_MAX_DIMENSIONS], side[NP_MAX_DIMENSIONS];
    uint32_t nodes;
    np_sort_teller *teller; /* of what happens in the box; NULL: nobody observes */
    uint32_t mirror;        /* bit d: the snake through it begins at the far end of dimension d */
} np_array_box;

np_array_box np_array_box_whole(const np_network *network, np_sort_teller *teller);

/* Dimensions with a side of more than 1. */
uint32_t np_array_box_dimensions(const np_array_box *box);

/* The sum of the sides that are more than 1. */
uint32_t np_array_box_sides(const np_array_box *box);

/* The dimensions by their sides, the longest side first; of equal sides the first dimension first. */
void np_array_box_order(const np_array_box *box, uint32_t *order);

/* The i-th node of the snake through the box. Neighbours on the snake are neighbours in the network. */
np_node np_array_box_snake(const np_array_box *box, const uint32_t *order, uint32_t i);

/* Sets the beginning and the directions of the box's snake to those of the snake through the whole network in the same
   order. Then items that are in order along the network's snake need not be reversed in the box. */
void np_array_box_align(np_array_box *box, const uint32_t *order);

/* The number of the line in dimension d that the node is on. */
uint32_t np_array_box_line_of(const np_array_box *box, uint32_t d, np_node node);

/* The first node of the line. */
np_node np_array_box_line_start(const np_array_box *box, uint32_t d, uint32_t line);

/*
 * before[v] = sum of value[] over the nodes before v, row by row in the given order. Returns the sum over all nodes;
 * all nodes know it at the end. In each dimension, the fastest first, sums pass along all lines both ways at the same
 * time, in side - 1 steps. Then every node knows the sum before it on its line and the sum of the whole line, and a
 * line counts as one node in the next dimension. scratch: by node. Adds to the cost.
 */
uint32_t np_array_box_prefix(const np_array_box *box, const uint32_t *order, const uint32_t *value, uint32_t *before,
                             uint32_t *scratch, np_sort_cost *cost);

/* value[] of each node becomes the sum over its line in dimension d, by one pass as in np_array_box_prefix. Adds to the
   cost. */
void np_array_box_sum(const np_array_box *box, uint32_t d, uint32_t *value, np_sort_cost *cost);

/* array[] = value at all nodes of the box. */
void np_array_box_fill(const np_array_box *box, uint32_t *array, uint32_t value);

/* A word that the node in the middle has. */
typedef struct np_array_word {
    uint32_t *array; /* by node: the word at each node that has it; at first at the middle alone */
    uint32_t name;   /* for observers */
} np_array_word;

/*
 * The node in the middle sends words to all others, link by link: along dimension 0 both ways, from each node there
 * along dimension 1, and so on. A node sends each word on in the step after it came, and each word follows one step
 * after the word before it. So a word crosses a link once, and no two do in one step. Adds to the cost.
 */
void np_array_box_broadcast(const np_array_box *box, uint32_t words, const np_array_word *word, np_sort_cost *cost);

/* The node in the middle. */
np_node np_array_box_middle(const np_array_box *box);

/* How a box is cut: plateau p cuts the dimension dimension[p] into parts[p] parts. The part of the first plateau
   changes slowest in the numbers of regions. */
typedef struct np_array_cuts {
    uint32_t plateaus, children;
    uint32_t dimension[NP_MAX_DIMENSIONS], parts[NP_MAX_DIMENSIONS];
} np_array_cuts;

/* Cuts the box into at least 2 and at most `most` children; one dimension stays whole. children < 2: the box cannot be
   cut. */
np_array_cuts np_array_cuts_of(const np_array_box *box, uint32_t most);

/* The number of regions after `plateaus` plateaus. */
uint32_t np_array_cuts_regions(const np_array_cuts *cuts, uint32_t plateaus);

/* The r-th region after `plateaus` plateaus; after all plateaus it is the r-th child. */
np_array_box np_array_cuts_region(const np_array_cuts *cuts, const np_array_box *box, uint32_t plateaus, uint32_t r);

/* The coordinate at which part j of plateau p begins; coordinates in the box begin at 0. */
uint32_t np_array_cuts_begin(const np_array_cuts *cuts, const np_array_box *box, uint32_t p, uint32_t j);

/* The part of plateau p that has the coordinate x; coordinates in the box begin at 0. */
uint32_t np_array_cuts_part(const np_array_cuts *cuts, const np_array_box *box, uint32_t p, uint32_t x);

/* The child that the node is in. */
uint32_t np_array_cuts_child_of(const np_array_cuts *cuts, const np_array_box *box, np_node node);

/* The coordinate of a node in the box; it begins at 0. */
static inline uint32_t np_array_box_coordinate(const np_array_box *box, np_node node, uint32_t d)
{
    return np_network_coordinate(box->network, node, d) - box->low[d];
}

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
