/* The traffic that the channels of a fat-tree must at least carry. */
#pragma once

#include "model/leveled/leveled.h"
#include "netpram/traffic.h"

/*
 * The load factor, and a channel that has it. If several channels have it, an up channel is
 * preferred to a down channel, then a lower channel to a higher one, then the first.
 */
typedef struct np_fat_tree_load {
    double factor;     /* lambda = load / capacity: no routing takes fewer steps. Exact; 0 if nothing moves */
    uint32_t load;     /* different destinations of the packets that must pass through the channel */
    uint32_t capacity; /* links of the channel */
    bool up;           /* from the leaves to the root */
    uint32_t level;    /* the level of its lower end; leaves are on level 0 */
    uint32_t vertex;   /* its lower end: the number among the vertices of the level */
} np_fat_tree_load;

/*
 * The load factor of the traffic (Leighton, Maggs, Ranade & Rao 1994, section 7). NP_ERROR_APPLY:
 * the network is no fat-tree; NP_ERROR_INPUT: a packet's source or destination is not a leaf;
 * NP_ERROR_MEMORY. O(N + m T) for T packets on a tree of height m.
 */
NP_FOR_REPORT np_status np_fat_tree_load_factor(const np_network *network, const np_traffic *traffic,
                                                np_fat_tree_load *out) NP_CHECKED;

/* Bytes that np_fat_tree_load_factor takes while it works. */
uint64_t np_fat_tree_load_bytes(const np_network *network, np_packet packets);
