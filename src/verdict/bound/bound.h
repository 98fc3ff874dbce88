/* Functions that the files of bound/ share. */
#pragma once

#include "netpram/theory.h"

/*
 * ln of (e met / delta)^delta T, at most 0: the end of both Theorem 1 and
 * Theorem 2. met >= 0 bounds the expected number of packets that meet a route.
 */
double np_bound_meeting(double met, double log_packets, double delta);

/*
 * The theorems of schemes (np_scheme.bound): what np_bound_for says of one phase. `out` has a reason already for a
 * network that a theorem does not speak of. The first five are in bound.c, that of k-k routing is in lines.c.
 */
typedef void np_bound_of_phase(const np_network *network, uint32_t h, const char *phase, np_bound *out);
np_bound_of_phase np_bound_cubes, np_bound_cubess, np_bound_mshuffle, np_bound_valiant, np_bound_grid, np_bound_k_k_for;
