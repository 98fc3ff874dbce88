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
#include "model/format/format.h"
#include "show/graph/xml_graph.h"

static void begin_key(np_xml_graph *r, const char **attributes)
{
    const char *of = np_xml_attribute(attributes, "for");
    bool all = !of || np_xml_is(of, "all");
    np_xml_graph_declare(r, np_xml_attribute(attributes, "id"), np_xml_attribute(attributes, "attr.name"),
                         all || np_xml_is(of, "node"), all || np_xml_is(of, "edge"));
}

static void begin_graph(np_xml_graph *r, const char **attributes)
{
    const char *way = np_xml_attribute(attributes, "edgedefault");
    if (!r->depth && r->graph_seen)
        np_xml_graph_refuse(r, "a second graph: a file with several is no network");
    r->graph_seen = true;
    if (way)
        r->graph->direction = np_xml_is(way, "undirected") ? NP_GRAPH_UNDIRECTED : NP_GRAPH_DIRECTED;
}

static void begin_node(np_xml_graph *r, const char **attributes)
{
    np_xml_graph_node(r, np_xml_attribute(attributes, "id"));
}

/* An undirected edge in a graph of arcs is a link each way. */
static void begin_edge(np_xml_graph *r, const char **attributes)
{
    const char *from = np_xml_attribute(attributes, "source"), *to = np_xml_attribute(attributes, "target");
    const char *directed = np_xml_attribute(attributes, "directed");
    bool arc = np_xml_is(directed, "true"), arcs = r->graph->direction == NP_GRAPH_DIRECTED;
    np_node u, v;
    if (!from || !to)
        np_xml_graph_refuse(r, from ? "an edge without target" : "an edge without source");
    else if (arc && r->graph->direction == NP_GRAPH_UNDIRECTED)
        np_xml_graph_refuse(r, "a directed edge in a graph of undirected ones: write edgedefault=\"directed\"");
    else if (!(r->xml.status = np_builder_node(r->graph, &r->xml.text, np_xml_field(from), &u)) &&
             !(r->xml.status = np_builder_node(r->graph, &r->xml.text, np_xml_field(to), &v)))
        np_xml_graph_edge(r, u, v, directed && !arc && arcs);
}

static void begin_data(np_xml_graph *r, const char **attributes)
{
    r->data = np_xml_graph_key(r, np_xml_attribute(attributes, "key"));
    if (r->data)
        np_xml_collect(&r->xml);
}

static void refuse_hyperedge(np_xml_graph *r, const char **attributes)
{
    (void)attributes;
    np_xml_graph_refuse(r, "a hyperedge: links have two ends");
}

static np_status read(np_builder *graph, np_text *text)
{
    static const np_xml_element elements[] = {{"key", begin_key},
                                              {"graph", begin_graph},
                                              {"node", begin_node},
                                              {"edge", begin_edge},
                                              {"data", begin_data},
                                              {"default", np_xml_graph_default},
                                              {"hyperedge", refuse_hyperedge},
                                              {NULL, NULL}};
    return np_xml_graph_read(graph, text, "graphml", "GraphML", elements);
}

const np_graph_format np_format_graphml = {
    .info = {"graphml", "a GraphML file", "Brandes et al. 2002"},
    .root = "graphml",
    .read = read,
};
