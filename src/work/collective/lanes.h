/*
 * Pairs of hosts between which messages go, and the links between them as the engine of flows has them: for each pair
 * one path, which a path rule gives it. All are found at once, because rules for any network search once for each
 * destination. Parallel links are one, as for the verb flows (run/flows/flows.h).
 */
#pragma once

#include "base/status.h"
#include "engine/flows/fair.h"
#include "netpram/base.h"
#include "netpram/network.h"

typedef struct np_lane_list {
    size_t pairs;
    uint64_t *pair; /* [pairs] ascending, each once */
    size_t *first;  /* [pairs + 1] the links of pair i are link[first[i]] .. link[first[i + 1] - 1] */
    uint32_t *link; /* NULL: no path has any */
    double *delay;  /* [pairs] of the links of the path: steps, or seconds; NULL: links have none */
    size_t added, most, room;
    unsigned bits;      /* a width of 1 is a capacity of 2^bits (np_ways_capacities) */
    uint64_t *capacity; /* [link_numbers] */
} np_lane_list;

/* Zeroed, it has none. Clear it in any case. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_lane_list_add(np_lane_list *pairs, np_node from, np_node to) NP_CHECKED;

/* How the paths of pairs are found. */
typedef struct np_lane_options {
    const char *rule; /* NULL: "greedy" */
    uint64_t seed;    /* what a path draws is of it and the place of its pair */
    bool seconds;     /* delays of links are seconds; else steps */
    const np_watch *watch;
} np_lane_options;

/*
 * Finds the paths of all pairs that were added, and the capacities of links. NP_ERROR_APPLY: the rule is not for the
 * network, or no way leads there; NP_ERROR_INPUT: delays have another unit.
 */
np_status np_lane_list_find(np_lane_list *pairs, const np_network *network, const np_lane_options *options) NP_CHECKED;

/* The place of a pair that was added. */
size_t np_lane_list_place(const np_lane_list *pairs, np_node from, np_node to);

void np_lane_list_clear(np_lane_list *pairs);
