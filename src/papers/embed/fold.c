/*
 * Torus in mesh by folding (Sibeyn, lecture notes, embeddings): a ring is stretched to twice its
 * length and folded double, so that each place gets one node. A torus is folded in this way in
 * every dimension.
 *
 * Coordinate i of a dimension of side n goes to place 2i in the first half and to place 2(n - 1 -
 * i) + 1 in the second half: a walk round the ring goes up the even places and down the odd places.
 * Neighbours on the ring are two places apart, except the two pairs at the ends, which are one
 * place apart. The link between two adjacent places is on two paths for any n: one path between
 * even places and one between odd places; at an end, the path that turns takes the place of one of
 * them. So dilation and congestion are 2 (a side of 2, whose two links are parallel, has dilation
 * 1). In general a mesh allows nothing better: a mesh of odd sides has no Hamiltonian cycle.
 *
 * Two steps of the mesh are enough for one step of the torus. A path of two links crosses its first
 * link in the first step and its second link in the second step. The first links of paths along the
 * even places begin at even places, and the first links of paths along the odd places begin at odd
 * places, so two paths never want the same link in one step. A path of one link takes the step in
 * which its link is free.
 */
#include "papers/embed/embedding.h"

np_node np_embed_fold(np_node i, np_node n) { return i < n - n / 2 ? 2 * i : 2 * (n - 1 - i) + 1; }

/* Rings go into arrays only: for meshes of more dimensions hamiltonian.c and snake.c have better embeddings. */
static bool refuses(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    uint32_t to[NP_MAX_DIMENSIONS];
    char sides[NP_EMBED_SIDES];
    if (np_embed_fit(guest, host, to) && (np_network_is(guest, NP_KIND_TORUS) || host->dimensions == 1))
        return false;
    return np_embed_refuse(reason, "each of its sides must fit into one of the host's: try %s:%.180s",
                           guest->dimensions == 1 ? "array" : "mesh", np_embed_sides(guest, sides));
}

static np_status place(const np_network *guest, const np_network *host, np_node *map)
{
    np_embed_place_grid(guest, host, true, map);
    return NP_OK;
}

static void state(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)host;
    for (uint32_t i = 0; i < guest->dimensions; i++)
        if (guest->side[i] > 2)
            out->dilation = 2;
}

const np_embedding_ops np_embedding_fold = {
    .info = {"fold", "every dimension folded double along its middle", "Sibeyn, lecture notes, embeddings",
             .guests = "torus, ring", .hosts = "mesh, array"},
    .guests = NP_KIND_CLOSED_GRIDS,
    .hosts = NP_KIND_OPEN_GRIDS,
    .refuses = refuses,
    .place = place,
    .dilation = 1,
    .congestion = 2,
    .state = state,
};
