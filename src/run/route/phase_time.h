/* The fixed time of a phase, as people write it (np_route_options.phase_time). */
#pragma once

#include "netpram/network.h"

/*
 * The steps that the text means on the network: "24"; "3logN", K log2 N for N terminals; "n+2n^3/4", n + K n^(3/4) on
 * grids without wrap-around whose longest side is n. K may have decimals, and is 1 if it is left out; what is no whole
 * number is rounded up. NP_ERROR_INPUT: it is none of these, or not from 1 to 2^20; NP_ERROR_APPLY: the network has no
 * such n.
 */
np_status np_phase_time_parse(const char *text, const np_network *network, np_step *out) NP_CHECKED;
