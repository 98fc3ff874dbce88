/* Packets of a guest step on the host: each takes the path of its guest link, one host link a step. */
#pragma once

#include "engine/queueing/engine.h"
#include "engine/queueing/relay.h"
#include "netpram/embed.h"

/* It must stay where it was initialised: its path points to it. */
typedef struct np_embed_mover {
    const np_embedding *embedding;
    uint64_t seed;
    np_path path;
    np_engine *engine;
    np_traffic *traffic;
    np_packet packets;
    void *block;         /* the arrays, with room for all links of the guest */
    np_link *guest_link; /* [packets] the guest link of each packet */
    np_node *from, *to;  /* [packets] its ends on the host */
} np_embed_mover;

/*
 * queue: a discipline. Clear the mover in any case. NP_ERROR_LIMIT: more links than packets can be
 * numbered; NP_ERROR_MEMORY
 */
np_status np_embed_mover_init(const np_embedding *embedding, const char *queue, uint64_t seed,
                              np_embed_mover *mover) NP_CHECKED;

/* Loads one packet for each of these guest links, or for all guest links. NP_ERROR_MEMORY */
np_status np_embed_mover_load(np_embed_mover *mover, size_t count, const np_link *link) NP_CHECKED;
np_status np_embed_mover_load_all(np_embed_mover *mover) NP_CHECKED;

/* Moves the packets from start to end; the order in which they enter the queues is drawn for `run`. observer: NULL, or
 * who gets the events. */
np_status np_embed_mover_move(np_embed_mover *mover, uint32_t run, const np_observer *observer,
                              np_phase_run *out) NP_CHECKED;

/* What observers hear. Each is a run of one phase on the host; packets have the numbers of their guest links. */
typedef enum np_embed_phase {
    NP_EMBED_QUEUES,
    NP_EMBED_SCHEDULE,
    NP_EMBED_TRAFFIC_QUEUES,
    NP_EMBED_TRAFFIC_SCHEDULE
} np_embed_phase;

/* For the loaded packets in the next run. NULL if relay->to is: nobody observes. */
const np_observer *np_embed_mover_observer(const np_embed_mover *mover, np_event_relay *relay, np_embed_phase phase);

/*
 * Tells the observer, if it is not NULL, that the loaded packets move by a schedule; crossing: as
 * np_embedding_run_result has it. NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_embed_mover_tell(const np_embed_mover *mover, const np_step *crossing,
                              const np_observer *observer) NP_CHECKED;

void np_embed_mover_clear(np_embed_mover *mover);
