/*
 * Networks as plain lists: every family's definition is restated with arrays of
 * digits and coordinates, and breadth-first search. It shares no code with the
 * library. Specs must be valid and small.
 */
#ifndef ORACLE_GRAPH_H
#define ORACLE_GRAPH_H

#include <stdint.h>

#define ORACLE_NONE UINT32_MAX /* no such link; not reachable */

typedef struct oracle_graph {
    uint32_t nodes, ports;
    uint32_t *head; /* [nodes * ports] node across port p of node u at u * ports + p, or ORACLE_NONE */
} oracle_graph;

/* The graph that a spec names; aborts on a family it does not know. Free with oracle_graph_free. */
oracle_graph *oracle_graph_of(const char *spec);
void oracle_graph_free(oracle_graph *graph);

/* distance[v] = fewest links from `from` to v. */
void oracle_graph_distances(const oracle_graph *graph, uint32_t from, uint32_t *distance);

#endif
