/*
 * The routes to one destination as a tree, of a rule whose next hop depends on the node and the destination alone
 * (np_path_rule.memoryless): where two of them meet, both go on the same way, so that what is at a node goes on
 * together. A tree costs as many hops as it has nodes, where walking all routes costs as many as they have links: 50
 * times as many on a mesh of 80 x 80.
 */
#pragma once

#include "base/arena.h"
#include "model/path/path.h"

typedef struct np_route_tree {
    const np_path *path;       /* set before the layout, as are the network and nodes */
    const np_network *network; /* whose links are loaded: the path's own, or that of which it has the switches */
    np_node nodes;             /* of the path's network */

    np_ticket *ticket; /* [nodes] of those found, that of a packet that comes there */
    np_link *link;     /* [nodes] that it takes next; NP_NONE: its route ends there */
    uint32_t *into;    /* [nodes] of those found, how many nodes lead to it; NP_NONE: not found */
    np_node *found;    /* [nodes] in the order of finding */
    np_node *order;    /* [nodes] each before the one that it leads to */
    uint32_t count;    /* of both */
} np_route_tree;

void np_route_tree_layout(np_route_tree *tree, np_arena *arena);

/* The tree of the routes to target from all nodes with an amount. */
void np_route_tree_find(np_route_tree *tree, np_node target, const double *amount);

/* Adds to load[] what links carry. amount[] becomes what passes each node. */
void np_route_tree_carry(const np_route_tree *tree, double *amount, double *load);
