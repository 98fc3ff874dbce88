/*
 * From a builder to a network: gaps of numbers are closed, the direction is decided, the rows are filled by a counting
 * sort, which keeps the order of the file within a node, and what was assumed is noted. An undirected edge is a link
 * each way, at its place in the order of both nodes.
 */
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/room.h"
#include "model/format/builder.h"
#include "model/format/labels.h"
#include "model/format/link_columns.h"
#include "model/network/attributes.h"

#define ISOLATED_MAX ((uint64_t)1 << 20) /* ours: nodes without links that a file may promise, whatever its links */
enum { ISOLATED_PER_LINK = 16 };         /* ours: and more of them for each link */

/* ---- Numbers with gaps ---- */

/* Bits of the numbers that occur, and how many occur before each word of 64. */
typedef struct occurrence {
    uint64_t *bits;
    uint32_t *before;
    size_t words;
} occurrence;

static uint32_t rank_of(const occurrence *o, np_node u)
{
    return o->before[u / 64] + (uint32_t)__builtin_popcountll(o->bits[u / 64] & ((UINT64_C(1) << u % 64) - 1));
}

static np_status find_occurring(const np_builder *graph, occurrence *o, uint32_t *count)
{
    np_status st;
    o->words = graph->nodes / 64 + 1;
    if ((st = np_memory_zeroed(&o->bits, o->words, sizeof *o->bits, "the numbers of nodes")) ||
        (st = np_memory_array(&o->before, o->words, sizeof *o->before, "the numbers of nodes")))
        return st;
    for (size_t i = 0; i < graph->count; i++) {
        o->bits[graph->from[i] / 64] |= UINT64_C(1) << graph->from[i] % 64;
        o->bits[graph->to[i] / 64] |= UINT64_C(1) << graph->to[i] % 64;
    }
    *count = 0;
    for (size_t w = 0; w < o->words; w++) {
        o->before[w] = *count;
        *count += (uint32_t)__builtin_popcountll(o->bits[w]);
    }
    return NP_OK;
}

/* The marks of hosts go along with their nodes. */
static void move_marks(np_builder *graph, const occurrence *o)
{
    for (uint64_t u = 0; u < graph->host_room; u++) {
        uint8_t mark = graph->host[u];
        graph->host[u] = 0;
        if (u < graph->nodes && o->bits[u / 64] >> u % 64 & 1)
            graph->host[rank_of(o, (np_node)u)] = mark;
    }
}

/* The numbers that occur become the names of the nodes 0, 1, 2, ... */
static np_status name_by_numbers(np_builder *graph, const occurrence *o)
{
    char name[24];
    np_status st = NP_OK;
    uint32_t number;
    for (uint64_t u = 0; u < graph->nodes && !st; u++)
        if (o->bits[u / 64] >> u % 64 & 1)
            st = np_names_add(&graph->names, name, (size_t)snprintf(name, sizeof name, "%llu", (unsigned long long)u),
                              &number);
    for (size_t i = 0; i < graph->count; i++) {
        graph->from[i] = rank_of(o, graph->from[i]);
        graph->to[i] = rank_of(o, graph->to[i]);
    }
    move_marks(graph, o);
    return st;
}

static np_status close_gaps(np_builder *graph)
{
    occurrence o = {NULL, NULL, 0};
    uint32_t count = 0;
    np_status st = find_occurring(graph, &o, &count);
    if (!st && count < graph->nodes) {
        st = name_by_numbers(graph, &o);
        graph->nodes = count;
    }
    NP_MEMORY_FREE(o.bits, o.before);
    return st;
}

/* ---- The network ---- */

/* The notes in one line; none if there is nothing to say. */
static np_status join_notes(const np_builder *graph, const np_text *text, np_network *network)
{
    size_t room = strlen(text->name) + strlen(graph->format) + graph->notes.length + 2 * graph->notes.count + 20;
    np_status st = np_memory_array(&network->note, room, 1, "a note");
    if (st)
        return st;
    size_t at = (size_t)snprintf(network->note, room, "%s: read as %s", text->name, graph->format);
    for (uint32_t i = 0; i < graph->notes.count; i++)
        at += (size_t)snprintf(network->note + at, room - at, "; %s", np_names_get(&graph->notes, i));
    return NP_OK;
}

/* *to = the names, which are taken away. */
static np_status take(np_names *names, np_names **to, const char *what)
{
    np_status st = np_memory_zeroed(to, 1, sizeof **to, what);
    if (st)
        return st;
    **to = *names;
    *names = (np_names){.text = NULL};
    return NP_OK;
}

/* What the reader took for granted. */
static np_status note_attributes(np_builder *graph, const np_network *network)
{
    enum { SHOWN = 4 }; /* ours */
    size_t count = 0, length = 0;
    char names[200] = "";
    for (size_t i = 0; i < network->attributes; i++) {
        const char *name = network->attribute[i].name;
        if (!strcmp(name, NP_IB_PORT)) /* for forwarding tables, and no width */
            continue;
        if (count++ < SHOWN)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%.40s", length ? ", " : "", name);
    }
    if (!count)
        return NP_OK;
    if (count > SHOWN)
        snprintf(names + length, sizeof names - length, " and %zu more", count - SHOWN);
    return np_builder_note(graph, "links keep %s (width=NAME makes one the number of parallel links)", names);
}

static np_status note_labels(np_builder *graph)
{
    bool one = graph->unlabelled == 1;
    np_status st = NP_OK;
    if (graph->labels_unusable)
        return np_builder_note(graph, "nodes are called by their identifiers: their labels cannot tell them apart");
    if (graph->doubled)
        st = np_builder_note(graph, "%llu nodes share labels and are called label/identifier, such as '%s'",
                             (unsigned long long)graph->doubled, graph->doubled_name);
    if (st || !graph->labels.count || !graph->unlabelled)
        return st;
    return np_builder_note(graph, "%llu node%s no label and %s called by %s", (unsigned long long)graph->unlabelled,
                           one ? " has" : "s have", one ? "is" : "are", one ? "its identifier" : "their identifiers");
}

static np_status make_notes(np_builder *graph, const np_text *text, np_network *network)
{
    const np_text_field width = np_columns_width_name(graph);
    np_status st = NP_OK;
    if (graph->from_one)
        st = np_builder_note(graph, "its node 1 is node 0 here");
    if (!st && graph->ignored)
        st = np_builder_note(graph, "%s", graph->ignored);
    if (!st && graph->width_unit > 0 && graph->width_unit != 1)
        st = np_builder_note(graph, "the width of a link is its %.*s / %s", (int)width.length, width.at,
                             NP_REAL(graph->width_unit, 12));
    if (!st)
        st = note_attributes(graph, network);
    if (!st)
        st = note_labels(graph);
    if (!st && network->host && !graph->options->hosts)
        st = np_builder_note(graph, "packets go from host to host (hosts=* makes switches hosts, too)");
    if (st || !graph->notes.count || (st = join_notes(graph, text, network)))
        return st;
    return take(&graph->notes, &network->notes, "notes");
}

static np_status check_promise(const np_builder *graph, const np_text *text)
{
    uint64_t used = 0;
    if (graph->nodes <= ISOLATED_MAX + ISOLATED_PER_LINK * (uint64_t)graph->count)
        return NP_OK;
    for (size_t i = 0; i < graph->count; i++) {
        used = graph->from[i] >= used ? graph->from[i] + UINT64_C(1) : used;
        used = graph->to[i] >= used ? graph->to[i] + UINT64_C(1) : used;
    }
    return np_text_raise(
        text, NP_ERROR_LIMIT,
        "%llu nodes are promised, but only %zu links follow: most nodes would have none. Promise fewer: "
        "the links need %llu",
        (unsigned long long)graph->nodes, graph->count, (unsigned long long)used);
}

/* Is some link of the lists more than a line? */
static bool has_width(const np_builder *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->width || graph->width[i])
            return true;
    return false;
}

static np_status check_whole(const np_builder *graph, const np_text *text)
{
    const np_graph_options *options = graph->options;
    if (!graph->count)
        return np_text_raise(text, NP_ERROR_INPUT, "no links: %s",
                             graph->direction ? "a network has at least one" : "write lines 'from to'");
    if (!has_width(graph) && !options->weights)
        return np_text_raise(text, NP_ERROR_INPUT, "no links: the width of each is 0");
    if (options->width && !graph->wide && !options->weights)
        return np_text_raise(text, NP_ERROR_INPUT, "no link has an attribute '%s', which is to be the width",
                             options->width);
    return check_promise(graph, text);
}

np_status np_builder_complete(np_builder *graph, const np_text *text)
{
    np_status st = np_columns_settle_width(graph, text);
    if (!st)
        st = check_whole(graph, text);
    return !st && graph->naming == NP_GRAPH_WHOLE && !graph->options->numbered ? close_gaps(graph) : st;
}

/* The hosts that the format tells from switches; none are if all nodes are hosts. */
static np_status set_told_hosts(const np_builder *graph, np_network *network)
{
    uint64_t told = 0;
    uint8_t *mark;
    np_status st;
    for (size_t u = 0; u < graph->host_room && u < network->nodes; u++)
        told += graph->host[u] & NP_HOST_TOLD;
    if (!told || told == network->nodes)
        return NP_OK;
    if ((st = np_memory_zeroed(&mark, network->nodes, sizeof *mark, "the hosts of a network")))
        return st;
    for (size_t u = 0; u < graph->host_room && u < network->nodes; u++)
        mark[u] = graph->host[u] & NP_HOST_TOLD;
    st = np_network_set_hosts(network, mark);
    np_memory_free(mark);
    return st;
}

static np_status choose_hosts(const np_builder *graph, np_network *network)
{
    const np_host_marks marks = {graph->host, graph->host_room, graph->tagged};
    const char *hosts = graph->options->hosts;
    return hosts ? np_network_choose_hosts(network, hosts, &marks) : set_told_hosts(graph, network);
}

np_status np_builder_finish(np_builder *graph, const np_text *text, np_network *network)
{
    bool undirected;
    np_status st = np_builder_direct(graph, text, &undirected);
    if (st)
        return st;
    network->nodes = (np_node)graph->nodes;
    const np_link_lists lists = {graph->count, graph->from, graph->to, graph->width, undirected};
    if ((st = np_network_build_rows(network, &lists)) || (st = np_columns_take(graph, &lists, network)) ||
        (st = np_labels_settle(graph)))
        return st;
    if (graph->names.count && (st = take(&graph->names, &network->names, "the names of the nodes")))
        return st;
    st = choose_hosts(graph, network);
    return st ? st : make_notes(graph, text, network);
}
