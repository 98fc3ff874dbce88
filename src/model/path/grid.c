/*
 * Dimension-order paths on grids: at (x_0, .., x_(k-1)), destination
 * (y_0, .., y_(k-1)), next hop one step towards y_i in the first dimension i
 * where x_i and y_i differ. On a torus it goes the shorter way round, and up
 * where both ways are equally long.
 *
 * Ticket: low half the destination; above it, for a packet on its way along
 * dimension i, how many more hops it makes there after the next one, and
 * in the highest bits the port that it takes, 2i or 2i + 1. So most hops look
 * at no coordinate: the packet leaves the next node by the same port. When no
 * hops are left, the coordinates before x_i are right, and the rule looks for the
 * next coordinate that differs, from x_i on: x_i itself is right too, unless it
 * needs more hops than the ticket can count. The rule does the same at the
 * start, where both the hops left and the port are 0.
 *
 * dimension-order:drawn draws the way where both are equally long, for each packet and dimension. Ticket: low half the
 * destination, high half a bit for each dimension: 1, up. Every hop looks at the coordinates: once begun, the way that
 * was drawn is the shorter one.
 */
#include "model/path/path.h"

enum {
    LEFT_SHIFT = 32,
    LEFT_BITS = 26, /* more hops than fit are counted in pieces */
    PORT_SHIFT = LEFT_SHIFT + LEFT_BITS
};

_Static_assert(2 * NP_MAX_DIMENSIONS <= 1 << (64 - PORT_SHIFT), "ports fit in a ticket");

static const uint32_t LEFT_MOST = (UINT32_C(1) << LEFT_BITS) - 1;

static inline uint32_t left_of(np_ticket ticket) { return (uint32_t)(ticket >> LEFT_SHIFT) & LEFT_MOST; }
static inline np_port port_of(np_ticket ticket) { return (np_port)(ticket >> PORT_SHIFT); }

static inline np_ticket ticket_of(np_node to, uint32_t left, np_port port)
{
    return (np_ticket)port << PORT_SHIFT | (np_ticket)left << LEFT_SHIFT | to;
}

/* From dimension `from` on: the port towards the destination and how many hops follow it that way. NP_NONE: arrived. */
static np_port turn(const np_network *network, np_node at, np_node to, uint32_t from, bool wrap, uint32_t *left)
{
    for (uint32_t i = from; at != to && i < network->dimensions; i++) {
        uint32_t x = np_network_coordinate(network, at, i), y = np_network_coordinate(network, to, i);
        if (x == y)
            continue;
        uint32_t distance = y > x ? y - x : x - y;
        /* Across the wrap both ways swap; equally long: up. */
        uint32_t around = wrap ? network->side[i] - distance : UINT32_MAX;
        bool up = distance == around || (y > x) == (distance < around);
        *left = (distance < around ? distance : around) - 1;
        *left = *left < LEFT_MOST ? *left : LEFT_MOST;
        return 2 * i + up;
    }
    *left = 0;
    return NP_NONE;
}

/* The port of the next hop, at node `at`; advances the ticket. */
static inline np_port advance(const np_network *network, np_node at, np_ticket *ticket, bool wrap)
{
    uint32_t left = left_of(*ticket);
    np_node to = (np_node)*ticket;
    if (__builtin_expect(left != 0, 1)) {
        *ticket -= (np_ticket)1 << LEFT_SHIFT;
        return port_of(*ticket);
    }
    np_port port = turn(network, at, to, port_of(*ticket) / 2, wrap, &left);
    *ticket = ticket_of(to, left, port == NP_NONE ? port_of(*ticket) : port);
    return port;
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    bool wrap = np_network_wraps(path->network);
    for (size_t i = 0; i < count; i++)
        port[i] = advance(path->network, at[i], &ticket[i], wrap);
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    const np_network *network = path->network;
    bool wrap = np_network_wraps(network);
    for (size_t i = 0; i < count; i++) {
        uint32_t sum = 0;
        for (uint32_t dimension = port_of(ticket[i]) / 2; dimension < network->dimensions; dimension++) {
            uint32_t x = np_network_coordinate(network, at[i], dimension);
            uint32_t y = np_network_coordinate(network, (np_node)ticket[i], dimension);
            uint32_t distance = y > x ? y - x : x - y;
            uint32_t around = network->side[dimension] - distance;
            sum += wrap && around < distance ? around : distance;
        }
        hops[i] = sum;
    }
}

/* ---- Drawn ---- */

static bool is_tie(const np_network *network, np_node at, np_node to, uint32_t i)
{
    uint32_t x = np_network_coordinate(network, at, i), y = np_network_coordinate(network, to, i);
    uint32_t distance = y > x ? y - x : x - y;
    return 2 * distance == network->side[i];
}

static void start_drawn(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                        const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        ticket[i] = np_random_u64(draws, packet[i], 0) << 32 | to[i];
}

static np_port turn_drawn(const np_network *network, np_node at, np_ticket ticket)
{
    uint32_t left;
    np_port port = turn(network, at, (np_node)ticket, 0, true, &left);
    if (port != NP_NONE && is_tie(network, at, (np_node)ticket, port / 2))
        port = (port & ~UINT32_C(1)) | (ticket >> (LEFT_SHIFT + port / 2) & 1);
    return port;
}

static void next_drawn(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    for (size_t i = 0; i < count; i++)
        port[i] = turn_drawn(path->network, at[i], ticket[i]);
}

static void remaining_drawn(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                            uint32_t *hops)
{
    for (size_t i = 0; i < count; i++) {
        np_ticket straight = (np_node)ticket[i];
        remaining(path, 1, &at[i], &straight, &hops[i]);
    }
}

/* The bits of `way` go to the dimensions in which both ways are equally long. */
static uint32_t ways_drawn(const np_path *path, np_node at, np_node to, uint32_t way, np_ticket *ticket)
{
    uint32_t ways = 1;
    *ticket = to;
    for (uint32_t i = 0; i < path->network->dimensions; i++)
        if (is_tie(path->network, at, to, i)) {
            *ticket |= (np_ticket)((way & ways) != 0) << (LEFT_SHIFT + i);
            ways *= 2;
        }
    return ways;
}

static const np_path_rule drawn = {
    .info = {"dimension-order",
             "ascending dimensions, on a torus the shorter way round, drawn of two equally long ones",
             "Valiant & Brebner 1981, section 8", .networks = "torus, ring"},
    .shortest = true,
    .randomized = true,
    .only = &(const np_only){NP_KIND_CLOSED_GRIDS, "no two ways of its dimensions are equally long"},
    .start = start_drawn,
    .next = next_drawn,
    .remaining = remaining_drawn,
    .ways = ways_drawn,
};

const np_path_rule np_path_dimension_order_grid = {
    .info = {"dimension-order", "ascending dimensions, on a torus the shorter way round",
             "Valiant & Brebner 1981, section 8", .networks = "mesh, torus, array, ring"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_GRIDS, "its dimensions are those of a mesh or torus"},
    .start = np_path_start_target,
    .next = next,
    .remaining = remaining,
    .drawn = &drawn,
    .memoryless = true,
};
