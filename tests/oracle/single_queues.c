/* See single_queues.h. Time goes cycle by cycle, and a waiting packet is an item of a list. */
#include "oracle/single_queues.h"

#include <stdlib.h>
#include <string.h>

typedef struct server {
    np_arrival next;
    bool more;
    uint64_t number;
    int64_t free_at;
    np_delivery *waiting; /* [count] behind `gone` */
    size_t gone, count, room;
    uint64_t accepted;
} server;

typedef struct queues {
    np_open_options options;
    np_node terminals;
    server *server;
    np_open_counts counts;
} queues;

static uint64_t bytes(const np_open_options *o) { return np_network_terminals(o->network) * sizeof(server); }

static np_status create(const np_open_options *o, void **out)
{
    queues *q = calloc(1, sizeof *q);
    q->options = *o;
    q->terminals = np_network_terminals(o->network);
    q->server = calloc(q->terminals, sizeof *q->server);
    for (np_node t = 0; t < q->terminals; t++)
        q->server[t].more = np_arrivals_next(o->arrivals, t, 0, -1, &q->server[t].next);
    *out = q;
    return NP_OK;
}

static void add(queues *q, np_node t)
{
    server *s = &q->server[t];
    np_arrival now = s->next;
    int64_t begins = s->free_at > now.time ? s->free_at : now.time;
    if (s->count == s->room) {
        s->room = 2 * s->room + 16;
        s->waiting = realloc(s->waiting, s->room * sizeof *s->waiting);
    }
    s->free_at = begins + now.flits;
    s->waiting[s->count++] = (np_delivery){t, t, s->number, now.time, s->free_at, 0, now.flits};
    q->counts.created += now.flits;
    q->counts.waiting += now.flits;
    s->more = np_arrivals_next(q->options.arrivals, t, ++s->number, now.time, &s->next);
}

static int serve(queues *q, np_node t)
{
    server *s = &q->server[t];
    int stop = 0;
    while (!stop && s->gone < s->count && s->waiting[s->gone].arrived == q->counts.now) {
        np_delivery d = s->waiting[s->gone++];
        q->counts.ejected += d.flits;
        q->counts.waiting -= d.flits;
        s->accepted += d.flits;
        stop = q->options.deliver(q->options.context, 1, &d);
    }
    if (s->gone > 1000 && 2 * s->gone > s->count) {
        memmove(s->waiting, s->waiting + s->gone, (s->count - s->gone) * sizeof *s->waiting);
        s->count -= s->gone;
        s->gone = 0;
    }
    return stop;
}

static np_status advance(void *m, int64_t until)
{
    queues *q = m;
    for (; q->counts.now < until; q->counts.now++)
        for (np_node t = 0; t < q->terminals; t++) {
            while (q->server[t].more && q->server[t].next.time == q->counts.now)
                add(q, t);
            if (serve(q, t))
                return NP_ERROR_CANCELLED;
        }
    q->counts.source_waiting = q->counts.waiting;
    return NP_OK;
}

static void stop(void *m)
{
    queues *q = m;
    for (np_node t = 0; t < q->terminals; t++)
        q->server[t].more = false;
}

static void counts(void *m, np_open_counts *out) { *out = ((queues *)m)->counts; }

static void accepted(void *m, uint64_t *flits)
{
    queues *q = m;
    for (np_node t = 0; t < q->terminals; t++)
        flits[t] = q->server[t].accepted;
}

static void free_queues(void *m)
{
    queues *q = m;
    for (np_node t = 0; t < q->terminals; t++)
        free(q->server[t].waiting);
    free(q->server);
    free(q);
}

const np_open_model oracle_single_queues = {.info = {.name = "single-queues", .help = "a server a terminal"},
                                            .bytes = bytes,
                                            .create = create,
                                            .advance = advance,
                                            .stop = stop,
                                            .counts = counts,
                                            .accepted = accepted,
                                            .free = free_queues};

/* lambda E[S (S - 1)] / (2 (1 - rho)) waiting: Bruneel & Kim 1993, with service S = flits. */
double oracle_geo_d_1(double load, double flits) { return flits + load * (flits - 1) / (2 * (1 - load)); }

double oracle_m_d_1(double load) { return 1 + load / (2 * (1 - load)); }
