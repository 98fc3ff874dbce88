/*
 * See open_steps.h. At an instant those who are created enter the queues of their links, by the nodes where they are;
 * then those who begin their second route, by that node, their source and their number; then those who have come over
 * links, by the link. One packet leaves each queue.
 */
#include "oracle/open_steps.h"

#include <stdlib.h>
#include <string.h>

#include "model/path/path.h"

enum { HOPS = 64 };

typedef struct packet {
    np_delivery d;
    np_node via; /* terminal; the destination: its last route has begun */
    np_link link[HOPS];
    size_t hops, made;
    uint64_t route;      /* number of its first route */
    struct packet *next; /* in its queue */
} packet;

typedef struct pushed {
    np_node source, destination;
    uint64_t number;
} pushed;

typedef struct twin {
    np_open_options o;
    pushed pushed[4096]; /* since the last step */
    size_t pushes;
    np_node terminals;
    np_link links;
    packet **first; /* [links] */
    packet **over;  /* [links] who crosses the link now */
    np_arrival *arrival;
    int64_t *due;
    uint64_t *made, *accepted, routes;
    np_open_counts counts;
    bool stopped;
} twin;

static uint64_t bytes(const np_open_options *o)
{
    (void)o;
    return 0;
}

static np_status create(const np_open_options *o, void **out)
{
    twin *t = calloc(1, sizeof *t);
    t->o = *o;
    t->terminals = np_network_terminals(o->network);
    t->links = np_network_link_numbers(o->network);
    t->first = calloc(t->links, sizeof *t->first);
    t->over = calloc(t->links, sizeof *t->over);
    t->arrival = calloc(t->terminals, sizeof *t->arrival);
    t->due = calloc(t->terminals, sizeof *t->due);
    t->made = calloc(t->terminals, sizeof *t->made);
    t->accepted = calloc(t->terminals, sizeof *t->accepted);
    for (np_node u = 0; u < t->terminals; u++)
        t->due[u] = np_arrivals_next(o->arrivals, u, 0, -1, &t->arrival[u]) ? (int64_t)t->arrival[u].time : INT64_C(-1);
    *out = t;
    return NP_OK;
}

static void enter(twin *t, packet *p)
{
    packet **at = &t->first[p->link[p->made]];
    while (*at)
        at = &(*at)->next;
    p->next = NULL;
    *at = p;
}

/* The route from one terminal to another begins. */
static void begin(twin *t, packet *p, np_node from, np_node to, bool second)
{
    uint64_t number = p->d.number * t->terminals + p->d.source;
    uint16_t phase = (uint16_t)(number >> 32 << 1 | second);
    if (t->o.path->rule->chooser) { /* it numbers routes, in the order of creation */
        number = p->route + second;
        phase = 0;
    }
    np_status st = np_path_walk(t->o.path, from, np_network_output(t->o.network, to), t->o.draws.seed, t->o.draws.run,
                                phase, (np_packet)number, HOPS, p->link, &p->hops);
    if (st || p->hops > HOPS)
        abort();
    p->made = 0;
    enter(t, p);
}

typedef struct list {
    packet *item[4096];
    size_t count;
} list;

static int by_source(const packet *x, const packet *y)
{
    if (x->d.source != y->d.source)
        return x->d.source < y->d.source ? -1 : 1;
    return x->d.number < y->d.number ? -1 : 1;
}

static int by_destination(const void *a, const void *b)
{
    const packet *x = *(packet *const *)a, *y = *(packet *const *)b;
    return x->d.destination != y->d.destination ? (x->d.destination < y->d.destination ? -1 : 1) : by_source(x, y);
}

static int by_via(const void *a, const void *b)
{
    const packet *x = *(packet *const *)a, *y = *(packet *const *)b;
    return x->via != y->via ? (x->via < y->via ? -1 : 1) : by_source(x, y);
}

static void create_packet(twin *t, np_node u, np_node to, uint64_t made, list *arrived)
{
    packet *p = calloc(1, sizeof *p);
    np_node from = np_network_input(t->o.network, u);
    np_draws draws = np_draws_for(t->o.draws, NP_RANDOM_TARGET);
    p->d = (np_delivery){u, to, made, t->counts.now, 0, 0, 1};
    p->via = p->d.destination;
    t->counts.created++;
    p->route = t->routes++;
    if (np_network_output(t->o.network, p->d.destination) == from) {
        arrived->item[arrived->count++] = p;
        return;
    }
    if (t->o.via_random) {
        uint64_t number = p->d.number * t->terminals + u;
        draws.phase = (uint16_t)(number >> 32);
        p->via = np_random_below(&draws, (uint32_t)number, 0, t->terminals);
        p->via = np_network_input(t->o.network, p->via) == from ? p->d.destination : p->via;
        t->routes += p->via != p->d.destination;
    }
    begin(t, p, from, p->via, false);
}

/* Terminals by the nodes of their inputs: in these tests by their numbers. */
static void create_packets(twin *t, list *arrived)
{
    for (np_node u = 0; u < t->terminals && !t->stopped; u++)
        while (t->due[u] == t->counts.now) {
            create_packet(t, u, t->arrival[u].to, t->made[u], arrived);
            bool more = np_arrivals_next(t->o.arrivals, u, ++t->made[u], (int64_t)t->arrival[u].time, &t->arrival[u]);
            t->due[u] = more ? (int64_t)t->arrival[u].time : INT64_C(-1);
        }
}

static int deliver(twin *t, list *arrived)
{
    int stop = 0;
    qsort(arrived->item, arrived->count, sizeof *arrived->item, by_destination);
    for (size_t i = 0; i < arrived->count; i++) {
        packet *p = arrived->item[i];
        p->d.arrived = t->counts.now;
        t->counts.ejected++;
        t->accepted[p->d.source]++;
        stop |= t->o.deliver(t->o.context, 1, &p->d);
        free(p);
    }
    return stop;
}

/* An instant, and the step after it. */
static int step(twin *t)
{
    list arrived = {.count = 0}, half = {.count = 0}, go_on = {.count = 0};
    for (np_link l = 0; l < t->links; l++) {
        packet *p = t->over[l];
        t->over[l] = NULL;
        if (!p)
            continue;
        p->d.hops++;
        t->counts.hops++;
        list *to = ++p->made < p->hops ? &go_on : p->via == p->d.destination ? &arrived : &half;
        to->item[to->count++] = p;
    }
    create_packets(t, &arrived);
    for (size_t i = 0; i < t->pushes; i++)
        create_packet(t, t->pushed[i].source, t->pushed[i].destination, t->pushed[i].number, &arrived);
    t->pushes = 0;
    int stop = deliver(t, &arrived);
    qsort(half.item, half.count, sizeof *half.item, by_via);
    for (size_t i = 0; i < half.count; i++) {
        packet *p = half.item[i];
        np_node from = np_network_output(t->o.network, p->via);
        p->via = p->d.destination;
        begin(t, p, from, p->via, true);
    }
    for (size_t i = 0; i < go_on.count; i++)
        enter(t, go_on.item[i]);
    for (np_link l = 0; l < t->links; l++)
        if ((t->over[l] = t->first[l]))
            t->first[l] = t->over[l]->next;
    t->counts.now++;
    return stop;
}

static np_status advance(void *m, int64_t until)
{
    twin *t = m;
    while (t->counts.now < until)
        if (step(t))
            return NP_ERROR_CANCELLED;
    return NP_OK;
}

static void stop(void *m) { ((twin *)m)->stopped = true; }

static void counts(void *m, np_open_counts *out)
{
    *out = ((twin *)m)->counts;
    out->waiting = out->created - out->ejected;
}

static void accepted(void *m, uint64_t *flits)
{
    const twin *t = m;
    memcpy(flits, t->accepted, t->terminals * sizeof *flits);
}

static np_status push(void *m, np_node source, uint64_t number, np_node destination)
{
    twin *t = m;
    if (t->pushes == sizeof t->pushed / sizeof *t->pushed)
        abort();
    t->pushed[t->pushes++] = (pushed){source, destination, number};
    return NP_OK;
}

static void free_twin(void *m)
{
    twin *t = m;
    for (np_link l = 0; l < t->links; l++) {
        free(t->over[l]);
        for (packet *p = t->first[l], *next; p; p = next) {
            next = p->next;
            free(p);
        }
    }
    void *const owned[] = {t->first, t->over, t->arrival, t->due, t->made, t->accepted, t};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

const np_open_model oracle_open_steps = {.info = {.name = "twin", .help = "steps by definition"},
                                         .bytes = bytes,
                                         .create = create,
                                         .advance = advance,
                                         .stop = stop,
                                         .counts = counts,
                                         .accepted = accepted,
                                         .free = free_twin,
                                         .push = push};
