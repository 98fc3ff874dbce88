/*
 * A flow that is divided evenly at every hop: from each node that it reaches, the same on each link that leads nearer
 * to its destination. Of k such links each takes 1/k of what passes through the node; parallel links count each.
 *
 * Nodes are taken by their distance from the destination, the source first, so what passes through a node is known when
 * its turn comes. Distances to a destination are kept for the next flows to it, as far as there is room.
 */
#include "base/memory.h"
#include "base/room.h"
#include "model/network/search.h"
#include "run/flows/flows.h"

enum { DISTANCES = 1 << 24 /* ours: kept at once, over all nodes: 64 MB */ };

struct np_dividing {
    np_search search;
    np_node nodes;
    size_t kept;        /* destinations whose distances are kept: by number, modulo this */
    np_node *of;        /* [kept] the destination; NP_NONE */
    uint32_t **to;      /* [kept] NULL, or [nodes] */
    double *amount;     /* [nodes] of the flow, that passes; 0 but in a call */
    np_fair_time *late; /* [nodes] the largest delay on the way */
    np_node *reached;   /* [nodes] in the order of their turns */
};

np_status np_dividing_create(const np_network *network, np_dividing **out)
{
    np_dividing *d;
    np_status st = np_memory_zeroed(out, 1, sizeof *d, "divided flows");
    if (st)
        return st;
    d = *out;
    d->nodes = np_network_nodes(network);
    d->kept = DISTANCES / d->nodes < d->nodes ? DISTANCES / d->nodes + 1 : d->nodes;
    if ((st = np_search_init(&d->search, network)) ||
        (st = np_memory_array(&d->of, d->kept, sizeof *d->of, "divided flows")) ||
        (st = np_memory_zeroed(&d->to, d->kept, sizeof *d->to, "divided flows")) ||
        (st = np_memory_zeroed(&d->amount, d->nodes, sizeof *d->amount, "divided flows")) ||
        (st = np_memory_array(&d->late, d->nodes, sizeof *d->late, "divided flows")))
        return st;
    return np_memory_array(&d->reached, d->nodes, sizeof *d->reached, "divided flows");
}

void np_dividing_free(np_dividing *d)
{
    if (!d)
        return;
    np_search_clear(&d->search);
    for (size_t i = 0; d->to && i < d->kept; i++)
        np_memory_free(d->to[i]);
    NP_MEMORY_FREE(d->of, d->to, d->amount, d->late, d->reached, d);
}

static np_status find_distances(np_dividing *d, np_node destination, const uint32_t **out)
{
    size_t at = destination % d->kept;
    np_status st = NP_OK;
    bool known = d->to[at] && d->of[at] == destination;
    if (!d->to[at])
        st = np_memory_array(&d->to[at], d->nodes, sizeof **d->to, "the distances of nodes");
    if (!st && !known) {
        np_search_distances(&d->search, destination, true, d->to[at]);
        d->of[at] = destination;
    }
    *out = d->to[at];
    return st;
}

static np_status append(np_ways *w, size_t count, uint32_t link, double part)
{
    double share = part * (double)((uint64_t)1 << NP_FAIR_SHARE_BITS);
    uint64_t whole = (uint64_t)share;
    np_status st;
    if (count == w->room) {
        size_t room = w->room + w->room / 2 + 16, before = w->room;
        if ((st = np_memory_grow(&w->link, before, room, sizeof *w->link, "the path of a flow")) ||
            (st = np_memory_grow(&w->share, before, room, sizeof *w->share, "the path of a flow")))
            return st;
        w->room = room;
    }
    whole += (double)whole < share;
    w->link[count] = link;
    w->share[count] = whole ? whole : 1;
    return NP_OK;
}

/* What passes through node u goes on. *count links are known already; *end nodes have been reached. */
static np_status pass_on(np_ways *w, const uint32_t *distance, np_node u, size_t *count, size_t *end)
{
    np_dividing *d = w->dividing;
    np_link first = np_network_first_link(w->network, u), last = np_network_first_link(w->network, u + 1);
    uint32_t ways = 0;
    np_status st = NP_OK;
    for (np_link l = first; l < last; l++)
        if (w->width[l] && distance[d->search.head[l]] + 1 == distance[u])
            ways += w->width[l];
    for (np_link l = first; !st && l < last; l++) {
        np_node v = d->search.head[l];
        if (v == NP_NONE || distance[v] + 1 != distance[u])
            continue;
        np_fair_time late = d->late[u] + (w->delay ? w->delay[l] : 0);
        if (d->amount[v] == 0) {
            d->reached[(*end)++] = v;
            d->late[v] = 0;
        }
        d->late[v] = late > d->late[v] ? late : d->late[v];
        double part = d->amount[u] * w->width[l] / ways; /* 0 of a link for which another one stands */
        d->amount[v] += part;
        if (w->width[l])
            st = append(w, (*count)++, l, part);
    }
    return st;
}

np_status np_ways_divide(np_ways *w, np_node source, np_node destination, uint32_t *hops, np_fair_time *delay)
{
    np_dividing *d = w->dividing;
    const uint32_t *distance;
    size_t count = 0, end = 1;
    np_status st = find_distances(d, destination, &distance);
    if (st)
        return st;
    if (distance[source] == NP_NONE)
        return np_path_refuse_pair(w->path, source, destination);
    d->reached[0] = source;
    d->amount[source] = 1;
    d->late[source] = 0;
    for (size_t i = 0; !st && i < end && d->reached[i] != destination; i++)
        st = pass_on(w, distance, d->reached[i], &count, &end);
    *delay = st ? 0 : d->late[destination];
    *hops = (uint32_t)count;
    for (size_t i = 0; i < end; i++)
        d->amount[d->reached[i]] = 0;
    return st;
}
