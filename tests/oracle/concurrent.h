/* The maximum concurrent flow by definition: all simple paths, and the simplex method. For a handful of nodes. */
#ifndef NP_ORACLE_CONCURRENT_H
#define NP_ORACLE_CONCURRENT_H

#include "netpram/traffic.h"

/* To about 1e-12. A network of at most 7 nodes. */
double oracle_concurrent(const np_network *network, const np_traffic *traffic);

#endif
