/* What cube-connected cycles and the wrapped butterfly share: nodes (word, place on a cycle of n), word * n + place. */
#ifndef NP_NETWORK_CYCLES_H
#define NP_NETWORK_CYCLES_H

#include "network/network.h"

/*
 * np_network_family.relative of both: at u = (w, p), v = (w', p'), the
 * node (w ^ w' rotated left by p, p' - p). Each place has its own bit of the
 * word, and this rotation moves the bit of place p to the bit of place 0.
 */
np_node np_cycles_relative(const np_network *network, np_node u, np_node v);

#endif
