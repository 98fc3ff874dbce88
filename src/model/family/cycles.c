/* The automorphism that takes a node of a network of cycles to node 0. */
#include "model/family/cycles.h"

np_node np_cycles_relative(const np_network *network, np_node u, np_node v)
{
    uint32_t n = network->dimensions;
    uint32_t w = np_divide(u, network->by_side[0]), p = u - w * n;
    uint32_t other = np_divide(v, network->by_side[0]), q = v - other * n;
    uint32_t bits = w ^ other;
    uint32_t rotated = ((bits << p) | (bits >> (n - p))) & ((UINT32_C(1) << n) - 1);
    return rotated * n + (q >= p ? q - p : q + n - p);
}
