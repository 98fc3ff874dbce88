/* Graphs from files, with their weights. */
#ifndef NP_SCRIPT_GRAPH_FILE_H
#define NP_SCRIPT_GRAPH_FILE_H

#include "pram/program.h"

/*
 * Reads a graph in any format of networks. *weight: [graph->arcs] as the file says, of parallel edges the least; NULL: it
 * has none. All is taken from `work`. NP_ERROR_INPUT with "path:line: ...", NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_graph_file_read(np_workspace *work, const char *path, np_graph *graph, np_word **weight) NP_CHECKED;

/* The same of count edges between `vertices`; weights: [count], NULL: none. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_graph_of_edges(np_workspace *work, size_t vertices, size_t count, const uint32_t *from, const uint32_t *to,
                            const uint32_t *weights, np_graph *graph, np_word **weight) NP_CHECKED;

#endif
