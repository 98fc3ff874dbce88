/*
 * Topologies of REPETITA (Gay, Schaus & Vissicchio 2017):
 *
 *   NODES 3
 *   label x y                      a line for people
 *   Oslo 10.7 59.9
 *   ...
 *   EDGES 6
 *   label src dest weight bw delay
 *   edge_0 0 1 1 1000000 678       from node 0 to node 1, IGP weight, kbit/s, microseconds
 *
 * Edges go one way, and name nodes by their place in the list, since labels need not be different. Files of demands
 * begin with DEMANDS: they are traffic (model/traffic/flows.c).
 */
#include <stdio.h>

#include "model/format/format.h"
#include "model/format/scan.h"

static const char what[] = "a REPETITA graph";

static bool recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    uint64_t nodes;
    if (np_scan_line_begins(&scan, "DEMANDS"))
        return np_scan_whole(&scan, "", &nodes) && np_scan_at_end(&scan);
    if (!np_scan_line_begins(&scan, "NODES") || !np_scan_whole(&scan, "", &nodes) || !np_scan_at_end(&scan))
        return false;
    if (np_scan_line_begins(&scan, "label"))
        return true; /* else it may be a list of links, whose first line is 'nodes 3' */
    while (np_scan_line(&scan))
        if (np_scan_is(&scan, "EDGES"))
            return true;
    return false;
}

/* "NODES 3", and the line for people, which may say anything. */
static np_status read_head(np_scan *scan, const char *word, uint64_t high, uint64_t *count)
{
    np_status st;
    if (!np_scan_line(scan) || !np_scan_is(scan, word) || !np_scan_whole(scan, "", count))
        return np_scan_refuse(scan, "'%s' and their number", word);
    if ((st = np_scan_end_line(scan)))
        return st;
    if (*count > high)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "%llu %s: at most %llu are read", (unsigned long long)*count,
                             word, (unsigned long long)high);
    return np_scan_line(scan) ? NP_OK : np_scan_refuse(scan, "the names of the columns, 'label ...'");
}

static np_status read_node(void *context, np_scan *scan, uint64_t i)
{
    np_scan before = *scan;
    char id[24];
    np_text_field label, number;
    np_node node;
    np_status st;
    if (!np_scan_word(scan, "", &label) || !np_scan_number(scan, "", &number) || !np_scan_number(scan, "", &number))
        return np_scan_refuse(&before, "a node: LABEL X Y");
    np_text_field name = {id, (size_t)snprintf(id, sizeof id, "%llu", (unsigned long long)i)};
    if ((st = np_scan_new_node(scan, context, name, &node)))
        return st;
    return np_builder_label(context, scan->text, node, label);
}

/* A node by its place in the list. */
static np_status read_end(np_scan *scan, const np_builder *graph, np_node *out)
{
    np_scan before = *scan;
    uint64_t number;
    if (!np_scan_whole(scan, "", &number) || number >= graph->nodes)
        return np_scan_refuse(&before, "the number of a node, 0..%llu", (unsigned long long)graph->nodes - 1);
    *out = (np_node)number;
    return NP_OK;
}

static np_status read_edge(void *context, np_scan *scan, uint64_t i)
{
    np_builder *graph = context;
    np_scan_attribute attribute[] = {{"weight", {NULL, 0}}, {"bw", {NULL, 0}}, {"delay", {NULL, 0}}};
    np_text_field label;
    np_node from = 0, to = 0;
    np_status st;
    (void)i;
    if (!np_scan_word(scan, "", &label))
        return np_scan_refuse(scan, "an edge");
    if ((st = read_end(scan, graph, &from)) || (st = read_end(scan, graph, &to)))
        return st;
    for (size_t k = 0; k < 3; k++)
        if (!np_scan_number(scan, "", &attribute[k].value))
            return np_scan_refuse(scan, "the number '%s' of an edge", attribute[k].name);
    return np_scan_link(scan, graph, from, to, attribute, 3);
}

static np_status read(np_builder *graph, np_text *text)
{
    np_scan scan = np_scan_begin(text, what);
    uint64_t nodes, edges;
    np_status st;
    if (np_scan_line_begins(&scan, "DEMANDS"))
        return np_text_raise(text, NP_ERROR_INPUT, "REPETITA's demands are no network: they are traffic (file:PATH)");
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_DIRECTED;
    if ((st = read_head(&scan, "NODES", graph->limit, &nodes)) ||
        (st = np_scan_rows(&scan, nodes, "nodes", read_node, graph)) ||
        (st = read_head(&scan, "EDGES", NP_NONE - 1, &edges)) ||
        (st = np_scan_rows(&scan, edges, "edges", read_edge, graph)))
        return st;
    return np_scan_end_file(&scan);
}

const np_graph_format np_format_repetita = {
    .info = {"repetita", what, "Gay, Schaus & Vissicchio 2017"},
    .recognizes = recognizes,
    .read = read,
};
