/* What no schedule whatever can beat: the bound of steps alone, for one who has packets to deliver. */
#pragma once

#include "base/status.h"
#include "model/traffic/traffic.h"

/*
 * *steps: no schedule delivers all packets of the traffic in fewer, if a link carries one packet a step; within 1% of
 * what the fractions of the best routing allow, or exact. 0: no packet moves. It does not depend on the threads.
 * NP_ERROR_APPLY: a packet has no way; NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED.
 */
np_status np_steps_bound(const np_network *network, const np_traffic *traffic, unsigned threads, const np_watch *watch,
                         uint64_t *steps) NP_CHECKED;

/* The bytes that it takes, at most. */
uint64_t np_steps_bound_bytes(const np_network *network, uint64_t packets, unsigned threads);
