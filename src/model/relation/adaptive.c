/*
 * Minimal adaptive routes with an escape channel (Duato 1993). A packet takes any free channel that leads nearer to its
 * destination, of the last class. If none is free it takes the escape channel, of the classes before.
 *
 * On grids and hypercubes the escape is dimension order, on rings with two classes: class 1 before the dateline, class
 * 0 after it and for who does not cross it. Such a hop is nearer, too, and the packet is free again after it.
 *
 * On other networks the escape is up*down*, which may lead away from the destination: a packet that has taken it once
 * goes on by it (Silla & Duato 2000). Course: 1, the packet is on the escape; 2, it has gone down there.
 *
 * adaptive:no-escape has the channels of the last class alone, and one class.
 */
#include <string.h>

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/relation/table.h"

enum { ESCAPED = 1, DOWN_SHIFT = 1 };

/*
 * Where links lead one way, a router that minimal routes pass may have no way up and then down. Those from u on to v
 * are followed, depth first. seen: [routers] 1 + the last v whose routes were there. stack: [channels + 1]
 */
static np_status follow(const np_relation *r, uint32_t u, uint32_t v, uint32_t *seen, uint32_t *stack)
{
    const np_routers *g = &r->table->routers;
    np_candidate way[NP_CANDIDATES];
    size_t depth = 0;
    for (stack[depth++] = u; depth;) {
        u = stack[--depth];
        if (u == v || seen[u] == v + 1)
            continue;
        seen[u] = v + 1;
        if (!np_table_legal(r->inner->table, g->node[u], g->node[v], false, way, 0))
            return NP_RAISE(NP_ERROR_APPLY,
                            "paths '%s' do not apply to %s: minimal routes pass %.80s, from where no escape up and "
                            "then down leads to %.80s",
                            r->rule->info.name, np_network_spec(r->network), NP_NODE_NAME(r->network, g->node[u]),
                            NP_NODE_NAME(r->network, g->node[v]));
        unsigned count = np_table_nearer(r->table, g->node[u], g->node[v], 0, way);
        for (unsigned i = 0; i < count; i++)
            if (seen[way[i].state >> NP_COURSE_BITS] != v + 1)
                stack[depth++] = (uint32_t)(way[i].state >> NP_COURSE_BITS);
    }
    return NP_OK;
}

/* A packet always may take an escape channel. Nobody goes between planes. */
static np_status check_escapes(const np_relation *r)
{
    const np_routers *g = &r->table->routers;
    uint32_t *seen = NULL, *stack = NULL;
    np_candidate way[NP_CANDIDATES];
    np_status st;
    if (!(st = np_memory_zeroed(&seen, g->count, sizeof *seen, "routers of a search")) &&
        !(st = np_memory_array(&stack, (size_t)g->channels + 1, sizeof *stack, "routers of a search")))
        for (uint32_t v = 0; v < g->count && !st; v++)
            for (uint32_t u = 0; u < g->count && !st && g->ends[v] & NP_ROUTER_OUT; u++)
                if (g->ends[u] & NP_ROUTER_IN && np_table_nearer(r->table, g->node[u], g->node[v], 0, way))
                    st = follow(r, u, v, seen, stack);
    NP_MEMORY_FREE(seen, stack);
    return st;
}

static np_status prepare(np_relation *r, const char *parameter)
{
    np_status st;
    if (*parameter && strcmp(parameter, "no-escape"))
        return np_relation_refuse_parameter(r, parameter);
    r->adaptive = true;
    r->escapes = !*parameter;
    r->theorem = r->escapes ? "a packet always may take an escape channel, and those have no cycle (Duato 1993)" : NULL;
    if ((st = np_relation_set_axes(r)))
        return st;
    r->returns = r->axes.count;
    r->classes = !r->escapes ? 1 : r->axes.wrap ? 3 : 2;
    if (r->axes.count)
        return NP_OK;
    if ((st = np_relation_tabulate(r, (np_table_kind){0})) || !r->escapes)
        return st;
    return (st = np_relation_create_inner(r, "up*down*")) ? st : check_escapes(r);
}

static void add(const np_relation *r, np_candidate *out, unsigned *count, uint32_t axis, bool up)
{
    out[(*count)++] = (np_candidate){.port = np_axes_port(&r->axes, axis, up), .class_ = (uint8_t)(r->classes - 1)};
}

static unsigned cube_ways(const np_relation *r, np_node at, np_node to, np_candidate *out)
{
    np_port highest = r->axes.count - 1; /* the port of bit 0 */
    unsigned count = 0;
    if (at == to)
        return 0;
    for (uint32_t left = at ^ to; left; left &= left - 1)
        out[count++] =
            (np_candidate){.port = highest - (np_port)__builtin_ctz(left), .class_ = (uint8_t)(r->classes - 1)};
    if (r->escapes) {
        out[count] = (np_candidate){.port = out[count - 1].port, .escape = 1};
        count++;
    }
    return count;
}

static unsigned grid_ways(const np_relation *r, np_node at, np_node to, np_candidate *out)
{
    const np_axes *axes = &r->axes;
    const uint32_t *here = &r->coordinate[(size_t)at * axes->count], *there = &r->coordinate[(size_t)to * axes->count];
    np_candidate escape = {.escape = 1};
    unsigned count = 0;
    bool found = false;
    for (uint32_t i = 0; i < axes->count; i++) {
        uint32_t x = here[i], y = there[i];
        if (x == y)
            continue;
        uint32_t distance = y > x ? y - x : x - y, around = axes->wrap ? axes->side[i] - distance : UINT32_MAX;
        bool tie = distance == around, up = tie || (y > x) == (distance < around);
        add(r, out, &count, i, up);
        if (tie)
            add(r, out, &count, i, false);
        if (!found) {
            escape.port = np_axes_port(axes, i, up);
            escape.class_ = axes->wrap && up == (y < x);
        }
        found = true;
    }
    if (found && r->escapes)
        out[count++] = escape;
    return count;
}

static unsigned table_ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    unsigned free = 0, count;
    if (!(course & ESCAPED))
        free = np_table_nearer(r->table, at, to, r->classes - 1, out);
    if (!r->escapes)
        return free;
    count = np_table_legal(r->inner->table, at, to, course >> DOWN_SHIFT & 1, out, free);
    for (unsigned i = free; i < count; i++) {
        out[i].escape = 1;
        out[i].state = out[i].state << DOWN_SHIFT | ESCAPED;
    }
    return count;
}

static unsigned ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    if (!r->axes.count)
        return table_ways(r, at, to, course, out);
    return r->axes.cube ? cube_ways(r, at, to, out) : grid_ways(r, at, to, out);
}

const np_relation_rule np_relation_duato = {
    .info = {"adaptive",
             "any free channel that leads nearer; if none is free an escape, by dimension order or up*down*",
             "Duato 1993; Silla & Duato 2000", .parameters = "[:no-escape]", .example = "adaptive:no-escape",
             .networks = "any but one-way"},
    .refuses = np_relation_refuses_one_way,
    .prepare = prepare,
    .ways = ways,
};
