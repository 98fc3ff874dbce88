/*
 * The plan of an np_route, made once from the options: names are looked up, defaults
 * filled in, the objects that threads share made, the traffic described, and memory
 * counted.
 */
#pragma once

#include "run/route/scheme.h"

struct np_route_plan {
    const np_network *network; /* the caller's, or own_network */
    np_network *own_network;   /* without the links that are down; NULL: none are */
    np_route_options options;
    const np_scheme *scheme;
    const np_runner_ops *runner; /* of the scheme; bind may put another one in its place, with its parameters */
    const void *parameters;

    /* Set by bind. */
    void *shared;          /* belongs to the runner */
    uint64_t shared_bytes; /* bytes of the shared objects that grow with the network */
    const char *paths;     /* what results say the paths are */
    char queue[48];        /* what results say the queues are */
    unsigned phases;
    np_step phase_time;   /* the fixed time of a phase; 0: none */
    const char *fallback; /* the path rule of what is left after it, in the last phase; NULL: there is none */

    const char *spec;          /* of the traffic; borrowed */
    const np_traffic *traffic; /* of all runs; NULL: not made yet, or every run draws its own */
    np_traffic *own;           /* the same, unless it is the caller's */
    bool draws_traffic;        /* every run draws its own */
    uint64_t packets;          /* of a run, or an upper limit; packets of a file are counted when it is read */
    unsigned threads;          /* to use in all */
    bool parallel_runs;        /* each run on one thread; else each run on all threads */
};

/*
 * At most one of spec and traffic is given. If neither is given, the caller gives traffic to the runners itself. Fails
 * as np_route does. What would exceed options->memory_limit is refused before it is allocated. *plan must be cleared,
 * also after an error.
 */
np_status np_route_plan_init(np_route_plan *plan, const np_network *network, const char *spec,
                             const np_traffic *traffic, const np_route_options *options) NP_CHECKED;
void np_route_plan_clear(np_route_plan *plan);

/* Makes the traffic of all runs, unless every run draws its own. */
np_status np_route_plan_make_traffic(np_route_plan *plan) NP_CHECKED;
/* Makes the traffic of one run. */
np_status np_route_plan_draw_traffic(const np_route_plan *plan, uint32_t run, np_traffic **out) NP_CHECKED;

/* The packets of a run that this process has, or an upper limit: all, unless ranks share the runs. */
uint64_t np_route_plan_own_packets(const np_route_plan *plan);

/* Threads that one runner may use. */
unsigned np_route_plan_workers(const np_route_plan *plan);

/* Threads that look for the bound of steps of one traffic: of all runs, or of a run. */
unsigned np_route_plan_certifiers(const np_route_plan *plan);

/* Runners at the same time. */
unsigned np_route_plan_runners(const np_route_plan *plan);

/* What is known of a phase before it is run: its name, and what its runner says (np_runner_ops.phase). */
void np_route_plan_phase(const np_route_plan *plan, unsigned phase, np_phase_result *out);

/* For bind: sets plan->queue. */
void np_route_plan_say_queue(np_route_plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));
