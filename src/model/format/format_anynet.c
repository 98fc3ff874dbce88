/*
 * Networks of BookSim 2's topology `anynet` (Jiang et al. 2013):
 *
 *   router 0 node 0 node 1 router 1 15 router 2
 *   router 1 node 2
 *   node 3 router 2
 *
 * Routers are switches, nodes are hosts. A line has the neighbours of its first router or node. Each pair is one
 * channel each way, however often it is listed. A number behind a neighbour is the latency of the channel that leads
 * there; where nothing is said it is 1, also in the other direction. A host has one router.
 *
 * The hosts come first, and both kinds are numbered in the order of their numbers in the file, as in BookSim.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/room.h"
#include "model/format/format.h"
#include "model/format/scan.h"

static const char what[] = "a BookSim anynet file";

/* A number of the file, and above it a bit that says that it is a router's. So hosts come first. */
typedef uint64_t end;

#define ROUTER ((end)1 << 32)
#define NOBODY UINT64_MAX

typedef struct channel {
    end from, to; /* to NOBODY: the line only says that `from` exists */
    uint64_t line;
    size_t order; /* in the file */
    uint32_t latency;
    bool said; /* in this direction */
} channel;

typedef struct anynet {
    channel *item;
    size_t count, room;
} anynet;

static bool is_router(end e) { return e != NOBODY && e >= ROUTER; }

/* "router 3". False: it is none, and the scan stays. */
static bool read_end(np_scan *scan, end *out)
{
    np_scan before = *scan;
    bool router = np_scan_is(scan, "router");
    if ((router || np_scan_is(scan, "node")) && np_scan_whole(scan, "", out) && *out < ROUTER) {
        *out |= router ? ROUTER : 0;
        return true;
    }
    *scan = before;
    return false;
}

/* Lines that only say that a router exists may stand before the first with a neighbour. */
static bool recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    end head;
    while (np_scan_line(&scan) && read_end(&scan, &head))
        if (!np_scan_at_end(&scan))
            return np_scan_is(&scan, "router") || np_scan_is(&scan, "node");
    return false;
}

static np_status add(anynet *a, channel c)
{
    np_status st = np_memory_room(&a->item, a->count, &a->room, sizeof *a->item, "the channels of a file");
    c.order = a->count;
    if (!st)
        a->item[a->count++] = c;
    return st;
}

static np_status read_neighbour(np_scan *scan, anynet *a, end head)
{
    uint64_t latency = 1, line = scan->text->line;
    end to;
    np_status st;
    if (!read_end(scan, &to))
        return np_scan_refuse(scan, "'router N' or 'node N'");
    if (!is_router(head) && !is_router(to))
        return np_text_raise(scan->text, NP_ERROR_INPUT, "node %llu is joined to node %llu: in %s a node has a router",
                             (unsigned long long)head, (unsigned long long)to, what);
    if (np_scan_whole(scan, "", &latency) && (!latency || latency > INT32_MAX))
        return np_text_raise(scan->text, NP_ERROR_INPUT, "a latency of %llu in %s: it is 1..%d",
                             (unsigned long long)latency, what, INT32_MAX);
    if ((st = add(a, (channel){head, to, line, 0, (uint32_t)latency, true})))
        return st;
    return add(a, (channel){to, head, line, 0, 1, false});
}

static np_status read_line(np_scan *scan, anynet *a)
{
    end head;
    np_status st;
    if (!read_end(scan, &head))
        return np_scan_refuse(scan, "'router N' or 'node N'");
    if ((st = add(a, (channel){head, NOBODY, scan->text->line, 0, 0, false})))
        return st;
    while (!st && !np_scan_at_end(scan))
        st = read_neighbour(scan, a, head);
    return st;
}

/* By the ends; of the same two ends the last first that says a latency, as in BookSim. */
static int compare(const void *x, const void *y)
{
    const channel *a = x, *b = y;
    const int ends = np_order_pair(a->from, b->from, a->to, b->to);
    return ends ? ends : np_order_pair(b->said, a->said, b->order, a->order);
}

static np_text_field name_of(end e, char *room, size_t size)
{
    int length =
        snprintf(room, size, "%s%llu", e >= ROUTER ? "router" : "node", (unsigned long long)(e & (ROUTER - 1)));
    return (np_text_field){room, (size_t)length};
}

/* The nodes, in order; every one is the beginning of some channel. */
static np_status add_nodes(np_builder *graph, const np_text *text, const anynet *a)
{
    char room[32];
    np_node node;
    np_status st = NP_OK;
    for (size_t i = 0; i < a->count && !st; i++) {
        if (i && a->item[i].from == a->item[i - 1].from)
            continue;
        if (!(st = np_builder_node(graph, text, name_of(a->item[i].from, room, sizeof room), &node)) &&
            !is_router(a->item[i].from))
            st = np_builder_host(graph, node);
    }
    return st;
}

static np_status add_channel(np_builder *graph, np_scan *scan, const channel *c)
{
    char room[32], latency[16];
    np_scan_attribute attribute = {"latency", {latency, 0}};
    np_node from, to;
    np_status st;
    attribute.value.length = (size_t)snprintf(latency, sizeof latency, "%u", c->latency);
    if ((st = np_builder_node(graph, scan->text, name_of(c->from, room, sizeof room), &from)) ||
        (st = np_builder_node(graph, scan->text, name_of(c->to, room, sizeof room), &to)))
        return st;
    return np_scan_link(scan, graph, from, to, &attribute, 1);
}

/* A host has one router. */
static np_status check_host(np_scan *scan, const channel *c, const channel *last)
{
    if (is_router(c->from) || c->from != last->from || last->to == NOBODY)
        return NP_OK;
    scan->text->line = c->line > last->line ? c->line : last->line;
    return np_text_raise(scan->text, NP_ERROR_INPUT, "node %llu has the routers %llu and %llu: in %s it has one",
                         (unsigned long long)c->from, (unsigned long long)(last->to & (ROUTER - 1)),
                         (unsigned long long)(c->to & (ROUTER - 1)), what);
}

static np_status add_channels(np_builder *graph, np_scan *scan, const anynet *a)
{
    const channel none = {NOBODY, NOBODY, 0, 0, 0, false}, *last = &none;
    np_status st = NP_OK;
    for (size_t i = 0; i < a->count && !st; i++) {
        const channel *c = &a->item[i];
        if (c->to == NOBODY || (c->from == last->from && c->to == last->to))
            continue;
        if (!(st = check_host(scan, c, last)))
            st = add_channel(graph, scan, c);
        last = c;
    }
    return st;
}

static np_status read(np_builder *graph, np_text *text)
{
    np_scan scan = np_scan_begin(text, what);
    anynet a = {NULL, 0, 0};
    np_status st = NP_OK;
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
    graph->both = true;
    while (!st && np_scan_line(&scan))
        st = read_line(&scan, &a);
    if (!st && a.count) {
        qsort(a.item, a.count, sizeof *a.item, compare);
        if (!(st = add_nodes(graph, text, &a)))
            st = add_channels(graph, &scan, &a);
    }
    np_memory_free(a.item);
    return st;
}

const np_graph_format np_format_anynet = {
    .info = {"anynet", what, "Jiang et al. 2013"},
    .recognizes = recognizes,
    .read = read,
};
