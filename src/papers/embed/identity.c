/*
 * Guests whose nodes keep their numbers, or their coordinates.
 *
 * `binomial`: a binomial tree in the hypercube (Sibeyn, lecture notes, embeddings). T_k is two
 * trees T_(k-1) whose roots are connected. The k-cube is two (k-1)-cubes in which all corresponding
 * nodes are connected, nodes 0 too. The network numbers the tree's nodes by this recursion, so the
 * map is the identity, and the tree is the cube without some of its edges.
 *
 * `natural`: a hypercube in an array or a mesh whose sides are powers of two, in row-major order: a
 * dimension of side 2^b holds b bits of the node number, and a link moves by a power of two along
 * it. Congestion is floor(2^(b+1) / 3), with b of the longest dimension: so many edges cross the
 * widest cut of the b-cube's natural order, and no order has a narrower widest cut (Bezrukov,
 * Chavez, Harper, Röttger & Schroeder 2000, who also give the exact congestion on rectangular
 * grids).
 *
 * `subgrid`: a mesh in the corner of a mesh or torus. Its dimensions change their order if it does
 * not fit as it is.
 *
 * `same`: a hypercube in itself or in a larger hypercube; a torus, cube-connected cycles, a
 * butterfly or a tree in itself.
 */
#include <string.h>

#include "papers/embed/embedding.h"

static np_status place_same(const np_network *guest, const np_network *host, np_node *map)
{
    (void)host;
    for (np_node u = 0; u < guest->nodes; u++)
        map[u] = u;
    return NP_OK;
}

static bool refuses_tree(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    if (guest->dimensions <= host->dimensions)
        return false;
    return np_embed_refuse(reason, "that has %u nodes only: try hypercube:%u", host->nodes, guest->dimensions);
}

static bool refuses_cube(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    for (uint32_t i = 0; i < host->dimensions; i++)
        if (host->side[i] & (host->side[i] - 1))
            return np_embed_refuse(reason, "side %u is no power of two: try array:%u", host->side[i], guest->nodes);
    if (guest->nodes == host->nodes)
        return false;
    return np_embed_refuse(reason, "it takes as many nodes as the cube has: try array:%u", guest->nodes);
}

static void state_cube(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)guest;
    for (uint32_t i = 0; i < host->dimensions; i++) {
        uint32_t longest = host->side[i] / 2, most = (uint32_t)(2 * (uint64_t)host->side[i] / 3);
        out->dilation = longest > out->dilation ? longest : out->dilation;
        out->congestion = most > out->congestion ? most : out->congestion;
    }
}

static bool refuses_mesh(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    uint32_t to[NP_MAX_DIMENSIONS];
    char sides[NP_EMBED_SIDES];
    if (np_embed_fit(guest, host, to))
        return false;
    return np_embed_refuse(reason, "each of its sides must fit into one of the host's: try %s:%.180s",
                           host->family->info.name, np_embed_sides(guest, sides));
}

static np_status place_mesh(const np_network *guest, const np_network *host, np_node *map)
{
    np_embed_place_grid(guest, host, false, map);
    return NP_OK;
}

/* A cube is the subcube of a larger cube whose nodes have first bits 0. Other networks go only into themselves. */
static bool refuses_same(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    if (np_network_is(guest, NP_KIND_HYPERCUBE) ? guest->dimensions <= host->dimensions
                                                : !strcmp(np_network_spec(guest), np_network_spec(host)))
        return false;
    return np_embed_refuse(reason, "nodes keep their numbers: try %.200s", np_network_spec(guest));
}

/* The two parallel links of a torus of side 2 take the same path. */
static void state_same(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    (void)host;
    for (uint32_t i = 0; np_network_is(guest, NP_KIND_TORUS) && i < guest->dimensions; i++)
        if (guest->side[i] == 2)
            out->congestion = 2;
}

const np_embedding_ops np_embedding_binomial = {
    .info = {"binomial", "the recursion of the tree in that of the cube: a subgraph",
             "Sibeyn, lecture notes, embeddings", .guests = "binomial-tree", .hosts = "hypercube"},
    .guests = NP_KIND_BINOMIAL_TREE,
    .hosts = NP_KIND_HYPERCUBE,
    .refuses = refuses_tree,
    .place = place_same,
    .dilation = 1,
    .congestion = 1,
};

const np_embedding_ops np_embedding_natural = {
    .info = {"natural", "row-major order, in sides that are powers of two",
             "Bezrukov, Chavez, Harper, Röttger & Schroeder 2000", .guests = "hypercube", .hosts = "mesh, array"},
    .guests = NP_KIND_HYPERCUBE,
    .hosts = NP_KIND_OPEN_GRIDS,
    .refuses = refuses_cube,
    .place = place_same,
    .expansion = 1,
    .state = state_cube,
};

const np_embedding_ops np_embedding_subgrid = {
    .info = {"subgrid", "in the corner, coordinates as they are, dimensions in any order", "", .guests = "mesh",
             .hosts = "mesh, torus"},
    .guests = NP_KIND_MESH,
    .hosts = NP_KIND_MESH | NP_KIND_TORUS,
    .refuses = refuses_mesh,
    .place = place_mesh,
    .dilation = 1,
    .congestion = 1,
};

const np_embedding_ops np_embedding_same = {
    .info = {"same", "nodes keep their numbers", "", .guests = "hypercube, torus, ccc, butterfly, tree, binomial-tree",
             .hosts = "the same, or a larger hypercube"},
    .guests =
        NP_KIND_HYPERCUBE | NP_KIND_TORUS | NP_KIND_CCC | NP_KIND_BUTTERFLY | NP_KIND_TREE | NP_KIND_BINOMIAL_TREE,
    .refuses = refuses_same,
    .place = place_same,
    .dilation = 1,
    .congestion = 1,
    .state = state_same,
};
