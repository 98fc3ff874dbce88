/* See record.h: the names of a network's nodes, written once, as the lines of a file need them. */
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/written.h"
#include "show/record/record.h"
#include "show/table/csv.h"

/* Each name ends with a zero byte. */
static void write_names(np_sheet_names *names, const np_network *network, np_medium medium, FILE *stream)
{
    char room[NP_NAME_ROOM];
    for (np_node u = 0; u < np_network_nodes(network); u++) {
        names->at[u] = (size_t)ftello(stream);
        np_written(medium, np_network_node_name(network, u, room), stream);
        fputc(0, stream);
    }
}

static np_status fill(np_sheet_names *names, const np_network *network, np_medium medium)
{
    size_t size;
    np_status st = np_memory_array(&names->at, np_network_nodes(network), sizeof *names->at, "the names of the nodes");
    FILE *stream = st ? NULL : open_memstream(&names->text, &size);
    if (!stream)
        return st ? st : NP_RAISE(NP_ERROR_MEMORY, "no memory for the names of the nodes");
    write_names(names, network, medium, stream);
    bool failed = ferror(stream);
    if ((fclose(stream) || failed) && !st)
        st = NP_RAISE(NP_ERROR_MEMORY, "no memory for the names of the nodes");
    return st;
}

np_status np_sheet_names_init(np_sheet_names *names, const np_sheet *sheet, const np_network *network, bool json)
{
    char room[NP_NAME_ROOM];
    if (names->at || np_network_node_name(network, 0, room) == room)
        return NP_OK;
    bool shown = isatty(fileno(sheet->stream));
    np_status st = fill(names, network, json ? NP_MEDIUM_JSON : shown ? NP_MEDIUM_CSV_SHOWN : NP_MEDIUM_CSV);
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

void np_sheet_begin_line(const np_sheet *sheet, const np_event_phase *phase)
{
    fprintf(sheet->stream, "%u,%u,", phase->run, phase->phase);
    np_csv_text(phase->name, sheet->stream);
}
