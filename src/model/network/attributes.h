/* Numbers that a network's links have from a file: capacities, delays, weights. */
#ifndef NP_NETWORK_ATTRIBUTES_H
#define NP_NETWORK_ATTRIBUTES_H

#include "model/network/network.h"

/* Frees a network's attributes. */
void np_attributes_clear(np_network *network);

/* Gives the network, which has the same link numbers, a copy of the attributes. */
np_status np_attributes_copy(const np_network *from, np_network *network) NP_CHECKED;

#endif
