/*
 * GraphML (Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002), as networkx,
 * igraph, Gephi and yEd write it. expat reads the XML.
 *
 *   <key id="d0" for="edge" attr.name="width"><default>1</default></key>
 *   <graph edgedefault="undirected">
 *     <node id="a"><data key="d1">host</data></node>
 *     <edge source="a" target="b"><data key="d0">4</data></edge>
 *
 * The name of a node is its id. Hyperedges are refused. Ports and graphs
 * within nodes add nothing but their nodes and edges.
 */
#include "network/format.h"
#include "report/formats.h"

static bool recognizes(np_text text, const char *name)
{
    (void)name;
    return np_format_begins(&text, "<");
}

#ifdef NETPRAM_EXPAT

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { KEYS_MAX = 256, SHORT_TEXT = 256, PIECE = 1 << 20 }; /* ours; expat counts in ints */

typedef struct key {
    char id[64], name[64], preset[64]; /* preset: "" if there is none */
    bool of_edges, of_nodes;
} key;

typedef struct reader {
    np_builder *graph;
    np_text text; /* where we are, for messages */
    XML_Parser parser;
    np_status status;
    key key[KEYS_MAX];
    size_t keys;
    const key *data;        /* the <data> that we are in */
    bool preset;            /* we are in the <default> of the last key */
    char value[SHORT_TEXT]; /* the text of it */
    size_t length;
    bool in_node, in_edge, seen; /* seen: <graphml> was there */
    np_node node, from, to;
    bool undirected; /* the edge, in a graph of arcs */
    uint64_t width;
} reader;

static np_text_field field_of(const char *text) { return (np_text_field){text, strlen(text)}; }

static const char *attribute(const XML_Char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

/* The name of an element without the prefix of its namespace. */
static const char *local(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static void begin_key(reader *r, const XML_Char **attributes)
{
    const char *id = attribute(attributes, "id"), *of = attribute(attributes, "for");
    const char *name = attribute(attributes, "attr.name");
    if (r->keys == KEYS_MAX) {
        r->status = np_text_raise(&r->text, NP_ERROR_LIMIT, "more than %d keys", KEYS_MAX);
        return;
    }
    key *k = &r->key[r->keys++];
    *k = (key){.of_edges = !of || !strcmp(of, "edge") || !strcmp(of, "all"),
               .of_nodes = !of || !strcmp(of, "node") || !strcmp(of, "all")};
    snprintf(k->id, sizeof k->id, "%s", id ? id : "");
    snprintf(k->name, sizeof k->name, "%s", name ? name : id ? id : "");
}

static void begin_graph(reader *r, const XML_Char **attributes)
{
    const char *way = attribute(attributes, "edgedefault");
    if (way)
        r->graph->direction = strcmp(way, "undirected") ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
}

/* An attribute of the node or edge that we are in. */
static void use(reader *r, const key *k, const char *value)
{
    if (r->in_node && k->of_nodes && !r->status)
        r->status = np_builder_attribute(r->graph, r->node, field_of(k->name), field_of(value));
    else if (r->in_edge && k->of_edges && !r->status) {
        if (np_builder_is_width(r->graph, field_of(k->name)))
            r->status = np_builder_width(r->graph, &r->text, field_of(value), &r->width);
        else
            r->graph->ignored = "attributes of edges are not used (width=NAME: one is the number of parallel links)";
    }
}

static void use_presets(reader *r)
{
    for (size_t i = 0; i < r->keys; i++)
        if (*r->key[i].preset)
            use(r, &r->key[i], r->key[i].preset);
}

static void begin_node(reader *r, const XML_Char **attributes)
{
    const char *id = attribute(attributes, "id");
    r->in_node = true;
    r->status = np_builder_node(r->graph, &r->text, field_of(id ? id : ""), &r->node);
    use_presets(r);
}

static void begin_edge(reader *r, const XML_Char **attributes)
{
    const char *from = attribute(attributes, "source"), *to = attribute(attributes, "target");
    const char *directed = attribute(attributes, "directed");
    bool arc = directed && !strcmp(directed, "true");
    r->in_edge = true;
    r->width = 1;
    r->undirected = directed && !arc && r->graph->direction == NP_GRAPH_DIRECTED;
    if (!from || !to)
        r->status = np_text_raise(&r->text, NP_ERROR_INPUT, "an edge without %s", from ? "target" : "source");
    else if (arc && r->graph->direction == NP_GRAPH_UNDIRECTED)
        r->status = np_text_raise(&r->text, NP_ERROR_INPUT,
                                  "a directed edge in a graph of undirected ones: write edgedefault=\"directed\"");
    else if (!(r->status = np_builder_node(r->graph, &r->text, field_of(from), &r->from)))
        r->status = np_builder_node(r->graph, &r->text, field_of(to), &r->to);
    use_presets(r);
}

static void begin_data(reader *r, const XML_Char **attributes)
{
    const char *id = attribute(attributes, "key");
    r->length = 0;
    for (size_t i = 0; id && i < r->keys; i++)
        if (!strcmp(r->key[i].id, id))
            r->data = &r->key[i];
}

static void XMLCALL begin(void *context, const XML_Char *name, const XML_Char **attributes)
{
    static const struct {
        const char *name;
        void (*begin)(reader *r, const XML_Char **attributes);
    } elements[] = {{"key", begin_key},   {"graph", begin_graph}, {"node", begin_node},
                    {"edge", begin_edge}, {"data", begin_data},   {NULL, NULL}};
    reader *r = context;
    if (r->status)
        return; /* a stopped parser still ends what it has begun */
    r->text.line = XML_GetCurrentLineNumber(r->parser);
    name = local(name);
    if (!r->seen && strcmp(name, "graphml"))
        r->status = np_text_raise(&r->text, NP_ERROR_INPUT, "an XML file of '%.40s': only GraphML is read", name);
    r->seen = true;
    if (!strcmp(name, "hyperedge"))
        r->status = np_text_raise(&r->text, NP_ERROR_INPUT, "a hyperedge: links have two ends");
    if (!strcmp(name, "default") && r->keys) {
        r->preset = true;
        r->length = 0;
    }
    for (size_t i = 0; elements[i].name && !r->status; i++)
        if (!strcmp(elements[i].name, name))
            elements[i].begin(r, attributes);
    if (r->status)
        XML_StopParser(r->parser, XML_FALSE);
}

static void end_edge(reader *r)
{
    r->in_edge = false;
    r->status = np_builder_link(r->graph, &r->text, r->from, r->to, r->width);
    if (!r->status && r->undirected && r->from != r->to)
        r->status = np_builder_link(r->graph, &r->text, r->to, r->from, r->width);
}

static void end_text(reader *r)
{
    r->value[r->length < SHORT_TEXT ? r->length : SHORT_TEXT - 1] = 0;
    if (r->preset)
        snprintf(r->key[r->keys - 1].preset, sizeof r->key->preset, "%.60s", r->value);
    else
        use(r, r->data, r->value);
    r->preset = false;
    r->data = NULL;
}

static void XMLCALL end(void *context, const XML_Char *name)
{
    reader *r = context;
    if (r->status)
        return;
    r->text.line = XML_GetCurrentLineNumber(r->parser);
    name = local(name);
    if ((r->data && !strcmp(name, "data")) || (r->preset && !strcmp(name, "default")))
        end_text(r);
    else if (!strcmp(name, "node"))
        r->in_node = false;
    else if (!strcmp(name, "edge") && r->in_edge)
        end_edge(r);
    if (r->status)
        XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL characters(void *context, const XML_Char *text, int length)
{
    reader *r = context;
    size_t room = r->length < SHORT_TEXT ? SHORT_TEXT - r->length : 0,
           kept = (size_t)length < room ? (size_t)length : room;
    if (!r->data && !r->preset)
        return;
    memcpy(r->value + r->length, text, kept);
    r->length += kept;
}

/* Feeds the whole text piece by piece. */
static np_status parse(reader *r, const np_text *text)
{
    const char *at = text->at;
    for (bool last = false; !last;) {
        size_t length = (size_t)(text->end - at) < PIECE ? (size_t)(text->end - at) : PIECE;
        last = at + length == text->end;
        if (XML_Parse(r->parser, at, (int)length, last) != XML_STATUS_OK) {
            if (r->status)
                return r->status;
            if (XML_GetErrorCode(r->parser) == XML_ERROR_NO_MEMORY)
                return NP_ERROR_MEMORY; /* np_memory_lend says what was wanted */
            r->text.line = XML_GetCurrentLineNumber(r->parser);
            return np_text_raise(&r->text, NP_ERROR_INPUT, "this is no XML: %s",
                                 XML_ErrorString(XML_GetErrorCode(r->parser)));
        }
        at += length;
    }
    return NP_OK;
}

static np_status read(np_builder *graph, np_text *text)
{
    reader *r;
    np_status st = np_memory_zeroed(&r, 1, sizeof *r, "a reader of GraphML");
    if (st)
        return st;
    r->graph = graph;
    r->text = *text;
    graph->naming = NP_GRAPH_NAMED;
    static const XML_Memory_Handling_Suite memory = {np_memory_lend, np_memory_lend_again, np_memory_free};
    if (!(r->parser = XML_ParserCreate_MM(NULL, &memory, NULL)))
        st = NP_ERROR_MEMORY;
    else {
        XML_SetUserData(r->parser, r);
        XML_SetElementHandler(r->parser, begin, end);
        XML_SetCharacterDataHandler(r->parser, characters);
        st = parse(r, text);
        XML_ParserFree(r->parser);
    }
    text->line = r->text.line;
    np_memory_free(r);
    return st;
}

#else

static np_status read(np_builder *graph, np_text *text)
{
    (void)graph;
    text->line = 1;
    return np_text_raise(
        text, NP_ERROR_APPLY,
        "GraphML cannot be read: netpram was built without expat. Build it again with libexpat1-dev, or "
        "write a list of links");
}

#endif

const np_graph_format np_format_graphml = {
    .info = {"graphml", "a GraphML file", "Brandes et al. 2002"},
    .recognizes = recognizes,
    .read = read,
};
