/* GML: ASCII, with all other characters as &#N;. Keys of attributes are words. */
#include <string.h>

#include "network/writer.h"

/* The character that begins at *text, which is valid UTF-8; moves past it. */
static uint32_t take_character(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    unsigned more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
    uint32_t character = more ? *at & (0x3f >> more) : *at;
    for (unsigned i = 1; i <= more; i++)
        character = character << 6 | (at[i] & 0x3f);
    *text += more + 1;
    return character;
}

static void put(FILE *stream, const char *text)
{
    fputc('"', stream);
    while (*text) {
        uint32_t c = take_character(&text);
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

static void write(const np_listing *l, FILE *stream)
{
    char room[NP_NAME_ROOM];
    fprintf(stream, "graph [\n  directed %d\n%s", !l->undirected, l->multiple ? "  multigraph 1\n" : "");
    for (np_node u = 0; u < l->network->nodes; u++) {
        fprintf(stream, "  node [ id %u label ", u);
        put(stream, np_listing_name(l, u, room));
        fputs(l->hosts && np_network_is_host(l->network, u) ? " host 1 ]\n" : " ]\n", stream);
    }
    for (size_t i = 0; i < l->lines; i++) {
        fprintf(stream, "  edge [ source %u target %u", l->from[i], l->to[i]);
        np_listing_attributes(l, i, stream, put_attribute);
        fputs(" ]\n", stream);
    }
    fputs("]\n", stream);
}

const np_graph_writer np_writer_gml = {
    .info = {"gml", "GML", "Himsolt 1997"},
    .ending = ".gml",
    .keeps = NP_KEEPS_ALL,
    .refuses = refuses,
    .write = write,
};
