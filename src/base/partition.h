/*
 * Parts an undirected graph into two sets of given sizes with few edges
 * between them, by METIS (Karypis & Kumar 1998), if the library was built with
 * it. The weight of the cut is an upper bound of the least one.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* Each edge is in the lists of both its ends, with the same weight; no edge leads from a node to itself. */
typedef struct np_partition_graph {
    uint32_t nodes;
    const uint32_t *row;       /* [nodes + 1] */
    const uint32_t *neighbour; /* [row[nodes]] */
    const uint32_t *weight;    /* [row[nodes]] at least 1; their sum is below 2^31 */
} np_partition_graph;

/* Was the library built with METIS? */
bool np_partition_available(void);

/*
 * side[u] = 0 for exactly `first` nodes, 1 for the others; *cut = weight of the
 * edges between the two sets. Every call gives the same result, whatever was drawn from
 * rand() before, in any number of threads; threads take turns. With the GNU C library,
 * the program's later draws from rand() are as if this had not been called. Only if
 * another thread of the program calls rand() or srand() meanwhile can the sides differ.
 *
 * @param first   1 .. nodes - 1
 * @param trials  how many partitions to choose the best from, at least 1
 * @param side    [nodes]
 * @return NP_ERROR_APPLY: built without METIS; NP_ERROR_LIMIT: too large for
 *         METIS's numbers; NP_ERROR_CANCELLED: METIS caught SIGTERM or SIGABRT;
 *         NP_ERROR_MEMORY
 */
np_status np_partition_halves(const np_partition_graph *graph, uint32_t first, unsigned trials, uint8_t *side,
                              uint64_t *cut) NP_CHECKED;
