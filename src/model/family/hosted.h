/* Hosts that hang on the switches of any network. */
#pragma once

#include "model/network/network.h"

extern const np_network_family np_hosted, np_hosted_given;

/*
 * Makes the network, which has its spec and its family, of the switches and so many hosts on each. The network owns the
 * switches from now on, also after an error.
 * NP_ERROR_APPLY: the switches have hosts already, or are not all terminals; NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_network_hang(np_network *network, np_network *switches, uint32_t per) NP_CHECKED;
