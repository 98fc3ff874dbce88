/*
 * The inside of the network layer: the network object, the kinds of families, and
 * the batch calls that the engines use. A family is one .c file with one const
 * descriptor (np_network_family, netpram/network.h) and one entry in families.c.
 */
#pragma once

#include "base/divide.h"
#include "base/registry.h"
#include "netpram/network.h"

enum { NP_MAX_DIMENSIONS = 31 }; /* sides of at least 2 and 32-bit node numbers */

/* The kind of a family: a bit, so that rules, schemes and algorithms can name the kinds that they are for. */
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
    NP_KIND_FACTORED = 1 << 19, /* product: of networks of any kind, network->factor */

    NP_KIND_FABRIC = 1 << 20, /* networks of switches of today's clusters: info shows what people buy */
    NP_KIND_HYPERX = 1 << 21,
    NP_KIND_DRAGONFLY = 1 << 22,
    NP_KIND_GROUPED = 1 << 23, /* dragonfly and dragonfly+ */
    NP_KIND_TIERS = 1 << 24,   /* cables lead from tier to tier, the lowest of hosts */
    NP_KIND_XGFT = 1 << 25,    /* and the fat-trees that are xgft by other names */
    NP_KIND_BENES = 1 << 26,

    NP_KIND_OPEN_GRIDS = NP_KIND_MESH | NP_KIND_ARRAY,   /* lines have ends */
    NP_KIND_CLOSED_GRIDS = NP_KIND_TORUS | NP_KIND_RING, /* lines close to rings */
    NP_KIND_LINES = NP_KIND_ARRAY | NP_KIND_RING,        /* grids of one dimension, by their own names */
    NP_KIND_GRIDS = NP_KIND_OPEN_GRIDS | NP_KIND_CLOSED_GRIDS,
    NP_KIND_PRODUCTS = NP_KIND_GRIDS | NP_KIND_HYPERCUBE /* they have axes: np_axes */
} np_kind;

struct np_network {
    const np_network_family *family;
    char *spec;
    uint32_t nodes, ports;
    uint32_t link_numbers;
    uint64_t links;
    np_divider by_ports;

    /*
     * Terminals: the inputs are nodes 0 .. input_nodes-1; the outputs are the
     * `terminals` nodes from output_first on. If a family leaves terminals at 0,
     * all nodes are terminals.
     */
    uint32_t terminals, input_nodes, output_first;

    /* Parameters; each family uses the ones that it needs. */
    uint32_t dimensions;                /* n of hypercube, shuffle, ccc, butterfly, shuffle-exchange; k of a mesh */
    uint32_t side[NP_MAX_DIMENSIONS];   /* mesh and torus: side of dimension i; shuffle: d */
    uint32_t stride[NP_MAX_DIMENSIONS]; /* node = sum of coordinate[i] * stride[i] */
    np_divider by_side[NP_MAX_DIMENSIONS], by_stride[NP_MAX_DIMENSIONS];

    /*
     * Of a network given by its links whose hosts are told from its switches;
     * else NULL. Then input i and output i are node host[i].
     */
    np_node *host;         /* [terminals] ascending */
    uint32_t *host_number; /* [nodes] its place in `host`; NP_NONE: a switch */

    /*
     * Of a network with hosts on every switch (hosted.c): the switches alone, which it owns; else NULL. Switches have
     * the same numbers and ports there. Host k of switch u is node switches->nodes + u * per_switch + k.
     */
    np_network *switches;
    uint32_t per_switch;
    bool fabric; /* info says what people buy: a family of NP_KIND_FABRIC, or one of them with links that are down */

    struct np_names *names; /* of nodes (names.h); NULL: the names are the numbers */
    char *note;             /* what was assumed when a file was read, in one line; NULL: nothing */
    struct np_names *notes; /* the same, each for itself */

    np_link_attribute *attribute; /* [attributes] its texts and values are owned (attributes.h) */
    size_t attributes;
    size_t delay, cost; /* 1 + the number of the attribute that is the delay of links, and their cost; 0: none is */

    /* Compressed rows of a network whose links are stored; else NULL. */
    uint32_t *row;  /* [nodes + 1] first link of each node */
    uint32_t *head; /* [links] */
    uint32_t *tail; /* [links] */

    void *own; /* np_network_allocate */

    np_network **factor; /* [factors] of a product, none a product itself: owned; else NULL */
    uint32_t factors;

    /*
     * The group of a Cayley graph; else NULL. A Cayley graph has no rows, and
     * its `head` is [nodes * ports], with link = node * ports + port.
     */
    uint8_t *word;         /* [nodes * dimensions] the permutations in one-line notation */
    uint32_t *slot, slots; /* [slots] hash table of them: node or NP_NONE */
    uint32_t reach;        /* distance of the node farthest from 0; 0: not known from making the network */
};

/* The diameter of a family as floor((times n + plus) / by), with n the dimensions of the network. */
typedef struct np_linear {
    int32_t times, plus, by;
} np_linear;

/* The diameter by the formula of the family; false: none is known. */
bool np_network_diameter_by_formula(const np_network *network, uint64_t *out);

/* The registry of families, in families.c. */
extern const np_registry np_network_families;

/* np_network_create of a spec by a format, of at most 255 bytes. */
np_status np_network_make(np_network **out, const char *format, ...) __attribute__((format(printf, 2, 3))) NP_CHECKED;

/* Where a spec says which links are down: ":fail=..." (fail.c); NULL: none are. */
const char *np_network_find_failure(const char *spec);
/* Makes the network of a spec with ":fail=". The errors of np_network_create and np_network_fail. */
np_status np_network_create_failed(const char *spec, np_network **out) NP_CHECKED;

/* np_network_fail of cables between switches alone: those of hosts stay. The spec of the copy does not make it again.
 */
np_status np_network_fail_between(const np_network *network, const char *which, uint64_t seed,
                                  np_network **out) NP_CHECKED;

/* Where a spec says how many hosts hang on each switch: "@4" at its end (hosted.c); NULL: it does not. */
const char *np_network_find_hosts(const char *spec);
/* Makes the network of such a spec. The errors of np_network_create, and NP_ERROR_APPLY. */
np_status np_network_create_hosted(const char *spec, np_network **out) NP_CHECKED;

/* Batches, for the engines: arrays of count items. */
void np_network_heads(const np_network *network, size_t count, const np_link *link, np_node *head);
void np_network_tails(const np_network *network, size_t count, const np_link *link, np_node *tail);
/* link[i] = the link number of port[i] at node[i]; port NP_NONE gives NP_NONE. Unused numbers are not detected. */
void np_network_link_numbers_of(const np_network *network, size_t count, const np_node *node, const np_port *port,
                                np_link *link);

/* Is every node a terminal? */
static inline bool np_network_all_terminals(const np_network *network) { return network->terminals == network->nodes; }

/* Is the node a switch, if hosts are told from switches? Else every node is one. */
static inline bool np_network_is_switch(const np_network *network, np_node u)
{
    return !network->host || !np_network_is_host(network, u);
}

/* The nodes where packets start and end, of a network whose inputs are its outputs. */
static inline np_node_list np_network_ends(const np_network *network)
{
    return (np_node_list){network->terminals, network->host};
}

/* First link number of a node; node = nodes gives link_numbers. */
np_link np_network_first_link(const np_network *network, np_node node);

/* The first link from a node to another one; NP_NONE: there is none. O(ports). */
np_link np_network_link_between(const np_network *network, np_node from, np_node to);

/* Is the network of one of the kinds? */
static inline bool np_network_is(const np_network *network, np_kind kinds)
{
    return (network->family->kind & kinds) != 0;
}

/* Which networks a descriptor serves, where their kind decides. */
typedef struct np_only {
    np_kind kinds;
    const char *otherwise; /* why it serves no others, in words that follow "because" */
} np_only;

/*
 * NULL if a descriptor with these members serves the network; else the reason why not. A descriptor with a function
 * `refuses` leaves the answer to it, one with neither serves any network.
 */
const char *np_only_refuses(const np_only *only, const char *(*refuses)(const np_network *network),
                            const np_network *network);

/* Is the network a torus or a ring? */
static inline bool np_network_wraps(const np_network *network) { return np_network_is(network, NP_KIND_CLOSED_GRIDS); }

/* Sets the nodes, dimensions, sides and strides of a network whose nodes are numbered row by row; they fit 32 bits. */
void np_network_set_sides(np_network *network, size_t count, const uint64_t *side);

/* Coordinate i of node u, for a family with side[] and stride[] (meshes, tori, shuffles). */
static inline uint32_t np_network_coordinate(const np_network *network, np_node u, unsigned i)
{
    return np_modulo(np_divide(u, network->by_stride[i]), network->by_side[i]);
}

/* ---- rows.c: the rows of a network that is given by its links ---- */

/* Links as arrays: what the rows of a network are made of. */
typedef struct np_link_lists {
    size_t count;
    const np_node *from, *to;
    const uint32_t *width; /* parallel links of each entry; NULL: 1 */
    bool undirected;       /* every entry is a link each way; a loop is one link */
} np_link_lists;

/* Room for the rows of a network whose `nodes` are set, with so many link numbers. row: zeros. */
np_status np_network_take_rows(np_network *network, uint64_t links) NP_CHECKED;

/* Fills ports, counts and rows of a network whose `nodes` are set. Checks the memory before it takes any. */
np_status np_network_build_rows(np_network *network, const np_link_lists *lists) NP_CHECKED;

/* After that: by_link[l] = of_entry[i] for all links l of entry i. by_link: [link_numbers] */
np_status np_network_spread(const np_network *network, const np_link_lists *lists, const double *of_entry,
                            double *by_link) NP_CHECKED;
