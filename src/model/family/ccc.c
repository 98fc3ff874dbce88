/*
 * Cube-connected cycles (Preparata & Vuillemin 1979; Valiant & Brebner 1981,
 * section 7): the s-cube with every node replaced by a cycle of s nodes, each
 * of which owns one dimension; N = s 2^s. Every edge is directed both ways.
 *
 * Node w s + p is position p of the cycle at cube address w. Position p owns
 * the (p+1)-st most significant bit of w, so ascending positions own ascending
 * dimensions of the cube. Ports: 0 clockwise, to position p+1 mod s;
 * 1 counter-clockwise; 2 across the cube, flipping the bit that p owns.
 *
 * Cycles of length 1 and 2 would have self-loops and parallel links: s >= 3.
 *
 * Diameter: floor(5s/2) - 2 for s >= 4 and 6 for s = 3 (Friš, Havel & Liebl
 * 1997). Bisection: 2^(s-1), by the links of one cube dimension.
 */
#include "model/family/cycles.h"
#include "model/family/parameter.h"

enum { CYCLE_MIN = 3, CYCLE_MAX = 25 }; /* 4 n 2^n link numbers of the butterfly */

np_status np_cycles_create(np_network *network, const char *what, const char *parameters, uint32_t ports)
{
    uint32_t n;
    np_status st = np_parameter_whole(network, what, parameters, CYCLE_MIN, CYCLE_MAX, &n);
    if (st)
        return st;
    network->dimensions = n;
    network->side[0] = n;
    network->by_side[0] = np_divider_of(n);
    network->nodes = n << n;
    network->ports = ports;
    return NP_OK;
}

np_node np_cycles_relative(const np_network *network, np_node u, np_node v)
{
    uint32_t n = network->dimensions;
    uint32_t w = np_divide(u, network->by_side[0]), p = u - w * n;
    uint32_t other = np_divide(v, network->by_side[0]), q = v - other * n;
    uint32_t bits = w ^ other;
    uint32_t rotated = ((bits << p) | (bits >> (n - p))) & ((UINT32_C(1) << n) - 1);
    return rotated * n + (q >= p ? q - p : q + n - p);
}

static np_status create(np_network *network, const char *parameters)
{
    return np_cycles_create(network, "the cycle length", parameters, 3);
}

/* At (w, p): to (w, p+1), (w, p-1) or (w with bit s-1-p flipped, p). */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t s = network->dimensions;
    np_divider by_s = network->by_side[0];
    for (size_t i = 0; i < count; i++) {
        np_node x = np_divide(link[i], network->by_ports);
        np_port port = link[i] - 3 * x;
        uint32_t w = np_divide(x, by_s), p = x - w * s;
        uint32_t clockwise = p + 1 == s ? 0 : p + 1, counter = p ? p - 1 : s - 1;
        uint32_t across = w ^ UINT32_C(1) << (s - 1 - p);
        head[i] = port == 2 ? across * s + p : w * s + (port ? counter : clockwise);
    }
}

static bool diameter(const np_network *network, uint64_t *out)
{
    uint64_t s = network->dimensions;
    *out = s == 3 ? 6 : 5 * s / 2 - 2;
    return true;
}

static bool bisection(const np_network *network, uint64_t *out)
{
    *out = UINT64_C(1) << (network->dimensions - 1);
    return true;
}

const np_network_family np_ccc = {
    .info = {"ccc", "cube-connected cycles of length S, S 2^S nodes of degree 3", "Valiant & Brebner 1981, section 7",
             .parameters = "S", .example = "ccc:7", .takes = "S 3..25"},
    .kind = NP_KIND_CCC,
    .regular = true,
    .node_symmetric = true,
    .create = create,
    .heads = heads,
    .diameter = diameter,
    .bisection = bisection,
    .relative = np_cycles_relative,
};
