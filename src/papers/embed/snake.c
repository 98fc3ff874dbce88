/*
 * Arrays and rings along the snake-like order of a grid, in which consecutive nodes are neighbours
 * (Sibeyn, lecture notes, embeddings: in any grid it is easy to construct a Hamiltonian path).
 *
 * `snake` puts node i of a linear array on node i of the snake. `folded-snake` first folds a ring
 * (fold.c) and then puts it on the snake in the same way. It takes a ring of any length. Neighbours
 * are at most two places apart on the snake, and their paths go along the snake: dilation and
 * congestion 2.
 */
#include "papers/embed/embedding.h"

static bool refuses(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    if (guest->nodes <= host->nodes)
        return false;
    return np_embed_refuse(reason, "that has %u nodes only: try %s:%u", host->nodes, guest->family->info.name,
                           host->nodes);
}

static np_status place_array(const np_network *guest, const np_network *host, np_node *map)
{
    for (np_node u = 0; u < guest->nodes; u++)
        map[u] = np_network_snake(host, u);
    return NP_OK;
}

static np_status place_ring(const np_network *guest, const np_network *host, np_node *map)
{
    for (np_node u = 0; u < guest->nodes; u++)
        map[u] = np_network_snake(host, np_embed_fold(u, guest->nodes));
    return NP_OK;
}

/* Goes place by place along the snake. */
static uint32_t walk_ring(const np_embedding *embedding, np_node u, np_node v, np_link *link)
{
    np_node n = embedding->guest->nodes, p = np_embed_fold(u, n), q = np_embed_fold(v, n), at = embedding->map[u];
    uint32_t hops = 0;
    for (; p != q; hops++) {
        p += p < q ? 1 : -1;
        np_node next = np_network_snake(embedding->host, p);
        if (link)
            link[hops] = np_network_link_between(embedding->host, at, next);
        at = next;
    }
    return hops;
}

static void state_ring(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)host;
    out->dilation = guest->nodes > 2 ? 2 : 1;
}

const np_embedding_ops np_embedding_snake = {
    .info = {"snake", "along the rows, to and fro: a Hamiltonian path", "Sibeyn, lecture notes, embeddings",
             .guests = "array", .hosts = "mesh, torus, array, ring"},
    .guests = NP_KIND_ARRAY,
    .hosts = NP_KIND_GRIDS,
    .refuses = refuses,
    .place = place_array,
    .dilation = 1,
    .congestion = 1,
};

const np_embedding_ops np_embedding_folded_snake = {
    .info = {"folded-snake", "folded double, then along the rows: rings of any length",
             "Sibeyn, lecture notes, embeddings", .guests = "ring", .hosts = "mesh, array, torus, ring"},
    .guests = NP_KIND_RING,
    .hosts = NP_KIND_GRIDS,
    .refuses = refuses,
    .place = place_ring,
    .walk = walk_ring,
    .congestion = 2,
    .state = state_ring,
};
