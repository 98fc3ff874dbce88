/* Graphs from files and from memory, with their weights. */
#ifndef NP_SCRIPT_GRAPH_FILE_H
#define NP_SCRIPT_GRAPH_FILE_H

#include "pram/program.h"
#include "script/syntax.h"

/* A list of links as a graph. */
typedef struct np_graph_read {
    np_graph graph;
    np_word *weight;     /* [graph.arcs] of parallel links the least; NULL: there are none */
    size_t links, loops; /* of the list */
    bool doubled;        /* a digraph has an arc each way for each of them */
    bool both;           /* an edge was made of each link: it is an arc each way */
} np_graph_read;

/*
 * Reads a graph in any format of networks, as the text declares it: a graph has an arc each way for each link, and no loops; a
 * digraph has the links as they are. All is taken from `work`. NP_ERROR_INPUT with "path:line: ...", also if a graph is
 * wanted and the format says that the file is directed; NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_graph_file_read(np_workspace *work, const np_declared_input *input, const char *path,
                             np_graph_read *out) NP_CHECKED;

/* The same of `count` links between `vertices`; weights: [count], NULL: none. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_graph_of_links(np_workspace *work, const np_declared_input *input, size_t vertices, size_t count,
                            const uint32_t *from, const uint32_t *to, const np_word *weights,
                            np_graph_read *out) NP_CHECKED;

#endif
