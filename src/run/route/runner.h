/*
 * Runners: a runner carries out the phases of a scheme. Queueing is one runner,
 * merging another. A scheme names its runner and the runner's parameters.
 *
 * A runner has two objects. What it is bound to (network, options, parameters)
 * is kept in the plan, which all threads share and which never changes while
 * they run. Each thread makes an np_runner of its own, gives it the traffic of
 * a run, and has it run the phases 0, 1, ... one after the other.
 *
 *   bind     once                        sets plan->paths, queue, phases, shared
 *   phase    any number of times         pure
 *   bytes    any number of times         pure
 *   init     once a thread, of a runner that is zeroed but for its plan
 *   run      phases in ascending order, from 0, for each run
 *   clear    once a thread, also after an init that failed
 *   unbind   once, after the last free; also after a bind that failed
 */
#pragma once

#include "engine/queueing/engine.h"
#include "netpram/route.h"

typedef struct np_route_plan np_route_plan;

/* The runner of one thread. The struct of each kind of runner begins with this one. */
typedef struct np_runner {
    const np_route_plan *plan;
    void *block; /* freed with the runner */
} np_runner;

typedef struct np_runner_job {
    unsigned phase;
    np_draws draws; /* seed and run; the runner sets phase and purpose */
    const np_traffic *traffic;
    /* Callbacks while the phase runs: progress; on_step and hash, if the scheme heeds "steps"; the observer, if it
     * heeds "trace". */
    const np_engine_watch *watch;
} np_runner_job;

/* Who observes the phase; NULL: nobody. */
static inline const np_observer *np_runner_observer(const np_runner_job *job)
{
    return job->watch ? job->watch->observer : NULL;
}

/* Who is told how much of the phase is done; NULL: nobody. */
static inline const np_watch *np_runner_watch(const np_runner_job *job)
{
    return job->watch ? &job->watch->progress : NULL;
}

/* What an observer hears when the phase begins; the packets are those of the traffic. */
static inline np_event_phase np_runner_phase(const np_runner_job *job, const np_network *network)
{
    return (np_event_phase){.run = job->draws.run,
                            .phase = job->phase,
                            .name = job->watch && job->watch->phase ? job->watch->phase : "",
                            .network = network,
                            .packets = np_traffic_packets(job->traffic),
                            .runs = job->watch ? job->watch->runs : 0,
                            .phases = job->watch ? job->watch->phases : 0};
}

/* Steps that each packet of a phase spent waiting. Owned by the runner until its next run. */
typedef struct np_delays {
    const uint32_t *delay; /* [count] */
    size_t count;
    size_t resting; /* besides these, packets for their own node: they waited 0 steps */
} np_delays;

typedef struct np_runner_ops {
    /* Checks the values of the options that the scheme heeds; makes what all threads share. */
    np_status (*bind)(np_route_plan *plan);
    void (*unbind)(np_route_plan *plan); /* NULL: nothing is shared */

    /* Sets what is known of a phase before it is run: out->name, if it is not "route"; if it has a leveled network,
     * also out->leveled and fixed_ranks. NULL: nothing is. */
    void (*phase)(const np_route_plan *plan, unsigned phase, np_phase_result *out);
    /* Bytes of one np_runner that routes plan->packets. */
    uint64_t (*bytes)(const np_route_plan *plan);
    /* Steps that a packet waits, at most. NULL: one for each other packet, if it does not wait for time to pass. */
    uint64_t (*longest_delay)(const np_route_plan *plan);

    bool circuits;                        /* a packet crosses all links of its way in one step */
    bool delays;                          /* it heeds delays of links (np_network_delay) */
    size_t size;                          /* of one np_runner */
    np_status (*init)(np_runner *runner); /* NULL: zeros are enough */
    void (*clear)(np_runner *runner);     /* frees what it owns besides its block; NULL: nothing */
    /* Runs a phase. *out is zeroed before. With a leveled network, it sets out->emulation, too. */
    np_status (*run)(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays);
} np_runner_ops;

/* The runner of a thread, by the plan's ops. free: NULL is fine. */
np_status np_runner_create(const np_route_plan *plan, np_runner **out) NP_CHECKED;
void np_runner_free(np_runner *runner);
