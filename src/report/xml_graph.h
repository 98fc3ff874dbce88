/* What GraphML and GEXF have in common: declared attributes with defaults, nodes within nodes, edges with attributes. */
#ifndef NP_REPORT_XML_GRAPH_H
#define NP_REPORT_XML_GRAPH_H

#include "network/builder.h"
#include "report/xml.h"

enum { NP_XML_KEYS_MAX = 256, NP_XML_DEPTH_MAX = 64 }; /* ours */

/* A declared attribute. */
typedef struct np_xml_key {
    char id[64], name[64], preset[64]; /* preset: "" if there is none */
    bool of_nodes, of_edges;
} np_xml_key;

typedef struct np_xml_graph np_xml_graph;

/* What a format does where an element begins; ends with a NULL name. */
typedef struct np_xml_element {
    const char *name;
    void (*begin)(np_xml_graph *r, const char **attributes);
} np_xml_element;

struct np_xml_graph {
    np_xml xml; /* its status is that of the reader */
    const np_xml_element *element;
    np_builder *graph;
    np_xml_key key[NP_XML_KEYS_MAX];
    size_t keys;
    const np_xml_key *data;         /* whose value is collected; NULL: of none */
    bool preset;                    /* the default of the last key is collected */
    np_node node[NP_XML_DEPTH_MAX]; /* [depth] the nodes that we are in */
    size_t depth;
    size_t first; /* link of the edge */
    bool in_edge, graph_seen, of_edges;
};

/* Reads a text with this root. format: for people. Keys are "key" in GraphML, "attribute" in GEXF. */
np_status np_xml_graph_read(np_builder *graph, np_text *text, const char *root, const char *format,
                            const np_xml_element *elements) NP_CHECKED;

void np_xml_graph_refuse(np_xml_graph *r, const char *what);

/* Declares an attribute. Without a name it is called by its id. */
void np_xml_graph_declare(np_xml_graph *r, const char *id, const char *name, bool of_nodes, bool of_edges);

/* The declared attribute of what we are in; NULL: there is none. */
const np_xml_key *np_xml_graph_key(const np_xml_graph *r, const char *id);

/* Begins a node or an edge, which gets the defaults. back: a link back, too. */
void np_xml_graph_node(np_xml_graph *r, const char *id);
void np_xml_graph_edge(np_xml_graph *r, np_node from, np_node to, bool back);

/* The node or edge that we are in has an attribute. */
void np_xml_graph_set(np_xml_graph *r, const char *name, const char *value);

/* For tables of elements: a default begins. */
void np_xml_graph_default(np_xml_graph *r, const char **attributes);

#endif
