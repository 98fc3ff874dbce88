/* Breadth-first searches from many nodes at the same time, for how far their farthest nodes are. */
#pragma once

#include "model/network/search.h"

enum { NP_SEARCH_WORDS = 4, NP_SEARCH_LANES = 64 * NP_SEARCH_WORDS }; /* ours: half a cache line of bits */

/* Bit s of a set stands for search s. */
typedef struct np_search_set {
    uint64_t word[NP_SEARCH_WORDS];
} np_search_set;

/* The searches that have reached a node, and those that reach it with the hop that is being made: one cache line. */
typedef struct np_search_reach {
    np_search_set seen, next;
} np_search_reach;

typedef struct np_search_many {
    const np_search *search;
    np_search_reach *reach; /* [nodes] */
    np_search_set *latest;  /* [nodes] the searches that reached the node with the latest hop */
    np_node *front;         /* [nodes] the nodes that some search reached with the latest hop */
    uint32_t fronts;        /* how many these are */
    uint64_t *touched;      /* [nodes / 64 + 1] bits: the nodes of the next front */
    uint32_t *group;        /* [nodes / 64 + 2] the words of touched[] that are not 0, in any order */
    uint32_t groups;        /* how many these are */
    np_node *tail;          /* [links] the nodes that the links in search->in leave */
    void *block;            /* the arrays */

    uint64_t reached; /* nodes, by all searches together */
    uint64_t visits;  /* links looked at, by all calls together */
    double share;     /* what the watch is told during a call; the caller sets it */
} np_search_many;

/*
 * For searches over the lists of `search`, which must remain: about 100 bytes a node and 4 a link. NP_ERROR_MEMORY.
 * Clear it in any case.
 */
np_status np_search_many_init(np_search_many *many, const np_search *search) NP_CHECKED;
void np_search_many_clear(np_search_many *many);

/*
 * farthest[s] = hops from node from[s] to the node that is farthest from it; backwards: from the farthest node to
 * from[s]. Nodes that are not reached do not count. At most NP_SEARCH_LANES searches. Searches that are at one node
 * after as many hops go on together, so that it never takes longer than one search after the other, but for constants.
 * The watch of `search` hears of it now and then. If it cancels, the distances are too small.
 */
void np_search_farthest(np_search_many *many, const np_node *from, uint32_t count, bool backwards, uint32_t *farthest);
