/*
 * Boxes: subarrays of meshes and tori of any dimension, and what the nodes of a box can compute together: how many
 * items there are, and how many are before each node. A torus is treated as the mesh that it contains.
 *
 * A box has the coordinates low[i] .. low[i] + side[i] - 1 in dimension i; a side may be 1. Arrays by node have a place
 * for each node of the network. An order is a permutation of the dimensions; the slowest dimension comes first.
 */
#pragma once

#include "model/network/network.h"
#include "work/sort/log.h"

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
