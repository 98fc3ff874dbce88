/* What links carry: flits are counted at the outputs of routers and at terminals. See flits.h. */
#include <string.h>

#include "engine/flits/flits.h"

/* The counts of a router's outputs, by the links that leave it; loops are no outputs. */
static void put_channels(const np_flits *f, const np_flits_router *r, uint64_t *flits)
{
    const np_network *network = f->options.network;
    const uint64_t *crossed = f->crossed + r->port;
    np_link first = np_network_first_link(network, r->node), end = np_network_first_link(network, r->node + 1);
    for (np_link link = first; link < end; link++) {
        np_node head = np_network_link_head(network, link);
        if (head != NP_NONE && head != r->node && np_network_is_router(network, head))
            flits[link] = crossed[np_flits_output_at(f, r, (np_port)(link - first))];
    }
}

np_link np_flits_cable(const np_network *network, np_node from, np_node to)
{
    for (np_link link = np_network_first_link(network, from); link < np_network_first_link(network, from + 1); link++)
        if (np_network_link_head(network, link) == to)
            return link;
    return NP_NONE;
}

static void put_cable(const np_network *network, np_node from, np_node to, uint64_t crossed, uint64_t *flits)
{
    np_link link = np_flits_cable(network, from, to);
    if (link != NP_NONE)
        flits[link] = crossed;
}

void np_flits_links(const np_flits *f, uint64_t *flits)
{
    const np_network *network = f->options.network;
    memset(flits, 0, np_network_link_numbers(network) * sizeof *flits);
    for (uint32_t u = 0; u < f->routers; u++)
        put_channels(f, &f->router[u], flits);
    for (uint32_t place = 0; place < f->terminals && np_network_has_hosts(network); place++) {
        np_node terminal = f->source[place].terminal, host = np_network_input(network, terminal);
        const np_flits_place *at = &f->place[terminal];
        const np_flits_router *r = &f->router[at->router];
        put_cable(network, host, r->node, f->crossed[f->ports + place], flits);
        put_cable(network, r->node, host, f->crossed[r->port + at->port], flits);
    }
}
