/*
 * The ways of messages from node to node on a network: for each pair of ends the links of one path, which a path rule
 * gives it. All pairs are found at once, because rules for any network search once for each destination.
 */
#ifndef NP_COLLECTIVE_WAYS_H
#define NP_COLLECTIVE_WAYS_H

#include "base/status.h"
#include "netpram/base.h"
#include "netpram/network.h"

typedef struct np_pair_ways {
    size_t pairs;
    uint64_t *pair; /* [pairs] np_ways_pair, ascending, each once */
    size_t *first;  /* [pairs + 1] the links of pair i are link[first[i]] .. link[first[i + 1] - 1] */
    np_link *link;  /* NULL: no path has any */
    uint64_t *room; /* of pairs while they are added */
    size_t added, most;
} np_pair_ways;

static inline uint64_t np_ways_pair(np_node from, np_node to) { return (uint64_t)from << 32 | to; }

/* Zeroed, it has no pairs. Clear it in any case. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_pair_ways_add(np_pair_ways *ways, np_node from, np_node to) NP_CHECKED;

/*
 * Finds the paths of all pairs that were added. rule: NULL is "greedy". What a path draws is of the seed and the place
 * of its pair. NP_ERROR_APPLY: the rule is not for the network, or no way leads there.
 */
np_status np_pair_ways_find(np_pair_ways *ways, const np_network *network, const char *rule, uint64_t seed,
                            const np_watch *watch) NP_CHECKED;

/* The place of a pair that was added. */
size_t np_pair_ways_of(const np_pair_ways *ways, np_node from, np_node to);

void np_pair_ways_clear(np_pair_ways *ways);

#endif
