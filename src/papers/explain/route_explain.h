/* Why the slowest run of a routing was slow, in the terms of its runner. */
#pragma once

#include "papers/explain/delay_sequence.h"
#include "netpram/route.h"

typedef struct np_route_explanation {
    uint32_t run;
    unsigned phase;
    np_explanation sequence;            /* the delay sequence of a phase that merges, or: */
    np_constrained_explanation *router; /* the distinguished path of a phase through the Router; else NULL */
} np_route_explanation;

/*
 * Routes the slowest run of the result again and explains it. The caller clears *out, also after an error.
 * @return as np_route; NP_ERROR_APPLY for a scheme that does not heed "explain"
 */
NP_FOR_REPORT np_status np_route_explain(const np_network *network, const char *traffic,
                                         const np_route_options *options, const np_route_result *result,
                                         np_route_explanation *out) NP_CHECKED;
NP_FOR_REPORT void np_route_explanation_clear(np_route_explanation *explanation);
