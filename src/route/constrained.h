/* The movers of Ranade 1987a, for those who want the run itself: tests and explanations. */
#ifndef NP_ROUTE_CONSTRAINED_H
#define NP_ROUTE_CONSTRAINED_H

#include "route/message_sets.h"
#include "route/mover.h"
#include "route/router_run.h"

extern const np_mover_ops np_constrained_mover, np_total_randomization_mover, np_unrandomized_mover;

/* From now on the Router's runs are recorded; NULL: no longer. *run must be cleared by the caller. */
void np_constrained_record(np_mover *mover, np_router_run *run);

/* After phase 0: the messages, and where each entered the Router: [messages] terminals. Owned by the mover. */
const np_message_sets *np_constrained_sets(const np_mover *mover);
const uint32_t *np_constrained_reached(const np_mover *mover);

#endif
