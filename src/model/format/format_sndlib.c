/*
 * Networks of SNDlib (sndlib.h). The file does not say whether a link goes both ways: SNDlib has this in a model, apart
 * from the network. Links are taken both ways, unless the options say otherwise.
 */
#include "model/format/format.h"
#include "model/format/sndlib.h"

static const char what[] = "an SNDlib network";

#define BOTH_WAYS "each link goes both ways, which an SNDlib network leaves open ('directed': one way)"

static np_status add_node(void *context, np_scan *scan, np_text_field name)
{
    np_node node;
    return np_scan_new_node(scan, context, name, &node);
}

static np_status add_link(void *context, np_scan *scan, const np_sndlib_link *link)
{
    np_builder *graph = context;
    const np_scan_attribute attribute[] = {{"capacity", link->capacity},
                                           {"routing_cost", link->routing_cost},
                                           {"setup_cost", link->setup_cost},
                                           {"module", link->module}};
    np_node from, to;
    np_status st;
    if ((st = np_scan_node(scan, graph, link->from, &from)) || (st = np_scan_node(scan, graph, link->to, &to)))
        return st;
    return np_scan_link(scan, graph, from, to, attribute, 4);
}

static np_status read(np_builder *graph, np_text *text)
{
    const np_sndlib_use use = {.context = graph, .node = add_node, .link = add_link};
    np_sndlib_sections sections;
    np_status st;
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
    if ((st = np_sndlib_read(text, &use, &sections)))
        return st;
    if (!sections.links)
        return np_text_raise(text, NP_ERROR_INPUT, "%s without a section LINKS: is it cut short?", what);
    graph->ignored = sections.demands || sections.paths ? BOTH_WAYS
                         "; its demands are not used here (traffic file:PATH reads them)"
                                                        : BOTH_WAYS;
    return NP_OK;
}

const np_graph_format np_format_sndlib = {
    .info = {"sndlib", what, "Orlowski, Wessäly, Pióro & Tomaszewski 2010"},
    .recognizes = np_sndlib_recognizes,
    .read = read,
};
