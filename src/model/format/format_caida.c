/*
 * Relationships of autonomous systems as CAIDA publishes them (Luckie et al. 2013):
 *
 *   # source:topology|BGP|...
 *   174|3|-1        174 is a provider of 3
 *   174|209|0|bgp   peers; serial-2 has a source as a fourth field
 *
 * 1 and 2 stand for customers and siblings in older files. Packets may go both ways over each; who pays is not used.
 */
#include "model/format/format.h"
#include "model/format/scan.h"

static const char what[] = "a CAIDA as-rel file";

typedef struct relation {
    np_text_field from, to, type;
} relation;

static bool read_line(np_scan *scan, relation *r)
{
    uint64_t number;
    np_text_field source;
    if (!np_scan_word(scan, "|", &r->from) || !np_text_whole(r->from, &number) || !np_scan_mark(scan, "|") ||
        !np_scan_word(scan, "|", &r->to) || !np_text_whole(r->to, &number) || !np_scan_mark(scan, "|") ||
        !np_scan_number(scan, "|", &r->type))
        return false;
    if (np_scan_mark(scan, "|") && !np_scan_word(scan, "|", &source))
        return false;
    return np_scan_at_end(scan);
}

static bool is_type(np_text_field type)
{
    uint64_t number;
    if (type.length == 2 && type.at[0] == '-')
        return type.at[1] == '1';
    return np_text_whole(type, &number) && number <= 2;
}

/* A text that begins with a comment, or that has a provider, since bars stand in other tables, too. */
static bool recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    relation r;
    bool found = np_scan_line(&scan) && read_line(&scan, &r) && is_type(r.type), sure = text.line > 1;
    while (found && !sure && *r.type.at != '-' && np_scan_line(&scan))
        found = read_line(&scan, &r);
    return found && (sure || *r.type.at == '-');
}

static np_status read(np_builder *graph, np_text *text)
{
    np_scan scan = np_scan_begin(text, what);
    relation r;
    np_node from, to;
    np_status st;
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
    graph->ignored = "each relationship is a link both ways: who is whose provider is not used";
    while (np_scan_line(&scan)) {
        np_scan line = scan;
        if (!read_line(&scan, &r) || !is_type(r.type))
            return np_scan_refuse(&line, "a line AS|AS|RELATION, where the relation is -1, 0, 1 or 2");
        if ((st = np_builder_node(graph, text, r.from, &from)) || (st = np_builder_node(graph, text, r.to, &to)) ||
            (st = np_builder_link(graph, text, from, to, 1)))
            return st;
    }
    return NP_OK;
}

const np_graph_format np_format_caida = {
    .info = {"caida", what, "Luckie et al. 2013"},
    .recognizes = recognizes,
    .read = read,
};
