/* Functions that the files of bound/ share. */
#ifndef NP_BOUND_BOUND_H
#define NP_BOUND_BOUND_H

#include "netpram/theory.h"

/*
 * ln of (e met / delta)^delta T, at most 0: the end of both Theorem 1 and
 * Theorem 2. met >= 0 bounds the expected number of packets that meet a route.
 */
double np_bound_meeting(double met, double log_packets, double delta);

/* lines.c: np_bound_for of scheme k-k. */
void np_bound_k_k_for(const np_network *network, uint32_t h, const char *phase, np_bound *out);

#endif
