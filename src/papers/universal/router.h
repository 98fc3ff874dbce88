/* The fat-tree of a universal network, on which packets of groups are merged. One router serves all steps. */
#pragma once

#include "base/random.h"
#include "papers/ranks/offline_ranks.h"
#include "papers/universal/load.h"

typedef struct np_tree_router np_tree_router;

/* Where paths and ranks come from. The groups' numbers are the numbers in the whole guest. */
typedef struct np_tree_choice {
    np_draws draws;
    /* [groups] the node that the path has at the root, or would have if it went so far; NULL: random, by a hash */
    const uint32_t *label;
    const uint32_t *
        rank; /* [groups] off line, where packets do not combine; NULL: random or a hash of the group if they combine */
    const np_watch *watch;       /* is told how much of the routing is done; NULL: nobody */
    const np_observer *observer; /* gets the events, on the fat-tree; NULL: nobody does */
} np_tree_choice;

/* NP_ERROR_MEMORY. */
np_status np_tree_router_create(const np_shape *shape, bool combine, const np_universal_options *options,
                                np_tree_router **out) NP_CHECKED;

void np_tree_router_free(np_tree_router *router);

/*
 * Sets the packets to route from now on: the packets of the groups that leave their leaves. guest and spread are
 * borrowed. weight: [row[groups]] of spread, the number of nodes that the packet of each leaf stands for, borrowed;
 * NULL without combining.
 */
np_status np_tree_router_load(np_tree_router *router, const np_guest *guest, const np_spread *spread,
                              const uint64_t *weight) NP_CHECKED;

/* Routes the packets. NP_ERROR_INTERNAL if a path ends elsewhere, or if a bus does not hear of all its nodes. */
np_status np_tree_router_run(np_tree_router *router, const np_tree_choice *choice, np_phase_run *out) NP_CHECKED;

/*
 * Finds ranks in 1 .. c + L + log2 N by conditional expectations, for the paths of these labels; see
 * np_offline_ranks_find. out->rank is by packets: packet i belongs to np_tree_router_group(router, i). NP_ERROR_LIMIT
 * also if it would take more than a second or two.
 */
np_status np_tree_router_find_ranks(np_tree_router *router, const uint32_t *label, np_offline_ranks *out) NP_CHECKED;

/* The number of packets loaded; and [np_tree_router_packets] the group of each, numbered in the whole guest. */
np_packet np_tree_router_packets(const np_tree_router *router);
uint32_t np_tree_router_group(const np_tree_router *router, np_packet packet);
