/* Node-link JSON, as networkx.node_link_graph and D3 read it. */
#include "model/format/writer.h"

static const np_escape escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {0, NULL}};

/* A node's id: a number where nodes have no names. */
static void put_id(const np_listing *l, FILE *stream, np_node node)
{
    char room[NP_NAME_ROOM];
    if (l->network->names)
        np_put_quoted(stream, np_listing_name(l, node, room), escapes);
    else
        fprintf(stream, "%u", node);
}

static void put_attribute(FILE *stream, const char *name, const char *value, bool number)
{
    fputs(", ", stream);
    np_put_quoted(stream, name, escapes);
    fputs(": ", stream);
    if (number)
        fputs(value, stream);
    else
        np_put_quoted(stream, value, escapes);
}

static void put_node(const np_listing *l, np_node u, bool host, FILE *stream)
{
    fputs("  {\"id\": ", stream);
    put_id(l, stream, u);
    fputs(host ? ", \"host\": true}" : "}", stream);
}

static void put_link(const np_listing *l, size_t i, FILE *stream)
{
    fputs("  {\"source\": ", stream);
    put_id(l, stream, l->from[i]);
    fputs(", \"target\": ", stream);
    put_id(l, stream, l->to[i]);
}

static void write(const np_listing *l, FILE *stream)
{
    static const np_graph_form form = {put_node, put_link, put_attribute, ",\n", "\n ],\n \"links\": [\n", "}"};
    fprintf(stream, "{\"directed\": %s, \"multigraph\": %s, \"graph\": {},\n \"nodes\": [\n",
            l->undirected ? "false" : "true", l->multiple ? "true" : "false");
    np_write_graph(l, &form, stream);
    fputs(l->lines ? "\n ]}\n" : " ]}\n", stream);
}

const np_graph_writer np_writer_json = {
    .info = {"node-link", "node-link JSON", "", .aliases = "json"},
    .ending = ".json",
    .keeps = NP_KEEPS_ALL,
    .write = write,
};
