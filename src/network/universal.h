/* Where a node of an area-universal network is. */
#ifndef NP_NETWORK_UNIVERSAL_H
#define NP_NETWORK_UNIVERSAL_H

#include <stdint.h>

#include "netpram/types.h"

enum { NP_UNIVERSAL_HEIGHT_MAX = 10 }; /* ours: the rows of a network then take 4 GB */

/* All 4^m m^2 processors: the meshes at the leaves of a fat-tree of height m, leaves included. */
static inline uint32_t np_universal_processors(uint32_t m) { return (UINT32_C(1) << 2 * m) * m * m; }

/* Nodes of the fat-tree at level l of 1..m: 2^l at each of 4^(m-l) vertices. */
static inline uint32_t np_universal_level(uint32_t m, uint32_t l) { return UINT32_C(1) << (2 * m - l); }

/* Nodes of the chain at each of them; its edges are one more. None at the root. */
static inline uint32_t np_universal_chain(uint32_t m, uint32_t l) { return l < m ? 2 * (m - l) - 1 : 0; }

/* Processor (x, y) of the mesh at a leaf; the leaf itself is (0, 0). */
static inline np_node np_universal_processor(uint32_t m, uint32_t leaf, uint32_t x, uint32_t y)
{
    return (leaf * m + y) * m + x;
}

/* Node `label` of a vertex at level l of 0..m. */
static inline np_node np_universal_node(uint32_t m, uint32_t l, uint32_t vertex, uint32_t label)
{
    if (!l)
        return np_universal_processor(m, vertex, 0, 0);
    /* levels 1 .. l-1 have 4^m (1/2 + 1/4 + ..) = 2^2m - 2^(2m-l+1) nodes */
    return np_universal_processors(m) + (UINT32_C(1) << 2 * m) - (UINT32_C(1) << (2 * m - l + 1)) + (vertex << l) +
           label;
}

/* Node i of the chain at that node. */
static inline np_node np_universal_chain_node(uint32_t m, uint32_t l, uint32_t vertex, uint32_t label, uint32_t i)
{
    np_node first = np_universal_node(m, m, 0, UINT32_C(1) << m);
    for (uint32_t below = 1; below < l; below++)
        first += np_universal_level(m, below) * np_universal_chain(m, below);
    return first + ((vertex << l) + label) * np_universal_chain(m, l) + i;
}

/* Mesh and tree edges both ways, and as many chain edges as chain nodes, and one more a chain. */
static inline uint64_t np_universal_links(uint32_t m)
{
    uint64_t leaves = UINT64_C(1) << 2 * m, links = leaves * 4 * m * (m - 1);
    for (uint32_t l = 0; l < m; l++) /* a node at level l has two links up, and its chain 2(m-l) edges */
        links += (leaves >> l) * (4 + (l ? 2 * (m - l) : 0));
    return links;
}

static inline uint32_t np_universal_nodes(uint32_t m) { return np_universal_chain_node(m, m, 0, 0, 0); }

#endif
