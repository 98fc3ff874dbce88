/*
 * Guests whose nodes keep their numbers, or their coordinates.
 *
 * `binomial`: a binomial tree in the hypercube (Sibeyn, lecture notes, embeddings). T_k is two trees T_(k-1) with roots connected, the k-cube
 * two (k-1)-cubes with all corresponding nodes connected, the nodes 0 of both among them. The network numbers
 * the tree's nodes by this recursion, so the map is the identity, and the tree what remains when edges of the cube are removed.
 *
 * `natural`: a hypercube in an array or a mesh whose sides are powers of two, in row-major order: a dimension of side 2^b holds b bits of the
 * node number, and a link moves by a power of two along it. Congestion floor(2^(b+1) / 3), b of the longest: so many edges cross
 * the widest cut of the b-cube's natural order, and no order has a narrower one (Bezrukov, Chavez, Harper, Röttger & Schroeder
 * 2000, who have the exact congestion on rectangular grids, too).
 *
 * `subgrid`: a mesh in the corner of a mesh or torus.
 */
#include <stdio.h>

#include "embed/embedding.h"

static const char *const trees[] = {"binomial-tree", NULL}, *const cubes[] = {"hypercube", NULL};
static const char *const meshes[] = {"mesh", NULL}, *const open_grids[] = {"mesh", "array", NULL};
static const char *const grids[] = {"mesh", "torus", NULL};

static np_status place_same(const np_network *guest, const np_network *host, np_node *map)
{
    (void)host;
    for (np_node u = 0; u < guest->nodes; u++)
        map[u] = u;
    return NP_OK;
}

static void state_subgraph(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    *out = (np_embedding_stated){1, 1, 1, (double)host->nodes / guest->nodes};
}

static bool refuses_tree(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    if (guest->dimensions <= host->dimensions)
        return false;
    snprintf(reason, NP_EMBED_REASON, "that has %u nodes only: try hypercube:%u", host->nodes, guest->dimensions);
    return true;
}

static bool refuses_cube(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    for (uint32_t i = 0; i < host->dimensions; i++)
        if (host->side[i] & (host->side[i] - 1)) {
            snprintf(reason, NP_EMBED_REASON, "side %u is no power of two: try array:%u", host->side[i], guest->nodes);
            return true;
        }
    if (guest->nodes == host->nodes)
        return false;
    snprintf(reason, NP_EMBED_REASON, "it takes as many nodes as the cube has: try array:%u", guest->nodes);
    return true;
}

static void state_cube(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    *out = (np_embedding_stated){.load = 1, .expansion = 1};
    (void)guest;
    for (uint32_t i = 0; i < host->dimensions; i++) {
        uint32_t longest = host->side[i] / 2, most = (uint32_t)(2 * (uint64_t)host->side[i] / 3);
        out->dilation = longest > out->dilation ? longest : out->dilation;
        out->congestion = most > out->congestion ? most : out->congestion;
    }
}

static bool refuses_mesh(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    char sides[NP_EMBED_SIDES];
    bool fits = guest->dimensions == host->dimensions;
    for (uint32_t i = 0; fits && i < guest->dimensions; i++)
        fits = guest->side[i] <= host->side[i];
    if (fits)
        return false;
    snprintf(reason, NP_EMBED_REASON, "each side must be as long, in the same order: try %s:%.200s",
             host->family->info.name, np_embed_sides(guest, sides));
    return true;
}

static np_status place_mesh(const np_network *guest, const np_network *host, np_node *map)
{
    for (np_node u = 0; u < guest->nodes; u++) {
        map[u] = 0;
        for (uint32_t i = 0; i < guest->dimensions; i++)
            map[u] += np_network_coordinate(guest, u, i) * host->stride[i];
    }
    return NP_OK;
}

const np_embedding_ops np_embedding_binomial = {
    .info = {"binomial", "binomial-tree", "hypercube", "the recursion of the tree in that of the cube: a subgraph",
             "Sibeyn, lecture notes, embeddings"},
    .guests = trees,
    .hosts = cubes,
    .refuses = refuses_tree,
    .place = place_same,
    .state = state_subgraph,
};

const np_embedding_ops np_embedding_natural = {
    .info = {"natural", "hypercube", "mesh, array", "row-major order, in sides that are powers of two",
             "Bezrukov, Chavez, Harper, Röttger & Schroeder 2000"},
    .guests = cubes,
    .hosts = open_grids,
    .refuses = refuses_cube,
    .place = place_same,
    .state = state_cube,
};

const np_embedding_ops np_embedding_subgrid = {
    .info = {"subgrid", "mesh", "mesh, torus", "in the corner, coordinates as they are", ""},
    .guests = meshes,
    .hosts = grids,
    .refuses = refuses_mesh,
    .place = place_mesh,
    .state = state_subgraph,
};
