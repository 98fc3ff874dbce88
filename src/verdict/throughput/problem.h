/*
 * The maximum concurrent flow as arrays: arcs, and demands by their destinations.
 *
 * An arc is all links from a node to another one; links from a node to itself carry nothing that gets on. Arcs are
 * ordered by tail and head.
 */
#pragma once

#include "base/status.h"
#include "model/traffic/traffic.h"

typedef struct np_problem {
    const np_network *network;
    np_node nodes;
    uint32_t arcs;
    uint32_t *row;                 /* [nodes + 1] first arc of each node */
    uint32_t *head, *tail, *width; /* [arcs] */
    uint32_t degree;               /* the most arcs into and out of one node */

    uint32_t targets;
    np_node *target;  /* [targets] destinations, ascending */
    size_t *first;    /* [targets + 1] first demand of each */
    np_node *source;  /* [demands] ascending for each destination */
    uint32_t *amount; /* [demands] packets */
    size_t demands;
    uint64_t packets, resting; /* that go to another node, and that do not */
} np_problem;

/* Clear it in any case. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_problem_init(np_problem *problem, const np_network *network, const np_traffic *traffic) NP_CHECKED;
void np_problem_clear(np_problem *problem);

/* Of its arcs: sets `degree`. NP_ERROR_MEMORY. */
np_status np_problem_find_degree(np_problem *problem) NP_CHECKED;

/* *most = packets that one node sends or receives, the most. NP_ERROR_MEMORY. */
np_status np_problem_host_most(const np_problem *problem, uint64_t *most) NP_CHECKED;

/*
 * farthest.c: *far = the largest distance of a demand in steps, the delays of links included: `hops`, the largest in
 * hops, where every link takes one. NP_ERROR_INPUT: delays are no whole steps; NP_ERROR_MEMORY.
 */
np_status np_problem_farthest(const np_problem *problem, uint32_t hops, uint32_t *far) NP_CHECKED;

/*
 * *out = the problem without nodes that have one neighbour only: their demands start and end there, and nodes have
 * other numbers, in the same order. The factor of `whole` is that of `out` or, if it is less, the number between *low
 * and *high (INFINITY: there is no such node). Clear `out` in any case. NP_ERROR_MEMORY, NP_ERROR_LIMIT.
 */
np_status np_problem_contract(const np_problem *whole, np_problem *out, double *low, double *high) NP_CHECKED;
