/*
 * Grids: k-dimensional meshes and tori with any sides, and their
 * one-dimensional cases under their own names, the linear array and the ring
 * (Valiant & Brebner 1981, section 8).
 *
 * Node u has coordinates (x_0, .., x_(k-1)), u = sum of x_i stride[i], row
 * major: the first is the most significant. Port 2i leads to x_i - 1, port
 * 2i + 1 to x_i + 1: modulo the side on a torus, while on a mesh the ports that
 * would leave the border are unused link numbers.
 *
 * Sides are at least 2. Both ports of a torus' dimension of side 2 lead to the
 * same node: these are parallel links, which the model allows.
 *
 * Bisection: let the sides be s_1 >= s_2 >= ... and s_e the first that is even,
 * or the last. Then it is the sum for i = 1 .. e of s_(i+1) s_(i+2) .., the
 * links across one dimension of what is left, and twice that on a torus (Arjona
 * Aroca & Fernández Anta 2014). With s_1 even it is N / s_1, a cut across the
 * middle of the longest side; with s_1 odd the cut has a step in it, and is
 * larger. Sibeyn's notes print N / min side: the 2 x 4 mesh is cut by 2 links,
 * not 4, and the 3 x 3 mesh needs 4, not 3.
 */
#include <stdio.h>
#include "model/family/parameter.h"
#include "model/network/axes.h"

enum { SIDE_MIN = 2, LINE_MAX = INT32_MAX, SIDES_TEXT = NP_MAX_DIMENSIONS * 11 };

static const char *name_of(const np_network *network) { return network->family->info.name; }

/* Do the 2k link numbers a node fit, with no side above cap? */
static bool fits(size_t k, const uint64_t *side, uint64_t cap)
{
    uint64_t numbers = 2 * k;
    for (size_t i = 0; i < k; i++) {
        uint64_t s = side[i] < cap ? side[i] : cap;
        if (s >= NP_NONE || (numbers *= s) >= NP_NONE)
            return false;
    }
    return true;
}

static void print_sides(size_t k, const uint64_t *side, uint64_t cap, char text[SIDES_TEXT])
{
    size_t length = 0;
    for (size_t i = 0; i < k; i++)
        length += (size_t)snprintf(text + length, SIDES_TEXT - length, "%s%llu", i ? "x" : "",
                                   (unsigned long long)(side[i] < cap ? side[i] : cap));
}

/* The nearest that fits: as many dimensions as can be, the longest sides cut down to one length. */
static np_status refuse_large(const np_network *network, const char *text, size_t k, const uint64_t *side)
{
    char sides[SIDES_TEXT];
    uint64_t low = SIDE_MIN, high = NP_NONE;
    while (!fits(k, side, SIDE_MIN))
        k--;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (fits(k, side, middle))
            low = middle;
        else
            high = middle;
    }
    print_sides(k, side, low, sides);
    return NP_RAISE(NP_ERROR_LIMIT,
                    "%s:%s: nodes times twice the dimensions must stay below 2^32 - 1 (link numbers have 32 bits): "
                    "try %s:%s",
                    name_of(network), text, name_of(network), sides);
}

/* The nearest without the sides that are too small. */
static np_status refuse_small(const np_network *network, const char *text, size_t k, const uint64_t *side)
{
    char sides[SIDES_TEXT] = "2";
    uint64_t kept[NP_MAX_DIMENSIONS];
    size_t count = 0;
    for (size_t i = 0; i < k; i++)
        if (side[i] >= SIDE_MIN)
            kept[count++] = side[i];
    if (!fits(count, kept, UINT64_MAX))
        return refuse_large(network, text, count, kept);
    print_sides(count, kept, UINT64_MAX, sides);
    return NP_RAISE(NP_ERROR_INPUT, "%s:%s: a side must be at least %d: try %s:%s", name_of(network), text, SIDE_MIN,
                    name_of(network), sides);
}

static void set_sides(np_network *network, size_t k, const uint64_t *side)
{
    np_network_set_sides(network, k, side);
    network->ports = 2 * (uint32_t)k;
}

static np_status create_sides(np_network *network, const char *parameters)
{
    uint64_t side[NP_MAX_DIMENSIONS];
    size_t k = np_parse_sides(parameters, NP_MAX_DIMENSIONS, side);
    if (!k)
        return NP_RAISE(NP_ERROR_INPUT, "%s:%s: must be 1..%d whole numbers joined by 'x', as in %s", name_of(network),
                        parameters, NP_MAX_DIMENSIONS, network->family->info.example);
    for (size_t i = 0; i < k; i++)
        if (side[i] < SIDE_MIN)
            return refuse_small(network, parameters, k, side);
    if (!fits(k, side, UINT64_MAX))
        return refuse_large(network, parameters, k, side);
    set_sides(network, k, side);
    return NP_OK;
}

static np_status create_line(np_network *network, const char *parameters)
{
    uint32_t nodes;
    np_status st = np_parameter_whole(network, "the number of nodes", parameters, SIDE_MIN, LINE_MAX, &nodes);
    if (!st)
        set_sides(network, 1, &(uint64_t){nodes});
    return st;
}

/* At x by port 2i or 2i+1: coordinate c of dimension i goes down or up by one; at the edge it wraps. */
static inline np_node neighbour(const np_network *network, np_link link, bool wrap)
{
    np_node x = np_divide(link, network->by_ports);
    np_port port = link - x * network->ports;
    unsigned i = port >> 1;
    uint32_t c = np_network_coordinate(network, x, i), last = network->side[i] - 1, stride = network->stride[i];
    if (port & 1)
        return c < last ? x + stride : wrap ? x - last * stride : NP_NONE;
    return c ? x - stride : wrap ? x + last * stride : NP_NONE;
}

static void heads_mesh(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    for (size_t i = 0; i < count; i++)
        head[i] = neighbour(network, link[i], false);
}

static void heads_torus(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    for (size_t i = 0; i < count; i++)
        head[i] = neighbour(network, link[i], true);
}

static uint64_t count_links_mesh(const np_network *network)
{
    uint64_t links = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        links += 2 * (uint64_t)(network->nodes / network->side[i]) * (network->side[i] - 1);
    return links;
}

/* Two ways along every dimension; of a mesh, one only where the side is 2. */
static uint64_t degree(const np_network *network)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        count += network->side[i] == 2 && !np_network_wraps(network) ? 1 : 2;
    return count;
}

static bool diameter(const np_network *network, uint64_t *out)
{
    *out = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        *out += np_network_wraps(network) ? network->side[i] / 2 : network->side[i] - 1;
    return true;
}

/* The sum in the head comment: a cut across each dimension, longest first, up to the first even side. */
static bool bisection(const np_network *network, uint64_t *out)
{
    uint32_t side[NP_MAX_DIMENSIONS], k = network->dimensions, rest = network->nodes;
    for (uint32_t i = 0; i < k; i++) {
        uint32_t j = i;
        for (; j && side[j - 1] < network->side[i]; j--)
            side[j] = side[j - 1];
        side[j] = network->side[i];
    }
    *out = 0;
    for (uint32_t i = 0; i < k; i++) {
        rest /= side[i];
        *out += rest;
        if (side[i] % 2 == 0)
            break;
    }
    if (np_network_wraps(network))
        *out *= 2;
    return true;
}

const np_network_family np_grid_mesh = {
    .info = {"mesh", "mesh with sides A, B, ...", "Valiant & Brebner 1981, section 8", .parameters = "AxBx...",
             .example = "mesh:64x64", .takes = "A 2..2147483647"},
    .kind = NP_KIND_MESH,
    .create = create_sides,
    .heads = heads_mesh,
    .count_links = count_links_mesh,
    .degree = degree,
    .diameter = diameter,
    .bisection = bisection,
};

const np_network_family np_grid_torus = {
    .info = {"torus", "torus (mesh whose rows close to rings) with sides A, B, ...",
             "Valiant & Brebner 1981, section 8", .parameters = "AxBx...", .example = "torus:32x32x8",
             .takes = "A 2..2147483647"},
    .kind = NP_KIND_TORUS,
    .regular = true,
    .node_symmetric = true,
    .create = create_sides,
    .heads = heads_torus,
    .diameter = diameter,
    .bisection = bisection,
    .relative = np_network_translated,
};

const np_network_family np_grid_array = {
    .info = {"array", "linear array of N nodes, the one-dimensional mesh", "Valiant & Brebner 1981, section 8",
             .parameters = "N", .example = "array:100", .takes = "N 2..2147483647"},
    .kind = NP_KIND_ARRAY,
    .create = create_line,
    .heads = heads_mesh,
    .count_links = count_links_mesh,
    .degree = degree,
    .diameter = diameter,
    .bisection = bisection,
};

const np_network_family np_grid_ring = {
    .info = {"ring", "ring of N nodes, the one-dimensional torus", "", .parameters = "N", .example = "ring:100",
             .takes = "N 2..2147483647"},
    .kind = NP_KIND_RING,
    .regular = true,
    .node_symmetric = true,
    .create = create_line,
    .heads = heads_torus,
    .diameter = diameter,
    .bisection = bisection,
    .relative = np_network_translated,
};
