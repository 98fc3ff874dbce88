/*
 * What a DOT text builds, as Graphviz' library cgraph does:
 *
 *   - the nodes of a subgraph are those that are named in it, and in subgraphs within it. As an end of edges it stands
 *     for all of them, in the order of their numbers
 *   - a default is for nodes and edges that are made after it, in its subgraph
 *   - in a strict graph a second edge between the same nodes is the first one
 *   - an edge with a key is another one than those with other keys
 *
 * All open subgraphs share a few arrays, which are used as stacks. So there is no recursion.
 */
#include "model/format/dot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/account.h"
#include "base/order.h"
#include "base/room.h"

enum { DEPTH_MAX = 256 };         /* ours: bounds what closing subgraphs costs */
enum { PRODUCT_ASKED = 1 << 20 }; /* ours: edges of one operator that are made without asking for the memory left */

static const char what[] = "a DOT graph";

void np_dot_clear(np_dot *dot)
{
    for (size_t i = 0; i < dot->groups.count; i++)
        np_memory_free(dot->group[i].node);
    np_names_clear(&dot->groups);
    np_names_clear(&dot->pairs);
    NP_MEMORY_FREE(dot->group, dot->first, dot->frame, dot->member, dot->end, dot->edge, dot->preset, dot->word);
}

/* ---- Nodes ---- */

static np_status push(np_node **list, size_t *count, size_t *room, np_node node)
{
    np_status st = np_memory_room(list, *count, room, sizeof **list, what);
    if (!st)
        (*list)[(*count)++] = node;
    return st;
}

static np_text_field text_at(const np_dot *dot, size_t at, size_t length)
{
    return (np_text_field){dot->word + at, length};
}

static bool is(np_text_field name, const char *word)
{
    return name.length == strlen(word) && !memcmp(name.at, word, name.length);
}

/* The name of a node of DOT is its ID: what is drawn, the attribute "label", may be anything. */
static np_status set_node(np_dot *dot, np_node node, np_text_field name, np_text_field value)
{
    return is(name, "label") ? NP_OK : np_builder_attribute(dot->graph, dot->text, node, name, value);
}

static np_status set_edge(np_dot *dot, size_t link, np_text_field name, np_text_field value);

/* A new node, or link, has the attributes that were set for all. */
static np_status preset(np_dot *dot, np_dot_of of, size_t number)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < dot->presets && !st; i++) {
        const np_dot_default *p = &dot->preset[i];
        np_text_field name = text_at(dot, p->name, p->name_length), value = text_at(dot, p->value, p->value_length);
        if (p->of == of)
            st = of == NP_DOT_OF_NODES ? set_node(dot, (np_node)number, name, value)
                                       : set_edge(dot, number, name, value);
    }
    return st;
}

np_status np_dot_node(np_dot *dot, np_text_field name)
{
    uint64_t nodes = dot->graph->nodes;
    np_node node;
    np_status st = np_builder_node(dot->graph, dot->text, name, &node);
    if (!st && dot->graph->nodes > nodes)
        st = preset(dot, NP_DOT_OF_NODES, node);
    if (!st && dot->frames > 1)
        st = push(&dot->member, &dot->members, &dot->member_room, node);
    return st ? st : push(&dot->end, &dot->ends, &dot->end_room, node);
}

/* ---- Subgraphs ---- */

static np_status open_frame(np_dot *dot)
{
    np_status st = np_memory_room(&dot->frame, dot->frames, &dot->frame_room, sizeof *dot->frame, what);
    if (!st)
        dot->frame[dot->frames++] = (np_dot_frame){.members = dot->members,
                                                   .defaults = dot->presets,
                                                   .text = dot->words,
                                                   .ends = dot->ends,
                                                   .fresh = dot->ends,
                                                   .touched = dot->edges,
                                                   .id = dot->ids++};
    return st;
}

np_status np_dot_begin(np_dot *dot, np_builder *graph, np_text *text, bool strict)
{
    *dot = (np_dot){.graph = graph, .text = text, .strict = strict};
    return open_frame(dot);
}

/* The group of the name in the subgraph `id`: *group is its number. */
static np_status find_group(np_dot *dot, uint32_t id, np_text_field name, uint32_t *group)
{
    char *key;
    size_t known = dot->groups.count;
    np_status st = np_memory_array(&key, name.length + 16, 1, what);
    if (st)
        return st;
    size_t length = (size_t)snprintf(key, 16, "%u:", id);
    memcpy(key + length, name.at, name.length);
    if (!(st = np_memory_room(&dot->group, known, &dot->group_room, sizeof *dot->group, what)) &&
        !(st = np_names_add(&dot->groups, key, length + name.length, group)) && *group == known)
        dot->group[known] = (np_dot_group){NULL, 0, 0};
    np_memory_free(key);
    return st;
}

np_status np_dot_open(np_dot *dot, const np_text_field *name)
{
    uint32_t outer = np_dot_top(dot)->id, group;
    np_status st;
    if (dot->frames == DEPTH_MAX)
        return np_text_raise(dot->text, NP_ERROR_LIMIT, "more than %d subgraphs of DOT within each other", DEPTH_MAX);
    if ((st = open_frame(dot)) || !name)
        return st;
    if ((st = find_group(dot, outer, *name, &group)))
        return st;
    np_dot_top(dot)->group = group + 1;
    np_dot_top(dot)->id = UINT32_MAX - group;
    return NP_OK;
}

/* Sorts nodes, and leaves each once; returns how many are left. */
static size_t unite(np_node *node, size_t count)
{
    size_t left = 0;
    if (count)
        qsort(node, count, sizeof *node, np_order_numbers);
    for (size_t i = 0; i < count; i++)
        if (!left || node[left - 1] != node[i])
            node[left++] = node[i];
    return left;
}

/* A group keeps nodes, with those that it has: only edges need to know which of them are the same. */
static np_status keep(np_dot_group *group, const np_node *node, size_t count)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < count && !st; i++)
        st = push(&group->node, &group->count, &group->room, node[i]);
    return st;
}

static np_status push_ends(np_dot *dot, const np_node *node, size_t count)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < count && !st; i++)
        st = push(&dot->end, &dot->ends, &dot->end_room, node[i]);
    return st;
}

np_status np_dot_close(np_dot *dot, bool joined)
{
    const np_dot_frame frame = *np_dot_top(dot);
    np_dot_group *group = frame.group ? &dot->group[frame.group - 1] : NULL;
    size_t count = unite(dot->member + frame.members, dot->members - frame.members);
    np_status st = group ? keep(group, dot->member + frame.members, count) : NP_OK;
    dot->members = frame.members + count;
    dot->ends = frame.ends;
    if (!st && joined && group) {
        group->count = unite(group->node, group->count);
        st = push_ends(dot, group->node, group->count);
    } else if (!st && joined)
        st = push_ends(dot, dot->member + frame.members, count);
    dot->presets = frame.defaults;
    dot->words = frame.text;
    if (--dot->frames == 1)
        dot->members = 0; /* nobody asks for the nodes of the whole graph */
    return st;
}

/* ---- Edges ---- */

/* Attributes of edges that only draw. */
static bool draws(np_text_field name)
{
    static const char *const words[] = {"arrowsize", "fontsize",       "labelangle", "labeldistance", "labelfontsize",
                                        "minlen",    "labelfontcolor", "penwidth",   "headclip",      "tailclip"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(name, words[i]))
            return true;
    return false;
}

/* *known: the link between these nodes with this key, or `link` if there was none. */
static np_status find_pair(np_dot *dot, size_t link, np_text_field key, size_t *known)
{
    np_node u = dot->graph->from[link], v = dot->graph->to[link];
    bool swap = dot->graph->direction == NP_GRAPH_UNDIRECTED && u > v;
    size_t pairs = dot->pairs.count;
    uint32_t number;
    char *text;
    np_status st = np_memory_array(&text, key.length + 32, 1, what);
    if (st)
        return st;
    size_t length = (size_t)snprintf(text, 32, "%u %u ", swap ? v : u, swap ? u : v);
    memcpy(text + length, key.at, key.length);
    if (!(st = np_memory_room(&dot->first, pairs, &dot->first_room, sizeof *dot->first, what)) &&
        !(st = np_names_add(&dot->pairs, text, length + key.length, &number))) {
        if (number == pairs)
            dot->first[pairs] = link;
        *known = dot->first[number];
    }
    np_memory_free(text);
    return st;
}

static np_status set_edge(np_dot *dot, size_t link, np_text_field name, np_text_field value)
{
    size_t known = link;
    np_status st;
    dot->arrows |= is(name, "dir") && !is(value, "forward");
    if (draws(name))
        return NP_OK;
    if (is(name, "key") && !dot->strict) {
        if ((st = find_pair(dot, link, value, &known)))
            return st;
        return known == link ? NP_OK
                             : np_text_raise(dot->text, NP_ERROR_INPUT,
                                             "two edges between the same nodes with the key '%s', which Graphviz takes "
                                             "for one: write it once",
                                             np_text_show_field(value).text);
    }
    return np_builder_links_attribute(dot->graph, dot->text, link, link + 1, name, value);
}

static np_status add_edge(np_dot *dot, np_node from, np_node to)
{
    size_t link = dot->graph->count, known = link;
    np_status st = np_builder_link(dot->graph, dot->text, from, to, 1);
    if (!st && dot->strict)
        st = find_pair(dot, link, (np_text_field){"", 0}, &known);
    if (st)
        return st;
    if (known < link)
        dot->graph->count--; /* the edge is there already */
    else if ((st = preset(dot, NP_DOT_OF_EDGES, link)))
        return st;
    if ((st = np_memory_room(&dot->edge, dot->edges, &dot->edge_room, sizeof *dot->edge, what)))
        return st;
    dot->edge[dot->edges++] = known;
    return NP_OK;
}

static np_status allow(const np_dot *dot, uint64_t edges)
{
    enum { EACH = 2 * sizeof(np_node) + sizeof(size_t) + 2 * sizeof(uint32_t) };
    if (edges < PRODUCT_ASKED)
        return NP_OK;
    if (edges >= NP_NONE)
        return np_text_raise(dot->text, NP_ERROR_LIMIT, "%llu edges in one statement: at most %u links have numbers",
                             (unsigned long long)edges, NP_NONE - 1);
    return np_account_allow(edges * EACH, "smaller groups of nodes", "%llu edges in line %llu",
                            (unsigned long long)edges, (unsigned long long)dot->text->line);
}

np_status np_dot_connect(np_dot *dot)
{
    const np_dot_frame *frame = np_dot_top(dot);
    np_status st = allow(dot, (uint64_t)(frame->fresh - frame->ends) * (dot->ends - frame->fresh));
    for (size_t i = frame->ends; i < frame->fresh; i++)
        for (size_t j = frame->fresh; j < dot->ends && !st; j++)
            st = add_edge(dot, dot->end[i], dot->end[j]);
    return st;
}

void np_dot_chain(np_dot *dot)
{
    np_dot_frame *frame = np_dot_top(dot);
    size_t count = dot->ends - frame->fresh;
    if (count) /* else there may be no array yet */
        memmove(dot->end + frame->ends, dot->end + frame->fresh, count * sizeof *dot->end);
    frame->fresh = dot->ends = frame->ends + count;
    frame->chained = true;
}

void np_dot_end_statement(np_dot *dot)
{
    np_dot_frame *frame = np_dot_top(dot);
    dot->ends = frame->fresh = frame->ends;
    dot->edges = frame->touched;
    frame->chained = false;
}

/* ---- Attributes ---- */

np_status np_dot_attribute(np_dot *dot, np_text_field name, np_text_field value)
{
    const np_dot_frame *frame = np_dot_top(dot);
    np_status st = NP_OK;
    if (dot->edges == frame->touched)
        for (size_t i = frame->fresh; i < dot->ends && !st; i++)
            st = set_node(dot, dot->end[i], name, value);
    for (size_t i = frame->touched; i < dot->edges && !st; i++)
        st = set_edge(dot, dot->edge[i], name, value);
    return st;
}

/* Keeps a text behind the others: *at is where it begins. */
static np_status keep_text(np_dot *dot, np_text_field text, size_t *at)
{
    np_status st = np_memory_need(&dot->word, dot->words, dot->words + text.length, &dot->word_room, 1, what);
    if (st)
        return st;
    if (text.length)
        memcpy(dot->word + dot->words, text.at, text.length);
    *at = dot->words;
    dot->words += text.length;
    return NP_OK;
}

np_status np_dot_preset(np_dot *dot, np_dot_of of, np_text_field name, np_text_field value)
{
    np_dot_default preset = {.of = of, .name_length = name.length, .value_length = value.length};
    np_status st;
    if (of == NP_DOT_OF_GRAPH)
        return NP_OK;
    if ((st = np_memory_room(&dot->preset, dot->presets, &dot->preset_room, sizeof *dot->preset, what)) ||
        (st = keep_text(dot, name, &preset.name)) || (st = keep_text(dot, value, &preset.value)))
        return st;
    dot->preset[dot->presets++] = preset;
    return NP_OK;
}
