/*
 * Path rules: which links a packet takes (stage 1 of Leighton, Maggs, Ranade
 * & Rao 1994). Every rule here is oblivious (Valiant & Brebner 1981, section
 * 2(b)): the next port depends on the packet's own ticket and node alone.
 */
#ifndef NETPRAM_PATH_H
#define NETPRAM_PATH_H

#include <stddef.h>

#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_path np_path;

/**
 * Binds a path rule to a network.
 *
 * @param rule     "greedy" (the network's shortest paths), "random-order", ...
 * @param network  borrowed: must outlive the path
 * @param out      receives the path, which the caller frees; NULL on error
 * @return NP_ERROR_INPUT: unknown rule; NP_ERROR_APPLY: the rule does not
 *         apply to the network, with the reason; NP_ERROR_LIMIT: its tables
 *         would be too large, with the figure; NP_ERROR_MEMORY
 */
np_status np_path_create(const char *rule, const np_network *network, np_path **out) NP_CHECKED;

/** Frees the path. NULL is allowed. */
void np_path_free(np_path *path);

/** The rule's name. "greedy" gives the name of the rule that it stands for. */
const char *np_path_name(const np_path *path);

/**
 * The whole route of one packet, alone in the network.
 *
 * @param from,to  nodes: an input and an output
 * @param seed,run,phase,packet  what the rule's random choices, if any, are drawn from
 * @param capacity room in `links`
 * @param links    [capacity] receives the link numbers in order; may be NULL if capacity is 0
 * @param hops     receives the number of links of the route, which may exceed capacity
 * @return NP_ERROR_INTERNAL if the rule breaks its contract (a port that does
 *         not exist, a wrong remaining distance)
 */
np_status np_path_walk(const np_path *path, np_node from, np_node to, uint64_t seed, uint32_t run, uint16_t phase,
                       np_packet packet, size_t capacity, np_link *links, size_t *hops) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
