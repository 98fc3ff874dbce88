/*
 * Networks with terminals, restated from their papers with arrays of bits and
 * tables of labels. It shares no code with the library. Specs must be valid and small.
 */
#ifndef ORACLE_TERMINALS_H
#define ORACLE_TERMINALS_H

#include "oracle/graph.h"

typedef struct oracle_terminals {
    oracle_graph graph;
    uint32_t count;
    uint32_t *input, *output; /* [count] nodes */
} oracle_terminals;

/* "butterfly-io:3", "fat-tree:2", "fat-tree-8:1", "omega:4", "inverse-omega:4", "benes:3"; aborts on others. */
oracle_terminals *oracle_terminals_of(const char *spec);
void oracle_terminals_free(oracle_terminals *terminals);

#endif
