/*
 * Inet topologies (Winick & Jamin, Inet-3.0, 2002), which ns-3 reads, too:
 *
 *   NODES LINKS
 *   ID X Y         a line for each node, numbered from 0 in order
 *   FROM TO WEIGHT a line for each link, which goes both ways; its weight is its length
 *
 * There is no mark: a text is one if its first two numbers are the numbers of lines that follow. A file that is cut
 * short is known by its nodes, which are numbered, or else it would be a list of lines of different lengths.
 */
#include "model/format/format.h"
#include "model/format/scan.h"

enum { SURE = 2 }; /* ours: numbered nodes that make a text an Inet topology, if its counts are wrong */

static const char what[] = "an Inet topology";

static bool read_head(np_scan *scan, uint64_t *nodes, uint64_t *links)
{
    return np_scan_line(scan) && np_scan_whole(scan, "", nodes) && np_scan_whole(scan, "", links) &&
           np_scan_at_end(scan);
}

static bool two_numbers(np_scan *scan)
{
    np_text_field number;
    return np_scan_number(scan, "", &number) && np_scan_number(scan, "", &number) && np_scan_at_end(scan);
}

static bool recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    uint64_t nodes, links, id, i = 0;
    if (!read_head(&scan, &nodes, &links) || !nodes)
        return false;
    while (i < nodes && np_scan_line(&scan) && np_scan_whole(&scan, "", &id) && id == i && two_numbers(&scan))
        i++;
    return i == nodes || (i >= SURE && !scan.end);
}

static np_status read_node(void *context, np_scan *scan, uint64_t i)
{
    np_scan before = *scan;
    np_text_field number;
    uint64_t id;
    (void)context;
    if (!np_scan_whole(scan, "", &id) || id != i)
        return np_scan_refuse(&before, "the node %llu: its number, x and y", (unsigned long long)i);
    if (!np_scan_number(scan, "", &number) || !np_scan_number(scan, "", &number))
        return np_scan_refuse(scan, "a coordinate");
    return NP_OK;
}

static np_status read_link(void *context, np_scan *scan, uint64_t i)
{
    np_builder *graph = context;
    np_text_field from, to;
    np_scan_attribute weight = {"weight", {NULL, 0}};
    np_node a, b;
    np_status st;
    (void)i;
    if (!np_scan_word(scan, "", &from) || !np_scan_word(scan, "", &to) || !np_scan_number(scan, "", &weight.value))
        return np_scan_refuse(scan, "a link: FROM TO WEIGHT");
    if ((st = np_builder_node(graph, scan->text, from, &a)) || (st = np_builder_node(graph, scan->text, to, &b)))
        return st;
    return np_scan_link(scan, graph, a, b, &weight, 1);
}

static np_status read(np_builder *graph, np_text *text)
{
    np_scan scan = np_scan_begin(text, what);
    uint64_t nodes, links;
    np_status st;
    if (!read_head(&scan, &nodes, &links))
        return np_scan_refuse(&scan, "two whole numbers: the nodes and the links");
    graph->direction = NP_GRAPH_UNDIRECTED;
    graph->mutual = true;
    if ((st = np_builder_fix(graph, text, nodes)) || (st = np_scan_rows(&scan, nodes, "nodes", read_node, graph)) ||
        (st = np_scan_rows(&scan, links, "links", read_link, graph)))
        return st;
    return np_scan_end_file(&scan);
}

const np_graph_format np_format_inet = {
    .info = {"inet", what, "Winick & Jamin 2002"},
    .recognizes = recognizes,
    .read = read,
};
