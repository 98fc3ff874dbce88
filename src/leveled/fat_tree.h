/* How much traffic the channels of a fat-tree must carry at least. */
#ifndef NP_LEVELED_FAT_TREE_H
#define NP_LEVELED_FAT_TREE_H

#include <stdbool.h>

#include "base/status.h"
#include "netpram/traffic.h"

/*
 * The load factor and a channel that has it: of those, an up channel before a
 * down one, then the lowest, then the first.
 */
typedef struct np_fat_tree_load {
    double factor;     /* lambda = load / capacity: no routing takes fewer steps. Exact; 0 if nothing moves */
    uint32_t load;     /* different destinations of packets that must pass through it */
    uint32_t capacity; /* links of the channel */
    bool up;           /* from the leaves to the root */
    uint32_t level;    /* of its lower end; leaves are on level 0 */
    uint32_t vertex;   /* its lower end, among those of the level */
} np_fat_tree_load;

/*
 * The load factor of the traffic (Leighton, Maggs, Ranade & Rao 1994, section
 * 7). NP_ERROR_APPLY: no fat-tree; NP_ERROR_INPUT: packets of other nodes than leaves;
 * NP_ERROR_MEMORY. O(N + m T) for T packets on a tree of height m.
 */
np_status np_fat_tree_load_factor(const np_network *network, const np_traffic *traffic,
                                  np_fat_tree_load *out) NP_CHECKED;

#endif
