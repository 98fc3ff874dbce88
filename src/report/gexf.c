/*
 * GEXF 1.1 to 1.3 (Gephi), as Gephi and networkx write it. expat reads the XML.
 *
 *   <graph defaultedgetype="undirected">
 *     <attributes class="edge"><attribute id="0" title="capacity" type="double"><default>1</default></attribute></attributes>
 *     <nodes><node id="0" label="Oslo"><attvalues><attvalue for="0" value="x"/></attvalues></node></nodes>
 *     <edges><edge id="0" source="0" target="1" weight="2"/></edges>
 *
 * An edge of type "mutual" is a link each way, as an undirected one is. Nodes within nodes are nodes.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "network/format.h"
#include "report/formats.h"
#include "report/xml.h"

enum { TITLES_MAX = 256, DEPTH_MAX = 64 }; /* ours */

typedef struct title {
    char id[64], name[64], preset[64]; /* preset: "" if there is none */
    bool of_edges;
} title;

typedef struct reader {
    np_xml xml;
    np_builder *graph;
    title title[TITLES_MAX];
    size_t titles;
    bool of_edges, preset; /* the <attributes> that we are in are those of edges; we are in a <default> */
    np_node node[DEPTH_MAX];
    size_t depth; /* nodes that we are in */
    bool in_edge, graph_seen;
    size_t first; /* link of the edge */
} reader;

static reader *reader_of(np_xml *xml) { return (reader *)xml; } /* its first member */

static bool is(const char *value, const char *word) { return value && !strcmp(value, word); }

static np_status refuse(const reader *r, const char *what)
{
    return np_text_raise(&r->xml.text, NP_ERROR_INPUT, "%s", what);
}

/* ---- Attributes ---- */

static void begin_title(reader *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "id"), *name = np_xml_attribute(attributes, "title");
    if (r->titles == TITLES_MAX) {
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "more than %d attributes", TITLES_MAX);
        return;
    }
    title *t = &r->title[r->titles++];
    t->of_edges = r->of_edges;
    size_t longest = (size_t)snprintf(t->id, sizeof t->id, "%s", id ? id : "");
    size_t other = (size_t)snprintf(t->name, sizeof t->name, "%s", name ? name : id ? id : "");
    if (longest >= sizeof t->id || other >= sizeof t->name)
        r->xml.status =
            np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "attribute '%.40s...': at most %zu characters are read",
                          t->name, sizeof t->name - 1);
}

static void begin_titles(reader *r, const char **attributes)
{
    r->of_edges = is(np_xml_attribute(attributes, "class"), "edge");
}

static void begin_default(reader *r, const char **attributes)
{
    (void)attributes;
    r->preset = r->titles;
    if (r->preset)
        np_xml_collect(&r->xml);
}

static void set(reader *r, const char *name, const char *value)
{
    const np_text_field n = np_xml_field(name), v = np_xml_field(value);
    if (r->xml.status)
        return;
    if (r->in_edge)
        r->xml.status = np_builder_link_attribute(r->graph, &r->xml.text, r->first, n, v);
    else if (r->depth)
        r->xml.status = np_builder_attribute(r->graph, &r->xml.text, r->node[r->depth - 1], n, v);
}

static void set_presets(reader *r)
{
    for (size_t i = 0; i < r->titles; i++)
        if (*r->title[i].preset && r->title[i].of_edges == r->in_edge)
            set(r, r->title[i].name, r->title[i].preset);
}

/* "for" is the attribute's id; in GEXF 1.1 it was called "id". */
static void begin_value(reader *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "for"), *value = np_xml_attribute(attributes, "value");
    id = id ? id : np_xml_attribute(attributes, "id");
    for (size_t i = 0; id && value && i < r->titles; i++)
        if (r->title[i].of_edges == r->in_edge && is(id, r->title[i].id))
            set(r, r->title[i].name, value);
}

/* ---- Nodes and edges ---- */

static void begin_graph(reader *r, const char **attributes)
{
    const char *type = np_xml_attribute(attributes, "defaultedgetype");
    if (r->graph_seen)
        r->xml.status = refuse(r, "a second graph: a file of GEXF with several is no network");
    if (is(np_xml_attribute(attributes, "mode"), "dynamic"))
        r->xml.status = refuse(r, "a dynamic graph of GEXF, whose links come and go: export it as a static one");
    r->graph_seen = true;
    r->graph->direction = is(type, "directed") ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
}

static void begin_node(reader *r, const char **attributes)
{
    const char *id = np_xml_attribute(attributes, "id"), *label = np_xml_attribute(attributes, "label");
    uint64_t nodes = r->graph->nodes;
    if (r->depth == DEPTH_MAX) {
        r->xml.status =
            np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "more than %d nodes of GEXF within each other", DEPTH_MAX);
        return;
    }
    r->xml.status = np_builder_node(r->graph, &r->xml.text, np_xml_field(id ? id : ""), &r->node[r->depth++]);
    if (!r->xml.status && r->graph->nodes == nodes)
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_INPUT, "id '%.60s' is that of another node, too", id);
    set_presets(r);
    if (label)
        set(r, "label", label);
}

static np_status find_end(reader *r, const char *id, np_node *out)
{
    uint64_t nodes = r->graph->nodes;
    np_status st = np_builder_node(r->graph, &r->xml.text, np_xml_field(id), out);
    if (st || r->graph->nodes == nodes)
        return st;
    return np_text_raise(&r->xml.text, NP_ERROR_INPUT, "an edge of '%.60s', but no node before it has this id", id);
}

static np_status add_edge(reader *r, const char *from, const char *to, const char *type)
{
    bool arcs = r->graph->direction == NP_GRAPH_DIRECTED, back = arcs && (is(type, "undirected") || is(type, "mutual"));
    np_node u, v;
    np_status st;
    if (!from || !to)
        return refuse(r, from ? "an edge without target" : "an edge without source");
    if (!arcs && is(type, "directed"))
        return refuse(r, "a directed edge in a graph of undirected ones: write defaultedgetype=\"directed\"");
    if ((st = find_end(r, from, &u)) || (st = find_end(r, to, &v)) ||
        (st = np_builder_link(r->graph, &r->xml.text, u, v, 1)))
        return st;
    return back && u != v ? np_builder_link(r->graph, &r->xml.text, v, u, 1) : NP_OK;
}

static void begin_edge(reader *r, const char **attributes)
{
    const char *weight = np_xml_attribute(attributes, "weight");
    r->in_edge = true;
    r->first = r->graph->count;
    r->xml.status = add_edge(r, np_xml_attribute(attributes, "source"), np_xml_attribute(attributes, "target"),
                             np_xml_attribute(attributes, "type"));
    set_presets(r);
    if (weight)
        set(r, "weight", weight);
}

/* ---- The text ---- */

static void begin(np_xml *xml, const char *name, const char **attributes)
{
    static const struct {
        const char *name;
        void (*begin)(reader *r, const char **attributes);
    } elements[] = {
        {"graph", begin_graph},     {"node", begin_node},      {"edge", begin_edge},       {"attributes", begin_titles},
        {"attribute", begin_title}, {"attvalue", begin_value}, {"default", begin_default}, {NULL, NULL}};
    for (size_t i = 0; elements[i].name; i++)
        if (!strcmp(elements[i].name, name))
            elements[i].begin(reader_of(xml), attributes);
}

static void end(np_xml *xml, const char *name)
{
    reader *r = reader_of(xml);
    if (r->preset && !strcmp(name, "default")) {
        snprintf(r->title[r->titles - 1].preset, sizeof r->title->preset, "%.60s", np_xml_take(xml));
        r->preset = false;
    } else if (!strcmp(name, "node"))
        r->depth--;
    else if (!strcmp(name, "edge"))
        r->in_edge = false;
}

static np_status read(np_builder *graph, np_text *text)
{
    reader *r;
    np_status st = np_memory_zeroed(&r, 1, sizeof *r, "a reader of GEXF");
    if (st)
        return st;
    r->xml = (np_xml){.root = "gexf", .format = "GEXF", .begin = begin, .end = end};
    r->graph = graph;
    graph->naming = NP_GRAPH_NAMED;
    st = np_xml_read(&r->xml, text);
    np_memory_free(r);
    return st;
}

const np_graph_format np_format_gexf = {
    .info = {"gexf", "a GEXF file", "Gephi"},
    .root = "gexf",
    .read = read,
};
