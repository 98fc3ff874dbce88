/*
 * Audits a network: link numbers correspond one to one to (node, port); heads are
 * in range; degrees and counts agree; the promises of the family (regular, and the
 * automorphisms of `relative`) hold.
 *
 * Cost O(link numbers): the automorphisms are tried for three nodes only.
 */
#include "base/memory.h"
#include "model/network/network.h"

enum { BATCH = 512 };

#define VIOLATED(network, ...) violated((network), NP_RAISE(NP_ERROR_INTERNAL, __VA_ARGS__))

static np_status violated(const np_network *network, np_status st)
{
    return np_status_prefix(st, "%.64s: ", np_network_spec(network));
}

/* First link numbers ascend from 0 to link_numbers, by at most `ports` a node, and by exactly `ports` at some node. */
static np_status audit_rows(const np_network *network)
{
    np_port most = 0;
    if (np_network_first_link(network, 0))
        return VIOLATED(network, "node 0 begins at link %u", np_network_first_link(network, 0));
    for (np_node u = 0; u < network->nodes; u++) {
        np_link first = np_network_first_link(network, u), end = np_network_first_link(network, u + 1);
        if (end < first || end - first > network->ports)
            return VIOLATED(network, "node %u has links %u..%u and at most %u ports", u, first, end, network->ports);
        most = end - first > most ? end - first : most;
    }
    if (np_network_first_link(network, network->nodes) != network->link_numbers || most != network->ports)
        return VIOLATED(network, "%u link numbers and %u ports, not %u and %u",
                        np_network_first_link(network, network->nodes), most, network->link_numbers, network->ports);
    return NP_OK;
}

/* Link and (node, port) agree; the head is in range or the number is unused. in, out: [nodes] receive the degrees. */
static np_status audit_link(const np_network *network, np_link link, np_node tail, np_node head, uint32_t *in,
                            uint32_t *out)
{
    if (tail >= network->nodes)
        return VIOLATED(network, "link %u leaves node %u of %u", link, tail, network->nodes);
    if (head >= network->nodes && head != NP_NONE)
        return VIOLATED(network, "link %u leads to node %u of %u", link, head, network->nodes);
    np_port port = link - np_network_first_link(network, tail);
    np_link back;
    if (port < network->ports)
        np_network_link_numbers_of(network, 1, &tail, &port, &back);
    if (port >= network->ports || back != link)
        return VIOLATED(network, "link %u is not port %u of node %u", link, port, tail);
    if (np_network_link_at(network, tail, port) != (head == NP_NONE ? NP_NONE : link))
        return VIOLATED(network, "port %u of node %u is link %u and is not", port, tail, link);
    if (head != NP_NONE) {
        in[head]++;
        out[tail]++;
    }
    return NP_OK;
}

static np_status audit_links(const np_network *network, uint32_t *in, uint32_t *out)
{
    np_link link[BATCH];
    np_node head[BATCH], tail[BATCH];
    np_status st;
    for (uint64_t first = 0; first < network->link_numbers; first += BATCH) {
        size_t count = network->link_numbers - first < BATCH ? network->link_numbers - first : BATCH;
        for (size_t i = 0; i < count; i++)
            link[i] = (np_link)(first + i);
        np_network_heads(network, count, link, head);
        np_network_tails(network, count, link, tail);
        for (size_t i = 0; i < count; i++)
            if ((st = audit_link(network, link[i], tail[i], head[i], in, out)))
                return st;
    }
    return NP_OK;
}

static np_status audit_degrees(const np_network *network, const uint32_t *in, const uint32_t *out)
{
    uint64_t links = 0;
    for (np_node u = 0; u < network->nodes; u++) {
        links += out[u];
        if (network->family->regular && (in[u] != network->ports || out[u] != network->ports))
            return VIOLATED(network, "node %u has %u links in and %u out in a regular network of degree %u", u, in[u],
                            out[u], network->ports);
    }
    if (links != network->links)
        return VIOLATED(network, "%llu links, not %llu", (unsigned long long)links, (unsigned long long)network->links);
    return NP_OK;
}

/* v -> relative(u, v) maps u to 0, and the link at port p of v to the link at port p of the image. */
static np_status audit_relative(const np_network *network, np_node u)
{
    np_node (*relative)(const np_network *, np_node, np_node) = network->family->relative;
    if (relative(network, u, u))
        return VIOLATED(network, "relative(%u, %u) is %u, not 0", u, u, relative(network, u, u));
    for (np_node v = 0; v < network->nodes; v++) {
        np_node image = relative(network, u, v);
        if (image >= network->nodes)
            return VIOLATED(network, "relative(%u, %u) is %u of %u nodes", u, v, image, network->nodes);
        for (np_port p = 0; p < network->ports; p++) {
            np_link here = np_network_link_at(network, v, p), there = np_network_link_at(network, image, p);
            if ((here == NP_NONE) != (there == NP_NONE) ||
                (here != NP_NONE &&
                 relative(network, u, np_network_link_head(network, here)) != np_network_link_head(network, there)))
                return VIOLATED(network, "relative(%u, .) does not keep port %u of node %u", u, p, v);
        }
    }
    return NP_OK;
}

np_status np_network_audit(const np_network *network)
{
    uint32_t *in = NULL, *out = NULL;
    np_status st;
    if ((st = audit_rows(network)))
        goto out;
    if ((st = np_memory_zeroed(&in, network->nodes, sizeof *in, "in-degrees")) ||
        (st = np_memory_zeroed(&out, network->nodes, sizeof *out, "out-degrees")) ||
        (st = audit_links(network, in, out)) || (st = audit_degrees(network, in, out)))
        goto out;
    const np_node tried[] = {0, network->nodes / 3, network->nodes - 1};
    for (size_t i = 0; network->family->relative && i < sizeof tried / sizeof *tried; i++)
        if ((st = audit_relative(network, tried[i])))
            goto out;
out:
    NP_MEMORY_FREE(in, out);
    return st;
}
