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

static void put(uint64_t *flits, np_link link, uint64_t crossed)
{
    if (link != NP_NONE)
        flits[link] = crossed;
}

void np_flits_links(const np_flits *f, uint64_t *flits)
{
    const np_network *network = f->options.network;
    memset(flits, 0, np_network_link_numbers(network) * sizeof *flits);
    for (uint32_t u = 0; u < f->routers; u++)
        put_channels(f, &f->router[u], flits);
    for (uint32_t place = 0; place < f->entries; place++)
        put(flits, f->cables->entry[f->source[place].entry].link, f->crossed[f->ports + place]);
    for (uint32_t i = 0; i < f->exits; i++) {
        const np_flits_router *r = &f->router[f->exit[i].router];
        put(flits, f->cables->exit[i].link, f->crossed[r->port + f->exit[i].port]);
    }
}
