/*
 * A network given by its links, from arrays or from a file, as compressed
 * rows: the links of node u are row[u] .. row[u+1]-1, in the order in which
 * they were given. So link row[u] + k is port k of u.
 *
 * The formats of files are in format_*.c; graph.c makes the network of what
 * they read.
 *
 * Self-loops and parallel links are allowed, as in the model (Valiant &
 * Brebner 1981, section 2).
 */
#include "model/format/links.h"

#include <string.h>

#include "base/file_spec.h"
#include "base/memory.h"
#include "model/family/hosted.h"
#include "model/format/format.h"
#include "model/network/attributes.h"

enum { PER_SWITCH_MAX = 1 << 20 }; /* ours */

extern const np_network_family np_links;

/* Opens the text, and reads it into the builder. */
static np_status list_links(np_text *text, const char *name, const char *data, size_t length,
                            const np_graph_options *options, uint64_t limit, np_builder *graph)
{
    static const np_graph_options none = {.path = ""};
    np_status st;
    np_builder_init(graph, options ? options : &none, limit);
    if ((st = np_text_open_strict(text, name, data, length)))
        return st;
    st = np_format_read(graph, text, name);
    return st ? st : np_builder_complete(graph, text);
}

np_status np_links_list(const char *name, const char *data, size_t length, const np_graph_options *options,
                        uint64_t limit, np_builder *graph)
{
    np_text text;
    return list_links(&text, name, data, length, options, limit, graph);
}

np_status np_links_parse(const char *name, const char *data, size_t length, const np_graph_options *options,
                         uint64_t limit, np_network *network)
{
    np_builder graph;
    np_text text;
    np_status st = list_links(&text, name, data, length, options, limit, &graph);
    if (!st)
        st = np_builder_finish(&graph, &text, network);
    np_builder_clear(&graph);
    return st;
}

static np_status read_file(np_network *network, const np_graph_options *options)
{
    if (options->directed && options->undirected)
        return NP_RAISE(NP_ERROR_INPUT, "'%.200s' is to be directed and undirected: choose one", options->path);
    NP_TEXT_FILE(text, options->path);
    if (text.status)
        return text.status;
    np_status st = np_links_parse(options->path, text.data, text.length, options, NP_LINKS_NODES_MAX, network);
    return st ? st : np_attributes_mark(network, options->delay, options->cost);
}

/* The file has the switches, and hosts hang on each. */
static np_status read_switches(np_network *network, const np_graph_options *options)
{
    uint64_t per;
    np_network *switches;
    np_status st;
    if (!np_parse_whole(options->per_switch, 1, PER_SWITCH_MAX, &per))
        return NP_RAISE(NP_ERROR_INPUT, "per-switch=%.40s: on each switch there are 1..%d hosts, as in per-switch=4",
                        options->per_switch, PER_SWITCH_MAX);
    if ((st = np_memory_zeroed(&switches, 1, sizeof *switches, "a network")))
        return st;
    switches->family = &np_links;
    switches->spec = np_memory_text(network->spec);
    st = switches->spec ? read_file(switches, options) : np_status_last();
    if (st) {
        np_network_free(switches);
        return st;
    }
    network->family = &np_hosted_given;
    return np_network_hang(network, switches, (uint32_t)per);
}

static np_status create(np_network *network, const char *parameters)
{
    static const np_file_option table[] = {
        {"directed", offsetof(np_graph_options, directed)},      {"undirected", offsetof(np_graph_options, undirected)},
        {"hosts=", offsetof(np_graph_options, hosts)},           {"width=", offsetof(np_graph_options, width)},
        {"delay=", offsetof(np_graph_options, delay)},           {"cost=", offsetof(np_graph_options, cost)},
        {"format=", offsetof(np_graph_options, format)},         {"file-format=", offsetof(np_graph_options, format)},
        {"per-switch=", offsetof(np_graph_options, per_switch)}, {NULL, 0}};
    np_graph_options options = {.path = ""};
    np_status st;
    if (!*parameters)
        return NP_RAISE(NP_ERROR_INPUT, "network 'file:' lacks a path: write file:PATH, as in file:links.txt");
    if (!(st = np_file_spec_parse(parameters, table, &options, &options.copy, &options.path)))
        st = options.per_switch ? read_switches(network, &options) : read_file(network, &options);
    np_memory_free(options.copy);
    return st;
}

const np_network_family np_links = {
    .info = {"file", "links from a file in one of many formats: a list 'from to', Matrix Market, ...",
             "Valiant & Brebner 1981, section 2", .parameters = "PATH", .example = "file:links.txt",
             .takes = "PATH: a file; what it has says in which format it is"},
    .given = true,
    .create = create,
};

/* ---- From arrays ---- */

static np_status check_lists(const np_network_lists *lists)
{
    np_node nodes = lists->nodes;
    if (!nodes)
        return NP_RAISE(NP_ERROR_INPUT, "a network of 0 nodes: it needs at least 1");
    if (lists->links >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu links: at most %u have numbers of 32 bits", lists->links, NP_NONE - 1);
    for (size_t i = 0; i < lists->links; i++)
        if (lists->from[i] >= nodes || lists->to[i] >= nodes)
            return NP_RAISE(NP_ERROR_INPUT, "link %zu goes from %u to %u: the nodes are 0..%u", i, lists->from[i],
                            lists->to[i], nodes - 1);
    for (size_t i = 0; i < lists->hosts; i++)
        if (lists->host[i] >= nodes)
            return NP_RAISE(NP_ERROR_INPUT, "host %zu is node %u: the nodes are 0..%u", i, lists->host[i], nodes - 1);
    return NP_OK;
}

static np_status add_names(np_network *network, const np_network_lists *lists)
{
    uint32_t number;
    np_status st = np_memory_zeroed(&network->names, 1, sizeof *network->names, "the names of the nodes");
    for (np_node u = 0; u < lists->nodes && !st; u++) {
        const char *name = lists->name[u];
        st = np_names_add(network->names, name, strlen(name), &number);
        if (!st && number < u)
            st = NP_RAISE(NP_ERROR_INPUT, "nodes %u and %u are both called '%.80s'", number, u, name);
    }
    return st;
}

static np_status add_hosts(np_network *network, const np_network_lists *lists)
{
    uint8_t *mark;
    np_status st = np_memory_zeroed(&mark, lists->nodes, sizeof *mark, "the hosts of a network");
    if (st)
        return st;
    for (size_t i = 0; i < lists->hosts; i++)
        mark[lists->host[i]] = 1;
    st = np_network_set_hosts(network, mark);
    np_memory_free(mark);
    return st;
}

static np_status fill(np_network *network, const np_network_lists *lists)
{
    const np_link_lists links = {lists->links, lists->from, lists->to, lists->width, lists->undirected};
    np_status st;
    network->family = &np_links;
    network->nodes = lists->nodes;
    if (!(network->spec = np_memory_text("links")))
        return np_status_last();
    if ((st = np_network_build_rows(network, &links)) || (lists->name && (st = add_names(network, lists))))
        return st;
    return lists->hosts ? add_hosts(network, lists) : NP_OK;
}

np_status np_network_from_lists(const np_network_lists *lists, np_network **out)
{
    np_network *network;
    np_status st;
    *out = NULL;
    if ((st = check_lists(lists)) || (st = np_memory_zeroed(&network, 1, sizeof *network, "a network")))
        return st;
    if ((st = fill(network, lists))) {
        np_network_free(network);
        return st;
    }
    *out = network;
    return NP_OK;
}

np_status np_network_from_links(np_node nodes, size_t links, const np_node *from, const np_node *to, np_network **out)
{
    const np_network_lists lists = {.nodes = nodes, .links = links, .from = from, .to = to};
    return np_network_from_lists(&lists, out);
}
