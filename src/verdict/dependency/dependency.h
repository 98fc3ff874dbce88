/*
 * The graph of channel dependencies of a relation (Dally & Seitz 1987). Its nodes are the classes of virtual channels
 * of links. An arc leads from each channel that a packet may hold to each that it may want next, over all sources,
 * destinations and draws. Without a cycle packets never wait for each other: some order of the channels ascends along
 * all routes. More virtual channels than classes change nothing: those of a class are alike.
 *
 * If the relation has escape channels (Duato 1993), the nodes are those alone. An arc leads from each escape channel
 * that a packet may hold to each that it may want later, whatever other channels it takes in between. Then it is enough
 * that this graph has no cycle and that every packet always has an escape channel that it may take.
 */
#pragma once

#include "base/watch.h"
#include "model/relation/routers.h"
#include "model/relation/rule.h"

typedef struct np_dependency {
    const np_relation *relation;
    np_routers routers;
    unsigned classes; /* of a channel that are nodes */
    bool wide;        /* a node may have arcs to any other; else to those that leave its head */
    uint32_t nodes;   /* node = channel * classes + class */
    uint64_t *used;   /* a bit for each node: a packet may hold it */
    size_t *start;    /* [nodes + 1] the first word of a node's arcs */
    uint64_t *bits;   /* a bit for each node to which an arc may lead */
} np_dependency;

/* Builds the graph. NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED; clear it in any case. */
np_status np_dependency_build(const np_relation *relation, const np_watch *watch, np_dependency *out) NP_CHECKED;
void np_dependency_clear(np_dependency *d);

/* The first node, from `after` on, to which an arc leads from the node; NP_NONE: there is none. */
uint32_t np_dependency_next(const np_dependency *d, uint32_t node, uint32_t after);

static inline bool np_dependency_used(const np_dependency *d, uint32_t node)
{
    return d->used[node / 64] >> node % 64 & 1;
}

/* What a graph proves, or a cycle. */
typedef struct np_dependency_order {
    uint64_t nodes, arcs; /* nodes that a packet may hold */
    uint32_t levels;      /* nodes on the longest chain; 0: there is a cycle */
    uint32_t *cycle;      /* [length] in order; NULL: there is none */
    size_t length;
} np_dependency_order;

/* Orders the nodes, or finds a short cycle. NP_ERROR_MEMORY; np_memory_free(out->cycle) in any case. */
np_status np_dependency_sort(const np_dependency *d, np_dependency_order *out) NP_CHECKED;
