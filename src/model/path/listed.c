/* See listed.h. */
#include "model/path/listed.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/room.h"
#include "model/network/read_node.h"
#include "model/path/finding.h"
#include "model/path/forwarding.h"

enum { WEIGHT_MAX = 1000000000 };

static const char format[] = "node [/port] node ... [@ weight]";

/* ---- Reading ---- */

static np_status reserve(np_listed *listed, size_t hops)
{
    static const char what[] = "the paths of a file";
    np_status st = np_memory_room(&listed->way, listed->ways, &listed->way_room, sizeof *listed->way, what);
    return st ? st
              : np_memory_need(&listed->port, listed->ports, listed->ports + hops, &listed->port_room,
                               sizeof *listed->port, what);
}

/* The lowest port from u to v. */
static np_status find_port(const np_text *text, const np_graph *graph, np_node u, np_node v, np_port *port)
{
    for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++)
        if (graph->head[link] == v) {
            *port = link - graph->row[u];
            return NP_OK;
        }
    return np_text_raise(text, NP_ERROR_INPUT, "no link leads from node %.60s to node %.60s",
                         NP_NODE_NAME(graph->network, u), NP_NODE_NAME(graph->network, v));
}

/* The fields of the line but for empty ones at its end, which spreadsheets add. */
static size_t count_fields(const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    size_t fields = 0, k = 0;
    while (np_text_field_next(text, &at, &field))
        fields = ++k && field.length ? k : fields;
    return fields;
}

/* A line that is being read. */
typedef struct reading {
    size_t nodes;
    np_node first, last;
    np_port leaving; /* the port by which the path leaves the last node; NP_NONE: it was not said */
    uint64_t weight;
    bool weighted, fixed;
} reading;

/* '/3' behind a node is its port 3. False: the field is no port. */
static bool read_port(const np_text *text, uint64_t *port)
{
    np_text_field field = text->field[0];
    return field.length > 1 && *field.at == '/' && np_text_whole((np_text_field){field.at + 1, field.length - 1}, port);
}

static np_status take_port(const np_text *text, const np_graph *graph, reading *x, uint64_t port)
{
    const char *name = NP_NODE_NAME(graph->network, x->last);
    np_link first = graph->row[x->last], end = graph->row[x->last + 1];
    if (np_network_find_node(graph->network, np_text_show(text, 0).text) != NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT, "'%s' is a node, and a port of node %.60s",
                             np_text_show(text, 0).text, name);
    if (x->leaving != NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT, "two ports of node %.60s", name);
    if (port >= end - first || graph->head[first + port] == NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT, "node %.60s has no port %llu", name, (unsigned long long)port);
    x->leaving = (np_port)port;
    x->fixed = true;
    return NP_OK;
}

/* The port to the node: the one that was said, or the lowest. */
static np_status leave(const np_text *text, const np_graph *graph, const reading *x, np_node node, np_port *port)
{
    if (x->leaving == NP_NONE)
        return find_port(text, graph, x->last, node, port);
    *port = x->leaving;
    if (graph->head[graph->row[x->last] + x->leaving] != node)
        return np_text_raise(text, NP_ERROR_INPUT, "port %u of node %.60s does not lead to node %.60s", x->leaving,
                             NP_NODE_NAME(graph->network, x->last), NP_NODE_NAME(graph->network, node));
    return NP_OK;
}

/* A field of the line, in text->field[0]; `left` follow. */
static np_status read_field(np_listed *listed, const np_text *text, const np_graph *graph, reading *x, size_t left)
{
    np_node node;
    uint64_t port;
    np_status st;
    if (x->weighted)
        return np_text_number(text, 0, "a weight", 1, WEIGHT_MAX, &x->weight);
    if (x->nodes >= 2 && left == 1 && np_text_is(text, 0, "@")) {
        x->weighted = true;
        return NP_OK;
    }
    if (x->nodes && read_port(text, &port))
        return take_port(text, graph, x, port);
    if ((st = np_network_read_node(graph->network, text, text->field[0], "node", &node)) ||
        (x->nodes && (st = leave(text, graph, x, node, &listed->port[listed->ports + x->nodes - 1]))))
        return st;
    x->first = x->nodes++ ? x->first : node;
    x->last = node;
    x->leaving = NP_NONE;
    return NP_OK;
}

static np_status check_way(const np_text *text, const np_graph *graph, const reading *x)
{
    if (x->nodes < 2)
        return np_text_raise(text, NP_ERROR_INPUT, "a path of one node: a line is '%s'", format);
    if (x->leaving != NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT, "a port of the last node: a line is '%s'", format);
    if (x->nodes > graph->nodes)
        return np_text_raise(text, NP_ERROR_INPUT, "a path of %zu nodes on a network of %u: it goes in circles",
                             x->nodes, graph->nodes);
    if (x->first == x->last)
        return np_text_raise(text, NP_ERROR_INPUT, "a path from node %.60s to itself: packets that are there stay",
                             NP_NODE_NAME(graph->network, x->last));
    return NP_OK;
}

/* The nodes of the line, from its first field on, as ports; then its weight. */
static np_status read_way(np_listed *listed, np_text *text, const np_graph *graph)
{
    size_t fields = count_fields(text);
    reading x = {.leaving = NP_NONE, .weight = 1};
    const char *at = NULL;
    np_status st = reserve(listed, fields);
    for (size_t k = 0; k < fields && !st && np_text_field_next(text, &at, &text->field[0]); k++)
        st = read_field(listed, text, graph, &x, fields - 1 - k);
    if (st || (st = check_way(text, graph, &x)))
        return st;
    listed->way[listed->ways] = (np_listed_way){.ends = (uint64_t)x.first << 32 | x.last,
                                                .upto = x.weight,
                                                .place = listed->ports,
                                                .hops = (uint32_t)(x.nodes - 1),
                                                .line = (uint32_t)listed->ways,
                                                .fixed = x.fixed};
    listed->ways++;
    listed->ports += x.nodes - 1;
    return NP_OK;
}

static np_status read_ways(np_listed *listed, np_text *text, const np_graph *graph)
{
    np_status st = NP_OK;
    text->separator = np_text_separator(*text, text->name);
    while (!st && np_text_next(text))
        st = read_way(listed, text, graph);
    return st;
}

int np_listed_order(const void *a, const void *b)
{
    const np_listed_way *x = a, *y = b;
    return np_order_pair(x->ends, y->ends, x->line, y->line);
}

void np_listed_sort(np_listed *listed)
{
    if (listed->ways)
        qsort(listed->way, listed->ways, sizeof *listed->way, np_listed_order);
    for (size_t i = 1; i < listed->ways; i++)
        if (listed->way[i].ends == listed->way[i - 1].ends)
            listed->way[i].upto += listed->way[i - 1].upto;
}

np_status np_listed_add(np_listed *listed, np_node from, np_node to, uint32_t hops, const np_port *port, bool fixed)
{
    np_status st = reserve(listed, hops);
    if (st)
        return st;
    memcpy(listed->port + listed->ports, port, hops * sizeof *port);
    listed->way[listed->ways] = (np_listed_way){.ends = (uint64_t)from << 32 | to,
                                                .upto = 1,
                                                .place = listed->ports,
                                                .hops = hops,
                                                .line = (uint32_t)listed->ways,
                                                .fixed = fixed};
    listed->ways++;
    listed->ports += hops;
    return NP_OK;
}

void np_listed_empty(np_listed *listed) { listed->ways = listed->ports = 0; }

np_status np_listed_parse(const char *name, const char *data, size_t length, const np_graph *graph, np_listed **out)
{
    np_text text;
    np_status st;
    *out = NULL;
    if ((st = np_text_open(&text, name, data, length)) ||
        (st = np_memory_zeroed(out, 1, sizeof **out, "the paths of a file")))
        return st;
    if (np_forwarding_is(text))
        st = np_forwarding_read(&text, graph, *out);
    else
        st = read_ways(*out, &text, graph);
    if (!st && !(*out)->ways)
        st = np_text_raise(&text, NP_ERROR_INPUT, "no paths: write lines '%s'", format);
    if (st) {
        np_listed_free(*out);
        *out = NULL;
        return st;
    }
    np_listed_sort(*out);
    return NP_OK;
}

np_status np_listed_read(const char *file, const np_graph *graph, np_listed **out)
{
    NP_TEXT_FILE(text, file);
    *out = NULL;
    return text.status ? text.status : np_listed_parse(file, text.data, text.length, graph, out);
}

void np_listed_free(np_listed *listed)
{
    if (!listed)
        return;
    NP_MEMORY_FREE(listed->way, listed->port, listed);
}

/* ---- The rule ---- */

const np_listed_way *np_listed_find(const np_listed *listed, np_node from, np_node to, size_t *count)
{
    return np_order_find(listed->ways, listed->way, sizeof *listed->way, (uint64_t)from << 32 | to, count);
}

static void draw(np_finding *f, uint32_t i)
{
    const np_listed *listed = f->routes->options.path->listed;
    np_draws draws = np_draws_for(f->demand->draws, NP_RANDOM_ROUTE);
    np_dice dice = np_dice_of_packet(draws, f->demand->first + (np_packet)i);
    size_t count;
    const np_listed_way *way = np_listed_find(listed, f->demand->from[i], f->demand->to[i], &count);
    if (!way) {
        np_finding_lose(f, i);
        return;
    }
    uint64_t place = count > 1 ? np_dice_far_below(&dice, way[count - 1].upto) : 0;
    while (place >= way->upto)
        way++;
    np_finding_keep(f, i, way->hops, listed->port + way->place);
    if (!way->fixed)
        np_finding_share(f, i);
}

static void pass(np_finding *f)
{
    for (size_t i = 0; i < f->demand->count && f->lost == NP_NONE; i++)
        if (f->demand->from[i] != f->demand->to[i])
            draw(f, (uint32_t)i);
}

const np_path_rule np_path_file = {
    .info = {"file", "paths of files: lines 'node [/port] ... [@ weight]'; packets draw among those of their ends", "",
             .parameters = "PATH", .example = "file:paths.txt", .networks = "any"},
    .randomized = true,
    .chooser = &(const np_chooser){.draws = true, .shares = true, .reads = true, .pass = pass},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
