/* Flows that are all known beforehand: they are given to the engine in the order of their starts. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/flows/fair.h"

typedef struct start {
    np_fair_time time; /* more than 64 bits */
    size_t flow;
} start;

typedef struct play {
    const np_fair_flows *flows;
    start *order; /* [flows] */
    size_t next;
    np_fair_time *finish;
} play;

static int by_start(const void *a, const void *b)
{
    const start *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->flow > y->flow) - (x->flow < y->flow);
}

static np_status order_starts(play *p)
{
    const np_fair_flows *flows = p->flows;
    np_status st = np_memory_array(&p->order, flows->flows, sizeof *p->order, "the order of flows");
    bool sorted = true;
    if (st)
        return st;
    for (size_t f = 0; f < flows->flows; f++) {
        p->order[f] = (start){flows->start[f], f};
        sorted &= !f || flows->start[f] >= flows->start[f - 1];
    }
    if (!sorted)
        qsort(p->order, flows->flows, sizeof *p->order, by_start);
    return NP_OK;
}

static np_status next(void *self, np_fair_flow *flow, bool *more)
{
    play *p = self;
    const np_fair_flows *flows = p->flows;
    *more = p->next < flows->flows;
    if (!*more)
        return NP_OK;
    size_t f = p->order[p->next++].flow;
    *flow = (np_fair_flow){.name = f,
                           .path = flows->path + flows->first[f],
                           .hops = (uint32_t)(flows->first[f + 1] - flows->first[f]),
                           .start = flows->start[f],
                           .size = flows->size[f],
                           .delay = flows->delay ? flows->delay[f] : 0};
    return NP_OK;
}

static np_status finished(void *self, uint64_t name, np_fair_time now)
{
    play *p = self;
    p->finish[name] = now;
    return NP_OK;
}

np_status np_fair_play(uint32_t links, const uint64_t *capacity, const np_fair_flows *flows, np_fair_time *finish)
{
    play p = {.flows = flows, .finish = finish};
    const np_fair_driver driver = {.self = &p, .next = next, .finished = finished};
    np_fair *fair = NULL;
    np_status st = order_starts(&p);
    for (size_t f = 0; f < flows->flows; f++)
        finish[f] = NP_FAIR_NEVER;
    if (!st && !(st = np_fair_create(links, capacity, &fair)))
        st = np_fair_run(fair, &driver);
    np_fair_free(fair);
    np_memory_free(p.order);
    return st;
}
