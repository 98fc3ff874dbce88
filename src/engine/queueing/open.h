/* What the parts of model `steps` share: open.c says what it is. */
#pragma once

#include "engine/open/observed.h"
#include "engine/queueing/ahead.h"
#include "engine/queueing/inside.h"

/* Who enters at the instant reached. */
typedef struct np_entrant {
    np_packet slot;        /* NP_NONE: it is new, and has none yet */
    np_open_packet packet; /* of a new one */
} np_entrant;

/* What a worker's terminals do next. */
typedef struct np_nursery {
    np_node first, last; /* of open.terminal */
    np_entrant *entrant; /* [count] those who enter again come last */
    size_t count, room, fresh;
    size_t free;         /* those who are new take slots from open.free[free] on */
    np_open_packet *own; /* [owns] packets for their own nodes */
    size_t owns, own_room;
    np_status status;
} __attribute__((aligned(128))) np_nursery;

typedef struct np_open {
    np_open_options options;
    np_engine *engine;
    np_engine_plan plan;
    np_node terminals;
    np_node *terminal;    /* [terminals] by the nodes of their inputs */
    np_step *due;         /* [terminals] likewise: when it creates its next packet; NP_NONE: never */
    np_arrival *next;     /* [terminals] that packet */
    uint64_t *made;       /* [terminals] packets so far */
    np_nursery *nursery;  /* [workers] */
    np_open_packet *slot; /* [slots] */
    uint32_t *length;     /* [slots] of the present routes: the engine's array */
    np_packet *free;      /* [slots] of which `frees` are free */
    size_t slots, frees;
    uint64_t *order; /* [2 * order_room] those who have landed, 2^32 target + slot, and room to sort them */
    size_t order_room;
    uint64_t *accepted; /* [terminals] */
    uint64_t *crossed;  /* [link numbers] NULL: nobody asks */
    np_packet *name;    /* [slots] numbers for observers; NULL: nobody observes */
    uint32_t cables;    /* links of a route that are cables of hosts */
    np_packet moved;
    bool stopped;
    np_ahead ahead; /* of a rule that finds routes; else zeroed */
    np_open_counts counts;
} np_open;

static inline np_node np_open_input(const np_open *o, np_node terminal)
{
    return np_network_input(o->options.network, terminal);
}

static inline np_node np_open_output(const np_open *o, np_node terminal)
{
    return np_network_output(o->options.network, terminal);
}

/* Of the worker that has the node. */
static inline np_nursery *np_open_nursery(const np_open *o, np_node at)
{
    return &o->nursery[np_engine_block_of(o->engine, at) / (o->engine->blocks / o->engine->options.workers)];
}

/* Of a closed loop: packets on their way; 0: packets over time. */
static inline uint64_t np_open_trips(const np_open_options *options)
{
    return (uint64_t)np_network_terminals(options->network) * options->window;
}

/* open_arrivals.c: what is created. Those of the first instant, when the nurseries have their terminals. */
np_status np_open_begin_arrivals(np_open *o) NP_CHECKED;
/* The worker's arrivals of an instant enter its nursery, whose status tells of a failure. */
void np_open_scan(const np_open *o, unsigned worker, np_step then);
/* Routes of those to come, if the list of them ends with the instant reached. */
np_status np_open_look_ahead(np_open *o) NP_CHECKED;
/* Those who were pushed at the instant reached enter, if they had to wait for their routes. */
np_status np_open_enter_pushed(np_open *o) NP_CHECKED;
np_status np_open_push(void *m, np_node source, uint64_t number, np_node destination) NP_CHECKED;

/* open_landed.c: tells of those who have arrived at the instant reached. */
np_status np_open_tell(np_open *o) NP_CHECKED;

/* open_memory.c: the engine that is asked for; the bytes of all, promised before a run; room that keeps the promise. */
np_engine_options np_open_engine_options(const np_open_options *options);
uint64_t np_open_bytes(const np_open_options *options);
/* Of a closed loop, for all who may enter at an instant. `links`: over which others of two routes may come. */
np_status np_open_reserve(const np_open *o, np_nursery *n, np_link links) NP_CHECKED;
