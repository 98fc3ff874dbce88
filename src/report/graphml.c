/*
 * GraphML (Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002), as networkx,
 * igraph, Gephi and yEd write it. expat reads the XML.
 *
 *   <key id="d0" for="edge" attr.name="width"><default>1</default></key>
 *   <graph edgedefault="undirected">
 *     <node id="a"><data key="d1">host</data></node>
 *     <edge source="a" target="b"><data key="d0">4</data></edge>
 *
 * Hyperedges are refused. Ports and graphs within nodes add nothing but their
 * nodes and edges.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "network/format.h"
#include "report/formats.h"
#include "report/xml.h"

enum { KEYS_MAX = 256 }; /* ours */

typedef struct key {
    char id[64], name[64], preset[64]; /* preset: "" if there is none */
    bool of_edges, of_nodes;
} key;

typedef struct reader {
    np_xml xml;
    np_builder *graph;
    key key[KEYS_MAX];
    size_t keys;
    const key *data; /* the <data> that we are in */
    bool preset;     /* we are in the <default> of the last key */
    bool in_node, in_edge, graph_seen;
    np_node node;
    size_t first; /* link of the edge */
} reader;

static reader *reader_of(np_xml *xml) { return (reader *)xml; } /* its first member */

static void begin_key(reader *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "id"), *of = np_xml_attribute(attributes, "for");
    const char *name = np_xml_attribute(attributes, "attr.name");
    if (r->keys == KEYS_MAX) {
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "more than %d keys", KEYS_MAX);
        return;
    }
    key *k = &r->key[r->keys++];
    *k = (key){.of_edges = !of || !strcmp(of, "edge") || !strcmp(of, "all"),
               .of_nodes = !of || !strcmp(of, "node") || !strcmp(of, "all")};
    size_t longest = (size_t)snprintf(k->id, sizeof k->id, "%s", id ? id : "");
    size_t other = (size_t)snprintf(k->name, sizeof k->name, "%s", name ? name : id ? id : "");
    if (longest >= sizeof k->id || other >= sizeof k->name)
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "key '%.40s...': at most %zu characters are read",
                                      k->name, sizeof k->name - 1);
}

static void begin_graph(reader *r, const char **attributes)
{
    const char *way = np_xml_attribute(attributes, "edgedefault");
    if (!r->in_node && r->graph_seen)
        r->xml.status =
            np_text_raise(&r->xml.text, NP_ERROR_INPUT, "a second graph: a file with several is no network");
    r->graph_seen = true;
    if (way)
        r->graph->direction = strcmp(way, "undirected") ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
}

/* An attribute of the node or edge that we are in. */
static void use(reader *r, const key *k, const char *value)
{
    if (r->in_node && k->of_nodes && !r->xml.status)
        r->xml.status =
            np_builder_attribute(r->graph, &r->xml.text, r->node, np_xml_field(k->name), np_xml_field(value));
    else if (r->in_edge && k->of_edges && !r->xml.status)
        r->xml.status =
            np_builder_link_attribute(r->graph, &r->xml.text, r->first, np_xml_field(k->name), np_xml_field(value));
}

static void use_presets(reader *r)
{
    for (size_t i = 0; i < r->keys; i++)
        if (*r->key[i].preset)
            use(r, &r->key[i], r->key[i].preset);
}

static void begin_node(reader *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "id");
    r->in_node = true;
    r->xml.status = np_builder_node(r->graph, &r->xml.text, np_xml_field(id ? id : ""), &r->node);
    use_presets(r);
}

/* Links from `from` to `to`, and back if the edge is undirected in a graph of arcs. */
static np_status add_edge(reader *r, const char *from, const char *to, bool undirected)
{
    np_node u, v;
    np_status st;
    r->first = r->graph->count;
    if ((st = np_builder_node(r->graph, &r->xml.text, np_xml_field(from), &u)) ||
        (st = np_builder_node(r->graph, &r->xml.text, np_xml_field(to), &v)) ||
        (st = np_builder_link(r->graph, &r->xml.text, u, v, 1)))
        return st;
    return undirected && u != v ? np_builder_link(r->graph, &r->xml.text, v, u, 1) : NP_OK;
}

static void begin_edge(reader *r, const char **attributes)
{
    const char *from = np_xml_attribute(attributes, "source"), *to = np_xml_attribute(attributes, "target");
    const char *directed = np_xml_attribute(attributes, "directed");
    bool arc = directed && !strcmp(directed, "true");
    r->in_edge = true;
    if (!from || !to)
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_INPUT, "an edge without %s", from ? "target" : "source");
    else if (arc && r->graph->direction == NP_GRAPH_UNDIRECTED)
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_INPUT,
                                      "a directed edge in a graph of undirected ones: write edgedefault=\"directed\"");
    else
        r->xml.status = add_edge(r, from, to, directed && !arc && r->graph->direction == NP_GRAPH_DIRECTED);
    use_presets(r);
}

static void begin_data(reader *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "key");
    for (size_t i = 0; id && i < r->keys; i++)
        if (!strcmp(r->key[i].id, id))
            r->data = &r->key[i];
    if (r->data)
        np_xml_collect(&r->xml);
}

static void refuse_hyperedge(reader *r, const char **attributes)
{
    (void)attributes;
    r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_INPUT, "a hyperedge: links have two ends");
}

static void begin_default(reader *r, const char **attributes)
{
    (void)attributes;
    r->preset = r->keys;
    if (r->preset)
        np_xml_collect(&r->xml);
}

static void begin(np_xml *xml, const char *name, const char **attributes)
{
    static const struct {
        const char *name;
        void (*begin)(reader *r, const char **attributes);
    } elements[] = {{"key", begin_key},
                    {"graph", begin_graph},
                    {"node", begin_node},
                    {"edge", begin_edge},
                    {"data", begin_data},
                    {"default", begin_default},
                    {"hyperedge", refuse_hyperedge},
                    {NULL, NULL}};
    for (size_t i = 0; elements[i].name; i++)
        if (!strcmp(elements[i].name, name))
            elements[i].begin(reader_of(xml), attributes);
}

static void end_text(reader *r)
{
    const char *value = np_xml_take(&r->xml);
    if (r->preset)
        snprintf(r->key[r->keys - 1].preset, sizeof r->key->preset, "%.60s", value);
    else
        use(r, r->data, value);
    r->preset = false;
    r->data = NULL;
}

static void end(np_xml *xml, const char *name)
{
    reader *r = reader_of(xml);
    if ((r->data && !strcmp(name, "data")) || (r->preset && !strcmp(name, "default")))
        end_text(r);
    else if (!strcmp(name, "node"))
        r->in_node = false;
    else if (!strcmp(name, "edge"))
        r->in_edge = false;
}

static np_status read(np_builder *graph, np_text *text)
{
    reader *r;
    np_status st = np_memory_zeroed(&r, 1, sizeof *r, "a reader of GraphML");
    if (st)
        return st;
    r->xml = (np_xml){.root = "graphml", .format = "GraphML", .begin = begin, .end = end};
    r->graph = graph;
    graph->naming = NP_GRAPH_NAMED;
    st = np_xml_read(&r->xml, text);
    np_memory_free(r);
    return st;
}

const np_graph_format np_format_graphml = {
    .info = {"graphml", "a GraphML file", "Brandes et al. 2002"},
    .root = "graphml",
    .read = read,
};
