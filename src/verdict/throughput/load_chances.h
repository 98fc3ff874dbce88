/*
 * Expected loads by chances, of a rule whose next hop depends on the node and the destination alone. For each
 * destination, the nodes from which there is something to carry are marked by a search, and what is at a node moves on
 * by the chances of its links, the farthest node first. Nodes to which one link leads, as to hosts, share the search of
 * the node that it comes from, through which all goes.
 */
#pragma once

#include "base/arena.h"
#include "model/path/seek.h"
#include "verdict/throughput/loads.h"

typedef struct np_load_chances {
    void (*chance)(np_seeker *seeker, np_node u, double *chance); /* NULL: the rule has none */
    const np_amounts *amounts;
    const np_path *path;
    np_node nodes;
    double *load;   /* the caller's */
    np_graph *own;  /* of a rule that has none; or NULL */
    double *amount; /* [nodes] to a destination */
    double *share;  /* [ports] of a node's links */
    np_seeker seeker;
} np_load_chances;

/* np_load_chances_clear in any case. */
np_status np_load_chances_init(np_load_chances *c, const np_amounts *amounts, const np_loads_options *options,
                               double *load) NP_CHECKED;
void np_load_chances_layout(np_load_chances *c, np_arena *arena);
void np_load_chances_clear(np_load_chances *c);

/* Carries what goes to root, unless it goes by way of another, and to all to which its links alone lead. */
np_status np_load_chances_go(np_load_chances *c, np_node root) NP_CHECKED;
