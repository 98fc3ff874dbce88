/*
 * What GraphML and GEXF have in common: declared attributes with defaults, nodes within nodes, edges with attributes.
 */
#pragma once

#include <string.h>

#include "model/format/builder.h"

/* ---- XML of graphs, by expat: elements with their lines, and the text in them. For GraphML and GEXF ---- */

typedef struct np_xml np_xml;

/* A reader of a format begins with it. */
struct np_xml {
    const char *root;   /* the name of the outermost element, "graphml" */
    const char *format; /* for people: "GraphML" */
    /* An element begins or ends; names are without the prefix of their namespace. Faults are put into `status`. */
    void (*begin)(np_xml *xml, const char *name, const char **attributes);
    void (*end)(np_xml *xml, const char *name);

    np_text text; /* where we are, for messages */
    np_status status;
    bool collects; /* the text between elements is kept in `value` */
    char *value;
    size_t length, room;
    bool seen; /* the outermost element was there */
    void *parser;
};

/* Reads the text, which the format begins with; the text's line is then that of the end or of the fault. */
np_status np_xml_read(np_xml *xml, np_text *text) NP_CHECKED;

/* The attribute of that name; NULL: there is none. */
const char *np_xml_attribute(const char **attributes, const char *name);

/* Has the attribute this value? False if there is none. */
static inline bool np_xml_is(const char *value, const char *word) { return value && !strcmp(value, word); }

/* Text is kept from now on, until it is taken; it is valid until the next one begins. */
void np_xml_collect(np_xml *xml);
const char *np_xml_take(np_xml *xml);

static inline np_text_field np_xml_field(const char *text) { return (np_text_field){text, strlen(text)}; }

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
