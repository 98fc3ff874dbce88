/* Packets of a guest step on the host: each goes the path of its guest link, a host link a step. */
#ifndef NP_EMBED_MOVER_H
#define NP_EMBED_MOVER_H

#include "queueing/engine.h"
#include "netpram/embed.h"

/* Stays where it was initialised: its path points to it. */
typedef struct np_embed_mover {
    const np_embedding *embedding;
    uint64_t seed;
    np_path path;
    np_engine *engine;
    np_traffic *traffic;
    np_packet packets;
    np_link *guest_link; /* [packets] that each goes for */
} np_embed_mover;

/* queue: a discipline. Clear it in any case. NP_ERROR_LIMIT: more links than packets have numbers; NP_ERROR_MEMORY */
np_status np_embed_mover_init(const np_embedding *embedding, const char *queue, uint64_t seed,
                              np_embed_mover *mover) NP_CHECKED;

/* The packets: of these guest links, each once, or of all. NP_ERROR_MEMORY */
np_status np_embed_mover_load(np_embed_mover *mover, size_t count, const np_link *link) NP_CHECKED;
np_status np_embed_mover_load_all(np_embed_mover *mover) NP_CHECKED;

/* Moves them from where they start to where they end; the order in which they enter the queues is drawn for `run`. */
np_status np_embed_mover_move(np_embed_mover *mover, uint32_t run, const np_engine_watch *watch,
                              np_phase_run *out) NP_CHECKED;

void np_embed_mover_clear(np_embed_mover *mover);

#endif
