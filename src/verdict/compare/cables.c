/*
 * Cables between switches by their length: short ones are electrical, the others optical.
 *
 * A cable is a link with one that leads back, or a link that has none. Between two switches the way that has more links
 * tells the lengths of the cables; if both have as many, the way from the smaller number.
 */
#include "verdict/compare/cables.h"

#include "base/memory.h"

typedef struct counts {
    const np_search *search;
    const double *length;   /* [link_numbers] NAN: none */
    uint32_t *ahead, *back; /* [nodes] links to a node with a larger number, and from it */
} counts;

static void count_one(double length, double longest, uint64_t *electrical, uint64_t *optical)
{
    *electrical += length <= longest;
    *optical += length > longest;
}

static void count_at(const counts *c, np_node u, double longest, uint64_t *electrical, uint64_t *optical)
{
    const np_search *s = c->search;
    const np_network *network = s->network;
    np_link begin = np_network_first_link(network, u), end = np_network_first_link(network, u + 1);
    for (np_link link = begin; link < end; link++)
        if (s->head[link] != NP_NONE)
            c->ahead[s->head[link]]++;
    for (uint32_t k = s->in_row[u]; k < s->in_row[u + 1]; k++)
        c->back[np_network_link_tail(network, s->in[k])]++;
    for (np_link link = begin; link < end; link++) {
        np_node v = s->head[link];
        if (v != NP_NONE && v > u && np_network_is_switch(network, v) && c->ahead[v] >= c->back[v])
            count_one(c->length[link], longest, electrical, optical);
    }
    for (uint32_t k = s->in_row[u]; k < s->in_row[u + 1]; k++) {
        np_node v = np_network_link_tail(network, s->in[k]);
        if (v > u && np_network_is_switch(network, v) && c->ahead[v] < c->back[v])
            count_one(c->length[s->in[k]], longest, electrical, optical);
    }
    for (np_link link = begin; link < end; link++)
        if (s->head[link] != NP_NONE)
            c->ahead[s->head[link]] = 0;
    for (uint32_t k = s->in_row[u]; k < s->in_row[u + 1]; k++)
        c->back[np_network_link_tail(network, s->in[k])] = 0;
}

np_status np_compare_cables(const np_search *search, double longest, uint64_t *electrical, uint64_t *optical)
{
    const np_network *network = search->network;
    const np_link_attribute *attribute = np_network_find_attribute(network, "length");
    counts c = {.search = search};
    if (!attribute)
        return NP_RAISE(NP_ERROR_APPLY, "--electrical: the links of %s have no attribute 'length'",
                        np_network_spec(network));
    c.length = attribute->value;
    np_status st = np_memory_zeroed(&c.ahead, network->nodes, sizeof *c.ahead, "cables");
    if (!st && !(st = np_memory_zeroed(&c.back, network->nodes, sizeof *c.back, "cables")))
        for (np_node u = 0; u < network->nodes; u++)
            if (np_network_is_switch(network, u))
                count_at(&c, u, longest, electrical, optical);
    NP_MEMORY_FREE(c.ahead, c.back);
    return st;
}
