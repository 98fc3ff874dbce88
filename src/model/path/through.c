/*
 * The routes of all packets that go through one gate, for the rules that
 * choose among shortest paths.
 *
 * Few packets are searched for one by one, from both ends. When that has cost
 * a good part of a whole search, or if the packets are many, the rest is found by
 * a search from the gate alone. Then the packets' marks stay, and their routes
 * are chosen in batches.
 */
#include "base/hot.h"
#include "model/path/finding.h"

enum { FETCHED = 16 }; /* packets ahead: ours */

/* Fetches what belongs to a packet that comes soon: a gate's packets lie far apart. */
static inline void fetch(const np_finding *f, uint32_t i)
{
    __builtin_prefetch(&f->demand->from[i]);
    __builtin_prefetch(&f->ticket[i], 1);
}

/* Does the link cost no more than the other one? */
static bool no_dearer(const np_graph *graph, np_link link, np_link other)
{
    return !graph->cost || graph->cost[link] <= graph->cost[other];
}

/* The last link of a route, from the gate to the destination: the first of parallel ones, or one by lot. */
static np_port last_port(const np_graph *graph, const np_chooser *chooser, np_node gate, np_node to, np_dice *dice)
{
    np_link first = np_graph_link_between(graph, gate, to), least = first;
    uint32_t count = 0, skip;
    if (!graph->twin)
        return first - graph->row[gate];
    for (np_link link = graph->twin[first]; link != first; link = graph->twin[link])
        least = no_dearer(graph, least, link) ? least : link;
    np_link link = first;
    do
        count += no_dearer(graph, link, least);
    while ((link = graph->twin[link]) != first);
    skip = chooser->draws ? np_dice_below(dice, count) : 0;
    for (link = first; !no_dearer(graph, link, least) || skip--;)
        link = graph->twin[link];
    return link - graph->row[gate];
}

/* 64 random bits for each of the items, in steps that vectorise. */
NP_HOT static void draw_all(const np_draws *draws, uint32_t count, const uint32_t *item, const uint32_t *draw,
                            uint64_t *bits)
{
    for (uint32_t b = 0; b < count; b++)
        bits[b] = np_random_u64(draws, item[b], draw[b]);
}

/* Gives every packet its dice, with the first draw made. */
static void give_dice(const np_finding *f, np_batch *batch)
{
    const np_demand *demand = f->demand;
    bool pair = f->routes->options.path->rule->chooser->by_pair;
    np_draws draws = np_draws_for(demand->draws, pair ? NP_RANDOM_FLOW : NP_RANDOM_ROUTE);
    uint32_t item[NP_BATCH] = {0}, other[NP_BATCH] = {0};
    uint64_t first[NP_BATCH];
    for (uint32_t b = 0; b < batch->count; b++) {
        item[b] = pair ? batch->from[b] : demand->first + batch->packet[b];
        other[b] = pair ? demand->to[batch->packet[b]] : 0;
    }
    draw_all(&draws, batch->count, item, other, first);
    for (uint32_t b = 0; b < batch->count; b++)
        batch->dice[b] = (np_dice){.draws = draws, .item = item[b], .pair = pair, .first = first[b]};
}

/* Chooses the routes of the batch, keeps them, and empties the batch. */
static void choose(np_finding *f, np_seeker *seeker, np_node gate, np_batch *batch)
{
    const np_chooser *chooser = f->routes->options.path->rule->chooser;
    if (chooser->draws)
        give_dice(f, batch);
    chooser->choose(seeker, batch);
    for (uint32_t b = 0; b < batch->count; b++) {
        np_node to = batch->leads_on ? f->demand->to[batch->packet[b]] : gate;
        uint32_t hops = batch->hops[b];
        if (gate != to) {
            np_port last = last_port(seeker->graph, chooser, gate, to, &batch->dice[b]);
            batch->port[b][hops++] = last;
            batch->parallel[b] |= np_graph_parallel(seeker->graph, seeker->graph->row[gate] + last);
        }
        np_finding_keep(f, batch->packet[b], hops, batch->port[b]);
        if (batch->parallel[b])
            np_finding_share(f, batch->packet[b]);
    }
    batch->count = batch->ports = 0;
}

/*
 * Adds packet i, which has been searched for. A route and its last link have at most as many ports as there are nodes.
 */
static void add(np_finding *f, np_seeker *seeker, np_node gate, np_batch *batch, uint32_t i)
{
    np_node from = f->demand->from[i];
    uint32_t hops = seeker->mark[from] - 1, b;
    if (batch->count == NP_BATCH || batch->ports + hops + 1 > seeker->graph->nodes)
        choose(f, seeker, gate, batch);
    b = batch->count++;
    batch->packet[b] = i;
    batch->from[b] = from;
    batch->hops[b] = hops;
    batch->port[b] = seeker->port + batch->ports;
    batch->parallel[b] = false;
    batch->ports += hops + 1;
}

/* Do so many packets go through the gate that it is searched from to the end? A quarter of the nodes: ours. */
static bool many(const np_routes *routes, np_node gate)
{
    return routes->begin[gate + 1] - routes->begin[gate] > routes->graph->nodes / 4;
}

/* Finds the routes of all packets of a gate. */
static void find(np_finding *f, np_seeker *seeker, np_node gate)
{
    const np_routes *routes = f->routes;
    uint32_t first = routes->begin[gate], end = routes->begin[gate + 1];
    uint64_t few = routes->graph->links / 4, begin = seeker->visits; /* a quarter: ours */
    bool whole = many(routes, gate);
    np_batch batch;
    np_seek_begin(seeker, gate);
    batch.count = batch.ports = 0;
    batch.leads_on = np_graph_leads_on(routes->graph, gate);
    for (uint32_t k = first; k < end; k++) {
        uint32_t i = routes->order[k];
        np_node from = f->demand->from[i];
        bool both_ends = !whole && (k + 1 == end || seeker->visits - begin < few);
        if (end - k > FETCHED)
            fetch(f, routes->order[k + FETCHED]);
        if (!(both_ends ? np_seek_from(seeker, from) : np_seek_back(seeker, from))) {
            np_finding_lose(f, i);
            break;
        }
        add(f, seeker, gate, &batch, i);
        if (both_ends)
            choose(f, seeker, gate, &batch); /* its marks go with the next search */
    }
    choose(f, seeker, gate, &batch);
    np_seek_end(seeker);
}

void np_finding_through(np_finding *f, np_seeker *seeker, np_node first, np_node end)
{
    for (np_node gate = first; gate < end && !atomic_load(&f->stop); gate++)
        if (f->routes->begin[gate] < f->routes->begin[gate + 1])
            find(f, seeker, gate);
}
