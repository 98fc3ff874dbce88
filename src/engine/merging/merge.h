/*
 * The merging engine: moves packets over a leveled network with queues of at
 * most q packets (see netpram/merging.h for what a step is). A run is a pure
 * function of its arguments.
 *
 * Messages of several packets (Leighton, Maggs, Ranade & Rao 1994, section
 * 2.3.2); s is the message's length, m the longest of all:
 *   cycles        as if of one packet, and every step counts m times: it is a message cycle, in whose k-th step the
 *                 k-th packets of all messages go that have one (merge_cycles.c)
 *   asynchronous  a message selected at step t occupies node and edge for steps
 *                 t .. t+s-1, stays in its queue until the end of t+s-1, and is in
 *                 the next queue from t+s on, whose room it has had since t
 *   pipelined     the same, but it can be selected there from t+1 on
 *
 * While a node is busy, it sends ghosts of the message over its other edges in
 * every step. Ghosts and ends of streams have length 1. A message is consumed for
 * s steps. Its delay is the step in which its consumption starts, less its hops
 * (asynchronous: s times its hops).
 *
 * Messages that combine: in cycles as packets, in the other modes while they go (merge_join.c). One that becomes a part
 * of another leaves its queue as if it went on itself, and the other goes on.
 */
#pragma once

#include "base/random.h"
#include "model/leveled/path_set.h"
#include "netpram/engine.h"
#include "netpram/merging.h"
#include "netpram/traffic.h"

typedef struct np_merge np_merge;

/* The input of a run besides the options. */
typedef struct np_merge_job {
    const np_leveled *leveled;
    const np_path_set *path_set;
    bool ranked;               /* by the ranks of the path set */
    const uint32_t *rank;      /* [packets of the traffic] for NP_RANKS_FILE; NULL: from the options' file */
    np_draws draws;            /* seed, run and phase */
    unsigned workers;          /* threads, if the engine can use them; 0 is 1. Results do not depend on it */
    const uint64_t *value;     /* [packets of the traffic] what the packets carry, for combining; NULL: their numbers */
    const np_traffic *resting; /* its packets for their own node are there, too, but in no path set; NULL: none are */
    const np_observer *observer; /* NULL: nobody observes */
    const np_event_phase *phase; /* for the observer; the engine adds the leveled network if it is not there */
    const np_watch *watch;       /* is told in every step which share of the hops is made; NULL: nobody */
    const char *method;          /* for tests: no other method but "stepping"; NULL: the first that can serve */
} np_merge_job;

enum { NP_MERGE_WAITS = UINT32_MAX, NP_MERGE_END = UINT32_MAX - 1 };

/*
 * Everything that happened, for explanations. Packets are numbered as in
 * the path set; steps from 0.
 */
typedef struct np_merge_record {
    np_step steps; /* message cycles, where they count */
    np_step cycle; /* steps of a message cycle; else 1 */
    /* [steps * nodes] by step, then node: 2 i for packet i, 2 i + 1 for a ghost of it, NP_MERGE_WAITS, NP_MERGE_END */
    uint32_t *selected;
    /* [begin[packets] + packets] entry begin[i] + i + k: the step in which packet i left its k-th node (at the
       last one: was consumed); NP_NONE if it was combined with another before */
    np_step *left;
    uint32_t *key;    /* [packets] rank */
    uint32_t *length; /* [packets] of messages that go by themselves; NULL: all 1 */
    size_t room;      /* of selected */
} np_merge_record;

/* Are there runs with these options in which Lemma 2.3 does not hold? They count np_phase_run.starved. */
static inline bool np_merge_may_starve(const np_merge_options *options)
{
    return options->no_ghosts || options->ghosts == NP_GHOSTS_ROOM;
}

/* Do messages of several packets go in message cycles? */
static inline bool np_merge_in_cycles(const np_merge_options *options)
{
    return options->message_most > 1 && options->message_mode == NP_MESSAGES_CYCLES;
}

void np_merge_record_clear(np_merge_record *record);

/* NP_ERROR_INPUT for options that contradict each other. */
np_status np_merge_check(const np_merge_options *options) NP_CHECKED;

/* Checks and copies the options. */
np_status np_merge_create(const np_merge_options *options, np_merge **out) NP_CHECKED;
void np_merge_free(np_merge *merge);

/*
 * The bytes of an engine that runs up to `packets` packets over each of the leveled networks. The path sets have room
 * for `packets` packets that cross all levels.
 */
uint64_t np_merge_bytes(const np_merge_options *options, unsigned count, const np_leveled *const *leveled,
                        np_packet packets, bool observed);

/*
 * Runs the packets to their destinations. record may be NULL. out receives the measures of this run; its population_max
 * counts the packets of the path set and those that rest.
 * NP_ERROR_MEMORY; NP_ERROR_LIMIT; NP_ERROR_DEADLOCK if nothing moves any more, which can happen without ghosts.
 */
np_status np_merge_run(np_merge *merge, const np_merge_job *job, np_merge_record *record, np_phase_run *out) NP_CHECKED;

/*
 * After a run: [packets of the path set] steps that each spent waiting; a packet combined into another: until then.
 * The measure congestion_destinations is the most packets that crossed one edge where packets combine (then one for
 * each target), else it is congestion.
 */
const uint32_t *np_merge_delays(const np_merge *merge);
/* After a run: the name of the method that served it. */
const char *np_merge_served(const np_merge *merge);

/*
 * After a run with options.physical: the physical steps in which the packets go back, without ghosts, as they came.
 * Link by link they take the opposite direction, step by step the opposite order.
 */
uint64_t np_merge_physical_back(const np_merge *merge);

/* After a run that combines: [packets of the path set] what was delivered with packet i, if delivered[i]. */
const uint64_t *np_merge_values(const np_merge *merge);
const uint8_t *np_merge_delivered(const np_merge *merge);
