/* The scheme `offline`, for code that lists its hops. */
#pragma once

#include "run/route/plan.h"

/* NULL: the scheme applies; else the reason why not. */
const char *np_offline_refuses(const np_network *network);

/* The most steps that a bound plan of the scheme takes for an h-relation; 0: not known. */
uint64_t np_offline_steps(const np_route_plan *plan, uint32_t h);
