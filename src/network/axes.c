/* The axes of a network, and the snake. */
#include "network/axes.h"

np_axes np_axes_of(const np_network *network)
{
    np_axes axes = {.cube = np_network_is(network, NP_KIND_HYPERCUBE), .wrap = np_network_wraps(network)};
    if (!np_network_is(network, NP_KIND_PRODUCTS))
        return axes;
    axes.count = network->dimensions;
    for (uint32_t i = 0; i < axes.count; i++) {
        axes.side[i] = axes.cube ? 2 : network->side[i];
        axes.stride[i] = axes.cube ? UINT32_C(1) << (axes.count - 1 - i) : network->stride[i];
        axes.by_side[i] = np_divider_of(axes.side[i]);
        axes.by_stride[i] = np_divider_of(axes.stride[i]);
    }
    return axes;
}

np_node np_axes_snake(uint32_t count, const uint32_t *side, const uint32_t *stride, uint32_t place)
{
    np_node node = 0;
    for (uint32_t i = count; i--;) {
        uint32_t x = place % side[i];
        place /= side[i]; /* now the number of the row so far: odd rows run backwards */
        node += (place % 2 ? side[i] - 1 - x : x) * stride[i];
    }
    return node;
}
