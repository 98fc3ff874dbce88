/* Reading the one number of a family's spec, with the refusals in one shape. */
#ifndef NP_NETWORK_PARAMETER_H
#define NP_NETWORK_PARAMETER_H

#include "network/network.h"

/*
 * The text after "family:" is one number in low..high. `what` names it ("the
 * cycle length"). Raises NP_ERROR_INPUT if it is no number or below low,
 * NP_ERROR_LIMIT if above high, which the families set so that link numbers
 * fit 32 bits.
 */
np_status np_parameter_whole(const np_network *network, const char *what, const char *text, uint32_t low, uint32_t high,
                             uint32_t *out) NP_CHECKED;

#endif
