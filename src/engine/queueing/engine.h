/*
 * The queueing engine: moves packets over links, one a link a step.
 *
 * It owns time and nothing else: the path says which way a packet goes, the plan
 * says where a phase sends it, the discipline says which packet goes first. The
 * outcome is a function of (network, plan, traffic, discipline, draws), whatever
 * the number of workers.
 *
 *   state      legal calls
 *   created    np_engine_place, np_engine_free
 *   placed     np_engine_run (any number of times: each goes on from where
 *              the packets are), np_engine_place, queries, np_engine_free
 *   failed     np_engine_free (after any error of np_engine_run)
 */
#pragma once

#include "netpram/traffic.h"
#include "base/share.h"
#include "model/path/path.h"
#include "engine/schedule/queues.h"

typedef struct np_engine np_engine;

/* Where a phase sends packets. The plan is shared by all workers and never written to. */
typedef struct np_engine_plan {
    const np_path *path;
    unsigned phases; /* all phases of the scheme */
    /* As np_queueing.targets. NULL: all phases send packets to their destinations. */
    void (*targets)(const np_aim *aim, np_node *to);
    const void *tables; /* np_aim.tables */
    np_node_list via;   /* np_aim.via */
    np_step stop;       /* a phase ends at this instant, and packets stay where they are; 0: when all have landed */
} np_engine_plan;

typedef struct np_engine_options {
    const np_network *network;
    const np_discipline *discipline;
    size_t packets;     /* the most packets of a run */
    unsigned workers;   /* at least 1; results do not depend on it */
    bool overlap;       /* np_engine_run runs all phases in one go */
    np_step phase_time; /* overlap: phase i starts at instant i * phase_time for all packets that have ended phase i - 1
                          by then, and at once for others; 0: at once for all */
    bool stops;         /* some plans may have a stop */
    const np_path *path; /* the path of all plans to come, or NULL if they differ; an accelerator may need it */
    /*
     * [link_numbers] the steps that a packet takes over each link, from 1 on (flights.h). Then workers must be 1, the
     * runs are not observed, stopped or shared by ranks, and stepping serves them all. NULL: each takes one.
     */
    const uint16_t *delays;
    bool watched;       /* np_engine_run will be given a watch */
    bool observed;      /* the watch will have an observer; then workers must be 1 */
    const char *method; /* for tests: no other method but stepping (inside.h); NULL: the first that can serve */
    /*
     * Ranks that share each run: then np_engine_run is collective, the traffic is this rank's part, overlap, stops and
     * watches that watch are not possible, and locations and delays are those of this rank's packets. NULL: none do.
     */
    const np_job *job;
} np_engine_options;

/*
 * Watches a run. All functions may be NULL. They are called from one thread, while the workers rest
 * unless it says otherwise.
 */
typedef struct np_engine_watch {
    int (*on_step)(void *context, const np_step_report *report); /* non-zero cancels */
    const np_observer *observer;                                 /* gets all events; needs workers == 1 */
    const char *phase;     /* the name of the phase, for the observer; NULL: it has none */
    uint32_t runs, phases; /* of the whole, for the observer; 0: not known */
    /*
     * Told the share of the phase's work that is done, from the calling thread, while the workers go on. It does not
     * make a run watched.
     */
    np_watch progress;
    np_watch paths; /* told by who finds the routes, before the packets move: the share of the routes */
    bool hash;
    void *context;
} np_engine_watch;

/* Does the watch ask for more than progress? Then packets must be moved step by step. */
static inline bool np_engine_watches(const np_engine_watch *watch)
{
    return watch && (watch->on_step || watch->observer || watch->hash);
}

/*
 * Methods take their memory at the start of the first run that they serve; nothing is allocated while packets step.
 * NP_ERROR_INPUT for a method of an unknown name; NP_ERROR_MEMORY.
 */
np_status np_engine_create(const np_engine_options *options, np_engine **out) NP_CHECKED;
void np_engine_free(np_engine *engine);

/* The most bytes that an engine with these options holds. */
uint64_t np_engine_bytes(const np_engine_options *options);

/* The bytes that observing adds to those. */
uint64_t np_engine_observing_bytes(const np_engine_options *options);

/* Puts the packets of `traffic` (borrowed until the next place) at their sources. */
void np_engine_place(np_engine *engine, const np_traffic *traffic);

/*
 * Runs phase `phase` of the plan to its end (with overlap: this phase and all
 * that follow). draws: seed and run; the engine sets phase and purpose.
 * NP_ERROR_CANCELLED if the watch says so.
 */
np_status np_engine_run(np_engine *engine, const np_engine_plan *plan, unsigned phase, np_draws draws,
                        const np_engine_watch *watch, np_phase_run *out) NP_CHECKED;

/* After a run: [packets] where each packet is, and its delay in that run. Owned by the engine. */
const np_node *np_engine_locations(const np_engine *engine);
const uint32_t *np_engine_delays(const np_engine *engine);
/* After a run: the name of the method that served it. */
const char *np_engine_served(const np_engine *engine);
