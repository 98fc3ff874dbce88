/*
 * DIMACS graphs: lines that begin with a letter.
 *
 *   c ...                  a comment
 *   p FORMAT NODES EDGES   the first line that is no comment
 *   e U V                  an edge (formats edge, col)
 *   a U V [NUMBERS]        an arc from U to V (formats sp, max, min, asn)
 *   n ...                  something about a node: not used
 *
 * Nodes are numbered from 1. The weight of an arc is the length of sp, the
 * capacity of max, the cost of asn. Arcs of min have the least flow, the
 * capacity, which is their weight, and the cost.
 */
#include <string.h>

#include "model/format/format.h"

static bool next_line(np_text *text)
{
    while (np_text_next(text))
        if (!np_text_is(text, 0, "c"))
            return true;
    return false;
}

static bool recognizes(np_text text)
{
    uint64_t value;
    return next_line(&text) && text.fields == 4 && np_text_is(&text, 0, "p") && np_text_whole(text.field[2], &value) &&
           np_text_whole(text.field[3], &value);
}

/* What the numbers of a line are called. */
typedef struct kind {
    const char *format;
    bool arcs;
    const char *number[3];
} kind;

static const kind kinds[] = {{"edge", false, {"weight"}},
                             {"edges", false, {"weight"}},
                             {"col", false, {"weight"}},
                             {"sp", true, {"weight"}},
                             {"max", true, {"weight"}},
                             {"asn", true, {"weight"}},
                             {"min", true, {"low", "weight", "cost"}}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* p FORMAT NODES EDGES */
static np_status read_head(np_builder *graph, np_text *text, uint64_t *edges, const kind **out)
{
    size_t k = 0;
    uint64_t nodes;
    np_status st;
    if (!next_line(text))
        return np_text_raise(text, NP_ERROR_INPUT, "a DIMACS graph begins with a line 'p FORMAT NODES EDGES'");
    if ((st = np_text_count(text, 4, 4, "p FORMAT NODES EDGES")) ||
        (st = np_text_number(text, 2, "the number of nodes", 1, graph->limit, &nodes)) ||
        (st = np_text_number(text, 3, "the number of edges", 0, NP_NONE - 1, edges)))
        return st;
    while (k < KINDS && !np_text_is(text, 1, kinds[k].format))
        k++;
    if (k == KINDS)
        return np_text_raise(text, NP_ERROR_INPUT, "DIMACS format '%s' is not read: use edge, col, sp, max, min or asn",
                             np_text_show(text, 1).text);
    *out = &kinds[k];
    graph->direction = kinds[k].arcs ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
    return np_builder_fix(graph, text, nodes);
}

static np_status read_edge(np_builder *graph, const np_text *text, const kind *k)
{
    size_t numbers = k->number[1] ? 3 : 1;
    np_node from, to;
    np_status st;
    if ((st =
             np_text_count(text, 3, 3 + numbers, numbers > 1 ? "a FROM TO LOW CAPACITY COST" : "e FROM TO [WEIGHT]")) ||
        (st = np_builder_node(graph, text, text->field[1], &from)) ||
        (st = np_builder_node(graph, text, text->field[2], &to)) || (st = np_builder_link(graph, text, from, to, 1)))
        return st;
    for (size_t i = 3; i < text->fields && !st; i++) {
        const char *name = k->number[i - 3];
        st = np_builder_link_attribute(graph, text, graph->count - 1, (np_text_field){name, strlen(name)},
                                       text->field[i]);
    }
    return st;
}

static np_status read(np_builder *graph, np_text *text)
{
    const kind *k = kinds;
    uint64_t edges = 0;
    np_status st;
    if ((st = read_head(graph, text, &edges, &k)))
        return st;
    graph->from_one = true;
    while (next_line(text)) {
        bool edge = np_text_is(text, 0, "e") || np_text_is(text, 0, "a");
        if (!edge && !np_text_is(text, 0, "n"))
            return np_text_raise(text, NP_ERROR_INPUT, "'%s': a line of a DIMACS graph begins with c, e, a or n",
                                 np_text_show(text, 0).text);
        if (edge && (st = read_edge(graph, text, k)))
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
