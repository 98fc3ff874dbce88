/*
 * The builder: links are kept as pairs of nodes until all are read, then the
 * network's rows are filled by a counting sort, which keeps the order of the
 * file within a node. An undirected edge is a link each way, at its place in
 * the order of both nodes.
 *
 * What a file demands is compared with the memory that the system has before
 * it is taken: a width of 10^9, or a line that promises 10^9 nodes, is a typing
 * error more often than a network.
 */
#include "model/format/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/room.h"
#include "model/format/link_columns.h"
#include "model/format/labels.h"

#define ISOLATED_MAX ((uint64_t)1 << 20) /* ours: nodes without links that a file may promise, whatever its links */
enum { ISOLATED_PER_LINK = 16 };         /* ours: and more of them for each link */

void np_builder_init(np_builder *graph, const np_graph_options *options, uint64_t limit)
{
    *graph = (np_builder){.options = options, .limit = limit};
}

void np_builder_clear(np_builder *graph)
{
    np_memory_free(graph->from);
    np_memory_free(graph->to);
    np_memory_free(graph->width);
    np_memory_free(graph->weight);
    np_memory_free(graph->host);
    np_columns_clear(graph);
    np_labels_clear(graph);
    np_names_clear(&graph->names);
    np_names_clear(&graph->notes);
    *graph = (np_builder){.options = NULL};
}

/* ---- Nodes ---- */

np_status np_builder_fix(np_builder *graph, const np_text *text, uint64_t nodes)
{
    if (nodes > graph->limit)
        return np_text_raise(text, NP_ERROR_INPUT, "%llu nodes: at most %llu are read", (unsigned long long)nodes,
                             (unsigned long long)graph->limit);
    graph->naming = NP_GRAPH_NUMBERED;
    graph->nodes = nodes;
    return NP_OK;
}

static np_status number_of(np_builder *graph, const np_text *text, np_text_field name, np_node *out)
{
    bool fixed = graph->naming == NP_GRAPH_NUMBERED;
    uint64_t value, first = graph->from_one, last = (fixed ? graph->nodes : graph->limit) - !graph->from_one;
    np_status st = np_text_number_of(text, name, "node", first, last, &value);
    if (st)
        return st;
    value -= first;
    *out = (np_node)value;
    if (!fixed && value >= graph->nodes)
        graph->nodes = value + 1;
    return NP_OK;
}

static np_status node_of(np_builder *graph, const np_text *text, np_text_field name, np_node *out)
{
    if (!name.length)
        return np_text_raise(text, NP_ERROR_INPUT, "a node without a name");
    if (graph->names.count == graph->limit && np_names_find(&graph->names, name.at, name.length) == NP_NONE)
        return np_text_raise(text, NP_ERROR_LIMIT, "node '%s' is one too many: at most %llu are read",
                             np_text_show_field(name).text, (unsigned long long)graph->limit);
    np_status st = np_names_add(&graph->names, name.at, name.length, out);
    graph->nodes = graph->names.count;
    return st;
}

np_status np_builder_node(np_builder *graph, const np_text *text, np_text_field name, np_node *out)
{
    char *room;
    if (graph->naming != NP_GRAPH_NAMED)
        return number_of(graph, text, name, out);
    np_status st = np_text_unquote(text, name, &name, &room);
    if (!st)
        st = node_of(graph, text, name, out);
    np_memory_free(room);
    return st;
}

static bool is_word(np_text_field field, const char *word, size_t length)
{
    return field.length == length && !memcmp(field.at, word, length);
}

static bool is_truth(np_text_field value) { return is_word(value, "true", 4) || is_word(value, "1", 1); }

/* Sets or takes away the mark. */
static np_status mark_host(np_builder *graph, np_node node, uint8_t mark, bool set)
{
    if (node >= graph->host_room && !set)
        return NP_OK;
    np_status st = np_memory_reach(&graph->host, node, &graph->host_room, 1, "the hosts of a network");
    if (st)
        return st;
    graph->host[node] = (uint8_t)(set ? graph->host[node] | mark : graph->host[node] & ~mark);
    return NP_OK;
}

np_status np_builder_host(np_builder *graph, np_node node) { return mark_host(graph, node, NP_HOST_TOLD, true); }

np_status np_builder_attribute(np_builder *graph, const np_text *text, np_node node, np_text_field name,
                               np_text_field value)
{
    const char *hosts = graph->options->hosts, *equals = hosts ? strchr(hosts, '=') : NULL;
    np_status st;
    if (is_word(name, "label", 5) && (st = np_builder_label(graph, text, node, value)))
        return st;
    if (is_word(name, "host", 4) && (st = mark_host(graph, node, NP_HOST_TOLD, is_truth(value))))
        return st;
    if (!equals || !is_word(name, hosts, (size_t)(equals - hosts)))
        return NP_OK;
    graph->tagged = true;
    return mark_host(graph, node, NP_HOST_CHOSEN, is_word(value, equals + 1, strlen(equals + 1)));
}

/* ---- Links ---- */

static np_status grow(np_builder *graph)
{
    size_t room = graph->room ? 2 * graph->room : 1024;
    np_status st;
    if ((st = np_memory_grow(&graph->from, graph->count, room, sizeof *graph->from, "a file's links")) ||
        (st = np_memory_grow(&graph->to, graph->count, room, sizeof *graph->to, "a file's links")))
        return st;
    if (graph->width && (st = np_memory_grow(&graph->width, graph->count, room, sizeof *graph->width, "their widths")))
        return st;
    if (graph->options->weights &&
        (st = np_memory_grow(&graph->weight, graph->count, room, sizeof *graph->weight, "their weights")))
        return st;
    graph->room = room;
    return NP_OK;
}

np_status np_builder_begin_widths(np_builder *graph)
{
    if (graph->width)
        return NP_OK;
    np_status st = np_memory_array(&graph->width, graph->room, sizeof *graph->width, "the widths of a file's links");
    for (size_t i = 0; !st && i < graph->count; i++)
        graph->width[i] = 1;
    return st;
}

np_status np_builder_link(np_builder *graph, const np_text *text, np_node from, np_node to, uint64_t width)
{
    np_status st;
    if (graph->count == NP_NONE - 1)
        return np_text_raise(text, NP_ERROR_LIMIT, "more than %u links: their numbers have 32 bits", NP_NONE - 1);
    if (graph->count == graph->room && (st = grow(graph)))
        return st;
    if (width != 1 && (st = np_builder_begin_widths(graph)))
        return st;
    graph->from[graph->count] = from;
    graph->to[graph->count] = to;
    if (graph->width)
        graph->width[graph->count] = (uint32_t)width;
    if (graph->weight)
        graph->weight[graph->count] = 1;
    graph->count++;
    return NP_OK;
}

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
    np_memory_free(o.bits);
    np_memory_free(o.before);
    return st;
}

/* ---- The network ---- */

np_status np_builder_note(np_builder *graph, const char *format, ...)
{
    char note[256];
    uint32_t number;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    return np_names_add(&graph->notes, note, strlen(note), &number);
}

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
    size_t count = network->attributes, length = 0;
    char names[200] = "";
    if (!count)
        return NP_OK;
    for (size_t i = 0; i < count && i < SHOWN; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%.40s", i ? ", " : "",
                                   network->attribute[i].name);
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
