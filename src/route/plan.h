/* What np_route does, resolved: names looked up, defaults filled in, memory counted. */
#ifndef NP_ROUTE_PLAN_H
#define NP_ROUTE_PLAN_H

#include "route/scheme.h"

typedef struct np_route_plan {
    const np_network *network;
    const np_scheme_ops *scheme;
    const np_discipline *discipline;
    np_path *path;          /* owned; NULL if the scheme has a mover */
    np_mover *mover;        /* owned; the one that others are made like; NULL if the scheme has none */
    const char *traffic;    /* spec; borrowed */
    const np_traffic *made; /* traffic given by the caller; else NULL */
    bool draws_traffic;     /* every run draws its own */
    uint64_t packets;       /* room to have; files are counted when read */
    unsigned threads;       /* to use in all */
    bool parallel_runs;     /* a run a thread; else a run takes all threads */
    np_route_options options;
} np_route_plan;

/*
 * Exactly one of spec and made is given. Fails as np_route does, and refuses
 * what exceeds options->memory_limit before it is allocated.
 */
np_status np_route_plan_init(np_route_plan *plan, const np_network *network, const char *spec, const np_traffic *made,
                             const np_route_options *options) NP_CHECKED;
void np_route_plan_clear(np_route_plan *plan);

/* Of a run, whatever the scheme moves packets with. */
unsigned np_route_plan_phases(const np_route_plan *plan);
void np_route_plan_name(const np_route_plan *plan, unsigned phase, char name[8]);

/* The engine that a worker of this plan needs. */
np_engine_options np_route_plan_engine(const np_route_plan *plan);

/* Bytes at the peak, the network's own not counted. */
uint64_t np_route_plan_bytes(const np_route_plan *plan);

#endif
