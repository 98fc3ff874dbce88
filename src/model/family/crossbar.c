/*
 * The crossbar switch (Sibeyn, interconnection networks): P PUs joined by a
 * grid of P x P switches with connections W, N, E, S. A switch is set either
 * to W-E and N-S, both straight, or to W-N and E-S. PU i sends into the west
 * end of row i and receives at the north end of column i. A packet from PU i to
 * PU j goes straight east to column j, turns W-N, and goes straight north.
 *
 *            PU 0   PU 1   PU 2
 *              ^      ^      ^
 *     PU 0 -> 0,0 -> 0,1 -> 0,2
 *              ^      ^      ^
 *     PU 1 -> 1,0 -> 1,1 -> 1,2
 *              ^      ^      ^
 *     PU 2 -> 2,0 -> 2,1 -> 2,2
 *
 * A link is one of these wires, in one direction. A step takes a packet over one
 * link. The hardware sets the switches first, and then sends over the whole way at
 * once: that is scheme circuits (src/papers/offline/circuits.c). In both models the same PUs
 * can send at the same time: a PU has one wire out and one wire in, and the packets
 * of a permutation share no wire, since each row has one sender and each column one
 * receiver. So the packets never wait, and
 * the last packet arrives after at most 2P steps. The connection E-S has no use
 * here or in the notes: nothing comes from the east.
 *
 * Nodes: PU i is i, switch (r, c) is P + r P + c. Ports: 0 east (of a PU: into
 * its row), 1 north; the last column has no east, a PU has no north. Packets
 * go from PUs to PUs.
 *
 * Diameter 3P - 1, for P >= 2: every way from PU P-2 to switch (P-1, P-1) passes PU P-1
 * after at least 2P - 1 steps, and P more steps follow. No distance is longer: d(PU i, PU j)
 * = i + j + 2, and a switch that is not north-east of another is reached from the nearest PU
 * that is neither west of the one nor north of the other.
 */
#include "model/family/parameter.h"

enum { SIDE_MIN = 2, SIDE_MAX = 46340 }; /* 2 P (P + 1) link numbers */

static np_status create(np_network *network, const char *parameters)
{
    uint32_t side;
    np_status st = np_parameter_whole(network, "the number of PUs", parameters, SIDE_MIN, SIDE_MAX, &side);
    if (st)
        return st;
    network->side[0] = side;
    network->by_side[0] = np_divider_of(side);
    network->nodes = side * (side + 1);
    network->ports = 2;
    network->terminals = network->input_nodes = side;
    return NP_OK;
}

/* At PU i: to (i, 0). At (r, c): east to (r, c+1), north to (r-1, c) or to PU c. */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t side = network->side[0];
    for (size_t i = 0; i < count; i++) {
        np_node x = link[i] >> 1;
        bool north = link[i] & 1;
        if (x < side)
            head[i] = north ? NP_NONE : side + x * side;
        else if (north)
            head[i] = x - side; /* (0, c) is node P + c: to PU c */
        else
            head[i] = np_modulo(x, network->by_side[0]) + 1 < side ? x + 1 : NP_NONE;
    }
}

/* One from each PU, two from each switch but those of the last column. */
static uint64_t count_links(const np_network *network) { return 2 * (uint64_t)network->side[0] * network->side[0]; }

static bool diameter(const np_network *network, uint64_t *out)
{
    *out = 3 * (uint64_t)network->side[0] - 1;
    return true;
}

const np_network_family np_crossbar = {
    .info = {"crossbar", "crossbar: P PUs joined by P x P switches, east along a row, then north",
             "Sibeyn, interconnection networks", .parameters = "P", .example = "crossbar:8", .takes = "P 2..46340"},
    .kind = NP_KIND_CROSSBAR,
    .create = create,
    .heads = heads,
    .count_links = count_links,
    .diameter = diameter,
};
