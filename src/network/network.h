/*
 * The network layer's inside: what a family is, and the batch calls that the
 * engines use. A family is one .c file with one const descriptor and one line
 * in families.c.
 */
#ifndef NP_NETWORK_NETWORK_H
#define NP_NETWORK_NETWORK_H

#include "base/export.h"
#include "base/divide.h"
#include "base/registry.h"
#include "base/status.h"
#include "netpram/network.h"

enum { NP_MAX_DIMENSIONS = 31 }; /* sides of at least 2 and 32-bit node numbers */

/* The kind of a family: a bit, so that rules, schemes and algorithms can say for which kinds they are. */
typedef enum np_kind {
    NP_KIND_OTHER = 0,
    NP_KIND_MESH = 1 << 0,
    NP_KIND_TORUS = 1 << 1,
    NP_KIND_ARRAY = 1 << 2,
    NP_KIND_RING = 1 << 3,
    NP_KIND_HYPERCUBE = 1 << 4,
    NP_KIND_COMPLETE = 1 << 5,
    NP_KIND_CROSSBAR = 1 << 6,
    NP_KIND_BUTTERFLY = 1 << 7,
    NP_KIND_BUTTERFLY_IO = 1 << 8,
    NP_KIND_SHUFFLE = 1 << 9,
    NP_KIND_SHUFFLE_EXCHANGE = 1 << 10,
    NP_KIND_CCC = 1 << 11,
    NP_KIND_TREE = 1 << 12,
    NP_KIND_BINOMIAL_TREE = 1 << 13,
    NP_KIND_MESH_OF_TREES = 1 << 14,
    NP_KIND_FAT_TREE = 1 << 15,        /* of Leighton, Maggs, Ranade & Rao: 4-ary or 8-ary */
    NP_KIND_BINARY_FAT_TREE = 1 << 16, /* fat-tree-2 */
    NP_KIND_OMEGA = 1 << 17,
    NP_KIND_INVERSE_OMEGA = 1 << 18,

    NP_KIND_OPEN_GRIDS = NP_KIND_MESH | NP_KIND_ARRAY,   /* lines have ends */
    NP_KIND_CLOSED_GRIDS = NP_KIND_TORUS | NP_KIND_RING, /* lines close to rings */
    NP_KIND_LINES = NP_KIND_ARRAY | NP_KIND_RING,        /* grids of one dimension, by their own names */
    NP_KIND_GRIDS = NP_KIND_OPEN_GRIDS | NP_KIND_CLOSED_GRIDS,
    NP_KIND_PRODUCTS = NP_KIND_GRIDS | NP_KIND_HYPERCUBE /* they have axes: np_axes */
} np_kind;

typedef struct np_network_family_ops np_network_family_ops;

struct np_network {
    const np_network_family_ops *family;
    char *spec;
    uint32_t nodes, ports;
    uint32_t link_numbers;
    uint64_t links;
    np_divider by_ports;

    /*
     * Terminals: the inputs are nodes 0 .. input_nodes-1, the outputs the
     * `terminals` nodes from output_first on. A family that leaves terminals
     * at 0 has them at all nodes.
     */
    uint32_t terminals, input_nodes, output_first;

    /* Parameters, each family uses what it needs. */
    uint32_t dimensions;                /* n of hypercube, shuffle, ccc, butterfly, shuffle-exchange; k of a mesh */
    uint32_t side[NP_MAX_DIMENSIONS];   /* mesh and torus: side of dimension i; shuffle: side[0] = d */
    uint32_t stride[NP_MAX_DIMENSIONS]; /* node = sum of coordinate[i] * stride[i] */
    np_divider by_side[NP_MAX_DIMENSIONS], by_stride[NP_MAX_DIMENSIONS];

    /* Compressed rows, of a network given by its links; else NULL. */
    uint32_t *row;  /* [nodes + 1] first link of each node */
    uint32_t *head; /* [links] */
    uint32_t *tail; /* [links] */

    /*
     * The group of a Cayley graph, else NULL; its `head` is [nodes * ports]
     * without rows, as link = node * ports + port.
     */
    uint8_t *word;         /* [nodes * dimensions] the permutations in one-line notation */
    uint32_t *slot, slots; /* [slots] hash table of them: node or NP_NONE */
    uint32_t reach;        /* distance of the node farthest from 0; 0: not known from making the network */
};

struct np_network_family_ops {
    np_entry info;
    np_kind kind;        /* one of them; NP_KIND_OTHER: nothing asks for it */
    bool regular;        /* every in- and out-degree is ports */
    bool node_symmetric; /* some automorphism takes any node to any other */
    bool one_way;        /* no link leads back: not strongly connected */
    bool given;          /* by its links: promises nothing, and is no formula for anything */

    /*
     * Fills nodes, ports and parameters from the text after "name:". Raises
     * NP_ERROR_INPUT or NP_ERROR_LIMIT. The caller then derives link_numbers
     * (nodes * ports unless rows are given) and counts.
     */
    np_status (*create)(np_network *network, const char *parameters);

    /* head[i] = node across link[i], NP_NONE for an unused number. NULL: by rows. */
    void (*heads)(const np_network *network, size_t count, const np_link *link, np_node *head);

    /* Number of links; NULL: nodes * ports. */
    uint64_t (*count_links)(const np_network *network);

    /* Largest number of links that leave a node; NULL: ports. */
    uint64_t (*degree)(const np_network *network);

    /* Formulas; each NULL or false where none is known. */
    bool (*diameter)(const np_network *network, uint64_t *out);
    bool (*bisection)(const np_network *network, uint64_t *out);

    /*
     * Node-symmetric families with a formula for it: the image of v under an
     * automorphism that takes u to node 0 and keeps port numbers. Gives
     * shortest paths from one table of N bytes. Else NULL.
     */
    np_node (*relative)(const np_network *network, np_node u, np_node v);

    /* The node of input i where that is not i. */
    np_node (*input)(const np_network *network, np_node i);
};

/* The registry of families, in families.c. */
extern const np_registry np_network_families;

/* Batches, for the engines: arrays of count items. */
void np_network_heads(const np_network *network, size_t count, const np_link *link, np_node *head);
void np_network_tails(const np_network *network, size_t count, const np_link *link, np_node *tail);
/* link[i] = number of port[i] at node[i]; a port of NP_NONE gives NP_NONE. No check for unused numbers. */
void np_network_link_numbers_of(const np_network *network, size_t count, const np_node *node, const np_port *port,
                                np_link *link);

/* Is every node a terminal? */
static inline bool np_network_all_terminals(const np_network *network) { return network->terminals == network->nodes; }

/* First link number of a node; node = nodes gives link_numbers. */
np_link np_network_first_link(const np_network *network, np_node node);

/* Is it of one of the kinds? */
static inline bool np_network_is(const np_network *network, np_kind kinds)
{
    return (network->family->kind & kinds) != 0;
}

/* Is it a torus or a ring? */
static inline bool np_network_wraps(const np_network *network) { return np_network_is(network, NP_KIND_CLOSED_GRIDS); }

/* coordinate i of node u of a mesh-like family. */
static inline uint32_t np_network_coordinate(const np_network *network, np_node u, unsigned i)
{
    return np_modulo(np_divide(u, network->by_stride[i]), network->by_side[i]);
}

#endif
