/*
 * Area- and volume-universal networks (Leighton, Maggs, Ranade & Rao 1994, section 7):
 *   universal:M     a fat-tree of height m = M, 4^m leaves and 2^m roots; at each leaf an
 *                   m x m mesh; at each node above the leaves and below the root a chain
 *   universal-3d:M  the same with the 8-ary fat-tree, 8^m leaves and 4^m roots, and meshes of
 *                   s x s x s, s = sqrt(2m) rounded up
 * The processors are the mesh nodes, and send and receive: N = 4^m m^2, or 8^m s^3.
 *
 * The leaf is the corner (0, 0) or (0, 0, 0) of its mesh; the paper connects the leaf to the corner. A chain
 * at level l has 2(m-l) edges: it leads one way from its node over 2(m-l) - 1 other nodes back to its node. The paper
 * allows a chain in space of length O(log^(3/2) M); for ways of equal length 2(m-l) edges are enough.
 *
 * Nodes are numbered as universal.h says. Ports, with g = 2 or 4 links up and f = 4 or 8 children:
 *   processors    0 .. 2 axes - 1 in the mesh, to x-1, x+1, y-1, ...; the leaf's links up after them
 *   fat-tree      0 .. g-1 up, g .. g+f-1 down, g+f into the chain
 *   chains        0 to the next
 * The number of a port that leads nowhere is not used. No table of links is stored.
 *
 * Symbols: side[0] = 1 in space; stride[0] = 0 and stride[l] the first node of tree level l; stride[m + l] the first
 * chain node at level l.
 *
 * Diameter, for meshes of s nodes a side in a dimensions: the largest of the following distances.
 *   corner to corner  2m + 2 a (s-1), between the far corners of two meshes below different children of the root; a
 *                     mesh has one way out
 *   chain to corner   at most 4m - 4 + a (s-1): the farthest node of a chain is 2(m-l) - 1 hops from its node, or to
 *                     its node, and this is largest at level l = 1
 *   chain to chain    6m - 6: between nodes of level 1 with different labels, below different children of the root, a
 *                     way of 2m hops goes down to a leaf, up to the root and down again
 * In two dimensions the last two are at most 6m - 4; in three dimensions the last is the largest for m = 7.
 */
#include "model/family/universal.h"

#include "model/family/parameter.h"

static np_shape shape_of(const np_network *network) { return np_shape_of(network->dimensions, network->side[0]); }

static np_status create_with(np_network *network, const char *parameters, bool volume)
{
    uint32_t m;
    np_status st = np_parameter_whole(network, "the height", parameters, 1, np_shape_height_max(volume), &m);
    if (st)
        return st;
    np_shape s = np_shape_of(m, volume);
    uint32_t leaf = 2 * s.axes + (UINT32_C(1) << s.grow), node = (UINT32_C(1) << s.grow) + (UINT32_C(1) << s.fan) + 1;
    network->dimensions = m;
    network->side[0] = volume;
    network->nodes = np_shape_nodes(&s);
    network->ports = leaf > node ? leaf : node;
    network->terminals = network->input_nodes = np_shape_processors(&s);
    for (uint32_t l = 1; l <= m; l++) {
        network->stride[l] = np_shape_node(&s, l, 0, 0);
        network->stride[m + l] = np_shape_first_chain(&s, l); /* m + l > m */
    }
    return NP_OK;
}

static np_status create_area(np_network *network, const char *parameters)
{
    return create_with(network, parameters, false);
}

static np_status create_volume(np_network *network, const char *parameters)
{
    return create_with(network, parameters, true);
}

static np_node head_up(const np_shape *s, uint32_t l, uint32_t vertex, uint32_t label, uint32_t j)
{
    return l < s->m ? np_shape_node(s, l + 1, vertex >> s->fan, label + (j << (s->grow * l))) : NP_NONE;
}

static np_node head_of_processor(const np_shape *s, np_node u, np_port port)
{
    uint32_t leaf = u / s->mesh, inside = u % s->mesh, stride = 1;
    if (port >= 2 * s->axes)
        return inside || port >= 2 * s->axes + (UINT32_C(1) << s->grow) ? NP_NONE
                                                                        : head_up(s, 0, leaf, 0, port - 2 * s->axes);
    for (uint32_t k = 0; k < port / 2; k++)
        stride *= s->side;
    uint32_t at = inside / stride % s->side;
    if (port % 2)
        return at + 1 < s->side ? u + stride : NP_NONE;
    return at ? u - stride : NP_NONE;
}

static np_node head_of_tree(const np_network *network, const np_shape *s, np_node u, np_port port)
{
    uint32_t l = 1, ups = UINT32_C(1) << s->grow, children = UINT32_C(1) << s->fan;
    while (l < s->m && u >= network->stride[l + 1])
        l++;
    uint32_t i = u - network->stride[l], width = s->grow * l, vertex = i >> width,
             label = i & ((UINT32_C(1) << width) - 1);
    if (port < ups)
        return head_up(s, l, vertex, label, port);
    if (port < ups + children)
        return np_shape_node(s, l - 1, vertex << s->fan | (port - ups),
                             label & ((UINT32_C(1) << (width - s->grow)) - 1));
    return port == ups + children && l < s->m ? np_shape_first_chain(s, l) + i * np_shape_chain(s, l) : NP_NONE;
}

static np_node head_of_chain(const np_network *network, const np_shape *s, np_node u)
{
    uint32_t l = 1;
    while (u >= network->stride[s->m + l + 1])
        l++;
    uint32_t i = u - network->stride[s->m + l], length = np_shape_chain(s, l);
    return i % length + 1 < length ? u + 1 : network->stride[l] + i / length;
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    np_shape s = shape_of(network);
    np_node tree = np_shape_processors(&s), chains = np_shape_first_chain(&s, 1);
    for (size_t i = 0; i < count; i++) {
        np_node u = np_divide(link[i], network->by_ports);
        np_port port = link[i] - u * network->ports;
        if (u < tree)
            head[i] = head_of_processor(&s, u, port);
        else if (u < chains)
            head[i] = head_of_tree(network, &s, u, port);
        else
            head[i] = port ? NP_NONE : head_of_chain(network, &s, u);
    }
}

static uint64_t count_links(const np_network *network)
{
    np_shape s = shape_of(network);
    return np_shape_links(&s);
}

/* Up, down and the chain; of height 1 there are leaves, each a corner of its mesh, and roots only. */
static uint64_t degree(const np_network *network)
{
    np_shape s = shape_of(network);
    uint64_t ups = UINT64_C(1) << s.grow, children = UINT64_C(1) << s.fan;
    uint64_t leaf = ups + (s.side > 1 ? s.axes : 0);
    return s.m > 1 ? ups + children + 1 : leaf > children ? leaf : children;
}

/* See the head. */
static bool diameter(const np_network *network, uint64_t *out)
{
    np_shape s = shape_of(network);
    uint64_t m = s.m, corner = (uint64_t)s.axes * (s.side - 1);
    *out = 2 * m + 2 * corner;
    if (m > 1 && *out < 4 * m - 4 + corner)
        *out = 4 * m - 4 + corner;
    if (m > 1 && *out < 6 * m - 6)
        *out = 6 * m - 6;
    return true;
}

const np_network_family np_universal_area = {
    .info = {"universal", "fat-tree:M with an M x M mesh at each leaf and chains: 4^M M^2 processors",
             "Leighton, Maggs, Ranade & Rao 1994, section 7", .parameters = "M", .example = "universal:3",
             .takes = "M 1..10"},
    .create = create_area,
    .heads = heads,
    .count_links = count_links,
    .degree = degree,
    .diameter = diameter,
};

const np_network_family np_universal_volume = {
    .info =
        {"universal-3d",
         "fat-tree-8:M with an S x S x S mesh at each leaf, S = sqrt(2M) rounded up, and chains: 8^M S^3 processors",
         "Leighton, Maggs, Ranade & Rao 1994, section 7", .parameters = "M", .example = "universal-3d:2",
         .takes = "M 1..7"},
    .create = create_volume,
    .heads = heads,
    .count_links = count_links,
    .degree = degree,
    .diameter = diameter,
};
