/*
 * A network's links as lists, for rules that search it: the links that leave
 * each node, and the nodes whose links enter it. Made once for a path from the
 * lists of np_search, shared by all threads.
 */
#pragma once

#include "model/network/search.h"

typedef struct np_graph {
    const np_network *network;
    uint32_t nodes, link_numbers;
    uint64_t links;
    uint32_t *row;        /* [nodes + 1] the first link of each node */
    const uint32_t *head; /* [link_numbers] NP_NONE where unused */
    uint32_t *in_row;     /* [nodes + 1] */
    uint32_t *in;         /* [links] the nodes with a link into v, a node once a link: in[in_row[v]] .. */
    uint32_t *in_link;    /* [links] these links */

    /*
     * The gate of v is the only other node with links into v; v itself, if there is none or more than one. Every path
     * to v from another node ends with a link from the gate, so that all hosts of one switch share a search.
     */
    uint32_t *gate; /* [nodes] */

    /*
     * Parallel links, each a circular list of the links from one node to another. NULL: the network has none.
     */
    uint32_t *twin;     /* [link_numbers] the next parallel link, in ascending order; itself, if it has none */
    uint64_t *parallel; /* [link_numbers / 64 + 1] a bit for each link: 1, if it has a twin. NULL if twin is */

    const uint64_t *cost; /* [link_numbers] the path's own, by which paths are the shortest; NULL: by hops */

    np_search lists; /* has head, in_row and in */
    size_t bytes;
    void *block;
} np_graph;

/* The arrays but twin: about 20 bytes a node and 8 to 12 a link. NP_ERROR_MEMORY; free it in any case. */
np_status np_graph_create(const np_network *network, np_graph **out) NP_CHECKED;
void np_graph_free(np_graph *graph);

/* Is the link one of several from its node to another? */
static inline bool np_graph_parallel(const np_graph *graph, np_link link)
{
    return graph->parallel && graph->parallel[link / 64] >> link % 64 & 1;
}

/* Has the gate nodes behind it? Else it is the destination of all packets that go through it. */
bool np_graph_leads_on(const np_graph *graph, np_node gate);

/* The first link from a node to another; there is one. */
np_link np_graph_link_between(const np_graph *graph, np_node from, np_node to);
