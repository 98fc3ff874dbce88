/* The nodes of the network butterfly:n as processors of the six phases (engine/merging/ranade.h). */
#ifndef NP_ROUTE_RANADE_H
#define NP_ROUTE_RANADE_H

#include "netpram/network.h"

/* Node <w, l>, row w and level l, is processor r n + l, r the n bits of w backwards. */
uint32_t np_ranade_processor(uint32_t n, np_node u);

#endif
