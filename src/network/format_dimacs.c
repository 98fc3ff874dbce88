/*
 * DIMACS graphs: lines that begin with a letter.
 *
 *   c ...                  a comment
 *   p FORMAT NODES EDGES   the first line that is no comment
 *   e U V                  an edge (formats edge, col)
 *   a U V [NUMBERS]        an arc from U to V (formats sp, max, min, asn)
 *   n ...                  something about a node: not used
 *
 * Nodes are numbered from 1. The last number but the cost is the weight of an
 * arc: the length of sp, the capacity of max and min.
 */
#include "network/format.h"

static bool next_line(np_text *text)
{
    while (np_text_next(text))
        if (!np_text_is(text, 0, "c"))
            return true;
    return false;
}

static bool recognizes(np_text text, const char *name)
{
    uint64_t value;
    (void)name;
    return next_line(&text) && text.fields == 4 && np_text_is(&text, 0, "p") && np_text_whole(text.field[2], &value) &&
           np_text_whole(text.field[3], &value);
}

/* p FORMAT NODES EDGES. *weight: the field of an arc that is its weight. */
static np_status read_head(np_builder *graph, np_text *text, uint64_t *edges, size_t *weight)
{
    static const char *const formats[] = {"edge", "edges", "col", "sp", "max", "asn", "min", NULL};
    size_t which = 0;
    uint64_t nodes;
    np_status st;
    if (!next_line(text))
        return np_text_raise(text, NP_ERROR_INPUT, "a DIMACS graph begins with a line 'p FORMAT NODES EDGES'");
    if ((st = np_text_count(text, 4, 4, "p FORMAT NODES EDGES")) ||
        (st = np_text_number(text, 2, "the number of nodes", 1, graph->limit, &nodes)) ||
        (st = np_text_number(text, 3, "the number of edges", 0, NP_NONE - 1, edges)))
        return st;
    while (formats[which] && !np_text_is(text, 1, formats[which]))
        which++;
    if (!formats[which])
        return np_text_raise(text, NP_ERROR_INPUT, "DIMACS format '%s' is not read: use edge, col, sp, max, min or asn",
                             np_text_show(text, 1).text);
    graph->direction = which < 3 ? NP_GRAPH_UNDIRECTED : NP_GRAPH_DIRECTED;
    *weight = which == 6 ? 4 : 3;
    return np_builder_fix(graph, text, nodes);
}

static np_status read_edge(np_builder *graph, const np_text *text, bool wide, size_t weight)
{
    uint64_t width = 1;
    np_node from, to;
    np_status st;
    if ((st = np_text_count(text, 3, 6, "e FROM TO, or a FROM TO WEIGHT")) ||
        (st = np_builder_node(graph, text, text->field[1], &from)) ||
        (st = np_builder_node(graph, text, text->field[2], &to)))
        return st;
    if (text->fields > 3)
        graph->ignored = wide ? NULL : "weights are not used (width=weight: they are the numbers of parallel links)";
    if (wide && weight < text->fields && (st = np_builder_width(graph, text, text->field[weight], &width)))
        return st;
    return np_builder_link(graph, text, from, to, width);
}

static np_status read(np_builder *graph, np_text *text)
{
    static const np_text_field name = {"weight", 6};
    size_t weight = 3;
    uint64_t edges = 0;
    np_status st;
    if ((st = read_head(graph, text, &edges, &weight)))
        return st;
    bool wide = np_builder_is_width(graph, name);
    graph->from_one = true;
    while (next_line(text)) {
        bool edge = np_text_is(text, 0, "e") || np_text_is(text, 0, "a");
        if (!edge && !np_text_is(text, 0, "n"))
            return np_text_raise(text, NP_ERROR_INPUT, "'%s': a line of a DIMACS graph begins with c, e, a or n",
                                 np_text_show(text, 0).text);
        if (edge && (st = read_edge(graph, text, wide, weight)))
            return st;
    }
    /* Some files of colouring problems count every edge twice. */
    if (graph->count == edges || 2 * (uint64_t)graph->count == edges)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT, "the file ends after %zu of %llu edges: is it cut short?", graph->count,
                         (unsigned long long)edges);
}

const np_graph_format np_format_dimacs = {
    .info = {"dimacs", "a DIMACS graph", "DIMACS challenges 1, 2 and 9"},
    .recognizes = recognizes,
    .read = read,
};
