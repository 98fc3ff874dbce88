/*
 * Forwarding tables from a file: lines 'node destination next', by the names of nodes. A packet at the node, to the
 * destination, goes on to the next node, over the lowest port that leads there; or, where the line has '/P' in place of
 * the next node, over port P. If a node and a destination have several lines, each packet draws one at every hop, all
 * equally likely.
 *
 * Destinations may be hosts. Relations are asked for routers: so the lines of a router must be the same for all hosts
 * of another router that it has lines for. Lines for the last hop, to the host, say nothing new.
 *
 * A line must lead to the destination or to a router that has a line for it, for the same host, and no packet may come
 * back to a router.
 */
#include <stdlib.h>

#include "base/order.h"
#include "base/room.h"
#include "base/text.h"
#include "model/network/read_node.h"
#include "model/relation/listed.h"
#include "model/relation/routers.h"

/* ---- Reading ---- */

/* '/3' is port 3 of the node. */
static np_status read_port(const np_network *network, const np_text *text, np_node at, uint64_t number, np_port *port)
{
    np_link link = number < NP_NONE ? np_network_link_at(network, at, (np_port)number) : NP_NONE;
    if (np_network_find_node(network, np_text_show(text, 2).text) != NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT, "'%s' is a node, and port %llu of node %.60s",
                             np_text_show(text, 2).text, (unsigned long long)number, NP_NODE_NAME(network, at));
    if (link == NP_NONE || np_network_link_head(network, link) == NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT, "node %.60s has no port %llu", NP_NODE_NAME(network, at),
                             (unsigned long long)number);
    *port = (np_port)number;
    return NP_OK;
}

static np_status read_next(const np_network *network, const np_text *text, np_node at, np_port *port)
{
    np_text_field field = text->field[2];
    uint64_t number;
    np_node next;
    np_status st;
    if (field.length > 1 && *field.at == '/' && np_text_whole((np_text_field){field.at + 1, field.length - 1}, &number))
        return read_port(network, text, at, number, port);
    if ((st = np_network_read_node(network, text, field, "node", &next)))
        return st;
    np_link link = np_network_link_between(network, at, next);
    if (link == NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT, "no link leads from node %.60s to node %.60s",
                             NP_NODE_NAME(network, at), NP_NODE_NAME(network, next));
    *port = link - np_network_first_link(network, at);
    return NP_OK;
}

/* Adds a line, unless it is for the last hop to a host. */
static np_status add(np_relation *r, const np_text *text, np_node at, np_node to, np_port port)
{
    np_relation_forwards *f = r->forwards;
    np_node next = np_network_link_head(r->network, np_network_link_at(r->network, at, port));
    np_node router = np_relation_router(r->network, to);
    np_status st;
    if (at == router && next == to && router != to)
        return NP_OK;
    if (at == router)
        return np_text_raise(text, NP_ERROR_INPUT, "a packet that has arrived at %.60s goes on to %.60s",
                             NP_NODE_NAME(r->network, at), NP_NODE_NAME(r->network, next));
    if (!np_network_is_router(r->network, next))
        return np_text_raise(text, NP_ERROR_INPUT, "the next node %.60s is a host, and not the destination",
                             NP_NODE_NAME(r->network, next));
    if ((st = np_memory_room(&f->forward, f->count, &f->room, sizeof *f->forward, "a forwarding table")))
        return st;
    f->forward[f->count++] = (np_forward){(uint64_t)at << 32 | router, port, to, text->line};
    return NP_OK;
}

static np_status read_line(np_relation *r, const np_text *text)
{
    np_node at, to;
    np_port port = 0;
    np_status st;
    if ((st = np_text_count(text, 3, 3, "node destination next")) ||
        (st = np_network_read_node(r->network, text, text->field[0], "node", &at)) ||
        (st = np_network_read_node(r->network, text, text->field[1], "node", &to)))
        return st;
    if (!np_network_is_router(r->network, at))
        return np_text_raise(text, NP_ERROR_INPUT, "node %.60s is a host, which sends to its router",
                             NP_NODE_NAME(r->network, at));
    return (st = read_next(r->network, text, at, &port)) ? st : add(r, text, at, to, port);
}

static int ascending(const void *a, const void *b)
{
    const np_forward *x = a, *y = b;
    return x->ends != y->ends ? np_order(x->ends, y->ends) : np_order_pair(x->port, y->port, x->to, y->to);
}

static np_status read_lines(np_relation *r, const char *data, size_t length)
{
    np_text text;
    np_status st = np_text_open(&text, r->file, data, length);
    if (st)
        return st;
    text.separator = np_text_separator(text, r->file);
    while (!st && np_text_next(&text))
        st = read_line(r, &text);
    if (!st && !r->forwards->count)
        st = np_text_raise(&text, NP_ERROR_INPUT, "no routes: write lines 'node destination next'");
    if (!st)
        qsort(r->forwards->forward, r->forwards->count, sizeof *r->forwards->forward, ascending);
    return st;
}

/* ---- What a table must be ---- */

const np_forward *np_forwards_find(const np_relation_forwards *f, np_node at, np_node to, size_t *count)
{
    return np_order_find(f->count, f->forward, sizeof *f->forward, (uint64_t)at << 32 | to, count);
}

static np_status refuse_line(const np_relation *r, const np_forward *line, const char *why, np_node node)
{
    return NP_RAISE(NP_ERROR_INPUT, "%.200s:%llu: %s%.60s", r->file, (unsigned long long)line->line, why,
                    NP_NODE_NAME(r->network, node));
}

static size_t end_of(const np_relation_forwards *f, size_t a)
{
    size_t b = a + 1;
    while (b < f->count && f->forward[b].ends == f->forward[a].ends)
        b++;
    return b;
}

/* How many lines, from line a on, are of one port: of as many hosts. */
static size_t hosts_of(const np_relation_forwards *f, size_t a)
{
    size_t hosts = 1, end = end_of(f, a);
    while (a + hosts < end && f->forward[a + hosts].port == f->forward[a].port)
        ++hosts;
    return hosts;
}

/* The lines from a on of a router and a destination, by ports: each port has the same hosts. */
static np_status check_hosts(const np_relation *r, size_t a)
{
    const np_forward *line = r->forwards->forward;
    size_t b = end_of(r->forwards, a), hosts = hosts_of(r->forwards, a);
    for (size_t j = a; j < b; j++) {
        const np_forward *head = &line[j - (j - a) % hosts];
        if (j > a && line[j].port == line[j - 1].port && line[j].to == line[j - 1].to)
            return refuse_line(r, &line[j], "a line that is there already, to ", line[j].to);
        if ((b - a) % hosts || line[j].port != head->port || line[j].to != line[a + (j - a) % hosts].to)
            return refuse_line(r, &line[j], "routes hop by hop are of routers: other hosts have other lines than ",
                               line[j].to);
    }
    return (b - a) / hosts < NP_CANDIDATES ? NP_OK
                                           : refuse_line(r, &line[a], "64 lines or more for packets to ", line[a].to);
}

static np_node head_of(const np_relation *r, const np_forward *line)
{
    np_node at = (np_node)(line->ends >> 32);
    return np_network_link_head(r->network, np_network_link_at(r->network, at, line->port));
}

/* The line leads to the destination, or to a router that has a line for the same one: the same host. */
static np_status check_next(const np_relation *r, const np_forward *line)
{
    size_t count = 0;
    np_node head = head_of(r, line), to = (np_node)line->ends;
    const np_forward *there = head == to ? line : np_forwards_find(r->forwards, head, to, &count);
    while (head != to && count && there->to != line->to) {
        there++;
        count--;
    }
    return head == to || count ? NP_OK
                               : refuse_line(r, line, "it leads to a node without a line for the destination: ", head);
}

/* Of the lines of a port for several hosts one is kept. */
static np_status merge(np_relation *r)
{
    np_relation_forwards *f = r->forwards;
    size_t kept = 0, hosts;
    np_status st = NP_OK;
    for (size_t a = 0; a < f->count && !st; a = end_of(f, a))
        st = check_hosts(r, a);
    for (size_t i = 0; i < f->count && !st; i++)
        st = check_next(r, &f->forward[i]);
    if (st)
        return st;
    for (size_t a = 0, b; a < f->count; a = b)
        for (b = end_of(f, a), hosts = hosts_of(f, a); a < b; a += hosts)
            f->forward[kept++] = f->forward[a];
    f->count = kept;
    return NP_OK;
}

/*
 * Follows the lines from line i on, depth first: no packet comes back. mark: [count] of each line,
 * at the first of its ends: 0 not met, 1 on the way, 2 done. stack: [count]
 */
static np_status follow(const np_relation *r, size_t i, uint8_t *mark, size_t *stack, size_t *next)
{
    const np_relation_forwards *f = r->forwards;
    size_t depth = 1;
    stack[0] = i;
    mark[i] = 1;
    next[i] = i;
    while (depth) {
        size_t top = stack[depth - 1], count;
        const np_forward *line = &f->forward[next[top]];
        if (next[top] == f->count || line->ends != f->forward[top].ends) {
            mark[top] = 2;
            depth--;
            continue;
        }
        next[top]++;
        np_node head = head_of(r, line), to = (np_node)line->ends;
        if (head == to)
            continue;
        size_t k = (size_t)(np_forwards_find(f, head, to, &count) - f->forward); /* check_next: there is one */
        if (mark[k] == 1)
            return refuse_line(r, line, "packets go in circles: they come back to ", head);
        if (mark[k])
            continue;
        mark[k] = 1;
        next[k] = k;
        stack[depth++] = k;
    }
    return NP_OK;
}

static np_status check_lines(const np_relation *r)
{
    const np_relation_forwards *f = r->forwards;
    size_t *stack = NULL, *next = NULL;
    uint8_t *mark = NULL;
    np_status st;
    if (!(st = np_memory_zeroed(&mark, f->count, 1, "a forwarding table")) &&
        !(st = np_memory_array(&stack, f->count, sizeof *stack, "a forwarding table")) &&
        !(st = np_memory_array(&next, f->count, sizeof *next, "a forwarding table")))
        for (size_t i = 0; i < f->count && !st; i = end_of(f, i))
            st = mark[i] ? NP_OK : follow(r, i, mark, stack, next);
    NP_MEMORY_FREE(mark, stack, next);
    return st;
}

/* ---- The rule ---- */

static np_status prepare(np_relation *r, const char *parameter)
{
    if (!*parameter)
        return NP_RAISE(NP_ERROR_INPUT, "paths 'forwarding' lack a path: write forwarding:PATH, as in %s",
                        r->rule->info.example);
    NP_TEXT_FILE(text, parameter);
    np_status st = text.status;
    r->file = parameter;
    if (!st && !(st = np_memory_zeroed(&r->forwards, 1, sizeof *r->forwards, "a forwarding table")) &&
        !(st = read_lines(r, text.data, text.length)) && !(st = merge(r)))
        st = check_lines(r);
    r->file = NULL;
    return st;
}

static unsigned ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    size_t count;
    const np_forward *line = np_forwards_find(r->forwards, at, to, &count);
    (void)course;
    for (size_t i = 0; i < count; i++)
        out[i] = (np_candidate){.port = line[i].port};
    return (unsigned)count;
}

void np_forwards_free(np_relation_forwards *f)
{
    if (!f)
        return;
    NP_MEMORY_FREE(f->forward, f);
}

const np_relation_rule np_relation_forwarding = {
    .info = {"forwarding", "a forwarding table from a file: lines 'node destination next', next a node or '/PORT'", "",
             .parameters = ":PATH", .example = "forwarding:tables.txt", .networks = "any"},
    .one_router = true,
    .prepare = prepare,
    .ways = ways,
};
