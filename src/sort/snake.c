#include "sort/snake.h"

#include <string.h>

const char *np_snake_refuses(const np_network *network)
{
    static const char *const families[] = {"array", "ring", "mesh", "torus"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strcmp(np_network_family_name(network), families[i]))
            return NULL;
    return "it is no mesh or torus";
}

/* The snake runs through the sublattice of the dimensions from d on again and again, every second time backwards. So
   coordinate d of place i is a digit of i, mirrored where the digits before it make an odd number. */
np_node np_snake_node(const np_network *network, uint32_t i)
{
    np_node node = 0;
    for (uint32_t d = 0; d < network->dimensions; d++) {
        uint32_t before = np_divide(i, network->by_stride[d]), times = np_divide(before, network->by_side[d]);
        uint32_t digit = before - times * network->side[d];
        node += (times & 1 ? network->side[d] - 1 - digit : digit) * network->stride[d];
    }
    return node;
}
