/* Networks from the text of a file. Reading the file is elsewhere, so that the parsers can be fuzzed. */
#pragma once

#include "model/format/builder.h"

/*
 * Fills an empty network that has its spec and its family. After an error the
 * network can only be freed.
 *
 * @param name     of the file, for messages; an ending such as ".mtx" may tell the format
 * @param text     [length], borrowed
 * @param options  NULL: none
 * @param limit    most nodes to accept, at most NP_LINKS_NODES_MAX
 * @return NP_ERROR_INPUT with "name:line: ...", NP_ERROR_LIMIT, NP_ERROR_MEMORY
 */
np_status np_links_parse(const char *name, const char *text, size_t length, const np_graph_options *options,
                         uint64_t limit, np_network *network) NP_CHECKED;

/* The same, but only the builder's lists are made: graph->from, to, width and nodes. np_builder_clear it, also after an
 * error. */
np_status np_links_list(const char *name, const char *text, size_t length, const np_graph_options *options,
                        uint64_t limit, np_builder *graph) NP_CHECKED;
