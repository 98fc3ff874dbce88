/*
 * Lists of neighbours: NODE NEIGHBOUR NEIGHBOUR ..., a line for each node, as
 * networkx.write_adjlist writes them.
 *
 * It is certain that a text is one if its lines have different lengths, some
 * have two neighbours, each is of another node, and every neighbour has a line.
 * Lines of one length may be links with attributes as well, and lines of one
 * or two names a list of links that is cut short.
 */
#include "model/format/format_list.h"

#include <string.h>

/* Adds the first field of each line. *each: every line is of another node. */
static np_status add_heads(np_names *names, np_text text, bool *each)
{
    np_status st = NP_OK;
    uint32_t number;
    *each = true;
    for (size_t lines = 0; !st && *each && np_text_next(&text); lines++) {
        st = np_names_add(names, text.field[0].at, text.field[0].length, &number);
        *each = names->count == lines + 1;
    }
    return st;
}

/* Is every field of the line the name of a node, none its own, and none there twice? */
static bool names_neighbours(const np_names *names, const np_text *text)
{
    const char *at = NULL, *after;
    np_text_field field, other;
    while (np_text_field_next(text, &at, &field)) {
        if (!field.length && text->separator)
            continue; /* "a,b,,": columns that a table leaves empty */
        if (np_names_find(names, field.at, field.length) == NP_NONE)
            return false;
        after = at;
        for (int seen = 0; seen < NP_TEXT_FIELDS && np_text_field_next(text, &after, &other); seen++)
            if (other.length == field.length && !memcmp(other.at, field.at, field.length))
                return false;
    }
    return true;
}

np_status np_adjacency_judge(np_text text, const np_survey *s, np_verdict *verdict)
{
    np_names names = {.text = NULL};
    bool uneven = !np_survey_even(s, 1), each = false;
    np_status st = NP_OK;
    bool counted = s->first == 1 && s->column[0].head == NP_LOOKS_WHOLE && s->column[0].value + 1 == s->lines;
    *verdict = NP_VERDICT_NO;
    if (counted || s->promised || s->bare_line || s->bad_quote || s->attributes || s->lines < 2 || s->most < 3)
        return NP_OK;
    if (!(st = add_heads(&names, text, &each)))
        while (each && np_text_next(&text))
            each = names_neighbours(&names, &text);
    np_names_clear(&names);
    if (!st && each)
        *verdict = uneven ? NP_VERDICT_YES : NP_VERDICT_PERHAPS;
    return st;
}

static np_status read_neighbours(np_builder *graph, const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    np_node node, other;
    np_status st;
    (void)np_text_field_next(text, &at, &field);
    if ((st = np_builder_node(graph, text, field, &node)))
        return st;
    while (np_text_field_next(text, &at, &field)) {
        if (!field.length && text->separator)
            continue;
        if ((st = np_builder_node(graph, text, field, &other)) || (st = np_builder_link(graph, text, node, other, 1)))
            return st;
    }
    return NP_OK;
}

/* The nodes have the order of their lines: a first pass adds them. */
static np_status add_nodes(np_builder *graph, np_text text)
{
    np_status st = NP_OK;
    np_node node;
    while (!st && np_text_next(&text))
        st = np_builder_node(graph, &text, text.field[0], &node);
    return st;
}

/* Are the names of the nodes 0 .. lines-1? */
static bool is_numbered(const np_survey *s)
{
    uint8_t kinds = (uint8_t)(s->above | s->below | np_survey_kinds(s, 0, false));
    return !(kinds & ~(NP_LOOKS_WHOLE | NP_LOOKS_EMPTY)) && s->largest + 1 == s->lines;
}

static np_status read(np_builder *graph, np_text *text)
{
    np_survey survey;
    np_status st = np_survey_take(text, &survey);
    text->stop = 0;
    graph->naming = NP_GRAPH_NAMED;
    if (!st && is_numbered(&survey))
        st = np_builder_fix(graph, text, survey.lines);
    else if (!st)
        st = add_nodes(graph, *text);
    while (!st && np_text_next(text))
        st = read_neighbours(graph, text);
    if (!st && graph->nodes > survey.lines)
        st = np_builder_note(graph, "not every node has a line");
    return st;
}

const np_graph_format np_format_adjacency = {
    .info = {"adjacency", "a list of neighbours", ""},
    .read = read,
};
