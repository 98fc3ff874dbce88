/* Monotonic runs and distinguished paths (Ranade 1987a, sections 6.1 and 7). */
#ifndef NP_ROUTE_MONOTONIC_H
#define NP_ROUTE_MONOTONIC_H

#include "netpram/route.h"
#include "route/router_run.h"

/*
 * Makes the run monotonic, in place: no two messages delay each other. Every message
 * still arrives when it did. *exchanges = how often two messages changed places,
 * *passes = through all queues, the last one finding nothing left to exchange.
 * Cost of a pass: O(stages) for each step that a message waits, and the pairs of each queue.
 */
np_status np_monotonic_make(np_router_run *run, uint64_t *exchanges, uint32_t *passes) NP_CHECKED;

/* *pairs = the pairs of messages that delay each other somewhere: 0 for a monotonic run. The same cost. */
np_status np_monotonic_count(const np_router_run *run, uint64_t *pairs) NP_CHECKED;

/*
 * The distinguished path of a monotonic run from the first message with the largest
 * delay, and theorem 3 and corollary 1 checked on all of its messages.
 * out: zeroed; fills all but run, steps and exchanges. Its segments are from np_memory.
 */
np_status np_distinguished_path(const np_router_run *run, np_constrained_explanation *out) NP_CHECKED;

#endif
