/*
 * See routes.h.
 *
 * The packets are sorted by the gates of their destinations. A thread takes a
 * gate and finds the routes of all packets that go through it (through.c).
 *
 * All tickets are written in one pass. If some route has no place in its
 * ticket, the first pass has found the lengths of all, and a second pass writes
 * the ports.
 */
#include "model/path/routes.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "base/threads.h"
#include "model/path/finding.h"

enum {
    COUNT_BITS = NP_ROUTES_COUNT_BITS,
    STORED = (1 << COUNT_BITS) - 1, /* the count of a ticket whose route is in `ports` */
    HOPS_BITS = 22,
    PLACE_SHIFT = COUNT_BITS + HOPS_BITS,
    SHARES = 8,           /* of the gates that a thread takes one after another, at least: ours */
    GATES_NODES = 1 << 19 /* the gates that it takes at a time, times nodes, at most: ours, for progress */
};

#define HOPS_MAX ((UINT32_C(1) << HOPS_BITS) - 1)
#define PLACES_MAX (UINT64_C(1) << (64 - PLACE_SHIFT))

/* ---- Life ---- */

static unsigned bits_of(uint32_t ports)
{
    unsigned bits = 1;
    while (bits < 32 && ports > UINT32_C(1) << bits)
        bits++;
    return bits;
}

/* Are parallel links given to the packets in turn? Where links have costs, they may have different ones. */
static bool shares(const np_routes *routes)
{
    return routes->graph->twin && !routes->graph->cost && routes->options.path->rule->chooser->shares;
}

static void layout(void *object, np_arena *arena)
{
    np_routes *routes = object;
    const np_routes_options *options = &routes->options;
    uint32_t nodes = np_network_nodes(options->path->network);
    np_arena_array(arena, &routes->ticket, options->packets * options->slots, sizeof *routes->ticket, "tickets");
    np_arena_array(arena, &routes->order, options->packets, sizeof *routes->order, "packets by destination");
    np_arena_array(arena, &routes->begin, (size_t)nodes + 1, sizeof *routes->begin, "packets by destination");
    if (shares(routes) || options->path->rule->chooser->balances)
        np_arena_array(arena, &routes->turn, routes->graph->link_numbers, sizeof *routes->turn, "links");
    np_arena_zeroed(arena, &routes->seeker, options->threads, sizeof *routes->seeker, "searches");
    if (shares(routes))
        np_arena_array(arena, &routes->parallel, options->packets / 64 + 1, sizeof *routes->parallel, "packets");
    for (unsigned t = 0; t < options->threads; t++) {
        np_seeker counted = {0}, *seeker = routes->seeker ? &routes->seeker[t] : &counted;
        seeker->graph = routes->graph;
        np_seeker_layout(seeker, nodes, np_network_link_numbers(options->path->network), arena);
    }
}

static np_routes sizes_of(const np_routes_options *options)
{
    uint32_t ports = np_network_ports(options->path->network);
    return (np_routes){
        .options = *options,
        .graph = options->path->graph,
        .bits = bits_of(ports),
        .size = ports <= UINT32_C(1) << 8    ? 1
                : ports <= UINT32_C(1) << 16 ? 2
                                             : 4,
    };
}

/* Have so many hops room in a ticket? */
static bool fit(const np_routes *routes, uint32_t hops)
{
    return hops < STORED && hops * routes->bits <= 64 - COUNT_BITS;
}

/*
 * The bytes of routes that have no room in their tickets, at most: a byte or two for a hop. 0 if there are no such
 * routes, or if the network has no formula for its diameter: then such routes are counted before they take memory.
 */
static uint64_t routes_long_bytes(const np_routes_options *options)
{
    const np_network *network = options->path->network;
    np_routes routes = sizes_of(options);
    uint64_t diameter,
        copies = 2 * (uint64_t)options->slots - 1; /* a slot's routes are copied when the next one's come */
    if (!(options->path->rule->shortest || options->path->rule->chooser->within) ||
        !np_network_diameter_by_formula(network, &diameter) ||
        (diameter <= NP_NONE && fit(&routes, (uint32_t)diameter)))
        return 0;
    return np_memory_taken(copies * options->packets * diameter * routes.size);
}

uint64_t np_routes_bytes(const np_routes_options *options)
{
    np_routes routes = sizes_of(options);
    const np_chooser *chooser = options->path->rule->chooser;
    return np_arena_bytes(&routes, sizeof routes, layout) + routes_long_bytes(options) +
           (chooser->bytes ? chooser->bytes(options->path, options->packets) : 0);
}

np_status np_routes_create(const np_routes_options *options, np_routes **out)
{
    np_routes routes = sizes_of(options);
    return np_arena_create(&routes, sizeof routes, layout, "routes", out);
}

void np_routes_free(np_routes *routes)
{
    if (routes)
        np_memory_free(routes->ports);
    np_memory_free(routes);
}

/* ---- Tickets ---- */

static np_ticket pack(const np_routes *routes, const np_port *port, uint32_t hops)
{
    np_ticket ports = 0;
    for (uint32_t i = hops; i > 0; i--)
        ports = ports << routes->bits | port[i - 1];
    return ports << COUNT_BITS | hops;
}

static np_ticket stored_ticket(uint64_t place, uint32_t hops)
{
    return place << PLACE_SHIFT | (np_ticket)hops << COUNT_BITS | STORED;
}

static uint32_t hops_of(np_ticket ticket)
{
    uint32_t count = ticket & STORED;
    return count != STORED ? count : ticket >> COUNT_BITS & HOPS_MAX;
}

static np_port read_port(const np_routes *routes, uint64_t place)
{
    if (routes->size == 1)
        return routes->ports[place];
    return routes->size == 2 ? ((const uint16_t *)routes->ports)[place] : ((const uint32_t *)routes->ports)[place];
}

static void write_port(np_routes *routes, uint64_t place, np_port port)
{
    if (routes->size == 1)
        routes->ports[place] = (uint8_t)port;
    else if (routes->size == 2)
        ((uint16_t *)routes->ports)[place] = (uint16_t)port;
    else
        ((uint32_t *)routes->ports)[place] = port;
}

void np_routes_start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                     const np_node *at, const np_node *to, np_ticket *ticket)
{
    const np_routes *routes = path->routes;
    const np_ticket *given = routes->ticket + (routes->options.slots > 1 ? draws->phase * routes->options.packets : 0);
    (void)at, (void)to;
    for (size_t i = 0; i < count; i++)
        ticket[i] = given[packet[i] - routes->first];
}

NP_HOT void np_routes_next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const np_routes *routes = path->routes;
    unsigned bits = routes->bits;
    np_ticket mask = ((np_ticket)1 << bits) - 1;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        np_ticket t = ticket[i];
        if ((t & STORED) != STORED) {
            np_ticket ports = t >> COUNT_BITS, left = t & STORED;
            port[i] = left ? (np_port)(ports & mask) : NP_NONE;
            ticket[i] = left ? ports >> bits << COUNT_BITS | (left - 1) : t;
        } else if (hops_of(t)) {
            port[i] = read_port(routes, t >> PLACE_SHIFT);
            ticket[i] = t + ((np_ticket)1 << PLACE_SHIFT) - (1 << COUNT_BITS);
        } else
            port[i] = NP_NONE;
    }
}

void np_routes_remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = hops_of(ticket[i]);
}

/* ---- Finding ---- */

/* Sorts the packets that move by the gates of their destinations; each gate's stay in order. */
static void sort_by_gate(np_routes *routes, const np_demand *demand)
{
    uint32_t *begin = routes->begin, *order = routes->order, nodes = routes->graph->nodes;
    const uint32_t *gate = routes->graph->gate;
    const np_node *from = demand->from, *to = demand->to;
    memset(begin, 0, ((size_t)nodes + 1) * sizeof *begin);
    for (size_t i = 0; i < demand->count; i++)
        begin[gate[to[i]]] += from[i] != to[i];
    for (np_node g = 0, sum = 0; g <= nodes; g++) {
        uint32_t here = begin[g];
        begin[g] = sum;
        sum += here;
    }
    for (size_t i = 0; i < demand->count; i++)
        if (from[i] != to[i])
            order[begin[gate[to[i]]]++] = (uint32_t)i;
    memmove(begin + 1, begin, nodes * sizeof *begin);
    begin[0] = 0;
}

void np_finding_keep(np_finding *f, uint32_t i, uint32_t hops, const np_port *port)
{
    np_routes *routes = f->routes;
    if (f->write) {
        uint64_t place = f->ticket[i] >> PLACE_SHIFT;
        for (uint32_t k = 0; k < hops; k++)
            write_port(routes, place + k, port[k]);
    } else if (fit(routes, hops))
        f->ticket[i] = pack(routes, port, hops);
    else {
        f->ticket[i] = stored_ticket(0, hops); /* its place is not known yet */
        atomic_store(&f->stored, true);
        if (hops > HOPS_MAX)
            atomic_store(&f->endless, true);
    }
}

void np_finding_share(np_finding *f, uint32_t i)
{
    if (f->routes->parallel)
        __atomic_fetch_or(&f->routes->parallel[i / 64], UINT64_C(1) << i % 64, __ATOMIC_RELAXED);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what is lost, and of failures */

void np_finding_lose(np_finding *f, uint32_t i)
{
    pthread_mutex_lock(&lock);
    f->lost = i < f->lost ? i : f->lost;
    pthread_mutex_unlock(&lock);
}

void np_finding_fail(np_finding *f, np_status status)
{
    pthread_mutex_lock(&lock);
    f->status = status;
    snprintf(f->message, sizeof f->message, "%s", np_last_error());
    pthread_mutex_unlock(&lock);
    atomic_store(&f->stop, true);
}

void np_finding_tell(np_finding *f, np_node gate)
{
    const np_demand *demand = f->demand;
    const np_routes *routes = f->routes;
    double part = (double)routes->begin[gate] / (double)(routes->begin[routes->graph->nodes] + 1);
    if (np_watch_tell(demand->watch, (np_progress){.share = f->done + f->share * part}))
        atomic_store(&f->stop, true);
}

static void find_some(void *context, unsigned thread, uint32_t item)
{
    np_finding *f = context;
    const np_routes *routes = f->routes;
    const np_chooser *chooser = routes->options.path->rule->chooser;
    uint32_t nodes = routes->graph->nodes, gate;
    (void)item;
    uint32_t share = nodes / (SHARES * routes->options.threads) + 1, few = GATES_NODES / (nodes | 1) + 1;
    uint32_t most = share < few ? share : few;
    while (!atomic_load(&f->stop) && (gate = atomic_fetch_add(&f->next, most)) < nodes) {
        chooser->through(f, &f->routes->seeker[thread], gate, gate + most < nodes ? gate + most : nodes);
        if (thread == 0)
            np_finding_tell(f, gate);
    }
}

static void find_all(np_finding *f)
{
    unsigned threads = f->routes->options.threads;
    const np_chooser *chooser = f->routes->options.path->rule->chooser;
    atomic_store(&f->next, 0);
    if (chooser->pass) {
        chooser->pass(f);
        return;
    }
    np_threads_each(threads, threads, find_some, f);
}

/* Gives every packet that moves a place for its route, in the order of the packets. */
static np_status place_routes(np_finding *f)
{
    np_routes *routes = f->routes;
    const np_demand *demand = f->demand;
    uint64_t place = routes->port_count, most = PLACES_MAX;
    for (size_t i = 0; i < demand->count; i++) {
        uint32_t hops = hops_of(f->ticket[i]);
        f->ticket[i] = stored_ticket(place, hops);
        place += hops;
    }
    if (place > most)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "the %llu hops of the routes of %zu packets on %s: at most %llu are kept: take a "
                        "smaller network or fewer packets",
                        (unsigned long long)place, demand->count, np_network_spec(routes->graph->network),
                        (unsigned long long)most);
    np_status st = np_memory_grow(&routes->ports, routes->port_count, place, routes->size, "routes");
    if (!st)
        routes->port_count = place;
    return st;
}

/* Frees all long routes: new ones are not to lie beside them. */
static void drop_routes(np_routes *routes)
{
    np_memory_free(routes->ports);
    routes->ports = NULL;
    routes->port_count = 0;
}

/* ---- Parallel links ---- */

/* The link that the next packet takes in place of `link`, which is one of several parallel ones. */
static np_link take_turn(np_routes *routes, np_link link)
{
    const uint32_t *twin = routes->graph->twin;
    np_link first = link, taken;
    for (np_link other = twin[link]; other != link; other = twin[other])
        first = other < first ? other : first;
    taken = routes->turn[first];
    routes->turn[first] = twin[taken];
    return taken;
}

/* Has packet i take the turns of the parallel links on its route. */
static void take_turns(np_finding *f, size_t i)
{
    np_routes *routes = f->routes;
    const np_graph *graph = routes->graph;
    unsigned bits = routes->bits;
    np_node at = f->demand->from[i];
    np_ticket t = f->ticket[i];
    bool stored = (t & STORED) == STORED;
    for (uint32_t k = 0, hops = hops_of(t); k < hops; k++) {
        unsigned shift = COUNT_BITS + k * bits;
        uint64_t place = (t >> PLACE_SHIFT) + k;
        np_port port = stored ? read_port(routes, place) : (np_port)(t >> shift & (((np_ticket)1 << bits) - 1));
        np_link link = graph->row[at] + port, taken = take_turn(routes, link);
        if (stored)
            write_port(routes, place, taken - graph->row[at]);
        else
            f->ticket[i] ^= (np_ticket)(port ^ (taken - graph->row[at])) << shift;
        at = graph->head[link];
    }
}

/* Shares parallel links evenly: packets that go from one node to another take them in turn, in the packets' order. */
static void share_links(np_finding *f)
{
    np_routes *routes = f->routes;
    for (np_link link = 0; link < routes->graph->link_numbers; link++)
        routes->turn[link] = link;
    for (size_t word = 0; word <= f->demand->count / 64; word++)
        for (uint64_t set = routes->parallel[word]; set; set &= set - 1)
            take_turns(f, 64 * word + (unsigned)__builtin_ctzll(set));
}

/* ---- The whole ---- */

static np_status check(const np_finding *f)
{
    const np_demand *demand = f->demand;
    const char *spec = np_network_spec(f->routes->graph->network);
    if (f->status)
        return NP_RAISE(f->status, "%s", f->message);
    if (f->lost != NP_NONE)
        return np_path_refuse_pair(f->routes->options.path, demand->from[f->lost], demand->to[f->lost]);
    if (atomic_load(&f->endless))
        return NP_RAISE(NP_ERROR_LIMIT, "a route on %s has more than %u hops", spec, HOPS_MAX);
    if (atomic_load(&f->stop))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled while the paths were found");
    return NP_OK;
}

static np_status find_by_gate(np_finding *f)
{
    np_status st;
    sort_by_gate(f->routes, f->demand);
    find_all(f);
    if ((st = check(f)) || !atomic_load(&f->stored))
        return st;
    if ((st = place_routes(f)))
        return st;
    f->write = true;
    f->done = f->share = 0.5;
    find_all(f);
    return check(f);
}

np_status np_routes_find(np_routes *routes, unsigned slot, const np_demand *demand)
{
    np_finding f = {.routes = routes,
                    .demand = demand,
                    .ticket = routes->ticket + slot * routes->options.packets,
                    .share = 1,
                    .lost = NP_NONE};
    np_status st;
    if (!slot)
        drop_routes(routes);
    routes->first = demand->first;
    memset(f.ticket, 0, demand->count * sizeof *f.ticket);
    if (routes->parallel)
        memset(routes->parallel, 0, (demand->count / 64 + 1) * sizeof *routes->parallel);
    if ((st = find_by_gate(&f)))
        return st;
    if (shares(routes))
        share_links(&f);
    return NP_OK;
}

np_status np_routes_check_travel(const np_routes *routes)
{
    unsigned most = (64 - COUNT_BITS) / routes->bits;
    if (!routes->ports)
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY, "ranks share routes of at most %u hops on %s, and some are longer",
                    most < STORED ? most : STORED - 1, np_network_spec(routes->graph->network));
}

np_status np_routes_for(const np_path *path, const np_demand *demand, np_path *bound, np_routes **out)
{
    np_routes_options options = np_routes_of_phase(path, demand->count);
    np_status st;
    *bound = *path;
    *out = NULL;
    if (!path->rule->chooser)
        return NP_OK;
    if ((st = np_routes_create(&options, out)) || (st = np_routes_find(*out, 0, demand))) {
        np_routes_free(*out);
        *out = NULL;
        return st;
    }
    bound->routes = *out;
    return NP_OK;
}
