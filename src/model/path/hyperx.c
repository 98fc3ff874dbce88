/*
 * Dimension-order paths on HyperX: at (x_0, .., x_(k-1)), destination (y_0, .., y_(k-1)), next hop to y_i in the first
 * dimension i where x_i and y_i differ. Of the parallel cables of a dimension, a packet takes the one of its number,
 * modulo the width. Ticket: low half the destination, high half the packet.
 */
#include "model/path/path.h"

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)at;
    for (size_t i = 0; i < count; i++)
        ticket[i] = (np_ticket)packet[i] << 32 | to[i];
}

static np_port turn(const np_network *network, np_node at, np_node to, np_packet packet)
{
    const uint32_t *width = np_network_own(network);
    np_port first = 0;
    for (uint32_t i = 0; at != to && i < network->dimensions; i++) {
        uint32_t x = np_network_coordinate(network, at, i), y = np_network_coordinate(network, to, i);
        uint32_t side = network->side[i];
        if (x != y)
            return first + (y > x ? y - x - 1 : y + side - x - 1) * width[i] + packet % width[i];
        first += (side - 1) * width[i];
    }
    return NP_NONE;
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    for (size_t i = 0; i < count; i++)
        port[i] = turn(path->network, at[i], (np_node)ticket[i], (np_packet)(ticket[i] >> 32));
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    const np_network *network = path->network;
    for (size_t i = 0; i < count; i++) {
        hops[i] = 0;
        for (uint32_t k = 0; k < network->dimensions; k++)
            hops[i] +=
                np_network_coordinate(network, at[i], k) != np_network_coordinate(network, (np_node)ticket[i], k);
    }
}

/* Packets take the cables of a dimension in turn: as many ways as have a common multiple of their numbers. */
static uint32_t ways(const np_path *path, np_node at, np_node to, uint32_t way, np_ticket *ticket)
{
    const uint32_t *width = np_network_own(path->network);
    uint32_t turns = 1;
    for (uint32_t i = 0; i < path->network->dimensions; i++) {
        uint32_t once = turns;
        while (turns % width[i])
            turns += once;
    }
    (void)at;
    *ticket = (np_ticket)way << 32 | to;
    return turns;
}

const np_path_rule np_path_dimension_order_hyperx = {
    .info = {"dimension-order", "ascending dimensions, a hop each", "Ahn, Binkert, Davis, McLaren & Schreiber 2009",
             .networks = "hyperx"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_HYPERX, "its dimensions are those of a HyperX"},
    .start = start,
    .next = next,
    .remaining = remaining,
    .ways = ways,
};
