/* Linear arrays and rings: the exact time of any traffic (Sibeyn, lecture notes, using randomization). */
#ifndef NETPRAM_ARRAY_H
#define NETPRAM_ARRAY_H

#include <stddef.h>

#include "netpram/status.h"
#include "netpram/types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The steps that packets take on a linear array, each way by itself: links up and links down carry packets at once. */
typedef struct np_array_steps {
    np_step up;   /**< of those that go to higher numbers; 0: none do */
    np_step down; /**< of the others that move */
} np_array_steps;

/**
 * How many steps any traffic takes on a linear array if of the packets that want
 * the same link the one with the farthest to go goes first. Exactly, without routing: with r(i,j) the
 * packets that must go from node i or below to node j or above, the largest r(i,j) + j - i - 1 over
 * i < j with r(i,j) > 0; and the same downwards. The traffic takes the larger of the two. No schedule
 * takes less: r(i,j) packets cross the link from i one by one, and the last of them has j - i - 1 further to go.
 *
 * @param nodes        n, at least 1
 * @param source       [packets] below nodes
 * @param destination  [packets] below nodes
 * @param out          receives the steps
 * @return NP_ERROR_INPUT (no nodes, a source or destination out of range), NP_ERROR_LIMIT (n + packets beyond
 *         2^32 - 2), NP_ERROR_MEMORY
 * Time O((n + packets) log n).
 */
np_status np_array_time(np_node nodes, size_t packets, const np_node *source, const np_node *destination,
                        np_array_steps *out) NP_CHECKED;

/**
 * The same on a ring, where every packet goes the shorter way round, up where both are equal. r(i,j),
 * i < j <= i + floor(n/2), are the packets that leave node i upwards for node j (modulo n) or beyond.
 *
 * @return as np_array_time; NP_ERROR_LIMIT (more than 2^29 nodes or packets)
 */
np_status np_ring_time(np_node nodes, size_t packets, const np_node *source, const np_node *destination,
                       np_array_steps *out) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
