/* DOT. In quotes it has one escape, \" for a quote; so a backslash before a quote or at the end cannot be written. */
#include "model/format/writer.h"

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
            return NP_RAISE(NP_ERROR_APPLY, "node '%.60s': DOT has no way to write a backslash there: write .gml",
                            np_listing_name(l, u, room));
    return NP_OK;
}

static void put_attribute(FILE *stream, const char *name, const char *value, bool number)
{
    (void)number;
    fputs(" [", stream);
    np_put_quoted(stream, name, escapes);
    fputc('=', stream);
    np_put_quoted(stream, value, escapes);
    fputc(']', stream);
}

static void put_node(const np_listing *l, np_node u, bool host, FILE *stream)
{
    char room[NP_NAME_ROOM];
    fputs("  ", stream);
    np_put_quoted(stream, np_listing_name(l, u, room), escapes);
    fputs(host ? " [host=true];\n" : ";\n", stream);
}

static void put_link(const np_listing *l, size_t i, FILE *stream)
{
    char room[NP_NAME_ROOM];
    fputs("  ", stream);
    np_put_quoted(stream, np_listing_name(l, l->from[i], room), escapes);
    fputs(l->undirected ? " -- " : " -> ", stream);
    np_put_quoted(stream, np_listing_name(l, l->to[i], room), escapes);
}

static void write(const np_listing *l, FILE *stream)
{
    static const np_graph_form form = {put_node, put_link, put_attribute, "", "", ";\n"};
    fprintf(stream, "%s {\n", l->undirected ? "graph" : "digraph");
    np_write_graph(l, &form, stream);
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
