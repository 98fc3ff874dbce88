/*
 * Leveled logical networks (Leighton, Maggs, Ranade & Rao 1994, section 2.1): nodes are on levels 0
 * .. L, and every edge leads from a level to the next. The physical network that emulates them is
 * the host; a map takes logical nodes and edges to its nodes and links.
 *
 * Logical nodes are numbered level by level. Edges are numbered by the node that they leave and
 * then by port: the edges of node v are out[v] .. out[v+1]-1, port 0 first.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

enum { NP_LEVELED_PORTS_MAX = 255 }; /* of a node: a port is one byte of a path */

typedef struct np_leveled {
    uint32_t depth; /* L */
    uint32_t nodes, edges;
    uint32_t *first;    /* [depth + 2] the nodes of level i are first[i] .. first[i+1]-1 */
    uint32_t *out;      /* [nodes + 1] */
    uint32_t *tail;     /* [edges] */
    uint32_t *head;     /* [edges] */
    uint32_t *in;       /* [nodes + 1] the edges that enter v are entering[in[v]] .. entering[in[v+1]-1] */
    uint32_t *entering; /* [edges] in ascending order at each node */

    uint32_t host_nodes; /* all numbers of the host's nodes are below this */
    uint32_t host_links; /* all numbers of its links are below this */
    np_node *host;       /* [nodes] the physical node that emulates the logical one */
    uint32_t *walk;      /* [edges + 1] */
    np_link *link; /* [walk[edges]] edge e crosses link[walk[e]] .. link[walk[e+1]-1]; none: it stays in its node */

    /*
     * Columns: all levels have the same width, a power of two; port 0 goes straight; and port 1, if
     * there is one, goes to the row that differs in the bit cross[level]. rows == 0: the network
     * has no columns.
     */
    uint32_t rows;
    uint32_t *cross; /* [depth] 0: the level has port 0 alone */

    uint64_t room_nodes, room_edges, room_links; /* what there is room for; links: of all edges together */

    /* While building. */
    uint32_t links, building; /* building: the level of the last node */
    np_status status;
} np_leveled;

/*
 * The sizes of a network that is not made: no arrays, and no columns unless the caller sets rows. host_nodes and
 * host_links are all that is known of the host. `links`: of all edges together. What engines take on a network can be
 * counted by its sizes.
 */
np_leveled np_leveled_sizes(uint32_t depth, uint64_t nodes, uint64_t edges, uint64_t links, uint32_t host_nodes,
                            uint32_t host_links);

/* The bytes of a network, made or not. */
uint64_t np_leveled_bytes(const np_leveled *leveled);

/*
 * An empty network that has room for these sizes. NP_ERROR_MEMORY; NP_ERROR_LIMIT: too many nodes or edges to number.
 */
np_status np_leveled_create(const np_leveled *sizes, np_leveled **out) NP_CHECKED;
void np_leveled_free(np_leveled *leveled);

/*
 * Building: first all nodes, in order of their levels; then all edges, in order of their tails;
 * then np_leveled_finish. np_leveled_finish returns the first failure of the building.
 */

/* Adds a node on `level`, emulated by `host`; returns its number. */
uint32_t np_leveled_add_node(np_leveled *leveled, uint32_t level, np_node host);

/* Adds an edge that crosses the host's links link[0] .. link[links-1], in this order. */
void np_leveled_add_edge(np_leveled *leveled, uint32_t tail, uint32_t head, uint32_t links, const np_link *link);

/*
 * Ends the building: indexes the edges that enter nodes, and finds columns. NP_ERROR_INTERNAL: the order of building,
 * the levels or the sizes are not respected.
 */
np_status np_leveled_finish(np_leveled *leveled) NP_CHECKED;

/* The level of a node. O(log L). */
uint32_t np_leveled_level(const np_leveled *leveled, uint32_t node);

/* The most edges that enter or leave one node: the degree Delta of section 2.1. */
uint32_t np_leveled_degree(const np_leveled *leveled);

/* The cost of emulating one step. */
typedef struct np_emulation {
    uint32_t nodes_per_node; /* most logical nodes of one physical node */
    uint32_t links_per_link; /* how often a physical link is crossed at most if each logical edge is crossed once */
    uint32_t steps; /* physical steps that play one logical step in which each edge is crossed; see physical.h */
} np_emulation;

np_status np_leveled_emulation(const np_leveled *leveled, np_emulation *out) NP_CHECKED;

/*
 * The loads of physical links: load[link] grows by 1 for the link number `part` of each edge edge[0] .. edge[count-1],
 * or of edges 0 .. count-1 if `edge` is NULL. Edges with fewer links are left out. Returns the larger of `most` and the
 * largest of these loads. np_leveled_unload takes them off again.
 */
uint32_t np_leveled_load(const np_leveled *leveled, const uint32_t *edge, uint32_t count, uint32_t part, uint32_t *load,
                         uint32_t most);
void np_leveled_unload(const np_leveled *leveled, const uint32_t *edge, uint32_t count, uint32_t part, uint32_t *load);
