/* The wires between the stages of Omega networks. */
#ifndef NP_NETWORK_OMEGA_H
#define NP_NETWORK_OMEGA_H

#include "model/network/network.h"

/* p_1..p_n -> p_2..p_n p_1, where 2^n is the number of terminals. */
static inline uint32_t np_omega_left(const np_network *network, uint32_t p)
{
    uint32_t n = network->dimensions;
    return (p << 1 | p >> (n - 1)) & (network->terminals - 1);
}

/* q_1..q_n -> q_n q_1..q_(n-1) */
static inline uint32_t np_omega_right(const np_network *network, uint32_t q)
{
    return q >> 1 | (q & 1) << (network->dimensions - 1);
}

#endif
