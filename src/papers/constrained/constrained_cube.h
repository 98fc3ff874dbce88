/* Scheme `constrained-cube` on cube-connected cycles. */
#pragma once

#include "run/route/queueing.h"

/* Phase A: to[i] = where the switches send message i of the aim. draws: of the switches. */
void np_constrained_ccc_to_switches(const np_aim *aim, const np_draws *draws, np_node *to);
