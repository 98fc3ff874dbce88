/* Embeddings: made by name or from a map; and the questions that they answer. */
#include "model/network/attributes.h"
#include "papers/embed/embedding.h"

#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "model/network/axes.h"
#include "model/network/read_node.h"

const char *np_embed_sides(const np_network *grid, char text[NP_EMBED_SIDES])
{
    size_t length = 0;
    for (uint32_t i = 0; i < grid->dimensions; i++)
        length += (size_t)snprintf(text + length, NP_EMBED_SIDES - length, "%s%u", i ? "x" : "", grid->side[i]);
    return text;
}

static bool fits(const np_network *guest, const np_network *host, const uint32_t *to)
{
    for (uint32_t i = 0; i < guest->dimensions; i++)
        if (guest->side[i] > host->side[to[i]])
            return false;
    return true;
}

bool np_embed_fit(const np_network *guest, const np_network *host, uint32_t to[NP_MAX_DIMENSIONS])
{
    uint32_t from_longest[NP_MAX_DIMENSIONS], to_longest[NP_MAX_DIMENSIONS];
    if (guest->dimensions > host->dimensions)
        return false;
    for (uint32_t i = 0; i < guest->dimensions; i++)
        to[i] = i;
    if (fits(guest, host, to))
        return true;
    np_axes_longest_first(guest->dimensions, guest->side, from_longest);
    np_axes_longest_first(host->dimensions, host->side, to_longest);
    for (uint32_t i = 0; i < guest->dimensions; i++)
        to[from_longest[i]] = to_longest[i];
    return fits(guest, host, to);
}

void np_embed_place_grid(const np_network *guest, const np_network *host, bool fold, np_node *map)
{
    uint32_t to[NP_MAX_DIMENSIONS];
    (void)np_embed_fit(guest, host, to);
    for (np_node u = 0; u < guest->nodes; u++) {
        map[u] = 0;
        for (uint32_t i = 0; i < guest->dimensions; i++) {
            uint32_t x = np_network_coordinate(guest, u, i);
            map[u] += (fold ? np_embed_fold(x, guest->side[i]) : x) * host->stride[to[i]];
        }
    }
}

uint32_t np_embed_log2(uint64_t x)
{
    uint32_t n = 0;
    while (UINT64_C(1) << n < x)
        n++;
    return n;
}

/* Makes an embedding with room for its map, and without paths. */
static np_status begin(const np_network *guest, const np_network *host, np_embedding **out)
{
    const np_embedding sizes = {.guest = guest, .host = host};
    np_embedding *embedding;
    np_status st;
    *out = NULL;
    if ((st = np_attributes_heeded(guest, "an embedding", 0)) || (st = np_attributes_heeded(host, "an embedding", 0)) ||
        (st = np_memory_zeroed(&embedding, 1, sizeof *embedding, "an embedding")))
        return st;
    *embedding = sizes;
    if ((st = np_memory_array(&embedding->map, guest->nodes, sizeof(np_node), "the map of an embedding"))) {
        np_embedding_free(embedding);
        return st;
    }
    *out = embedding;
    return NP_OK;
}

/* Adds the paths. Frees the embedding after a failure. */
static np_status finish(np_embedding *embedding, np_embedding **out)
{
    np_status st = np_embedding_fill_paths(embedding);
    if (st) {
        np_embedding_free(embedding);
        return st;
    }
    *out = embedding;
    return NP_OK;
}

np_status np_embedding_create(const char *name, const np_network *guest, const np_network *host, uint64_t memory_limit,
                              np_embedding **out)
{
    NP_ACCOUNT(memory_limit, "a smaller guest");
    const np_embedding_ops *ops;
    np_embedding *embedding;
    np_status st;
    *out = NULL;
    if ((st = np_embedding_find(name, guest, host, &ops)) || (st = begin(guest, host, &embedding)))
        return st;
    embedding->ops = ops;
    if ((st = ops->place(guest, host, embedding->map))) {
        np_embedding_free(embedding);
        return st;
    }
    return finish(embedding, out);
}

static np_status refuse_twice(const np_network *guest, const np_network *host, const np_node *map, np_node u)
{
    np_node v = 0;
    while (map[v] != map[u])
        v++;
    return NP_RAISE(NP_ERROR_INPUT,
                    "guest nodes %.80s and %.80s are both at host node %.80s: the map is to be injective",
                    NP_NODE_NAME(guest, v), NP_NODE_NAME(guest, u), NP_NODE_NAME(host, map[u]));
}

static np_status check_map(const np_network *guest, const np_network *host, const np_node *map, bool injective)
{
    uint8_t *taken;
    np_status st;
    for (np_node u = 0; u < guest->nodes; u++)
        if (map[u] >= host->nodes)
            return NP_RAISE(NP_ERROR_INPUT, "guest node %.80s is put at %u: the nodes of %s are 0..%u",
                            NP_NODE_NAME(guest, u), map[u], np_network_spec(host), host->nodes - 1);
    if (!injective)
        return NP_OK;
    if ((st = np_memory_zeroed(&taken, host->nodes, sizeof *taken, "the map of an embedding")))
        return st;
    for (np_node u = 0; u < guest->nodes && !st; u++) {
        if (taken[map[u]])
            st = refuse_twice(guest, host, map, u);
        taken[map[u]] = 1;
    }
    np_memory_free(taken);
    return st;
}

np_status np_embedding_from_map(const np_network *guest, const np_network *host, const np_node *map, bool injective,
                                uint64_t memory_limit, np_embedding **out)
{
    NP_ACCOUNT(memory_limit, "a smaller guest");
    np_embedding *embedding;
    np_status st;
    *out = NULL;
    if ((st = check_map(guest, host, map, injective)) || (st = begin(guest, host, &embedding)))
        return st;
    memcpy(embedding->map, map, guest->nodes * sizeof *map);
    return finish(embedding, out);
}

void np_embedding_free(np_embedding *embedding)
{
    if (!embedding)
        return;
    NP_MEMORY_FREE(embedding->map, embedding->row, embedding->link, embedding);
}

const np_entry *np_embedding_entry(const np_embedding *embedding)
{
    return embedding->ops ? &embedding->ops->info : NULL;
}

const np_network *np_embedding_guest(const np_embedding *embedding) { return embedding->guest; }
const np_network *np_embedding_host(const np_embedding *embedding) { return embedding->host; }
const np_node *np_embedding_map(const np_embedding *embedding) { return embedding->map; }

size_t np_embedding_path(const np_embedding *embedding, np_link guest_link, const np_link **links)
{
    *links = embedding->link + embedding->row[guest_link];
    return embedding->row[guest_link + 1] - embedding->row[guest_link];
}

static np_status audit_path(const np_embedding *embedding, np_link guest_link, np_node u, np_node v)
{
    const np_link *link;
    size_t hops = np_embedding_path(embedding, guest_link, &link);
    np_node at = embedding->map[u];
    for (size_t i = 0; i < hops; i++) {
        if (link[i] >= embedding->host->link_numbers || np_network_link_head(embedding->host, link[i]) == NP_NONE)
            return NP_RAISE(NP_ERROR_INTERNAL, "the path of guest link %u has %u as hop %zu, which is no link of %s",
                            guest_link, link[i], i, np_network_spec(embedding->host));
        if (np_network_link_tail(embedding->host, link[i]) != at)
            return NP_RAISE(NP_ERROR_INTERNAL, "the path of guest link %u is at host node %u, but hop %zu leaves %u",
                            guest_link, at, i, np_network_link_tail(embedding->host, link[i]));
        at = np_network_link_head(embedding->host, link[i]);
    }
    if (at != embedding->map[v])
        return NP_RAISE(NP_ERROR_INTERNAL, "the path of guest link %u ends at host node %u, not at %u", guest_link, at,
                        embedding->map[v]);
    return NP_OK;
}

np_status np_embedding_audit(const np_embedding *embedding)
{
    const np_network *guest = embedding->guest;
    np_status st = NP_OK;
    for (np_node u = 0; u < guest->nodes; u++)
        if (embedding->map[u] >= embedding->host->nodes)
            return NP_RAISE(NP_ERROR_INTERNAL, "guest node %u is at %u, which is no node of %s", u, embedding->map[u],
                            np_network_spec(embedding->host));
    for (np_link l = 0; l < guest->link_numbers && !st; l++) {
        np_node v = np_network_link_head(guest, l);
        const np_link *none;
        if (v != NP_NONE)
            st = audit_path(embedding, l, np_network_link_tail(guest, l), v);
        else if (np_embedding_path(embedding, l, &none))
            st = NP_RAISE(NP_ERROR_INTERNAL, "number %u is no link of %s, but has a path", l, np_network_spec(guest));
    }
    return st;
}
