/* Inputs that the caller of a run has in memory. */
#ifndef NP_SCRIPT_DATA_H
#define NP_SCRIPT_DATA_H

#include "pram/judge.h"
#include "script/graph_file.h"
#include "script/syntax.h"

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

#endif
