/*
 * Load, dilation, congestion and expansion, counted on the map and the paths (Sibeyn, lecture notes, embeddings).
 *
 * Opposites: of the links from a to b the k-th, in order of their numbers, is the opposite of the k-th from b to a.
 */
#include "embed/embedding.h"

#include "base/memory.h"

/* NP_NONE if there are not as many links back. */
static np_link opposite(const np_network *network, np_link link)
{
    np_node a = np_network_link_tail(network, link), b = np_network_link_head(network, link);
    uint32_t before = 0;
    for (np_link l = np_network_first_link(network, a); l < link; l++)
        before += np_network_link_head(network, l) == b;
    for (np_link l = np_network_first_link(network, b); l < np_network_first_link(network, b + 1); l++)
        if (np_network_link_head(network, l) == a && !before--)
            return l;
    return NP_NONE;
}

static np_status measure_load(const np_embedding *embedding, np_embedding_facts *facts)
{
    uint32_t *load;
    np_status st = np_memory_zeroed(&load, embedding->host->nodes, sizeof *load, "the load of an embedding");
    if (st)
        return st;
    for (np_node u = 0; u < embedding->guest->nodes; u++) {
        uint32_t here = ++load[embedding->map[u]];
        facts->load = here > facts->load ? here : facts->load;
    }
    np_memory_free(load);
    return NP_OK;
}

/* Is the path of link l that of its opposite, link by link from the end? */
static bool reversed(const np_embedding *embedding, np_link l, np_link back)
{
    const np_link *there, *here;
    size_t hops = np_embedding_path(embedding, l, &there);
    if (np_embedding_path(embedding, back, &here) != hops)
        return false;
    for (size_t i = 0; i < hops; i++)
        if (np_network_link_tail(embedding->host, there[i]) !=
            np_network_link_head(embedding->host, here[hops - 1 - i]))
            return false;
    return true;
}

static void measure_paths(const np_embedding *embedding, np_embedding_facts *facts)
{
    const np_network *guest = embedding->guest;
    facts->reverses = true;
    for (np_link l = 0; l < guest->link_numbers; l++) {
        if (np_network_link_head(guest, l) == NP_NONE)
            continue;
        uint32_t hops = embedding->row[l + 1] - embedding->row[l];
        np_link back = opposite(guest, l);
        facts->guest_links++;
        facts->hops += hops;
        facts->dilation = hops > facts->dilation ? hops : facts->dilation;
        if (back != NP_NONE && back != l && facts->reverses) /* a loop is its own */
            facts->reverses = reversed(embedding, l, back);
    }
    facts->dilation_mean = facts->guest_links ? (double)facts->hops / (double)facts->guest_links : 0;
}

static np_status measure_congestion(const np_embedding *embedding, np_embedding_facts *facts)
{
    const np_network *host = embedding->host;
    uint32_t *paths;
    np_status st = np_memory_zeroed(&paths, host->link_numbers, sizeof *paths, "the congestion of an embedding");
    if (st)
        return st;
    for (uint32_t i = 0; i < embedding->row[embedding->guest->link_numbers]; i++)
        paths[embedding->link[i]]++;
    for (np_link l = 0; l < host->link_numbers; l++) {
        if (!paths[l])
            continue;
        np_link back = opposite(host, l);
        uint32_t both = paths[l] + (back == NP_NONE || back == l ? 0 : paths[back]);
        facts->congestion = paths[l] > facts->congestion ? paths[l] : facts->congestion;
        facts->congestion_both = both > facts->congestion_both ? both : facts->congestion_both;
    }
    np_memory_free(paths);
    return NP_OK;
}

static bool agrees(uint32_t stated, uint32_t measured) { return !stated || stated == measured; }

np_status np_embedding_measure(const np_embedding *embedding, np_embedding_facts *facts)
{
    np_embedding_stated *stated = &facts->stated;
    np_status st;
    *facts = (np_embedding_facts){0};
    if ((st = measure_load(embedding, facts)) || (st = measure_congestion(embedding, facts)))
        return st;
    measure_paths(embedding, facts);
    facts->expansion = (double)embedding->host->nodes / embedding->guest->nodes;
    if (embedding->ops && embedding->ops->state)
        embedding->ops->state(embedding->guest, embedding->host, stated);
    facts->agrees = agrees(stated->load, facts->load) && agrees(stated->dilation, facts->dilation) &&
                    agrees(stated->congestion, facts->congestion) &&
                    (stated->expansion == 0 || stated->expansion == facts->expansion);
    return NP_OK;
}
