/*
 * Cheapest paths: the sum of a number that the file of a network gives to its links is least, and of these paths those
 * of the fewest hops. At every node a packet draws among the links of such paths, all equally likely.
 *
 * Costs are kept in units of 1e-9, so that sums are exact and the same on every machine. One search (Dijkstra 1959)
 * from each destination, against the links, serves all packets that go there. A link to or from a host that hangs on a
 * switch (src/model/family/hosted.c) costs nothing.
 */
#include "model/path/cheapest.h"

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/path/finding.h"

#define COST_MAX 1e6 /* ours: 18000 links of this cost fit 64 bits */
#define UNIT 1e9

/* ---- Costs ---- */

static np_status read_cost(const np_network *network, const np_link_attribute *attribute, np_link link, uint64_t *cost)
{
    double value = attribute->value[link];
    np_node u = np_network_link_tail(network, link), v = np_network_link_head(network, link);
    bool hangs = network->switches && (u >= network->switches->nodes || v >= network->switches->nodes);
    *cost = 0;
    if (hangs)
        return NP_OK;
    if (!(value >= 0 && value <= COST_MAX))
        return NP_RAISE(NP_ERROR_INPUT, "the link from node %.60s to node %.60s has no %.60s that can be a cost: 0..%d",
                        NP_NODE_NAME(network, u), NP_NODE_NAME(network, v), attribute->name, (int)COST_MAX);
    *cost = (uint64_t)(value * UNIT + 0.5);
    return NP_OK;
}

np_status np_cheapest_read(np_path *path, const char *name)
{
    const np_network *network = path->network;
    const np_link_attribute *all, *attribute = np_network_find_attribute(network, name);
    size_t count = np_network_attributes(network, &all);
    uint64_t *cost;
    np_status st;
    if (!attribute) {
        np_parse_hint hint;
        np_parse_hint_init(&hint, name);
        for (size_t i = 0; i < count; i++)
            np_parse_hint_add(&hint, all[i].name);
        return NP_RAISE(NP_ERROR_APPLY, "paths 'cheapest:%.60s': links of %.200s have no such number: %s", name,
                        network->spec, hint.text);
    }
    if ((st = np_path_allocate(path, network->link_numbers * sizeof *cost, &cost)))
        return st;
    for (np_link link = 0; link < network->link_numbers && !st; link++)
        if (np_network_link_head(network, link) != NP_NONE)
            st = read_cost(network, attribute, link, &cost[link]);
    return st;
}

/* ---- Searches ---- */

/* How far a node is from the destination: less cost first, then fewer hops. */
typedef struct length {
    uint64_t cost;
    uint32_t hops;
} length;

typedef struct entry {
    length away;
    np_node node;
} entry;

typedef struct cheapest {
    const np_graph *graph;
    const uint64_t *cost; /* [link_numbers] */
    length *away;         /* [nodes] to the destination; hops NP_NONE: no way is known */
    entry *heap;          /* [links + 1] old entries of a node stay */
    size_t entries;
    np_port *port;   /* [nodes] of a route */
    uint32_t *order; /* [packets] by destination */
} cheapest;

static bool is_less(length a, length b) { return a.cost < b.cost || (a.cost == b.cost && a.hops < b.hops); }

static void push(cheapest *c, entry e)
{
    size_t i = c->entries++;
    for (; i > 0 && is_less(e.away, c->heap[(i - 1) / 2].away); i = (i - 1) / 2)
        c->heap[i] = c->heap[(i - 1) / 2];
    c->heap[i] = e;
}

static entry pop(cheapest *c)
{
    entry top = c->heap[0], last = c->heap[--c->entries];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < c->entries) {
        child += child + 1 < c->entries && is_less(c->heap[child + 1].away, c->heap[child].away);
        if (!is_less(c->heap[child].away, last.away))
            break;
        c->heap[i] = c->heap[child];
        i = child;
    }
    c->heap[i] = last;
    return top;
}

static void search(cheapest *c, np_node to)
{
    const np_graph *graph = c->graph;
    for (np_node u = 0; u < graph->nodes; u++)
        c->away[u] = (length){UINT64_MAX, NP_NONE};
    c->away[to] = (length){0, 0};
    c->entries = 0;
    push(c, (entry){c->away[to], to});
    while (c->entries) {
        entry e = pop(c);
        np_node v = e.node;
        if (is_less(c->away[v], e.away))
            continue;
        for (uint32_t j = graph->in_row[v]; j < graph->in_row[v + 1]; j++) {
            np_node u = graph->in[j];
            length by = {e.away.cost + c->cost[graph->in_link[j]], e.away.hops + 1};
            if (!is_less(by, c->away[u]))
                continue;
            c->away[u] = by;
            push(c, (entry){by, u});
        }
    }
}

/* Does the link lead on, on a cheapest path from u? */
static bool leads_on(const cheapest *c, np_node u, np_link link)
{
    np_node v = c->graph->head[link];
    return v != NP_NONE && c->away[v].hops != NP_NONE && c->away[v].hops + 1 == c->away[u].hops &&
           c->away[v].cost + c->cost[link] == c->away[u].cost;
}

/* Draws among the links that lead on. */
static np_link draw_link(const cheapest *c, np_node u, np_dice *dice)
{
    const np_graph *graph = c->graph;
    uint32_t count = 0, rank;
    np_link link;
    for (link = graph->row[u]; link < graph->row[u + 1]; link++)
        count += leads_on(c, u, link);
    rank = count > 1 ? np_dice_below(dice, count) : 0;
    for (link = graph->row[u]; !leads_on(c, u, link) || rank--; link++)
        continue;
    return link;
}

static void find(np_finding *f, cheapest *c, uint32_t i)
{
    np_dice dice = np_dice_of_packet(np_draws_for(f->demand->draws, NP_RANDOM_ROUTE), f->demand->first + (np_packet)i);
    np_node at = f->demand->from[i], to = f->demand->to[i];
    uint32_t hops = 0;
    if (c->away[at].hops == NP_NONE) {
        np_finding_lose(f, i);
        return;
    }
    while (at != to) {
        np_link link = draw_link(c, at, &dice);
        c->port[hops++] = link - c->graph->row[at];
        at = c->graph->head[link];
    }
    np_finding_keep(f, i, hops, c->port);
}

/* ---- The rule ---- */

/* Counting sort: the packets in the order of their destinations. begin: [nodes + 1] zeros, then where each begins */
static void order_packets(const np_finding *f, uint32_t *order, uint32_t *begin, np_node nodes)
{
    for (size_t i = 0; i < f->demand->count; i++)
        begin[f->demand->to[i] + 1]++;
    for (np_node v = 0; v < nodes; v++)
        begin[v + 1] += begin[v];
    for (size_t i = f->demand->count; i-- > 0;) /* begin[v + 1] goes down to where v begins */
        order[--begin[f->demand->to[i] + 1]] = (uint32_t)i;
}

static void find_all(np_finding *f, cheapest *c, uint32_t *begin)
{
    const np_node nodes = c->graph->nodes;
    order_packets(f, c->order, begin, nodes);
    for (np_node to = 0; to < nodes && f->lost == NP_NONE; to++) {
        uint32_t first = begin[to + 1], end = to + 1 < nodes ? begin[to + 2] : (uint32_t)f->demand->count;
        if (first < end)
            search(c, to);
        for (; first < end && f->lost == NP_NONE; first++)
            find(f, c, c->order[first]);
        np_finding_tell(f, to);
    }
}

static void pass(np_finding *f)
{
    static const char what[] = "the cheapest paths";
    const np_path *path = f->routes->options.path;
    const np_graph *graph = f->routes->graph;
    cheapest c = {.graph = graph, .cost = path->table};
    uint32_t *begin = NULL;
    np_status st;
    if (!(st = np_memory_array(&c.away, graph->nodes, sizeof *c.away, what)) &&
        !(st = np_memory_array(&c.heap, graph->links + 1, sizeof *c.heap, what)) &&
        !(st = np_memory_array(&c.port, graph->nodes, sizeof *c.port, what)) &&
        !(st = np_memory_array(&c.order, f->demand->count, sizeof *c.order, what)) &&
        !(st = np_memory_zeroed(&begin, (size_t)graph->nodes + 1, sizeof *begin, what)))
        find_all(f, &c, begin);
    else
        np_finding_fail(f, st);
    np_memory_free(c.away);
    np_memory_free(c.heap);
    np_memory_free(c.port);
    np_memory_free(c.order);
    np_memory_free(begin);
}

static uint64_t bytes(const np_path *path, size_t packets)
{
    return path->network->nodes * (uint64_t)(sizeof(length) + 2 * sizeof(uint32_t)) +
           (path->network->links + 1) * sizeof(entry) + packets * sizeof(uint32_t) + 64;
}

static const char *refuses(const np_network *network)
{
    const np_link_attribute *attribute;
    return np_network_attributes(network, &attribute) ? NULL : "its links have no numbers, as those of some files have";
}

const np_path_rule np_path_cheapest = {
    .info = {"cheapest", "the least sum of a number of the links, such as a delay; then the fewest hops",
             "Dijkstra 1959", .parameters = "ATTRIBUTE", .example = "cheapest:delay", .networks = "files with numbers"},
    .randomized = true,
    .refuses = refuses,
    .chooser = &(const np_chooser){.draws = true, .costs = true, .pass = pass, .bytes = bytes},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
