/*
 * The complete binary tree in the hypercube, by the inorder numbers of its nodes.
 *
 * Inorder numbers count from 1. A node of height j (a leaf has height 0) has a number k whose
 * lowest set bit is bit j; its children have the numbers k - 2^(j-1) and k + 2^(j-1). The right
 * child differs from its parent only in bit j - 1, the left child in bits j and j - 1: dilation 2.
 * From height 2 on, the smallest cube allows no less: the two halves of its bipartition are equally
 * large, but with dilation 1 one half would have to hold the leaves and every other level above
 * them. Paths to the left child go through the right child. So the link from the parent to the
 * right child is on two paths. The rest of the path flips the bit above the lowest set bit of the
 * right child and is on no other path: congestion 2.
 *
 * Nodes of the tree are numbered level by level from the root. Node u is number i of level t, with
 * u + 1 = 2^t + i, and has the inorder number k = (2 i + 1) 2^(H-t). Number 0 stays free: expansion
 * 2^(H+1) / (2^(H+1) - 1) in the smallest cube.
 */
#include "papers/embed/embedding.h"

static bool refuses(const np_network *guest, const np_network *host, char reason[NP_EMBED_REASON])
{
    uint32_t height = guest->dimensions, arity = guest->side[0];
    if (arity != 2)
        return np_embed_refuse(reason, "its nodes have %u children, not 2: try tree:%u", arity, height);
    if (height < host->dimensions)
        return false;
    return np_embed_refuse(reason, "its height is %u: try hypercube:%u", height, height + 1);
}

static np_status place(const np_network *guest, const np_network *host, np_node *map)
{
    uint32_t height = guest->dimensions;
    (void)host;
    for (uint32_t t = 0; t <= height; t++)
        for (uint32_t i = 0; i < UINT32_C(1) << t; i++)
            *map++ = (2 * i + 1) << (height - t);
    return NP_OK;
}

/* On paths down, the lower bit is flipped first. */
static uint32_t walk(const np_embedding *embedding, np_node u, np_node v, np_link *link)
{
    return np_embed_cube_walk(embedding->host, embedding->map[u], embedding->map[v], u > v, link);
}

const np_embedding_ops np_embedding_inorder = {
    .info = {"inorder", "complete binary trees, by the inorder numbers of their nodes", "Leighton 1992, section 3.1",
             .guests = "tree", .hosts = "hypercube"},
    .guests = NP_KIND_TREE,
    .hosts = NP_KIND_HYPERCUBE,
    .refuses = refuses,
    .place = place,
    .walk = walk,
    .dilation = 2,
    .congestion = 2,
};
