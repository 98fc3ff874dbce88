/* Reads the one number of a family's spec; the messages of all refusals have the same form. */
#pragma once

#include "model/network/network.h"

/*
 * The text after "family:" must be one number in low..high. `what` names it ("the
 * cycle length"). Raises NP_ERROR_INPUT if the text is no number or the number is
 * below low; NP_ERROR_LIMIT if it is above high. Families choose high so that link
 * numbers fit 32 bits.
 */
np_status np_parameter_whole(const np_network *network, const char *what, const char *text, uint32_t low, uint32_t high,
                             uint32_t *out) NP_CHECKED;
