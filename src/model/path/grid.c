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
 */
#include "model/path/path.h"

#include "base/hot.h"

enum {
    LEFT_SHIFT = 32,
    LEFT_BITS = 26, /* more hops than fit are counted in pieces */
    PORT_SHIFT = LEFT_SHIFT + LEFT_BITS,
    PORTS_MAX = 2 * NP_MAX_DIMENSIONS
};

_Static_assert(PORTS_MAX <= 1 << (64 - PORT_SHIFT), "ports fit in a ticket");

static const uint32_t LEFT_MOST = (UINT32_C(1) << LEFT_BITS) - 1;

/* By port: what it adds to the node's number; at the coordinate `edge`, where it goes across the wrap, it adds `over`.
 */
typedef struct steps {
    uint32_t step[PORTS_MAX], edge[PORTS_MAX], over[PORTS_MAX];
} steps;

static const char *refuses(const np_network *network)
{
    return np_network_is(network, NP_KIND_GRIDS) ? NULL : "its dimensions are those of a mesh or torus";
}

/* The numbers are modulo 2^32: a step down adds the negative. */
static np_status prepare(np_path *path)
{
    const np_network *network = path->network;
    steps *table;
    np_status st = np_path_allocate(path, sizeof *table, &table);
    if (st)
        return st;
    for (uint32_t i = 0; i < network->dimensions; i++) {
        uint32_t last = network->side[i] - 1, stride = network->stride[i];
        table->step[2 * i] = 0 - stride;
        table->edge[2 * i] = 0;
        table->over[2 * i] = last * stride;
        table->step[2 * i + 1] = stride;
        table->edge[2 * i + 1] = last;
        table->over[2 * i + 1] = 0 - last * stride;
    }
    return NP_OK;
}

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

static inline __attribute__((always_inline)) void hop_all(const np_path *path, size_t count, const np_link *link,
                                                          np_ticket *ticket, np_node *from, np_node *at,
                                                          np_link *onward, bool wrap)
{
    const np_network *network = path->network;
    const steps *table = path->table;
    for (size_t i = 0; i < count; i++) {
        np_node x = np_divide(link[i], network->by_ports);
        np_port port = link[i] - x * network->ports;
        uint32_t step = table->step[port];
        if (wrap && np_network_coordinate(network, x, port / 2) == table->edge[port])
            step = table->over[port];
        from[i] = x;
        at[i] = x + step;
        np_port then = advance(network, at[i], &ticket[i], wrap);
        onward[i] = then == NP_NONE ? NP_NONE : at[i] * network->ports + then;
    }
}

NP_HOT static void hop(const np_path *path, size_t count, const np_link *link, np_ticket *ticket, np_node *from,
                       np_node *at, np_link *onward)
{
    if (np_network_wraps(path->network))
        hop_all(path, count, link, ticket, from, at, onward, true);
    else
        hop_all(path, count, link, ticket, from, at, onward, false);
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

const np_path_rule np_path_dimension_order_grid = {
    .info = {"dimension-order", "ascending dimensions, on a torus the shorter way round",
             "Valiant & Brebner 1981, section 8", .networks = "mesh, torus, array, ring"},
    .shortest = true,
    .refuses = refuses,
    .prepare = prepare,
    .start = np_path_start_target,
    .next = next,
    .hop = hop,
    .remaining = remaining,
};
