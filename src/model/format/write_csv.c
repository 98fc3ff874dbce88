/*
 * A list of links with named columns, by RFC 4180. Every link is a line, since a list cannot say that it is undirected.
 * Names that are texts are numbered by a reader in the order in which they come.
 */
#include <string.h>

#include "model/network/read_node.h"
#include "model/format/writer.h"

static bool is_whole(const char *name)
{
    uint64_t value;
    return np_text_whole((np_text_field){name, strlen(name)}, &value);
}

static bool all_whole(const np_listing *l)
{
    char room[NP_NAME_ROOM];
    for (np_node u = 0; l->network->names && u < l->network->nodes; u++)
        if (!is_whole(np_listing_name(l, u, room)))
            return false;
    return true;
}

/* Names that a reader takes for others: 007, if all are numbers; and those that a spreadsheet would compute. */
static np_status refuses(const np_listing *l)
{
    char room[NP_NAME_ROOM];
    bool whole = all_whole(l);
    for (np_node u = 0; l->network->names && u < l->network->nodes; u++) {
        const char *name = np_listing_name(l, u, room);
        if (strchr("=+-@", *name))
            return NP_RAISE(NP_ERROR_APPLY, "node '%.60s' begins like a formula of a spreadsheet: write .graphml",
                            name);
        if (whole && *name == '0' && name[1])
            return NP_RAISE(NP_ERROR_APPLY, "node '%.60s' is %s in a list: write .graphml", name,
                            name + strspn(name, "0"));
    }
    return NP_OK;
}

/* A reader numbers nodes by their first line. Whole numbers it sorts: then it needs to find them in ascending order. */
static void numbers(const np_listing *l, bool *nodes, bool *links)
{
    char room[NP_NAME_ROOM];
    np_node next = 0;
    *nodes = true;
    if (!l->network->names || all_whole(l)) {
        uint64_t last = 0, value = 0;
        for (np_node u = 0; u < l->network->nodes; u++, last = value) {
            const char *name = np_listing_name(l, u, room);
            *nodes &= np_text_whole((np_text_field){name, strlen(name)}, &value) && (!u || value > last);
        }
    } else {
        for (size_t i = 0; i < 2 * l->lines; i++) {
            np_node u = (i % 2 ? l->to : l->from)[i / 2];
            *nodes &= u <= next;
            next += u == next;
        }
    }
    *links = *nodes;
}

static void write(const np_listing *l, FILE *stream)
{
    const np_network *network = l->network;
    char room[NP_NAME_ROOM], value[64];
    fputs(l->wide ? "source,target,width" : "source,target", stream);
    for (size_t k = 0; k < network->attributes; k++)
        if (np_writes_attribute(&network->attribute[k])) {
            fputc(',', stream);
            np_put_word(stream, network->attribute[k].name);
        }
    fputc('\n', stream);
    for (size_t i = 0; i < l->lines; i++) {
        np_put_word(stream, np_listing_name(l, l->from[i], room));
        fputc(',', stream);
        np_put_word(stream, np_listing_name(l, l->to[i], room));
        if (l->wide)
            fprintf(stream, ",%u", l->width[i]);
        for (size_t k = 0; k < network->attributes; k++)
            if (np_writes_attribute(&network->attribute[k])) {
                const char *text = np_listing_value(l, i, &network->attribute[k], value);
                fputc(',', stream);
                if (text)
                    np_put_word(stream, text);
            }
        fputc('\n', stream);
    }
}

const np_graph_writer np_writer_csv = {
    .info = {"csv", "a list of links", ""},
    .ending = ".csv",
    .keeps = NP_KEEPS_NAMES | NP_KEEPS_WIDTHS | NP_KEEPS_ATTRIBUTES,
    .refuses = refuses,
    .numbers = numbers,
    .write = write,
};
