/*
 * How large a file of events will be, before it is written. A line has about as many bytes as those of large runs have
 * (ours, measured). Of a trace the hops are foreseen, and not the waiting: a mean distance for each packet, or the
 * levels of a leveled network. Where it is not known how many runs and phases there will be, the sizes of phases add up
 * as they come. What is not known before is watched: a run is stopped before its files take more of the disk than is
 * allowed.
 */
#include <math.h>

#include "base/disk.h"
#include "base/memory.h"
#include "model/network/search.h"
#include "show/picture/picture.h"

enum { SOURCES = 8 };  /* ours: nodes from which distances are searched */
#define TOLD_FROM 50e6 /* ours: smaller files surprise nobody */

/* ---- Hops ---- */

/* Edges stand in the order of the nodes that they leave, which is that of the levels. */
static np_status count_levels(const np_event_leveled *lv, double *out)
{
    uint32_t *level, last = 0;
    np_status st = np_memory_zeroed(&level, lv->nodes, sizeof *level, "the levels of a network");
    if (st)
        return st;
    for (uint32_t e = 0; e < lv->edges; e++) {
        level[lv->head[e]] = level[lv->tail[e]] + 1;
        last = level[lv->head[e]] > last ? level[lv->head[e]] : last;
    }
    np_memory_free(level);
    *out = last;
    return NP_OK;
}

static double sum_distances(np_search *search, np_node from, np_node nodes, uint32_t *distance)
{
    double sum = 0;
    np_search_distances(search, from, false, distance);
    for (np_node v = 0; v < nodes; v++)
        sum += distance[v] == NP_NONE ? 0 : distance[v];
    return sum;
}

/* From some nodes to all. */
static np_status average_distance(const np_network *network, double *out)
{
    np_node nodes = np_network_nodes(network), sources = nodes < SOURCES ? nodes : SOURCES;
    np_search search;
    uint32_t *distance = NULL;
    np_status st = np_search_init(&search, network);
    *out = 0;
    if (!st && !(st = np_memory_array(&distance, nodes, sizeof *distance, "distances")))
        for (np_node i = 0; i < sources; i++)
            *out += sum_distances(&search, (np_node)((uint64_t)nodes * i / sources), nodes, distance) / nodes / sources;
    np_memory_free(distance);
    np_search_clear(&search);
    return st;
}

np_status np_sheet_hops(const np_event_phase *phase, double *out)
{
    *out = phase->packets ? (double)phase->hops / phase->packets : 0;
    if (phase->hops)
        return NP_OK;
    return phase->leveled ? count_levels(phase->leveled, out) : average_distance(phase->network, out);
}

/* ---- The file ---- */

static const char *path_of(const np_sheet *sheet)
{
    if (!sheet->kind->path)
        return sheet->options->picture->picture;
    return *(const char *const *)((const char *)sheet->options + sheet->kind->path);
}

/* Adds what the phase will take, or what all phases will, if their number is known. */
static np_status add_phase(np_sheet *sheet, const np_event_phase *phase)
{
    const np_sheet_kind *kind = sheet->kind;
    double bytes = kind->lines ? kind->line_bytes * kind->lines(phase) : 0;
    np_status st;
    if (!kind->of_runs && phase->run && !phase->runs)
        return NP_OK;
    if (kind->bytes && (st = kind->bytes(sheet, phase, &bytes)))
        return st;
    sheet->sized = phase->runs && phase->phases;
    if (sheet->sized)
        bytes *= (double)phase->phases * (kind->of_runs ? phase->runs : 1);
    if (!sheet->sized && kind->of_runs)
        bytes += (double)ftello(sheet->stream) - sheet->size; /* what the phases before have taken is known now */
    sheet->size += bytes;
    return NP_OK;
}

static np_status refuse(const np_sheet *sheet, double room)
{
    return NP_RAISE(NP_ERROR_LIMIT,
                    "%.100s will have about %s or more, and %s are free there: more than a quarter is written by force "
                    "only",
                    path_of(sheet), np_size_show(sheet->size).text, np_size_show(room).text);
}

/* What the disk had when the first phase began; infinite: the file is on none. */
static double room_of(np_sheet *sheet)
{
    uint64_t room;
    if (!sheet->room)
        sheet->room = sheet->output && np_disk_free(np_output_stream(sheet->output), &room) ? (double)room : INFINITY;
    return sheet->room;
}

np_status np_sheet_watch(np_sheet *sheet)
{
    double room = sheet->options->force ? INFINITY : room_of(sheet);
    if (isinf(room) || (double)ftello(np_output_stream(sheet->output)) <= room / 4)
        return NP_OK;
    return NP_RAISE(NP_ERROR_LIMIT,
                    "%.100s has a quarter of the %s that were free there, and is not at its end: more is written by "
                    "force only",
                    path_of(sheet), np_size_show(room).text);
}

np_status np_sheet_size(np_sheet *sheet, const np_event_phase *phase)
{
    const np_record_options *o = sheet->options;
    double room = room_of(sheet);
    np_status st;
    if ((!sheet->kind->lines && !sheet->kind->bytes) || sheet->sized || isinf(room))
        return NP_OK;
    if ((st = add_phase(sheet, phase)))
        return st;
    if (!o->force && sheet->size > room / 4)
        return refuse(sheet, room);
    if (o->on_size && sheet->size >= TOLD_FROM && sheet->size >= 2 * sheet->told) {
        o->on_size(o->on_size_context, path_of(sheet), (uint64_t)sheet->size);
        sheet->told = sheet->size;
    }
    return NP_OK;
}
