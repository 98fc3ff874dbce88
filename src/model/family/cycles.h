/* Shared by cube-connected cycles and the wrapped butterfly: node word * n + place is on the cycle of n of the word. */
#pragma once

#include "model/network/network.h"

enum { NP_CYCLES_CLOCKWISE, NP_CYCLES_COUNTER_CLOCKWISE, NP_CYCLES_ACROSS }; /* ports of ccc */

/* Hops from place p clockwise to q, on a cycle of n. */
static inline uint32_t np_cycles_clockwise(uint32_t n, uint32_t p, uint32_t q) { return q >= p ? q - p : q + n - p; }

/*
 * np_network_family.relative of both. For u = (w, p) and v = (w', p') it is the
 * node (w ^ w' rotated left by p, p' - p mod n). Each place owns a bit of the
 * word, and the rotation moves the bit of place p to the bit of place 0.
 */
np_node np_cycles_relative(const np_network *network, np_node u, np_node v);

/* The parameters of n 2^n nodes, n from 3 to 25: link numbers have 32 bits. `what`: what n is, for messages. */
np_status np_cycles_create(np_network *network, const char *what, const char *parameters, uint32_t ports) NP_CHECKED;
