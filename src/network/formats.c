/*
 * The formats of graphs, and which one a text is in. A list of links has no
 * mark of its own: it is what remains. So formats that are not read must be
 * known too, or their lines would be refused as bad lists.
 */
#include <string.h>
#include <strings.h>

#include "network/format.h"

extern const np_graph_format np_format_matrix, np_format_dimacs, np_format_metis, np_format_adjacency, np_format_links,
    np_format_anynet, np_format_infiniband, np_format_slurm, np_format_repetita, np_format_sndlib, np_format_rocketfuel,
    np_format_rocketfuel_weights, np_format_caida, np_format_brite, np_format_inet, np_format_htsim;

const np_registry np_graph_formats = {
    .what = "format",
    .built_in = NP_ENTRIES(
        &np_format_matrix.info, &np_format_dimacs.info, &np_format_metis.info, &np_format_anynet.info,
        &np_format_infiniband.info, &np_format_slurm.info, &np_format_repetita.info, &np_format_sndlib.info,
        &np_format_rocketfuel.info, &np_format_rocketfuel_weights.info, &np_format_caida.info, &np_format_brite.info,
        &np_format_inet.info, &np_format_htsim.info, &np_format_adjacency.info, &np_format_links.info),
};

/* What a text in a format that is not read begins with. */
static const struct {
    const char *begin, *name, *advice;
} unread[] = {
    {"<", "XML", "this program has no reader of GraphML: link it with libnetpram-report and call np_report_formats"},
    {"{", "JSON",
     "this program has no reader of node-link JSON: link it with libnetpram-report and call np_report_formats"},
    {"[", "JSON", "a node-link graph is an object {\"nodes\": [...], \"links\": [...]}"},
    {"graph [", "GML", "write it as GraphML (networkx.write_graphml)"},
    {"Creator ", "GML", "write it as GraphML (networkx.write_graphml)"},
    {"graph {", "DOT", "write a list of links (networkx.write_edgelist)"},
    {"/* Created by igraph", "DOT", "write a list of links (igraph's write_ncol, or GraphML)"},
    {"digraph ", "DOT", "write a list of links (networkx.write_edgelist)"},
    {"strict ", "DOT", "write a list of links (networkx.write_edgelist)"},
    {"*Vertices", "Pajek", "write it as GraphML (networkx.write_graphml)"},
    {"*Network", "Pajek", "write it as GraphML (networkx.write_graphml)"},
    {">>graph6<<", "graph6", "write a list of links (networkx.write_edgelist)"},
    {">>sparse6<<", "sparse6", "write a list of links (networkx.write_edgelist)"},
    {"DL ", "UCINET DL", "write a list of links (networkx.write_edgelist)"},
    {"LEDA.GRAPH", "LEDA", "write a list of links, or GraphML"},
    {"PK\x03\x04", "zip", "unpack it first, or save the sheet of a spreadsheet as CSV"},
    {"\x1f\x8b", "gzip", "unpack it first (gunzip)"},
    {"\x93NUMPY", "NumPy", "a matrix is traffic; write the links as lines 'from,to'"},
};

np_status np_format_register(const np_graph_format *format)
{
    return np_registry_add(&np_graph_formats, &format->info, NULL);
}

bool np_format_begins(const np_text *text, const char *begin)
{
    const char *at = text->at;
    size_t length = strlen(begin);
    while (at < text->end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return (size_t)(text->end - at) >= length && !strncasecmp(at, begin, length);
}

bool np_format_ends(const char *name, const char *ending)
{
    size_t length = strlen(name), ends = strlen(ending);
    return length >= ends && !strcasecmp(name + length - ends, ending);
}

static np_status refuse(const np_text *text, const char *name, const char *advice)
{
    np_text whole = *text;
    whole.line = 1;
    return np_text_raise(&whole, NP_ERROR_INPUT, "a file in the format %s is not read: %s", name, advice);
}

np_status np_format_refuse_unread(const np_text *text)
{
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        if (np_format_begins(text, unread[i].begin))
            return refuse(text, unread[i].name, unread[i].advice);
    if (np_format_ends(text->name, ".lgl"))
        return refuse(text, "LGL", "write a list of links (igraph's write_ncol)");
    return NP_OK;
}

/* The first format that recognizes the text; NULL if none does. */
static const np_graph_format *recognize(const np_text *text, const char *name)
{
    const np_graph_format *format;
    for (size_t i = 0; (format = np_registry_entry(&np_graph_formats, i)); i++)
        if (format->recognizes && format->recognizes(*text, name))
            break;
    return format;
}

np_status np_format_read(np_builder *graph, np_text *text, const char *name)
{
    const np_graph_format *format;
    np_status st;
    if (graph->options->format) {
        if ((st = np_registry_find(&np_graph_formats, graph->options->format, &format)))
            return st;
    } else if (!(format = recognize(text, name)))
        return (st = np_format_refuse_unread(text)) ? st : np_format_read_list(graph, text);
    graph->format = format->info.help;
    return format->read(graph, text);
}
