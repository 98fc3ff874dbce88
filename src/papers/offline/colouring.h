/* Edge colourings of bipartite multigraphs with as few colours as the largest degree. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* Nodes are 0 .. left_nodes-1 on one side and 0 .. right_nodes-1 on the other; parallel edges are allowed. */
typedef struct np_bipartite {
    uint32_t left_nodes, right_nodes;
    uint32_t edges;               /* below 2^31 */
    const uint32_t *left, *right; /* [edges] ends, borrowed */
} np_bipartite;

/* The largest degree, 0 without edges: no proper colouring has fewer colours (König 1916: none needs more). */
np_status np_bipartite_degree(const np_bipartite *graph, uint32_t *degree) NP_CHECKED;

/*
 * The bytes that np_bipartite_colour takes for graphs of `nodes` nodes a side, `edges` edges and at most `degree` edges
 * at a node: exactly if all nodes have this degree, else at most.
 */
uint64_t np_bipartite_bytes(uint32_t nodes, uint64_t edges, uint64_t degree);

/*
 * Sets colour[e] in 0 .. *colours-1, with *colours = the largest degree d, so that edges that share an end have
 * different colours. On a d-regular graph every colour is a perfect matching. The colouring is a function of the graph
 * alone. Expected time O(m log d + m log n) for m edges and n nodes, whatever the graph. Memory: np_bipartite_bytes.
 *
 * @param colour  [edges]
 * @return NP_ERROR_LIMIT (2^31 edges or more, with the edges that make the graph regular), NP_ERROR_MEMORY;
 *         NP_ERROR_INTERNAL
 */
np_status np_bipartite_colour(const np_bipartite *graph, uint32_t *colours, uint32_t *colour) NP_CHECKED;

/* NP_OK if edges that share an end differ and colours are below `colours`; else NP_ERROR_INTERNAL names the fault. */
np_status np_bipartite_check(const np_bipartite *graph, uint32_t colours, const uint32_t *colour) NP_CHECKED;
