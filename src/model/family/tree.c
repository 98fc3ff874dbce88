/*
 * The complete D-ary tree of height H (Sibeyn, interconnection networks): D^H
 * leaves, every other node has D children. Every edge is directed both ways.
 *
 * Nodes are numbered level by level from the root, 0: the children of u are
 * D u + 1 .. D u + D. Ports: 0 up, 1 + c down to child c. The root has no port 0;
 * leaves have only port 0.
 *
 * Bisection. Let c links separate a set of nodes from the rest, and let the root not be in the set (else count the
 * other nodes). The size of the set is a sum of c sizes of subtrees, each with a plus or a minus sign: a link whose
 * lower end is in the set adds its subtree, and a link whose upper end is in the set subtracts its subtree. So the
 * bisection is at least the least number of terms in a sum of this kind that equals floor(N/2) or ceil(N/2).
 *   D even: D/2 subtrees of the root have floor(N/2) nodes together, and no sum with fewer terms is enough.
 *   D odd:  take as many subtrees of the largest size as fit, and make the rest of smaller ones in the same way; or
 *           take one more and subtract what is too much, made in the same way. The shorter sum counts.
 * That this number of links is also enough is not proved: the tests try it on trees of up to some thousand nodes and
 * nine children.
 */
#include <stdio.h>

#include "model/network/network.h"

enum { ARITY_MIN = 2, ARITY_MAX = 65534 }; /* (D + 1)^2 link numbers at height 1 */

/* Nodes of the tree, at most `limit` + 1. */
static uint64_t count_nodes(uint64_t arity, uint64_t height, uint64_t limit)
{
    uint64_t nodes = 1;
    for (uint64_t level = 0; level < height && nodes <= limit; level++)
        nodes = nodes * arity + 1;
    return nodes <= limit ? nodes : limit + 1;
}

static bool fits(uint64_t arity, uint64_t height)
{
    uint64_t most = (NP_NONE - 1) / (arity + 1);
    return count_nodes(arity, height, most) <= most;
}

static void print(uint64_t arity, uint64_t height, bool binary, char text[32])
{
    if (binary)
        snprintf(text, 32, "tree:%u", (unsigned)height);
    else
        snprintf(text, 32, "tree:%ux%u", (unsigned)arity, (unsigned)height);
}

static np_status read_parameters(const char *text, uint64_t *arity, uint64_t *height)
{
    uint64_t value[2], read = np_parse_sides(text, 2, value);
    char nearest[32];
    if (!read)
        return NP_RAISE(NP_ERROR_INPUT,
                        "tree:%s: must be the height, as in tree:6, or arity and height, as in tree:3x4", text);
    uint64_t given = read == 2 ? value[0] : 2, high = value[read - 1];
    *arity = given < ARITY_MIN ? ARITY_MIN : given > ARITY_MAX ? ARITY_MAX : given;
    *height = high < 1 ? 1 : high < 32 ? high : 32;
    while (!fits(*arity, *height))
        --*height;
    if (*arity == given && *height == high)
        return NP_OK;
    print(*arity, *height, read == 1, nearest);
    return NP_RAISE(given > *arity || high > *height ? NP_ERROR_LIMIT : NP_ERROR_INPUT,
                    "tree:%s: the arity must be %d..%d, the height at least 1, and nodes times (arity + 1) below 2^32 "
                    "- 1 (link numbers have 32 bits): try %s",
                    text, ARITY_MIN, ARITY_MAX, nearest);
}

static np_status create(np_network *network, const char *parameters)
{
    uint64_t arity = 0, height = 0;
    np_status st = read_parameters(parameters, &arity, &height);
    if (st)
        return st;
    network->side[0] = (uint32_t)arity;
    network->by_side[0] = np_divider_of((uint32_t)arity);
    network->dimensions = (uint32_t)height;
    network->nodes = (uint32_t)count_nodes(arity, height, NP_NONE);
    network->ports = (uint32_t)arity + 1;
    return NP_OK;
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint64_t arity = network->side[0];
    for (size_t i = 0; i < count; i++) {
        np_node u = np_divide(link[i], network->by_ports);
        np_port port = link[i] - u * network->ports;
        if (port) {
            uint64_t child = arity * u + port;
            head[i] = child < network->nodes ? (np_node)child : NP_NONE;
        } else
            head[i] = u ? np_divide(u - 1, network->by_side[0]) : NP_NONE;
    }
}

static uint64_t count_links(const np_network *network) { return 2 * ((uint64_t)network->nodes - 1); }

static uint64_t degree(const np_network *network)
{
    return network->dimensions > 1 ? network->ports : network->side[0];
}

/* The fewest sizes of subtrees, the largest `size`, that make `rest` when added and taken away. */
static uint64_t fewest_terms(uint64_t arity, uint64_t size, uint64_t rest)
{
    uint64_t count = rest / size, below = (size - 1) / arity;
    rest -= count * size;
    if (!rest)
        return count;
    uint64_t under = fewest_terms(arity, below, rest), over = fewest_terms(arity, below, size - rest) + 1;
    return count + (under < over ? under : over);
}

static bool bisection(const np_network *network, uint64_t *out)
{
    uint64_t arity = network->side[0], nodes = network->nodes, size = (nodes - 1) / arity;
    *out = arity / 2;
    if (arity % 2) {
        uint64_t small = fewest_terms(arity, size, nodes / 2), large = fewest_terms(arity, size, nodes - nodes / 2);
        *out = small < large ? small : large;
    }
    return true;
}

const np_network_family np_tree = {
    .info = {"tree", "complete D-ary tree of height H, D^H leaves; without D: binary",
             "Sibeyn, interconnection networks", .parameters = "[Dx]H", .example = "tree:3x4",
             .takes = "D 2..65534, H 1..29"},
    .kind = NP_KIND_TREE,
    .create = create,
    .heads = heads,
    .count_links = count_links,
    .degree = degree,
    .linear = &(const np_linear){2, 0, 1},
    .bisection = bisection,
};
