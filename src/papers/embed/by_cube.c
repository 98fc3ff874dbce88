/*
 * Guests of a hypercube in grids whose sides are powers of two. A grid of 2^n nodes has the cube's
 * numbers in row-major order; a dimension of side 2^b has b bits of them, as for `natural`
 * (identity.c). So guest nodes go where they would go in the n-cube, and paths are the host's
 * shortest paths. The cost is measured; the file states only that the map is injective.
 *
 * There is one exception: the ring of four is the 2-cube in the order of the Gray code, 00, 01, 11,
 * 10. In tori, sides of 4 are numbered in this order. So a torus whose sides are 2 and 4 has a
 * hypercube as a subgraph.
 */
#include <stdio.h>

#include "papers/embed/embedding.h"

enum { DIMENSIONS_MAX = 31 }; /* of the largest cube whose nodes can be numbered */

extern const np_embedding_ops np_embedding_binomial, np_embedding_inorder, np_embedding_ccc, np_embedding_butterfly,
    np_embedding_same;

/* The embedding of the guest in a cube. */
static const np_embedding_ops *in_cube(const np_network *guest)
{
    static const struct {
        np_kind kind;
        const np_embedding_ops *ops;
    } table[] = {{NP_KIND_TREE, &np_embedding_inorder},
                 {NP_KIND_BINOMIAL_TREE, &np_embedding_binomial},
                 {NP_KIND_CCC, &np_embedding_ccc},
                 {NP_KIND_BUTTERFLY, &np_embedding_butterfly}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (np_network_is(guest, table[i].kind))
            return table[i].ops;
    return &np_embedding_same;
}

/* The hypercube on the host's nodes. Only its dimensions and nodes are used. */
static np_network cube_of(const np_network *host)
{
    extern const np_network_family np_hypercube;
    return (np_network){.family = &np_hypercube, .dimensions = np_embed_log2(host->nodes), .nodes = host->nodes};
}

static bool refuses(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    np_network cube = cube_of(host);
    for (uint32_t i = 0; i < host->dimensions; i++)
        if (host->side[i] & (host->side[i] - 1))
            return np_embed_refuse(reason, "side %u is no power of two: try %u", host->side[i],
                                   1u << np_embed_log2(host->side[i]));
    if (!in_cube(guest)->refuses(guest, &cube, reason))
        return false;
    char why[NP_EMBED_REASON];
    while (cube.dimensions < DIMENSIONS_MAX) {
        cube.dimensions++;
        cube.nodes *= 2;
        if (in_cube(guest)->refuses(guest, &cube, why))
            continue;
        snprintf(reason, NP_EMBED_REASON, "its %u nodes are too few: try array:%u", host->nodes, cube.nodes);
        break;
    }
    return true; /* if no cube will do, the reason is that of this cube */
}

/* The Gray code in the dimensions of side 4: coordinates 2 and 3 change places. */
static np_node round_rings_of_four(const np_network *host, np_node u)
{
    np_node turned = u;
    for (uint32_t i = 0; i < host->dimensions; i++)
        if (host->side[i] == 4 && np_network_coordinate(host, u, i) > 1)
            turned ^= host->stride[i];
    return turned;
}

static np_status place(const np_network *guest, const np_network *host, np_node *map)
{
    np_network cube = cube_of(host);
    np_status st = in_cube(guest)->place(guest, &cube, map);
    for (np_node u = 0; np_network_wraps(host) && !st && u < guest->nodes; u++)
        map[u] = round_rings_of_four(host, map[u]);
    return st;
}

static void state(const np_network *guest, const np_network *host, np_embedding_stated *out)
{
    bool subgraph = np_network_is(guest, NP_KIND_HYPERCUBE) && np_network_wraps(host);
    for (uint32_t i = 0; i < host->dimensions; i++)
        subgraph = subgraph && host->side[i] <= 4;
    out->dilation = out->congestion = subgraph;
}

const np_embedding_ops np_embedding_by_cube = {
    .info = {"by-cube", "as into a hypercube, whose nodes are those of sides 2^b in row-major order", "",
             .guests = "hypercube, tree, binomial-tree, ccc, butterfly", .hosts = "mesh, torus, array, ring"},
    .guests = NP_KIND_HYPERCUBE | NP_KIND_TREE | NP_KIND_BINOMIAL_TREE | NP_KIND_CCC | NP_KIND_BUTTERFLY,
    .hosts = NP_KIND_GRIDS,
    .refuses = refuses,
    .place = place,
    .state = state,
};
