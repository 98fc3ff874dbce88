/* The axes of a network, and the snake. */
#include "model/network/axes.h"

void np_axes_add(np_axes *axes, uint32_t side, uint32_t stride)
{
    axes->side[axes->count] = side;
    axes->stride[axes->count] = stride;
    axes->by_side[axes->count] = np_divider_of(side);
    axes->by_stride[axes->count++] = np_divider_of(stride);
}

np_axes np_axes_of(const np_network *network)
{
    np_axes axes = {.cube = np_network_is(network, NP_KIND_HYPERCUBE), .wrap = np_network_wraps(network)};
    if (!np_network_is(network, NP_KIND_PRODUCTS))
        return axes;
    for (uint32_t i = 0; i < network->dimensions; i++)
        np_axes_add(&axes, axes.cube ? 2 : network->side[i],
                    axes.cube ? UINT32_C(1) << (network->dimensions - 1 - i) : network->stride[i]);
    return axes;
}

np_axes np_axes_of_torus(uint32_t rows, uint32_t columns)
{
    np_axes axes = {.wrap = true};
    np_axes_add(&axes, rows, columns);
    np_axes_add(&axes, columns, 1);
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

np_node np_network_translated(const np_network *network, np_node u, np_node v)
{
    np_node image = 0;
    for (uint32_t i = 0; i < network->dimensions; i++) {
        uint32_t a = np_network_coordinate(network, u, i), b = np_network_coordinate(network, v, i);
        image += (b >= a ? b - a : b + network->side[i] - a) * network->stride[i];
    }
    return image;
}
