/* Inputs that the caller of a run has in memory. */
#pragma once

#include "machine/script/syntax.h"

/* ---- Graphs from files and from memory, with their weights ---- */

/* A list of links as a graph. */
typedef struct np_graph_read {
    np_graph graph;
    np_word *weight;     /* [graph.arcs] of parallel links the least; NULL: there are none */
    size_t links, loops; /* of the list */
    bool doubled;        /* a digraph has an arc each way for each of them */
    bool both;           /* an edge was made of each link: it is an arc each way */
} np_graph_read;

/*
 * Reads a graph in any format of networks, as the text declares it: a graph has an arc each way for each link, and no
 * loops; a digraph has the links as they are. All is taken from `work`. NP_ERROR_INPUT with "path:line: ...", also if a
 * graph is wanted and the format says that the file is directed; NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_graph_file_read(np_workspace *work, const np_declared_input *input, const char *path,
                             np_graph_read *out) NP_CHECKED;

/* The same of `count` links between `vertices`; weights: [count], NULL: none. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_graph_of_links(np_workspace *work, const np_declared_input *input, size_t vertices, size_t count,
                            const uint32_t *from, const uint32_t *to, const np_word *weights,
                            np_graph_read *out) NP_CHECKED;

/*
 * data[i]: what the options have for input i of the text; NULL: nothing. Checks all that needs no look at the words.
 *
 * @param data  [syntax->inputs] receives pointers into options->data
 * @return NP_ERROR_INPUT: no such input, one given twice, or not of the input's kind; NP_ERROR_LIMIT
 */
np_status np_script_data_find(const np_syntax *syntax, const np_script_options *options,
                              const np_script_data **data) NP_CHECKED;

/* Edges as a graph or a digraph, which is taken from `work`. NP_ERROR_INPUT, NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_script_data_graph(np_workspace *work, const np_script_data *data, const np_declared_input *input,
                               np_graph_read *out) NP_CHECKED;

/* ---- Inputs that must have a shape. Messages begin with the file's path ---- */

/* Each item has at most one before it, and all items are reached backwards from the ends. NP_ERROR_INPUT,
 * NP_ERROR_MEMORY. */
np_status np_check_list(const char *path, size_t count, const np_word *next) NP_CHECKED;

/* Numbers of items, and from each the parents lead to a root. */
np_status np_check_parents(const char *path, size_t count, const np_word *parent) NP_CHECKED;

/* None is less than the one before it. */
np_status np_check_sorted(const char *path, size_t count, const np_word *word) NP_CHECKED;

/* All are 0 or 1. */
np_status np_check_truths(const char *path, size_t count, const np_word *word) NP_CHECKED;

/* A tree: each vertex v > 0 hangs from one of 0 .. v-1, with the draws of the problem. NP_ERROR_MEMORY. */
np_status np_draw_tree_graph(np_problem *problem) NP_CHECKED;

/* All vertices are connected with vertex 0, by no edge too many. */
np_status np_check_tree_graph(const char *path, const np_graph *graph) NP_CHECKED;
