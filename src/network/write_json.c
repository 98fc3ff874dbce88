/* Node-link JSON, as networkx.node_link_graph and D3 read it. */
#include "network/writer.h"

static const np_escape escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {0, NULL}};

static void put(FILE *stream, const char *text)
{
    fputc('"', stream);
    np_put_escaped(stream, text, escapes);
    fputc('"', stream);
}

/* A node's id: a number where nodes have no names. */
static void put_id(const np_listing *l, FILE *stream, np_node node)
{
    char room[NP_NAME_ROOM];
    if (l->network->names)
        put(stream, np_listing_name(l, node, room));
    else
        fprintf(stream, "%u", node);
}

static void put_attribute(FILE *stream, const char *name, const char *value, bool number)
{
    fputs(", ", stream);
    put(stream, name);
    fputs(": ", stream);
    if (number)
        fputs(value, stream);
    else
        put(stream, value);
}

static void write(const np_listing *l, FILE *stream)
{
    fprintf(stream, "{\"directed\": %s, \"multigraph\": %s, \"graph\": {},\n \"nodes\": [\n",
            l->undirected ? "false" : "true", l->multiple ? "true" : "false");
    for (np_node u = 0; u < l->network->nodes; u++) {
        fputs("  {\"id\": ", stream);
        put_id(l, stream, u);
        fputs(l->hosts && np_network_is_host(l->network, u) ? ", \"host\": true}" : "}", stream);
        fputs(u + 1 < l->network->nodes ? ",\n" : "\n ],\n", stream);
    }
    fputs(" \"links\": [\n", stream);
    for (size_t i = 0; i < l->lines; i++) {
        fputs("  {\"source\": ", stream);
        put_id(l, stream, l->from[i]);
        fputs(", \"target\": ", stream);
        put_id(l, stream, l->to[i]);
        np_listing_attributes(l, i, stream, put_attribute);
        fputs(i + 1 < l->lines ? "},\n" : "}\n", stream);
    }
    fputs(" ]}\n", stream);
}

const np_graph_writer np_writer_json = {
    .info = {"node-link", "node-link JSON", "", .aliases = "json"},
    .ending = ".json",
    .keeps = NP_KEEPS_ALL,
    .write = write,
};
