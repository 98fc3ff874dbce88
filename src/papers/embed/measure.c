/*
 * Load, dilation, congestion and expansion, counted on the map and the paths (Sibeyn, lecture notes, embeddings).
 *
 * Opposites: in order of link numbers, the k-th link from a to b is the opposite of the k-th link
 * from b to a. Opposites are found for all links at once: a search for each link among the links of
 * its ends would take time square in the number of these links.
 */
#include "papers/embed/embedding.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "model/network/search.h"

/* Fills out[] with the links that leave each node, by head and then number; the links of u begin at beginning[u]. */
static void list_out(const np_search *search, uint32_t *beginning, np_link *out)
{
    const np_network *network = search->network;
    uint32_t links = search->in_row[network->nodes];
    for (uint32_t j = 0; j < links; j++)
        beginning[np_network_link_tail(network, search->in[j])]++;
    for (np_node u = 0; u < network->nodes; u++)
        beginning[u + 1] += beginning[u];
    for (uint32_t j = links; j-- > 0;) /* in order of heads */
        out[--beginning[np_network_link_tail(network, search->in[j])]] = search->in[j];
}

/* Pairs the links out of u, sorted by head, with the links into u, sorted by tail. */
static void pair(const np_search *search, np_node u, const np_link *out, const np_link *end, np_link *opposite)
{
    const np_network *network = search->network;
    uint32_t j = search->in_row[u];
    for (; out < end; out++) {
        while (j < search->in_row[u + 1] && np_network_link_tail(network, search->in[j]) < search->head[*out])
            j++;
        if (j < search->in_row[u + 1] && np_network_link_tail(network, search->in[j]) == search->head[*out])
            opposite[*out] = search->in[j++];
    }
}

/* What finding opposites takes for itself. */
typedef struct finding {
    const np_network *network;
    np_search search;
    uint32_t *beginning; /* [nodes + 1] */
    np_link *out;        /* [links] */
    void *block;
} finding;

static const char opposites[] = "the opposites of links";

static void layout(void *object, np_arena *arena)
{
    finding *f = object;
    np_arena_zeroed(arena, &f->beginning, (size_t)f->network->nodes + 1, sizeof *f->beginning, opposites);
    np_arena_array(arena, &f->out, f->network->links, sizeof *f->out, opposites);
}

/* opposite[l] for all links; NP_NONE: there are fewer links back. The caller frees it. */
static np_status find_opposites(const np_network *network, np_link **opposite)
{
    finding f = {.network = network};
    np_status st;
    if ((st = np_search_init(&f.search, network)) || (st = np_arena_place(&f, layout, opposites, &f.block)) ||
        (st = np_memory_array(opposite, network->link_numbers, sizeof **opposite, opposites)))
        goto out;
    memset(*opposite, 0xff, network->link_numbers * sizeof **opposite); /* NP_NONE */
    list_out(&f.search, f.beginning, f.out);
    for (np_node u = 0; u < network->nodes; u++)
        pair(&f.search, u, f.out + f.beginning[u], f.out + f.beginning[u + 1], *opposite);
out:
    np_search_clear(&f.search);
    np_memory_free(f.block);
    return st;
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

/* Is the path of link l the path of its opposite, link by link from the end? */
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

static np_status measure_paths(const np_embedding *embedding, np_embedding_facts *facts)
{
    const np_network *guest = embedding->guest;
    np_link *opposite = NULL;
    np_status st = find_opposites(guest, &opposite);
    if (st)
        return st;
    facts->reverses = true;
    for (np_link l = 0; l < guest->link_numbers; l++) {
        if (np_network_link_head(guest, l) == NP_NONE)
            continue;
        uint32_t hops = embedding->row[l + 1] - embedding->row[l];
        np_link back = opposite[l];
        facts->guest_links++;
        facts->hops += hops;
        facts->dilation = hops > facts->dilation ? hops : facts->dilation;
        if (back != NP_NONE && back != l && facts->reverses) /* a loop is its own opposite */
            facts->reverses = reversed(embedding, l, back);
    }
    facts->dilation_mean = facts->guest_links ? (double)facts->hops / (double)facts->guest_links : 0;
    np_memory_free(opposite);
    return NP_OK;
}

static np_status measure_congestion(const np_embedding *embedding, np_embedding_facts *facts)
{
    const np_network *host = embedding->host;
    uint32_t *paths = NULL;
    np_link *opposite = NULL;
    np_status st;
    if ((st = find_opposites(host, &opposite)) ||
        (st = np_memory_zeroed(&paths, host->link_numbers, sizeof *paths, "the congestion of an embedding")))
        goto out;
    for (uint32_t i = 0; i < embedding->row[embedding->guest->link_numbers]; i++)
        paths[embedding->link[i]]++;
    for (np_link l = 0; l < host->link_numbers; l++) {
        if (!paths[l])
            continue;
        np_link back = opposite[l];
        uint32_t both = paths[l] + (back == NP_NONE || back == l ? 0 : paths[back]);
        facts->congestion = paths[l] > facts->congestion ? paths[l] : facts->congestion;
        facts->congestion_both = both > facts->congestion_both ? both : facts->congestion_both;
    }
out:
    NP_MEMORY_FREE(opposite, paths);
    return st;
}

static bool agrees(uint32_t stated, uint32_t measured) { return !stated || stated == measured; }

np_status np_embedding_measure(const np_embedding *embedding, np_embedding_facts *facts)
{
    const np_embedding_ops *ops = embedding->ops;
    np_embedding_stated *stated = &facts->stated;
    np_status st;
    *facts = (np_embedding_facts){0};
    if ((st = measure_load(embedding, facts)) || (st = measure_congestion(embedding, facts)) ||
        (st = measure_paths(embedding, facts)))
        return st;
    facts->expansion = (double)embedding->host->nodes / embedding->guest->nodes;
    if (ops)
        *stated = (np_embedding_stated){1, ops->dilation, ops->congestion,
                                        ops->expansion > 0 ? ops->expansion : facts->expansion};
    if (ops && ops->state)
        ops->state(embedding->guest, embedding->host, stated);
    facts->agrees = agrees(stated->load, facts->load) && agrees(stated->dilation, facts->dilation) &&
                    agrees(stated->congestion, facts->congestion) &&
                    (stated->expansion == 0 || stated->expansion == facts->expansion);
    return NP_OK;
}
