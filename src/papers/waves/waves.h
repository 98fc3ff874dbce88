/*
 * Waves: moves packets over a leveled network with queues of at most q items,
 * without ghosts and without comparing ranks. waves.c has the idea, its source,
 * and the proof that it cannot deadlock. A run is a pure function of its
 * arguments.
 *
 * What a step is. Every packet belongs to a wave 0 .. W-1, and a node works on
 * one wave at a time. The initial queue of a node and the queues of the edges
 * into it are FIFO; in each, a token follows the packets of a wave. In a step
 * every node
 *   1. sends the tokens that it owes, over each edge that has room;
 *   2. if the heads of all its queues are tokens and it owes none, removes them,
 *      owes a token to every edge out and sends the tokens that find room; from the
 *      next step on it works on the next wave;
 *   3. else takes the first head, from where it stopped last, that is a packet
 *      and is at its end, or whose next edge has room and is owed no token;
 *      consumes it or sends it on.
 * An edge has room if its queue held fewer than q items, packets and tokens,
 * at the beginning of the step (NP_ROOM_FREED: or one of them leaves in it).
 * The token of the last wave is the end of the stream. Steps count until the
 * last packet is consumed; that takes a step of its own.
 */
#pragma once

#include "base/random.h"
#include "model/leveled/path_set.h"
#include "netpram/engine.h"
#include "netpram/merging.h"
#include "netpram/traffic.h"

typedef struct np_waves np_waves;

typedef struct np_waves_options {
    uint32_t queue_size; /* q, at least 1 */
    np_room room;
    uint32_t waves; /* W, at most NP_WAVES_MAX; 0: ceil(log2 of the packets of the phase), at least 1 */
    bool physical;  /* count physical steps, too (model/leveled/physical.h) */
} np_waves_options;

/* The input of a run. */
typedef struct np_waves_job {
    const np_leveled *leveled;
    const np_path_set *path_set;
    bool one_wave;  /* one wave for any W: nothing in the phase is random */
    np_draws draws; /* seed, run and phase; the wave of a packet is a draw of NP_RANDOM_RANK, item = its number */
    const np_traffic *resting;   /* its packets for their own node are there, too, but in no path set; NULL: none are */
    const np_observer *observer; /* NULL: nobody observes */
    const np_event_phase *phase; /* for the observer; the engine adds the leveled network if it is not there */
    const np_watch *watch;       /* is told in every step which share of the hops is made; NULL: nobody */
} np_waves_job;

/* Checks and copies the options. NP_ERROR_INPUT, NP_ERROR_MEMORY. */
np_status np_waves_create(const np_waves_options *options, np_waves **out) NP_CHECKED;
void np_waves_free(np_waves *waves);

/*
 * The bytes of an engine that runs up to `packets` packets over the leveled network. The path sets have room for
 * `packets` packets that cross all levels.
 */
uint64_t np_waves_bytes(const np_waves_options *options, const np_leveled *leveled, np_packet packets, bool observed);

/*
 * Runs the packets to their ends. queue_max and queue_real_max count only packets, although tokens
 * take room. out->tokens counts the tokens that were sent until the last packet was consumed.
 * NP_ERROR_MEMORY; NP_ERROR_LIMIT; NP_ERROR_CANCELLED by the observer.
 */
np_status np_waves_run(np_waves *waves, const np_waves_job *job, np_phase_run *out) NP_CHECKED;

/* After a run: [packets of the path set] steps that each spent waiting. */
const uint32_t *np_waves_delays(const np_waves *waves);

/* ---- clogged.c: what the generator clogged:Q foretells, for its test ---- */

/* Steps that its packets take on butterfly-io:n in one wave with queues of q. NP_ERROR_MEMORY. */
np_status np_clogged_steps(uint32_t n, uint32_t q, uint32_t *steps) NP_CHECKED;
