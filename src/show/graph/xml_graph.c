/* Values of attributes are set when their elements end; defaults when the node or edge begins, so that values come
 * later. */
#include "show/graph/xml_graph.h"

#include <stdio.h>

#include "base/memory.h"

void np_xml_graph_refuse(np_xml_graph *r, const char *what)
{
    if (!r->xml.status)
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_INPUT, "%s", what);
}

/* ---- Attributes ---- */

void np_xml_graph_declare(np_xml_graph *r, const char *id, const char *name, bool of_nodes, bool of_edges)
{
    if (r->keys == NP_XML_KEYS_MAX) {
        r->xml.status =
            np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "more than %d declared attributes", NP_XML_KEYS_MAX);
        return;
    }
    np_xml_key *k = &r->key[r->keys++];
    *k = (np_xml_key){.of_nodes = of_nodes, .of_edges = of_edges};
    size_t longest = (size_t)snprintf(k->id, sizeof k->id, "%s", id ? id : "");
    size_t other = (size_t)snprintf(k->name, sizeof k->name, "%s", name ? name : id ? id : "");
    if (longest >= sizeof k->id || other >= sizeof k->name)
        r->xml.status =
            np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "attribute '%.40s...': at most %zu characters are read",
                          k->name, sizeof k->name - 1);
}

static bool is_of(const np_xml_graph *r, const np_xml_key *k)
{
    return r->in_edge ? k->of_edges : r->depth && k->of_nodes;
}

const np_xml_key *np_xml_graph_key(const np_xml_graph *r, const char *id)
{
    for (size_t i = r->keys; id && i-- > 0;)
        if (is_of(r, &r->key[i]) && !strcmp(r->key[i].id, id))
            return &r->key[i];
    return NULL;
}

void np_xml_graph_set(np_xml_graph *r, const char *name, const char *value)
{
    const np_text_field n = np_xml_field(name), v = np_xml_field(value);
    if (r->xml.status)
        return;
    if (r->in_edge)
        r->xml.status = np_builder_link_attribute(r->graph, &r->xml.text, r->first, n, v);
    else if (r->depth)
        r->xml.status = np_builder_attribute(r->graph, &r->xml.text, r->node[r->depth - 1], n, v);
}

static void set_presets(np_xml_graph *r)
{
    for (size_t i = 0; i < r->keys; i++)
        if (*r->key[i].preset && is_of(r, &r->key[i]))
            np_xml_graph_set(r, r->key[i].name, r->key[i].preset);
}

void np_xml_graph_default(np_xml_graph *r, const char **attributes)
{
    (void)attributes;
    r->preset = r->keys;
    if (r->preset)
        np_xml_collect(&r->xml);
}

/* ---- Nodes and edges ---- */

void np_xml_graph_node(np_xml_graph *r, const char *id)
{
    if (r->depth == NP_XML_DEPTH_MAX) {
        r->xml.status = np_text_raise(&r->xml.text, NP_ERROR_LIMIT, "more than %d nodes of %s within each other",
                                      NP_XML_DEPTH_MAX, r->xml.format);
        return;
    }
    r->xml.status = np_builder_node(r->graph, &r->xml.text, np_xml_field(id ? id : ""), &r->node[r->depth++]);
    set_presets(r);
}

void np_xml_graph_edge(np_xml_graph *r, np_node from, np_node to, bool back)
{
    r->in_edge = true;
    r->first = r->graph->count;
    r->xml.status = np_builder_link(r->graph, &r->xml.text, from, to, 1);
    if (!r->xml.status && back && from != to)
        r->xml.status = np_builder_link(r->graph, &r->xml.text, to, from, 1);
    set_presets(r);
}

/* ---- The text ---- */

static np_xml_graph *reader_of(np_xml *xml) { return (np_xml_graph *)xml; } /* its first member */

static void begin(np_xml *xml, const char *name, const char **attributes)
{
    for (const np_xml_element *e = reader_of(xml)->element; e->name; e++)
        if (!strcmp(e->name, name))
            e->begin(reader_of(xml), attributes);
}

static void end_text(np_xml_graph *r)
{
    const char *value = np_xml_take(&r->xml);
    if (r->preset)
        snprintf(r->key[r->keys - 1].preset, sizeof r->key->preset, "%.60s", value);
    else
        np_xml_graph_set(r, r->data->name, value);
    r->preset = false;
    r->data = NULL;
}

static void end(np_xml *xml, const char *name)
{
    np_xml_graph *r = reader_of(xml);
    if ((r->data && !strcmp(name, "data")) || (r->preset && !strcmp(name, "default")))
        end_text(r);
    else if (!strcmp(name, "node"))
        r->depth -= r->depth > 0;
    else if (!strcmp(name, "edge"))
        r->in_edge = false;
}

np_status np_xml_graph_read(np_builder *graph, np_text *text, const char *root, const char *format,
                            const np_xml_element *elements)
{
    np_xml_graph *r;
    np_status st = np_memory_zeroed(&r, 1, sizeof *r, "a reader of XML");
    if (st)
        return st;
    r->xml = (np_xml){.root = root, .format = format, .begin = begin, .end = end};
    r->graph = graph;
    r->element = elements;
    graph->naming = NP_GRAPH_NAMED;
    st = np_xml_read(&r->xml, text);
    np_memory_free(r);
    return st;
}
