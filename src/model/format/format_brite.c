/*
 * Topologies of BRITE (Medina, Lakhina, Matta & Byers 2001):
 *
 *   Topology: ( 4 Nodes, 4 Edges )
 *   Model (1 - RTWaxman):  4 1000 100 ...       a line or more
 *   Nodes: ( 4 )
 *   0 361 420 2 2 -1 RT_NODE                    number, place, degrees, autonomous system, type
 *   Edges: ( 4 )
 *   0 0 1 489.1 1.63 10.0 -1 -1 E_RT U          number, from, to, length, delay, bandwidth, their two systems, type,
 *                                               direction
 *
 * Nodes are named by their numbers, which need not begin at 0. U is an edge both ways, D is one from the first node to
 * the second; older files have no direction, and their edges go both ways.
 */
#include "model/format/format.h"
#include "model/format/scan.h"

static const char what[] = "a BRITE topology";

typedef struct brite {
    np_builder *graph;
    uint64_t nodes, edges;
    bool arcs; /* some edge goes one way */
} brite;

static bool recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    return np_scan_line_begins(&scan, "Topology:") && np_scan_mark(&scan, "(");
}

/* "4 Nodes" */
static bool read_count(np_scan *scan, uint64_t *count, const char *word, const char *stops)
{
    np_text_field field;
    return np_scan_whole(scan, "", count) && np_scan_word(scan, stops, &field) &&
           np_text_is(&(np_text){.field = {field}}, 0, word);
}

static np_status read_head(np_scan *scan, brite *b)
{
    if (!np_scan_line(scan) || !np_scan_is(scan, "Topology:") || !np_scan_mark(scan, "(") ||
        !read_count(scan, &b->nodes, "Nodes", ",") || !np_scan_mark(scan, ",") ||
        !read_count(scan, &b->edges, "Edges", ")") || !np_scan_mark(scan, ")"))
        return np_scan_refuse(scan, "'Topology: ( N Nodes, M Edges )'");
    return np_scan_end_line(scan);
}

/* "Nodes: ( 4 )", where the number has been said before. Lines of the model may stand before it. */
static np_status read_section(np_scan *scan, const char *word, uint64_t want)
{
    uint64_t count;
    while (np_scan_line_begins(scan, "Model"))
        ;
    if (!np_scan_line(scan) || !np_scan_is(scan, word) || !np_scan_mark(scan, "(") ||
        !np_scan_whole(scan, ")", &count) || !np_scan_mark(scan, ")"))
        return np_scan_refuse(scan, "'%s ( %llu )'", word, (unsigned long long)want);
    (void)np_scan_mark(scan, ":");
    if (count != want)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "%s %llu, but %s begins with a number of %llu", word,
                             (unsigned long long)count, scan->format, (unsigned long long)want);
    return np_scan_end_line(scan);
}

static np_status read_node(void *context, np_scan *scan, uint64_t i)
{
    brite *b = context;
    np_text_field id, field;
    np_node node;
    uint64_t number;
    (void)i;
    if (!np_scan_word(scan, "", &id) || !np_text_whole(id, &number))
        return np_scan_refuse(scan, "the number of a node");
    for (size_t k = 0; k < 5; k++)
        if (!np_scan_number(scan, "", &field))
            return np_scan_refuse(scan, "a node: ID X Y INDEGREE OUTDEGREE SYSTEM TYPE");
    (void)np_scan_word(scan, "", &field);
    return np_scan_new_node(scan, b->graph, id, &node);
}

static np_status read_edge(void *context, np_scan *scan, uint64_t i)
{
    brite *b = context;
    np_scan_attribute attribute[] = {{"length", {NULL, 0}}, {"delay", {NULL, 0}}, {"bandwidth", {NULL, 0}}};
    np_text_field id, from, to, field;
    np_node u, v;
    np_status st;
    (void)i;
    if (!np_scan_number(scan, "", &id) || !np_scan_word(scan, "", &from) || !np_scan_word(scan, "", &to))
        return np_scan_refuse(scan, "an edge: ID FROM TO LENGTH DELAY BANDWIDTH SYSTEM SYSTEM TYPE U");
    for (size_t k = 0; k < 3; k++)
        if (!np_scan_number(scan, "", &attribute[k].value))
            return np_scan_refuse(scan, "the %s of an edge", attribute[k].name);
    if (!np_scan_number(scan, "", &field) || !np_scan_number(scan, "", &field))
        return np_scan_refuse(scan, "the autonomous system of an edge's end");
    bool arc = np_scan_word(scan, "", &field) && np_scan_is(scan, "D");
    if (!arc)
        (void)np_scan_is(scan, "U");
    b->arcs |= arc;
    if ((st = np_scan_node(scan, b->graph, from, &u)) || (st = np_scan_node(scan, b->graph, to, &v)) ||
        (st = np_scan_link(scan, b->graph, u, v, attribute, 3)))
        return st;
    return arc || u == v ? NP_OK : np_scan_link(scan, b->graph, v, u, attribute, 3);
}

static np_status read(np_builder *graph, np_text *text)
{
    np_scan scan = np_scan_begin(text, what);
    brite b = {.graph = graph};
    np_status st;
    graph->naming = NP_GRAPH_NAMED;
    if ((st = read_head(&scan, &b)) || (st = read_section(&scan, "Nodes:", b.nodes)) ||
        (st = np_scan_rows(&scan, b.nodes, "nodes", read_node, &b)) || (st = read_section(&scan, "Edges:", b.edges)) ||
        (st = np_scan_rows(&scan, b.edges, "edges", read_edge, &b)))
        return st;
    graph->direction = b.arcs ? NP_GRAPH_DIRECTED : NP_GRAPH_UNDIRECTED;
    graph->both = !b.arcs;
    return np_scan_end_file(&scan);
}

const np_graph_format np_format_brite = {
    .info = {"brite", what, "Medina, Lakhina, Matta & Byers 2001"},
    .recognizes = recognizes,
    .read = read,
};
