/* Breadth-first search over a network's links, with or against their direction. */
#pragma once

#include "base/watch.h"
#include "model/network/network.h"

/* A network's links as lists, for searches from many nodes. */
typedef struct np_search {
    const np_network *network;
    const uint32_t *head; /* [link_numbers] NP_NONE where unused; the network's own, if it has them */
    uint32_t *in_row;     /* [nodes + 1] */
    uint32_t *in;         /* [links] the links into node v, ascending: in[in_row[v]] .. */
    uint32_t *order;      /* [nodes] the nodes reached by the last search, nearest first */
    np_node reached;      /* how many */
    uint32_t *own_head;   /* head, if the network has none */
    void *block;          /* the arrays */

    const np_watch *watch; /* may be NULL; set it after np_search_init */
    bool *cancelled;       /* by the watch */
} np_search;

static inline void np_search_tell(const np_search *search, const char *stage, double share)
{
    if (np_watch_tell(search->watch, (np_progress){.stage = stage, .share = share}))
        *search->cancelled = true;
}

static inline bool np_search_cancelled(const np_search *search) { return search->cancelled && *search->cancelled; }

/* Fills the lists: about 4 bytes a link and 8 a node, and 4 a link number if the network has no heads. NP_ERROR_MEMORY:
 * np_search_clear even then. */
NP_FOR_REPORT np_status np_search_init(np_search *search, const np_network *network) NP_CHECKED;
NP_FOR_REPORT void np_search_clear(np_search *search);

/* The bytes of the lists. */
uint64_t np_search_bytes(const np_network *network);

/* How many links leave u. */
uint32_t np_search_degree(const np_search *search, np_node u);

/*
 * distance[v] = hops from `from` to v, or, backwards, from v to `from`;
 * NP_NONE if there is no way. distance: [nodes].
 */
NP_FOR_REPORT void np_search_distances(np_search *search, np_node from, bool backwards, uint32_t *distance);

/*
 * The connected parts, if links are crossed both ways. Returns their number.
 * part: [nodes] part[u] = the part of u; parts count from 0, the part of node 0.
 * Afterwards `reached` is the number of all nodes.
 */
uint32_t np_search_parts(np_search *search, uint32_t *part);
