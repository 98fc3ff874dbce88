/* Numbers that a network's links have from a file: capacities, delays, weights. */
#pragma once

#include "model/network/network.h"

/* The number of the port by which a link leaves its tail, as InfiniBand counts them. Formats do not write it. */
#define NP_IB_PORT "ibport"

/* Frees a network's attributes. */
void np_attributes_clear(np_network *network);

/* Gives the network, which has the same link numbers, a copy of the attributes. */
np_status np_attributes_copy(const np_network *from, np_network *network) NP_CHECKED;

/*
 * *out = the attribute of the name. NP_ERROR_APPLY: there is none; the message begins with `what`, as in "delay" or
 * "paths 'cheapest'", and names those there are.
 */
np_status np_attributes_need(const np_network *network, const char *what, const char *name,
                             const np_link_attribute **out) NP_CHECKED;

/* These attributes are the delay and the cost of links; NULL: none is. The errors of np_attributes_need. */
np_status np_attributes_mark(np_network *network, const char *delay, const char *cost) NP_CHECKED;

enum {
    NP_DELAY_MOST = 4096,  /* ours: what travels is kept in a list for each step */
    NP_COST_MOST = 1000000 /* ours: 18000 links of this cost fit 64 bits */
};

/*
 * *out: [link_numbers] the delay of each link, in whole steps (or `unit`, the same by another name); `none` where the
 * file says none. NULL: no attribute is the delay. The caller frees it, also after an error. NP_ERROR_INPUT: a delay is
 * no whole number in 1 .. NP_DELAY_MOST, or has another unit.
 */
np_status np_attributes_delays(const np_network *network, const char *unit, uint16_t none, uint16_t **out) NP_CHECKED;

/*
 * cost[link] = what the link costs by the attribute, in units of 1e-9, so that sums are exact. Links of hosts that hang
 * on a switch cost nothing. NP_ERROR_INPUT: a link lacks the number, or it is none in 0 .. NP_COST_MOST.
 */
np_status np_attributes_costs(const np_network *network, const np_link_attribute *attribute, uint64_t *cost) NP_CHECKED;

enum { NP_HEEDS_DELAYS = 1, NP_HEEDS_COSTS = 2 };

/* NP_ERROR_APPLY: an attribute is the delay or the cost of links, and `who`, as in "sort", does not heed it. */
NP_FOR_REPORT np_status np_attributes_heeded(const np_network *network, const char *who, unsigned heeds) NP_CHECKED;
