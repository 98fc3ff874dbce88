/*
 * HyperX (Ahn, Binkert, Davis, McLaren & Schreiber 2009): switches with coordinates as on a mesh, and every switch is
 * joined to all others that differ from it in one coordinate. So each row and each column is a complete network, and
 * the whole is the product of complete networks. In dimension i there are width_i parallel cables between two switches.
 *
 * Node u has coordinates (x_0, .., x_(k-1)), row by row. Ports: those of dimension 0 first. Of the ports of a
 * dimension, number q * width + w leads to coordinate x + 1 + q, modulo the side, so that rotations of a coordinate
 * keep ports.
 *
 * Diameter: one hop corrects one coordinate. Bisection, for equal widths w: of all sets of m nodes of a product of
 * complete networks, the first m in the order of the numbers, where the dimension of the smallest side counts most, has
 * the most links inside (Lindsey 1964); so half of the nodes in this order have the fewest links to the others. With q
 * whole layers of b nodes and r more nodes in the next layer, the links inside are
 *   E(m) = q E(b) + q (q-1)/2 b + q r + E(r).
 * For unequal widths no formula is known to us.
 */
#include <stdlib.h>

#include "model/family/named.h"
#include "base/order.h"
#include "model/network/axes.h"

typedef struct hyperx {
    uint32_t width[NP_MAX_DIMENSIONS];
} hyperx;

enum { SIDE_MIN = 2 };

static np_status read_widths(const char *text, size_t count, uint64_t *width)
{
    for (size_t i = 0; i < count; i++)
        width[i] = 1;
    size_t read = text ? np_parse_sides(text, NP_MAX_DIMENSIONS, width) : count;
    for (size_t i = 0; i < count && read == 1; i++) /* one for all */
        width[i] = width[0];
    if (read != count && read != 1)
        return NP_RAISE(NP_ERROR_INPUT, "hyperx: widths=%.60s: write one width, or %zu, as in widths=2", text, count);
    for (size_t i = 0; i < count; i++)
        if (!width[i])
            return NP_RAISE(NP_ERROR_INPUT, "hyperx: widths=%.60s: a width must be at least 1", text);
    return NP_OK;
}

/* Do the nodes and the link numbers fit 32 bits? */
static np_status check_size(const np_network *network, size_t count, const uint64_t *side, const uint64_t *width)
{
    unsigned __int128 nodes = 1, ports = 0;
    for (size_t i = 0; i < count; i++) {
        if (side[i] < SIDE_MIN)
            return NP_RAISE(NP_ERROR_INPUT, "%.100s: a side must be at least %d, as in %s", network->spec, SIDE_MIN,
                            network->family->info.example);
        nodes *= side[i];
        ports += (unsigned __int128)(side[i] - 1) * width[i];
        if (nodes * ports >= NP_NONE)
            return NP_RAISE(NP_ERROR_LIMIT, "%.100s: link numbers have 32 bits: make a side smaller", network->spec);
    }
    return NP_OK;
}

static np_status create(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_TEXT("sides", true), NP_NAMED_TEXT("widths", false)};
    char room[NP_NAMED_ROOM];
    uint64_t side[NP_MAX_DIMENSIONS], width[NP_MAX_DIMENSIONS];
    hyperx *own;
    np_status st = np_named_read(network, parameters, room, 2, named);
    if (st)
        return st;
    size_t count = np_parse_sides(named[0].text, NP_MAX_DIMENSIONS, side);
    if (!count)
        return NP_RAISE(NP_ERROR_INPUT, "hyperx:%.60s: the sides must be 1..%d whole numbers joined by 'x', as in %s",
                        parameters, NP_MAX_DIMENSIONS, network->family->info.example);
    if ((st = read_widths(named[1].text, count, width)) || (st = check_size(network, count, side, width)) ||
        (st = np_network_allocate(network, sizeof *own, &own)))
        return st;
    np_network_set_sides(network, count, side);
    for (size_t i = 0; i < count; i++) {
        own->width[i] = (uint32_t)width[i];
        network->ports += (network->side[i] - 1) * own->width[i];
    }
    return NP_OK;
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    const hyperx *own = network->own;
    for (size_t j = 0; j < count; j++) {
        np_node u = np_divide(link[j], network->by_ports);
        np_port port = link[j] - u * network->ports;
        uint32_t i = 0;
        for (; port >= (network->side[i] - 1) * own->width[i]; i++)
            port -= (network->side[i] - 1) * own->width[i];
        uint32_t x = np_network_coordinate(network, u, i), side = network->side[i];
        uint32_t y = x + 1 + port / own->width[i];
        head[j] = u + ((y < side ? y : y - side) - x) * network->stride[i]; /* modulo 2^32 */
    }
}

/* E(m): the links inside the first m nodes. side: ascending, the first counts most; nodes: their product */
static uint64_t inside(const uint32_t *side, uint64_t nodes, uint64_t m)
{
    if (m < 2)
        return 0;
    uint64_t layer = nodes / *side, whole = m / layer, rest = m % layer;
    return whole * inside(side + 1, layer, layer) + whole * (whole - 1) / 2 * layer + whole * rest +
           inside(side + 1, layer, rest);
}

static bool bisection(const np_network *network, uint64_t *out)
{
    const hyperx *own = network->own;
    uint32_t side[NP_MAX_DIMENSIONS];
    uint64_t nodes = network->nodes, degree = 0;
    for (uint32_t i = 0; i < network->dimensions; i++) {
        if (own->width[i] != own->width[0])
            return false;
        side[i] = network->side[i];
        degree += side[i] - 1;
    }
    qsort(side, network->dimensions, sizeof *side, np_order_numbers);
    *out = (nodes / 2 * degree - 2 * inside(side, nodes, nodes / 2)) * own->width[0];
    return true;
}

const np_network_family np_hyperx = {
    .info = {"hyperx", "switches on a grid, each row and each column a complete network",
             "Ahn, Binkert, Davis, McLaren & Schreiber 2009", .parameters = "AxBx...[,widths=]",
             .example = "hyperx:8x8", .takes = "A 2..65536, widths: one number from 1 on or one for each side"},
    .kind = NP_KIND_FABRIC | NP_KIND_HYPERX,
    .regular = true,
    .node_symmetric = true,
    .create = create,
    .heads = heads,
    .linear = &(const np_linear){1, 0, 1},
    .bisection = bisection,
    .relative = np_network_translated,
};
