/* DOT. In quotes it has one escape, \" for a quote; so a backslash before a quote or at the end cannot be written. */
#include <string.h>

#include "network/writer.h"

static const np_escape escapes[] = {{'"', "\\\""}, {0, NULL}};

/* Is a run of an odd number of backslashes before a quote or the end? */
static bool ends_in_backslash(const char *name)
{
    size_t run = 0;
    for (; *name; name++) {
        if (*name == '"' && run % 2)
            return true;
        run = *name == '\\' ? run + 1 : 0;
    }
    return run % 2;
}

static np_status refuses(const np_listing *l)
{
    char room[NP_NAME_ROOM];
    for (np_node u = 0; l->network->names && u < l->network->nodes; u++)
        if (ends_in_backslash(np_listing_name(l, u, room)))
            return NP_RAISE(NP_ERROR_APPLY,
                            "node %u is called '%.60s': DOT has no way to write a backslash there: write .gml", u,
                            np_listing_name(l, u, room));
    return NP_OK;
}

static void put(FILE *stream, const char *text)
{
    fputc('"', stream);
    np_put_escaped(stream, text, escapes);
    fputc('"', stream);
}

static void put_attribute(FILE *stream, const char *name, const char *value, bool number)
{
    (void)number;
    fputs(" [", stream);
    put(stream, name);
    fputc('=', stream);
    put(stream, value);
    fputc(']', stream);
}

static void write(const np_listing *l, FILE *stream)
{
    char room[NP_NAME_ROOM];
    fprintf(stream, "%s {\n", l->undirected ? "graph" : "digraph");
    for (np_node u = 0; u < l->network->nodes; u++) {
        fputs("  ", stream);
        put(stream, np_listing_name(l, u, room));
        fputs(l->hosts && np_network_is_host(l->network, u) ? " [host=true];\n" : ";\n", stream);
    }
    for (size_t i = 0; i < l->lines; i++) {
        fputs("  ", stream);
        put(stream, np_listing_name(l, l->from[i], room));
        fputs(l->undirected ? " -- " : " -> ", stream);
        put(stream, np_listing_name(l, l->to[i], room));
        np_listing_attributes(l, i, stream, put_attribute);
        fputs(";\n", stream);
    }
    fputs("}\n", stream);
}

const np_graph_writer np_writer_dot = {
    .info = {"dot", "DOT", "Gansner & North 2000"},
    .ending = ".dot",
    .other = ".gv",
    .keeps = NP_KEEPS_ALL,
    .refuses = refuses,
    .write = write,
};
