/* See record.h: the names of a network's nodes, written once, as the lines of a file need them. */
#include <stdlib.h>

#include "base/memory.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/record.h"

static np_status write_name(const char *name, bool json, FILE *stream)
{
    if (!json) {
        np_csv_field(name, stream);
        return NP_OK;
    }
    json_t *text = np_json_text(name);
    int failed = text ? json_dumpf(text, stream, JSON_ENCODE_ANY) : -1;
    json_decref(text);
    return failed ? NP_RAISE(NP_ERROR_MEMORY, "no memory for the names of the nodes") : NP_OK;
}

/* Each name ends with a zero byte. */
static np_status write_names(np_sheet_names *names, const np_network *network, bool json, FILE *stream)
{
    char room[NP_NAME_ROOM];
    np_status st = NP_OK;
    for (np_node u = 0; u < np_network_nodes(network) && !st; u++) {
        names->at[u] = (size_t)ftello(stream);
        st = write_name(np_network_node_name(network, u, room), json, stream);
        fputc(0, stream);
    }
    return st;
}

static np_status fill(np_sheet_names *names, const np_network *network, bool json)
{
    size_t size;
    np_status st = np_memory_array(&names->at, np_network_nodes(network), sizeof *names->at, "the names of the nodes");
    FILE *stream = st ? NULL : open_memstream(&names->text, &size);
    if (!stream)
        return st ? st : NP_RAISE(NP_ERROR_MEMORY, "no memory for the names of the nodes");
    st = write_names(names, network, json, stream);
    bool failed = ferror(stream);
    if ((fclose(stream) || failed) && !st)
        st = NP_RAISE(NP_ERROR_MEMORY, "no memory for the names of the nodes");
    return st;
}

np_status np_sheet_names_init(np_sheet_names *names, const np_network *network, bool json)
{
    char room[NP_NAME_ROOM];
    if (names->at || np_network_node_name(network, 0, room) == room)
        return NP_OK;
    np_status st = fill(names, network, json);
    if (st)
        np_sheet_names_clear(names);
    return st;
}

const char *np_sheet_name(const np_sheet_names *names, np_node node, char *room)
{
    if (names->at)
        return names->text + names->at[node];
    snprintf(room, NP_NAME_ROOM, "%u", node);
    return room;
}

void np_sheet_names_clear(np_sheet_names *names)
{
    free(names->text);
    np_memory_free(names->at);
    *names = (np_sheet_names){NULL, NULL};
}
