/* Monotonic runs and distinguished paths (Ranade 1987a, sections 6.1 and 7). */
#pragma once

#include "netpram/route.h"
#include "papers/constrained/router_run.h"

/*
 * Makes the run monotonic, in place: no two messages delay each other. Every message
 * still arrives when it did. *exchanges = how often two messages changed places.
 * *passes = how many passes went through all queues; the last pass found nothing to
 * exchange.
 * Cost of a pass: O(stages) for each step that a message waits, and the pairs of each queue.
 */
np_status np_monotonic_make(np_router_run *run, uint64_t *exchanges, uint32_t *passes) NP_CHECKED;

/* *pairs = how many inconsistencies (monotonic.c) there are: 0 for a monotonic run. The cost is that of a pass. */
np_status np_monotonic_count(const np_router_run *run, uint64_t *pairs) NP_CHECKED;

/*
 * Finds the distinguished path of a monotonic run, and checks theorem 3 and corollary 1
 * for all messages of the path. The path starts at the message that arrives last, which
 * without overlap has the largest delay; of equal ones, at the first. out must be zeroed. Fills all but run, steps,
 * overlap and exchanges. The segments are from np_memory.
 */
np_status np_distinguished_path(const np_router_run *run, np_constrained_explanation *out) NP_CHECKED;
