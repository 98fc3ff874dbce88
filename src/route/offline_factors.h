/* The scheme `offline` on product:A,B: the phases of an off-line plan, routed by queueing. */
#ifndef NP_ROUTE_OFFLINE_FACTORS_H
#define NP_ROUTE_OFFLINE_FACTORS_H

#include "route/queueing.h"

/* Parameters of the queueing runner. */
extern const np_queueing np_factors_offline;

#endif
