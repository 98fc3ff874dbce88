/*
 * Paths for known demands: the packets are placed one after another, each on
 * the least loaded of its shortest paths. The load of a path is the most
 * packets on any of its links, then their sum over its links. Among equal
 * paths it takes the lowest ports, first hop first. It draws nothing.
 *
 * Packets are placed in the order of the gates of their destinations, and by
 * number for each gate. Threads search from several gates at once; one thread
 * then places their packets. This is the greedy method for routing calls on
 * line, with the largest load as its cost. Aspnes, Azar, Fiat, Plotkin &
 * Waarts 1997 have a cost with a proof.
 */
#include <string.h>

#include "base/threads.h"
#include "model/path/finding.h"

#define LARGEST 32 /* a cost is the largest load above this bit, and the sum of the loads below */

/* The cost of a path that begins with a link of this load and goes on at a node of this cost. */
static inline uint64_t cost_of(uint64_t load, uint64_t rest)
{
    uint64_t largest = rest >> LARGEST > load ? rest >> LARGEST : load;
    return largest << LARGEST | (uint32_t)(rest + load);
}

/* count[u] = the least cost from u on; exponent[u] = the port there, and 1. */
static void price(np_seeker *seeker, const uint32_t *load, np_node u)
{
    const np_graph *graph = seeker->graph;
    np_link end = graph->row[u + 1];
    uint64_t least = UINT64_MAX;
    for (np_link base = graph->row[u]; base < end; base += NP_SEEKER_SET)
        for (uint32_t set = np_seeker_set(seeker, base, end); set; set &= set - 1) {
            np_link link = base + (unsigned)__builtin_ctz(set);
            uint64_t cost = cost_of(load[link], seeker->count[graph->head[link]]);
            if (cost < least) {
                least = cost;
                seeker->exponent[u] = link - graph->row[u] + 1;
            }
        }
    seeker->count[u] = least;
}

static uint32_t walk(np_seeker *seeker, uint32_t *load, np_node from)
{
    const np_graph *graph = seeker->graph;
    uint32_t hops = 0;
    for (np_node u = from; seeker->mark[u] > 1; hops++) {
        np_port port = seeker->exponent[u] - 1;
        seeker->port[hops] = port;
        load[graph->row[u] + port]++;
        u = graph->head[graph->row[u] + port];
    }
    return hops;
}

/* The least loaded link from the gate to the destination. */
static np_port last_hop(const np_graph *graph, uint32_t *load, np_node gate, np_node to)
{
    np_link first = np_graph_link_between(graph, gate, to), best = first;
    if (graph->twin)
        for (np_link link = graph->twin[first]; link != first; link = graph->twin[link])
            best = load[link] < load[best] ? link : best;
    load[best]++;
    return best - graph->row[gate];
}

/* The packet's source has been searched for. */
static void place(np_finding *f, np_seeker *seeker, np_node gate, uint32_t i)
{
    uint32_t *load = f->routes->turn, hops;
    np_node from = f->demand->from[i], to = f->demand->to[i];
    np_seeker_list(seeker, from);
    for (uint32_t k = seeker->counts; k > 0; k--)
        if (seeker->counted[k - 1] != gate) /* whose cost is 0 */
            price(seeker, load, seeker->counted[k - 1]);
    hops = walk(seeker, load, from);
    np_seeker_forget(seeker); /* the loads have changed */
    if (gate != to)
        seeker->port[hops++] = last_hop(seeker->graph, load, gate, to);
    np_finding_keep(f, i, hops, seeker->port);
}

/* Searches from a gate for all of its packets. */
static void search(np_finding *f, np_seeker *seeker, np_node gate)
{
    const np_routes *routes = f->routes;
    uint32_t first = routes->begin[gate], end = routes->begin[gate + 1];
    np_seek_begin(seeker, gate);
    for (uint32_t k = first; k < end; k++) {
        np_node from = f->demand->from[routes->order[k]];
        if (!(end == first + 1 ? np_seek_from(seeker, from) : np_seek_back(seeker, from)))
            np_finding_lose(f, routes->order[k]);
    }
    np_seeker_forget(seeker);
}

typedef struct gates {
    np_finding *f;
    const np_node *gate;
} gates;

static void search_one(void *context, unsigned thread, uint32_t i)
{
    const gates *g = context;
    (void)thread;
    search(g->f, &g->f->routes->seeker[i], g->gate[i]);
}

static void search_all(np_finding *f, unsigned count, const np_node *gate)
{
    np_threads_each(count, count, search_one, &(gates){f, gate});
}

static void place_all(np_finding *f, unsigned count, const np_node *gate)
{
    const np_routes *routes = f->routes;
    for (unsigned t = 0; t < count; t++) {
        if (f->lost == NP_NONE)
            for (uint32_t k = routes->begin[gate[t]]; k < routes->begin[gate[t] + 1]; k++)
                place(f, &routes->seeker[t], gate[t], routes->order[k]);
        np_seek_end(&routes->seeker[t]);
    }
}

enum { AT_ONCE = 64 }; /* most gates to search from at once */

static void pass(np_finding *f)
{
    const np_routes *routes = f->routes;
    uint32_t nodes = routes->graph->nodes;
    unsigned most = routes->options.threads < AT_ONCE ? routes->options.threads : AT_ONCE, count = 0;
    np_node gate[AT_ONCE];
    memset(routes->turn, 0, routes->graph->link_numbers * sizeof *routes->turn);
    for (np_node v = 0; v < nodes && !atomic_load(&f->stop); v++) {
        if (routes->begin[v] < routes->begin[v + 1])
            gate[count++] = v;
        if (count < most && v + 1 < nodes)
            continue;
        if (count)
            search_all(f, count, gate);
        place_all(f, count, gate);
        if (count)
            np_finding_tell(f, v);
        count = 0;
    }
}

const np_path_rule np_path_balanced = {
    .info = {"balanced", "packets one after another, each on the least loaded of its shortest paths",
             "Aspnes, Azar, Fiat, Plotkin & Waarts 1997", .networks = "any"},
    .shortest = true,
    .chooser = &(const np_chooser){.balances = true, .weighs = true, .together = true, .pass = pass},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
