/* The scheme `ranked`, for those who ask why. */
#ifndef NP_ROUTE_RANKED_H
#define NP_ROUTE_RANKED_H

#include "base/export.h"
#include "explain/delay_sequence.h"
#include "netpram/route.h"

/*
 * Routes one phase of run `run` again, as np_route does with these arguments,
 * and explains it. The caller clears *out. Fails as np_route and np_explain do.
 */
NP_FOR_REPORT np_status np_ranked_explain(const np_network *network, const char *traffic,
                                          const np_route_options *options, uint32_t run, unsigned phase,
                                          np_explanation *out) NP_CHECKED;

#endif
