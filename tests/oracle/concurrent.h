/* The maximum concurrent flow by definition: all simple paths, and the simplex method. For a handful of nodes. */
#ifndef NP_ORACLE_CONCURRENT_H
#define NP_ORACLE_CONCURRENT_H

#include "netpram/traffic.h"

/* To about 1e-12. A network of at most 7 nodes. */
double oracle_concurrent(const np_network *network, const np_traffic *traffic);

/*
 * An instance for it. A directed ring of 2 to 6 nodes, so that there is a way, and random links besides, some of them
 * parallel, some loops; pairs of 1 to 5 packets, at most 10. All packets may be at their destinations already.
 */
void oracle_concurrent_draw(uint64_t seed, np_network **network, np_traffic **traffic);

#endif
