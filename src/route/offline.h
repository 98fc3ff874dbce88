/* The scheme `offline`, for those who list its hops. */
#ifndef NP_ROUTE_OFFLINE_H
#define NP_ROUTE_OFFLINE_H

#include "route/plan.h"

/* NULL: it applies; else why not. */
const char *np_offline_refuses(const np_network *network);

/* Steps that a bound plan of the scheme takes at most for traffic that is an h-relation. */
uint64_t np_offline_steps(const np_route_plan *plan, uint32_t h);

#endif
