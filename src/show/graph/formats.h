/* The formats of graphs that need a library: registered when the program asks for them. */
#ifndef NP_REPORT_FORMATS_H
#define NP_REPORT_FORMATS_H

#include "model/format/format.h"

extern const np_graph_format np_format_gexf, np_format_graphml, np_format_node_link;

#endif
