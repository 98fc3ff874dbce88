/* What Omega networks and networks like them are made of: stages of 2^(n-1) switches, and the wires between stages. */
#pragma once

#include "model/network/network.h"

/* The sizes of so many stages of switches of two inputs and outputs, stage by stage, and of the 2^n sinks behind. */
static inline void np_omega_stages(np_network *network, uint32_t n, uint32_t stages)
{
    network->dimensions = n;
    network->ports = 2;
    network->terminals = UINT32_C(1) << n;
    network->input_nodes = network->terminals / 2;
    network->output_first = stages << (n - 1);
    network->nodes = network->output_first + network->terminals;
}

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
