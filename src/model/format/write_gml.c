/* GML: ASCII, with all other characters as &#N;. Keys of attributes are words. */
#include <string.h>

#include "base/written.h"
#include "model/format/writer.h"

static void put(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (size_t bytes; *text; text += bytes) {
        uint32_t c;
        bool plain;
        bytes = np_written_next(text, &c, &plain);
        if (c < 127 && c != '"' && c != '&')
            fputc((int)c, stream);
        else
            fprintf(stream, "&#%u;", c);
    }
    fputc('"', stream);
}

static bool is_word(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", more[] = "0123456789_";
    size_t first = strspn(name, letters);
    while (first && name[first] && (strchr(letters, name[first]) || strchr(more, name[first])))
        first++;
    return first && !name[first];
}

static np_status refuses(const np_listing *l)
{
    for (size_t i = 0; i < l->network->attributes; i++)
        if (!is_word(l->network->attribute[i].name))
            return NP_RAISE(NP_ERROR_APPLY, "links have an attribute '%.60s', which is no word of GML: write .graphml",
                            l->network->attribute[i].name);
    return NP_OK;
}

static void put_attribute(FILE *stream, const char *name, const char *value, bool number)
{
    fprintf(stream, " %s ", name);
    if (number)
        fputs(value, stream);
    else
        put(stream, value);
}

static void put_node(const np_listing *l, np_node u, bool host, FILE *stream)
{
    char room[NP_NAME_ROOM];
    fprintf(stream, "  node [ id %u label ", u);
    put(stream, np_listing_name(l, u, room));
    fputs(host ? " host 1 ]\n" : " ]\n", stream);
}

static void put_link(const np_listing *l, size_t i, FILE *stream)
{
    fprintf(stream, "  edge [ source %u target %u", l->from[i], l->to[i]);
}

static void write(const np_listing *l, FILE *stream)
{
    static const np_graph_form form = {put_node, put_link, put_attribute, "", "", " ]\n"};
    fprintf(stream, "graph [\n  directed %d\n%s", !l->undirected, l->multiple ? "  multigraph 1\n" : "");
    np_write_graph(l, &form, stream);
    fputs("]\n", stream);
}

const np_graph_writer np_writer_gml = {
    .info = {"gml", "GML", "Himsolt 1997"},
    .ending = ".gml",
    .keeps = NP_KEEPS_ALL,
    .refuses = refuses,
    .write = write,
};
