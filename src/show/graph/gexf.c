/*
 * GEXF 1.1 to 1.3 (Gephi), as Gephi and networkx write it. expat reads the XML.
 *
 *   <graph defaultedgetype="undirected">
 *     <attributes class="edge"><attribute id="0" title="capacity"
 *     type="double"><default>1</default></attribute></attributes> <nodes><node id="0" label="Oslo"><attvalues><attvalue
 *     for="0" value="x"/></attvalues></node></nodes> <edges><edge id="0" source="0" target="1" weight="2"/></edges>
 *
 * An edge of type "mutual" is a link each way, as an undirected one is. Nodes within nodes are nodes.
 */
#include "model/format/format.h"
#include "show/graph/xml_graph.h"

/* ---- Attributes ---- */

static void begin_titles(np_xml_graph *r, const char **attributes)
{
    r->of_edges = np_xml_is(np_xml_attribute(attributes, "class"), "edge");
}

static void begin_title(np_xml_graph *r, const char **attributes)
{
    np_xml_graph_declare(r, np_xml_attribute(attributes, "id"), np_xml_attribute(attributes, "title"), !r->of_edges,
                         r->of_edges);
}

/* "for" is the attribute's id; in GEXF 1.1 it was called "id". */
static void begin_value(np_xml_graph *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "for"), *value = np_xml_attribute(attributes, "value");
    const np_xml_key *key = np_xml_graph_key(r, id ? id : np_xml_attribute(attributes, "id"));
    if (key && value)
        np_xml_graph_set(r, key->name, value);
}

/* ---- Nodes and edges ---- */

static void begin_graph(np_xml_graph *r, const char **attributes)
{
    const char *type = np_xml_attribute(attributes, "defaultedgetype");
    if (r->graph_seen)
        np_xml_graph_refuse(r, "a second graph: a file of GEXF with several is no network");
    if (np_xml_is(np_xml_attribute(attributes, "mode"), "dynamic"))
        np_xml_graph_refuse(r, "a dynamic graph of GEXF, whose links come and go: export it as a static one");
    r->graph_seen = true;
    r->graph->direction = np_xml_is(type, "directed") ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
}

static void begin_node(np_xml_graph *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "id"), *label = np_xml_attribute(attributes, "label");
    uint64_t nodes = r->graph->nodes;
    np_xml_graph_node(r, id);
    if (!r->xml.status && r->graph->nodes == nodes)
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_INPUT, "id '%.60s' is that of another node, too", id);
    if (label)
        np_xml_graph_set(r, "label", label);
}

static np_status find_end(np_xml_graph *r, const char *id, np_node *out)
{
    uint64_t nodes = r->graph->nodes;
    np_status st = np_builder_node(r->graph, &r->xml.text, np_xml_field(id), out);
    if (st || r->graph->nodes == nodes)
        return st;
    return np_text_raise(&r->xml.text, NP_ERROR_INPUT, "an edge of '%.60s', but no node before it has this id", id);
}

static void begin_edge(np_xml_graph *r, const char **attributes)
{
    const char *from = np_xml_attribute(attributes, "source"), *to = np_xml_attribute(attributes, "target");
    const char *type = np_xml_attribute(attributes, "type"), *weight = np_xml_attribute(attributes, "weight");
    bool arcs = r->graph->direction == NP_GRAPH_DIRECTED;
    np_node u, v;
    if (!from || !to)
        np_xml_graph_refuse(r, from ? "an edge without target" : "an edge without source");
    else if (!arcs && np_xml_is(type, "directed"))
        np_xml_graph_refuse(r, "a directed edge in a graph of undirected ones: write defaultedgetype=\"directed\"");
    else if (!(r->xml.status = find_end(r, from, &u)) && !(r->xml.status = find_end(r, to, &v))) {
        np_xml_graph_edge(r, u, v, arcs && (np_xml_is(type, "undirected") || np_xml_is(type, "mutual")));
        if (weight)
            np_xml_graph_set(r, "weight", weight);
    }
}

static np_status read(np_builder *graph, np_text *text)
{
    static const np_xml_element elements[] = {{"graph", begin_graph},
                                              {"node", begin_node},
                                              {"edge", begin_edge},
                                              {"attributes", begin_titles},
                                              {"attribute", begin_title},
                                              {"attvalue", begin_value},
                                              {"default", np_xml_graph_default},
                                              {NULL, NULL}};
    return np_xml_graph_read(graph, text, "gexf", "GEXF", elements);
}

const np_graph_format np_format_gexf = {
    .info = {"gexf", "a GEXF file", "Gephi"},
    .root = "gexf",
    .read = read,
};
