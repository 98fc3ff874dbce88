/*
 * The builder: links are kept as pairs of nodes until all are read, then
 * finish.c makes the network.
 *
 * What a file demands is compared with the memory that the system has before
 * it is taken: a width of 10^9, or a line that promises 10^9 nodes, is a typing
 * error more often than a network.
 */
#include "model/format/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/room.h"
#include "model/format/link_columns.h"
#include "model/format/labels.h"

void np_builder_init(np_builder *graph, const np_graph_options *options, uint64_t limit)
{
    *graph = (np_builder){.options = options, .limit = limit};
}

void np_builder_clear(np_builder *graph)
{
    NP_MEMORY_FREE(graph->from, graph->to, graph->width, graph->weight, graph->host);
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
