/*
 * Packets numbered within a block and a strip, by messages between neighbours: for the scheme `deal`.
 *
 * The n x n mesh is divided into blocks of b x b nodes, and its columns into strips of b. The packets of a block whose
 * destinations are in one strip get successive numbers, from some negative one up. A message carries a count, for one
 * strip, over one link in one step. Packets go first: a message crosses its link in a step in which no packet does.
 */
#pragma once

#include "papers/grids/grid_queues.h"

typedef struct np_deal_numbers {
    const np_grid_queues *queues;
    uint32_t side, width, strips; /* n, b, ceil(n / b) */
    uint32_t *count;              /* [nodes * strips] packets of the node and of those whose counts have come to it */
    int32_t *base;      /* [nodes * strips] the number of its first packet, when `known` is larger than the strip */
    uint32_t *given;    /* [nodes * strips] packets of the node that have their numbers */
    uint8_t *inward;    /* [nodes] strips whose counts it has sent towards the middle row of its block; */
    uint8_t *across;    /* [nodes] ... towards the middle of this row; */
    uint8_t *up, *down; /* [nodes] ... and, as numbers, away from it */
    uint8_t *known;     /* [nodes] strips whose numbers it knows */
    uint32_t *taken;    /* [links] the last step in which a packet crossed it */
} np_deal_numbers;

/* Sets the sizes; b is the power of two above n^(2/3), at most n. */
np_deal_numbers np_deal_numbers_sizes(const np_network *network);
void np_deal_numbers_layout(np_deal_numbers *d, np_arena *arena);

/* The steps that it takes if no packet is in its way: floor(1.5 b) + n/b, rounded up. */
uint32_t np_deal_numbers_steps(const np_deal_numbers *d);

/* Begins with the packets at their sources. */
void np_deal_numbers_begin(np_deal_numbers *d, const np_grid_queues *queues);
/* The step that the queues have just made, over the links that they did not use. */
void np_deal_numbers_step(np_deal_numbers *d);

/*
 * Gives a number to a packet, which has not moved, once for each packet of a node. False: its node does not know it.
 */
bool np_deal_numbers_take(np_deal_numbers *d, np_packet p, int32_t *number);
