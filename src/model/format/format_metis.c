/*
 * METIS graphs (Karypis & Kumar, METIS manual, section "Graph file"): a line
 * "nodes edges [format [constraints]]", then a line for each node: its
 * neighbours, numbered from 1. An edge stands in the lines of both its nodes.
 * The three digits of the format say what else the lines have: the size of the
 * node, its weights (one for each constraint), and a weight after each
 * neighbour. '%' begins a comment line. An empty line is a node without
 * neighbours.
 */
#include "model/format/format.h"

typedef struct metis {
    uint64_t nodes, edges;
    size_t before;  /* numbers that stand before the neighbours of a node */
    bool weighted;  /* a weight follows each neighbour */
    uint64_t lines; /* so far */
    uint64_t ends;  /* neighbours so far */
    uint64_t skew; /* a hash of the links less one of their opposites: 0 if each has its opposite, of the same weight */
} metis;

/* The next line that is no comment. */
static bool next_line(np_text *text)
{
    while (np_text_line(text)) {
        np_text_field line = text->whole;
        while (line.length && (*line.at == ' ' || *line.at == '\t'))
            line.at++, line.length--;
        if (!line.length || (*line.at != '%' && *line.at != '#'))
            return true;
    }
    return false;
}

static np_status read_head(np_text *text, metis *m)
{
    uint64_t format = 0, constraints = 1;
    np_status st;
    if (!next_line(text))
        return np_text_raise(text, NP_ERROR_INPUT, "a METIS graph begins with a line 'nodes edges [format]'");
    if ((st = np_text_count(text, 2, 4, "nodes edges [format [constraints]]")) ||
        (st = np_text_number(text, 0, "the number of nodes", 1, NP_LINKS_NODES_MAX, &m->nodes)) ||
        (st = np_text_number(text, 1, "the number of edges", 0, NP_NONE / 2, &m->edges)) ||
        (text->fields > 2 && (st = np_text_number(text, 2, "the format", 0, 111, &format))) ||
        (text->fields > 3 && (st = np_text_number(text, 3, "the number of constraints", 1, 1000, &constraints))))
        return st;
    if (format % 10 > 1 || format / 10 % 10 > 1)
        return np_text_raise(text, NP_ERROR_INPUT, "the format of a METIS graph is three digits 0 or 1, as in 011");
    m->weighted = format % 10;
    m->before = (format / 10 % 10 ? constraints : 0) + format / 100;
    return NP_OK;
}

static uint64_t hash(uint64_t from, uint64_t to, uint64_t weight)
{
    uint64_t x = (from << 32 ^ to) * UINT64_C(0x9e3779b97f4a7c15) + weight;
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static void add_end(metis *m, uint64_t from, uint64_t to, uint64_t weight)
{
    m->ends++;
    m->skew += hash(from, to, weight) - hash(to, from, weight);
}

/* Counts what a line has; false if it cannot be a node's. */
static bool count_line(metis *m, const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    uint64_t value, to, weight = 0;
    size_t i = 0;
    for (m->lines++; np_text_field_next(text, &at, &field); i++) {
        if (!np_text_whole(field, &value))
            return false;
        if (i < m->before)
            continue;
        to = value;
        if (m->weighted && (!np_text_field_next(text, &at, &field) || !np_text_whole(field, &weight)))
            return false;
        add_end(m, m->lines, to, weight);
    }
    return m->lines > m->nodes ? !i : i >= m->before; /* there are empty lines at the end */
}

/*
 * The head is right about the numbers of lines and of neighbours, and neighbours are mutual: no other numbers are so.
 */
static bool recognizes(np_text text)
{
    metis m = {0};
    if (read_head(&text, &m))
        return false;
    while (next_line(&text))
        if (!count_line(&m, &text))
            return false;
    return m.lines >= m.nodes && m.ends == 2 * m.edges && m.edges && !m.skew;
}

static np_status read_neighbour(np_builder *graph, const np_text *text, metis *m, np_text_field field, const char **at)
{
    uint64_t weight = 0;
    np_node to;
    np_status st = np_builder_node(graph, text, field, &to);
    if (st || (st = np_builder_link(graph, text, (np_node)m->lines, to, 1)))
        return st;
    if (m->weighted) {
        if (!np_text_field_next(text, at, &field))
            return np_text_raise(text, NP_ERROR_INPUT,
                                 "a neighbour without its weight: the format says that each has one");
        if ((st = np_text_number_of(text, field, "weight", 0, UINT32_MAX, &weight)) ||
            (st = np_builder_weight(graph, text, field)))
            return st;
    }
    add_end(m, m->lines, to, weight);
    return NP_OK;
}

static np_status read_node(np_builder *graph, const np_text *text, metis *m)
{
    const char *at = NULL;
    np_text_field field;
    np_status st = NP_OK;
    for (size_t i = 0; !st && np_text_field_next(text, &at, &field); i++)
        st = i < m->before ? NP_OK : read_neighbour(graph, text, m, field, &at);
    m->lines++;
    return st;
}

/* Each edge stands in the lines of both its nodes, with the same weight. */
static np_status check_both(np_builder *graph, const np_text *text, const metis *m)
{
    np_both_ways ways;
    np_text whole = *text;
    np_status st = np_builder_pair(graph, text, false, &ways);
    whole.line = NP_TEXT_NO_LINE;
    if (st || (ways.paired == ways.links && !m->skew))
        return st;
    if (ways.paired == ways.links)
        return np_text_raise(&whole, NP_ERROR_INPUT, "an edge has another weight in the line of its other node");
    return np_text_raise(&whole, NP_ERROR_INPUT,
                         "node %llu has neighbour %llu, but node %llu has not %llu: each edge stands in the lines of "
                         "both its nodes",
                         (unsigned long long)ways.from + 1, (unsigned long long)ways.to + 1,
                         (unsigned long long)ways.to + 1, (unsigned long long)ways.from + 1);
}

static np_status read(np_builder *graph, np_text *text)
{
    metis m = {0};
    np_status st;
    if ((st = read_head(text, &m)) || (st = np_builder_fix(graph, text, m.nodes)))
        return st;
    graph->from_one = graph->both = true;
    graph->direction = NP_GRAPH_UNDIRECTED;
    while (m.lines < m.nodes && next_line(text))
        if ((st = read_node(graph, text, &m)))
            return st;
    if (m.lines == m.nodes && m.ends == 2 * m.edges)
        return check_both(graph, text, &m);
    return np_text_raise(
        text, NP_ERROR_INPUT,
        "%llu nodes and %llu edges are promised, but %llu lines with %llu neighbours follow: each edge "
        "stands in the lines of both its nodes",
        (unsigned long long)m.nodes, (unsigned long long)m.edges, (unsigned long long)m.lines,
        (unsigned long long)m.ends);
}

const np_graph_format np_format_metis = {
    .info = {"metis", "a METIS graph", "Karypis & Kumar, METIS manual"},
    .recognizes = recognizes,
    .ending = ".metis",
    .read = read,
};
