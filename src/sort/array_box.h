/*
 * Boxes: subarrays of meshes and tori of any dimension, with what nodes can find out together on one: how many there
 * are, and how many before me. Tori are taken as the meshes that they contain.
 *
 * A box has low[i] .. low[i] + side[i] - 1 in dimension i; a side may be 1. Arrays by node have a place for each node
 * of the network. An order is a permutation of the dimensions, the one that changes slowest first.
 */
#ifndef NP_SORT_ARRAY_BOX_H
#define NP_SORT_ARRAY_BOX_H

#include "network/network.h"
#include "sort/log.h"

typedef struct np_array_box {
    const np_network *network;
    uint32_t low[NP_MAX_DIMENSIONS], side[NP_MAX_DIMENSIONS];
    uint32_t nodes;
    uint32_t mirror; /* bit d: the snake through it begins at the far end of dimension d */
} np_array_box;

/* NULL: the network is an array of some dimension; else why it is not. */
const char *np_array_box_refuses(const np_network *network);

np_array_box np_array_box_whole(const np_network *network);

/* Dimensions with a side of more than 1. */
uint32_t np_array_box_dimensions(const np_array_box *box);

/* The sum of the sides of those dimensions. */
uint32_t np_array_box_sides(const np_array_box *box);

/* The dimensions by their sides, the longest first, of equals the first. */
void np_array_box_order(const np_array_box *box, uint32_t *order);

/* The i-th node of the snake through the box: neighbours on it are neighbours. */
np_node np_array_box_snake(const np_array_box *box, const uint32_t *order, uint32_t i);

/* Has the snake begin as that through the whole network in the same order runs: what is in order there need not turn.
 */
void np_array_box_align(np_array_box *box, const uint32_t *order);

/* Lines in dimension d: which one a node is on. */
uint32_t np_array_box_line_of(const np_array_box *box, uint32_t d, np_node node);

/*
 * before[v] = sum of value[] over the nodes before v, row by row in that order; returns the sum of all, known to
 * all. In each dimension, the fastest first, sums pass along all lines both ways at the same time, side - 1 steps:
 * then every node knows what is before it and what there is on its line, and a line counts as one node in the next
 * dimension. scratch: by node. Adds to the cost.
 */
uint32_t np_array_box_prefix(const np_array_box *box, const uint32_t *order, const uint32_t *value, uint32_t *before,
                             uint32_t *scratch, np_sort_cost *cost);

/* value[] of each node becomes the sum over its line in dimension d, by one of those passes. Adds to the cost. */
void np_array_box_sum(const np_array_box *box, uint32_t d, uint32_t *value, np_sort_cost *cost);

/* array[] = value at all nodes of the box. */
void np_array_box_fill(const np_array_box *box, uint32_t *array, uint32_t value);

/*
 * Words of the node in the middle to all others: in each dimension both ways at the same time, side / 2 steps; the next
 * word a step later. Adds to the cost.
 */
void np_array_box_broadcast(const np_array_box *box, uint32_t words, np_sort_cost *cost);

/* The node in the middle. */
np_node np_array_box_middle(const np_array_box *box);

/* How a box is cut: dimension dimension[p] into parts[p], for each p; those of the first are the slowest to change. */
typedef struct np_array_cuts {
    uint32_t plateaus, children;
    uint32_t dimension[NP_MAX_DIMENSIONS], parts[NP_MAX_DIMENSIONS];
} np_array_cuts;

/* Into at most so many children, 2 or more; one dimension stays whole. children < 2: it cannot be cut. */
np_array_cuts np_array_cuts_of(const np_array_box *box, uint32_t most);

/* Regions after so many plateaus. */
uint32_t np_array_cuts_regions(const np_array_cuts *cuts, uint32_t plateaus);

/* The r-th region after so many plateaus; the r-th child after all of them. */
np_array_box np_array_cuts_region(const np_array_cuts *cuts, const np_array_box *box, uint32_t plateaus, uint32_t r);

/* The coordinate, from 0 on in the box, at which part j of plateau p begins. */
uint32_t np_array_cuts_begin(const np_array_cuts *cuts, const np_array_box *box, uint32_t p, uint32_t j);

/* The part of plateau p that has the coordinate x of the box, from 0 on. */
uint32_t np_array_cuts_part(const np_array_cuts *cuts, const np_array_box *box, uint32_t p, uint32_t x);

/* The child that the node is in. */
uint32_t np_array_cuts_child_of(const np_array_cuts *cuts, const np_array_box *box, np_node node);

/* Coordinate of a node in the box, from 0 on. */
static inline uint32_t np_array_box_coordinate(const np_array_box *box, np_node node, uint32_t d)
{
    return np_network_coordinate(box->network, node, d) - box->low[d];
}

#endif
