/*
 * Traffic: a list of packets, each with a source and a destination.
 * Immutable after creation: any number of threads may use it at once.
 */
#ifndef NETPRAM_TRAFFIC_H
#define NETPRAM_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct np_traffic np_traffic;

/**
 * Makes the traffic that a spec names, on a network: "identity", "random",
 * "bit-reversal", "rotation:3", "hotspot:0", "file:pairs.txt", ...;
 * `netpram list` names all. Packets are ordered by source if the generator
 * makes a fixed number a node, else in the order of the file.
 *
 * Generators and files name nodes. On networks where only terminals send and
 * receive they name terminals; then the packets' sources are input nodes and
 * their destinations are output nodes.
 *
 * @param seed,run  random generators draw from these and nothing else
 * @param out       receives the traffic, which the caller frees; NULL on error
 * @return NP_ERROR_INPUT (unknown generator, bad parameter, bad line of a
 *         file, destination out of range); NP_ERROR_APPLY (the pattern does not
 *         exist on this network, such as bit-reversal when the number of nodes
 *         is no power of two); NP_ERROR_LIMIT (2^31 packets or more);
 *         NP_ERROR_IO; NP_ERROR_MEMORY
 */
np_status np_traffic_create(const char *spec, const np_network *network, uint64_t seed, uint32_t run,
                            np_traffic **out) NP_CHECKED;

/**
 * Makes traffic from arrays, which are copied.
 *
 * @param source,destination [packets], nodes of the network: inputs and outputs
 * @param priority           [packets], smaller is more urgent; NULL: all equal
 */
np_status np_traffic_from_arrays(const np_network *network, size_t packets, const np_node *source,
                                 const np_node *destination, const uint32_t *priority, np_traffic **out) NP_CHECKED;

/** Frees the traffic. NULL is allowed. */
void np_traffic_free(np_traffic *traffic);

/** The spec that makes this traffic again ("arrays" if from arrays). Owned by the traffic. */
const char *np_traffic_spec(const np_traffic *traffic);
/** Number of packets T. */
np_packet np_traffic_packets(const np_traffic *traffic);
/** [packets] sources. Owned by the traffic. */
const np_node *np_traffic_sources(const np_traffic *traffic);
/** [packets] destinations. Owned by the traffic. */
const np_node *np_traffic_destinations(const np_traffic *traffic);
/** [packets] priorities, smaller is more urgent; NULL if all are equal. Owned by the traffic. */
const uint32_t *np_traffic_priorities(const np_traffic *traffic);
/**
 * The least h for which the traffic is a partial h-relation (section 1 of Valiant & Brebner 1981): no terminal sends or
 * receives more than h packets. A packet knows only its first node: terminals that share a node share what the node
 * sends. Time O(N + T).
 */
np_status np_traffic_relation(const np_traffic *traffic, const np_network *network, uint32_t *h) NP_CHECKED;

/**
 * How many packets a spec will make on a network, and whether they depend on
 * the seed, without making them (files are not read: their count is 0).
 * Fails as np_traffic_create does.
 */
np_status np_traffic_estimate(const char *spec, const np_network *network, uint64_t *packets, bool *random) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
