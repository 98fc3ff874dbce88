/*
 * Dimension-order paths on grids: at (x_0, .., x_(k-1)), destination
 * (y_0, .., y_(k-1)), next hop one step towards y_i in the first dimension i
 * where x_i and y_i differ. On a torus it goes the shorter way round, and up
 * where both ways are equally long.
 *
 * Ticket: low half the destination; above it the dimension, below which all
 * coordinates are right. The direction follows from the two coordinates: a
 * step the shorter way leaves it the shorter way.
 */
#include "path/path.h"

#include <string.h>

static bool wraps(const np_network *network)
{
    const char *name = np_network_family_name(network);
    return !strcmp(name, "torus") || !strcmp(name, "ring");
}

static const char *refuses(const np_network *network)
{
    const char *name = np_network_family_name(network);
    bool grid = wraps(network) || !strcmp(name, "mesh") || !strcmp(name, "array");
    return grid ? NULL : "its dimensions are those of a mesh or torus";
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const np_network *network = path->network;
    uint32_t k = network->dimensions;
    bool wrap = wraps(network);
    for (size_t i = 0; i < count; i++) {
        np_node to = (np_node)ticket[i];
        uint32_t dimension = (uint32_t)(ticket[i] >> 32), x = 0, y = 0;
        for (; dimension < k; dimension++) {
            x = np_network_coordinate(network, at[i], dimension);
            y = np_network_coordinate(network, to, dimension);
            if (x != y)
                break;
        }
        uint32_t distance = y > x ? y - x : x - y;
        /* Across the wrap both ways swap; equally long: up. */
        uint32_t around = wrap && dimension < k ? network->side[dimension] - distance : UINT32_MAX;
        bool up = distance == around || (y > x) == (distance < around);
        port[i] = dimension < k ? 2 * dimension + up : NP_NONE;
        ticket[i] = (uint64_t)dimension << 32 | to;
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    const np_network *network = path->network;
    bool wrap = wraps(network);
    for (size_t i = 0; i < count; i++) {
        uint32_t sum = 0;
        for (uint32_t dimension = (uint32_t)(ticket[i] >> 32); dimension < network->dimensions; dimension++) {
            uint32_t x = np_network_coordinate(network, at[i], dimension);
            uint32_t y = np_network_coordinate(network, (np_node)ticket[i], dimension);
            uint32_t distance = y > x ? y - x : x - y;
            uint32_t around = network->side[dimension] - distance;
            sum += wrap && around < distance ? around : distance;
        }
        hops[i] = sum;
    }
}

const np_path_rule_ops np_path_dimension_order_grid = {
    .info = {"dimension-order", "mesh, torus, array, ring",
             "ascending dimensions, on a torus the shorter way round", "Valiant & Brebner 1981, section 8"},
    .shortest = true,
    .refuses = refuses,
    .start = np_path_start_target,
    .next = next,
    .remaining = remaining,
};
