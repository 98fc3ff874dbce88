/* What the generator clogged:Q foretells, for its test. */
#ifndef NP_TRAFFIC_CLOGGED_H
#define NP_TRAFFIC_CLOGGED_H

#include "netpram/base.h"

/* Steps that its packets take on butterfly-io:n in one wave with queues of q. NP_ERROR_MEMORY. */
np_status np_clogged_steps(uint32_t n, uint32_t q, uint32_t *steps) NP_CHECKED;

#endif
