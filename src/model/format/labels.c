/*
 * Labels. Two tables of texts are all: the labels, of which several nodes may have the same one, and the names that are
 * made of them.
 */
#include "model/format/labels.h"

#include <stdio.h>
#include <string.h>

#include "base/room.h"

static const char what[] = "the labels of the nodes";

void np_labels_clear(np_builder *graph)
{
    np_names_clear(&graph->labels);
    np_memory_free(graph->label);
}

np_status np_builder_label(np_builder *graph, const np_text *text, np_node node, np_text_field label)
{
    uint32_t number;
    np_status st;
    if (!label.length)
        return NP_OK;
    if (memchr(label.at, 0, label.length))
        return np_text_raise(text, NP_ERROR_INPUT, "a zero byte in label '%s'", np_text_show_field(label).text);
    if ((st = np_memory_reach(&graph->label, node, &graph->label_room, sizeof *graph->label, what)))
        return st;
    if ((st = np_names_add(&graph->labels, label.at, label.length, &number)))
        return st;
    graph->label[node] = number + 1;
    return NP_OK;
}

/* The label's number + 1; 0: the node has none. */
static uint32_t label_of(const np_builder *graph, uint64_t node)
{
    return node < graph->label_room ? graph->label[node] : 0;
}

static const char *id_of(const np_builder *graph, uint64_t node, char room[24])
{
    if (graph->names.count)
        return np_names_get(&graph->names, (uint32_t)node);
    snprintf(room, 24, "%llu", (unsigned long long)node + graph->from_one);
    return room;
}

/* The name of a node, at the end of *text, which has room for `size` bytes. */
static np_status name_of(np_builder *graph, const uint32_t *uses, uint64_t node, char **text, size_t *size)
{
    char room[24];
    const char *id = id_of(graph, node, room);
    uint32_t label = label_of(graph, node);
    const char *own = label ? np_names_get(&graph->labels, label - 1) : "";
    size_t needs = strlen(own) + strlen(id) + 2;
    np_status st = np_memory_need(text, 0, needs, size, 1, what);
    if (st)
        return st;
    bool shared = label && uses[label - 1] > 1;
    snprintf(*text, *size, "%s%s%s", own, shared ? "/" : "", shared || !label ? id : "");
    graph->unlabelled += !label;
    if (shared && !graph->doubled++)
        snprintf(graph->doubled_name, sizeof graph->doubled_name, "%.60s", *text);
    return NP_OK;
}

/* Fills `names` with one name for each node; *same: two nodes would have one name. */
static np_status make_names(np_builder *graph, const uint32_t *uses, np_names *names, bool *same)
{
    char *text = NULL;
    size_t size = 0;
    np_status st = NP_OK;
    for (uint64_t u = 0; u < graph->nodes && !st && !*same; u++) {
        uint32_t number;
        if (!(st = name_of(graph, uses, u, &text, &size)) && !(st = np_names_add(names, text, strlen(text), &number)))
            *same = number != u;
    }
    np_memory_free(text);
    return st;
}

np_status np_labels_settle(np_builder *graph)
{
    np_names names = {.text = NULL};
    uint32_t *uses;
    np_status st;
    if (!graph->labels.count)
        return NP_OK;
    if ((st = np_memory_zeroed(&uses, graph->labels.count, sizeof *uses, what)))
        return st;
    for (uint64_t u = 0; u < graph->nodes; u++)
        if (label_of(graph, u))
            uses[label_of(graph, u) - 1]++;
    st = make_names(graph, uses, &names, &graph->labels_unusable);
    np_memory_free(uses);
    if (!st && !graph->labels_unusable) {
        np_names made = names;
        names = graph->names;
        graph->names = made;
    }
    np_names_clear(&names);
    return st;
}
