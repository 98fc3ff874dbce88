/* GraphML. The id of a node is its name; keys of attributes are declared. */
#include <string.h>

#include "model/format/writer.h"

static const np_escape escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {0, NULL}};

static void put(FILE *stream, const char *before, const char *text, const char *after)
{
    fputs(before, stream);
    np_put_escaped(stream, text, escapes);
    fputs(after, stream);
}

/* The key of an attribute is its name, so that it has no second one; "width" is the number of parallel links. */
static void put_keys(const np_listing *l, FILE *stream)
{
    if (l->hosts)
        fputs("  <key id=\"host\" for=\"node\" attr.name=\"host\" attr.type=\"boolean\"/>\n", stream);
    if (l->wide)
        fputs("  <key id=\"width\" for=\"edge\" attr.name=\"width\" attr.type=\"int\"/>\n", stream);
    for (size_t i = 0; i < l->network->attributes; i++) {
        const np_link_attribute *attribute = &l->network->attribute[i];
        if (!np_writes_attribute(attribute))
            continue;
        put(stream, "  <key id=\"link ", attribute->name, "\" for=\"edge\" attr.name=\"");
        put(stream, "", attribute->name,
            *attribute->unit ? "\" attr.type=\"string\"/>\n" : "\" attr.type=\"double\"/>\n");
    }
}

static void put_attribute(FILE *stream, const char *name, const char *value, bool number)
{
    (void)number;
    put(stream, strcmp(name, "width") ? "<data key=\"link " : "<data key=\"", name, "\">");
    put(stream, "", value, "</data>");
}

static void put_node(const np_listing *l, np_node u, bool host, FILE *stream)
{
    char room[NP_NAME_ROOM];
    put(stream, "    <node id=\"", np_listing_name(l, u, room),
        host ? "\"><data key=\"host\">true</data></node>\n" : "\"/>\n");
}

static void put_link(const np_listing *l, size_t i, FILE *stream)
{
    char room[NP_NAME_ROOM];
    put(stream, "    <edge source=\"", np_listing_name(l, l->from[i], room), "\" target=\"");
    put(stream, "", np_listing_name(l, l->to[i], room), "\">");
}

static void write(const np_listing *l, FILE *stream)
{
    static const np_graph_form form = {put_node, put_link, put_attribute, "", "", "</edge>\n"};
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
          stream);
    put_keys(l, stream);
    fprintf(stream, "  <graph edgedefault=\"%s\">\n", l->undirected ? "undirected" : "directed");
    np_write_graph(l, &form, stream);
    fputs("  </graph>\n</graphml>\n", stream);
}

const np_graph_writer np_writer_graphml = {
    .info = {"graphml", "GraphML", "Brandes et al. 2002"},
    .ending = ".graphml",
    .keeps = NP_KEEPS_ALL,
    .write = write,
};
