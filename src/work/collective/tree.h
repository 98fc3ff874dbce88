/* A tree of shortest paths between the root and all nodes. Collectives use it on any network. */
#pragma once

#include "work/collective/collective.h"

typedef struct np_tree {
    uint32_t *depth;  /* [nodes] */
    np_node *order;   /* [nodes] parents before children, the root first */
    np_node *parent;  /* [nodes] not of the root */
    np_link *link;    /* [nodes] between parent and node: downwards to broadcast, upwards to gather */
    uint32_t *branch; /* [nodes] the child of the root above the node */
    uint32_t *size;   /* [nodes] at a child of the root: the nodes of its branch */
    void *block;      /* the arrays */
} np_tree;

/*
 * A node chooses, among the possible parents nearer to the root, the one whose branch of the root has the fewest nodes
 * so far. NP_ERROR_APPLY if some node is not linked with the root; NP_ERROR_MEMORY. Clear the tree in any case.
 */
np_status np_tree_init(np_tree *tree, const np_collective_job *job) NP_CHECKED;
void np_tree_clear(np_tree *tree);

/* The same for a tree in an algorithm's own. */
void np_tree_layout(np_tree *tree, const np_collective_job *job, np_arena *arena);
np_status np_tree_fill(np_tree *tree, const np_collective_job *job) NP_CHECKED;
