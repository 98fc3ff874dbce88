/* Which networks are grids, and their axes. */
#include "collective/axes.h"

#include <string.h>

np_axes np_axes_of(const np_network *network)
{
    const char *family = np_network_family_name(network);
    np_axes axes = {.cube = !strcmp(family, "hypercube"), .wrap = np_network_wraps(network)};
    if (!axes.cube && !axes.wrap && strcmp(family, "mesh") && strcmp(family, "array"))
        return axes;
    axes.count = network->dimensions;
    for (uint32_t i = 0; i < axes.count; i++) {
        axes.side[i] = axes.cube ? 2 : network->side[i];
        axes.stride[i] = axes.cube ? UINT32_C(1) << (axes.count - 1 - i) : network->stride[i];
    }
    return axes;
}
