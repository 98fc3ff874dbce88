/*
 * What all models of switches under load have in common: packets are created over time, travel, and are told of when
 * they arrive. Who measures (run/load) knows no more of a model than this.
 */
#pragma once

#include "base/random.h"
#include "model/relation/waiting.h"
#include "model/traffic/arrivals.h"
#include "netpram/engine.h"
#include "netpram/path.h"

typedef struct np_relation np_relation;   /* model/relation/relation.h */
typedef struct np_open_book np_open_book; /* engine/open/observed.h */

/* A packet has arrived: its tail has. Ends are terminals; `number` counts the packets of the source. */
typedef struct np_delivery {
    np_node source, destination;
    uint64_t number;
    int64_t created, arrived; /* cycles */
    uint32_t hops, flits;     /* links of the network; the packet's length */
} np_delivery;

typedef struct np_open_options {
    const np_network *network;
    const np_relation *relation; /* flits */
    const np_path *path;         /* steps */
    bool via_random;             /* each packet goes by way of a terminal that is drawn for it, by two routes */
    const np_arrivals *arrivals;
    np_draws draws; /* seed, run */
    unsigned threads;

    /* flits */
    unsigned channels, buffer_flits;                                                                  /* V, B */
    unsigned routing_delay, allocation_delay, switch_delay, crossbar_delay, link_delay, credit_delay; /* cycles;
                                                                                          defaults 0,1,1,1,1,1 */
    const uint16_t *link_delays; /* [links] cycles of a link, and of its credits on their way back; 0: as above (of
                                    model steps there is none: 1); NULL */
    unsigned input_speedup, internal_speedup; /* 0: 1 */
    uint32_t source_flits; /* that wait at a terminal at most: a packet that finds no room is refused; 0: any number */
    bool cut_through; /* virtual cut-through: a head goes on only if the next buffer has room for the whole packet */

    /* steps */
    uint32_t queue_size;             /* q; 0: unbounded */
    const np_discipline *discipline; /* NULL: fifo */

    bool counts_links;  /* np_open_model.links will be asked */
    np_open_book *book; /* who gets events; then there is one thread. NULL: nobody does */
    /* Gets deliveries in ascending (arrived, destination) order, in batches, from one thread; non-zero cancels. */
    int (*deliver)(void *context, size_t count, const np_delivery *d);
    void *context;

    /* np_open_closed: the model that it plays, which has push(), and requests of a terminal on their way */
    const struct np_open_model *inner;
    uint32_t window;
} np_open_options;

typedef struct np_open_counts {
    int64_t now;                         /* cycles played */
    uint64_t created, injected, ejected; /* flits, since the start */
    uint64_t refused;                    /* flits of packets that found no room; not among those created */
    uint64_t waiting;                    /* flits created that are not ejected: sources' queues and network */
    uint64_t source_waiting;             /* of them, at sources */
    uint64_t hops;                       /* flit-hops */
    bool stuck;                          /* nothing moved for a long time though flits wait: deadlock */
} np_open_counts;

typedef struct np_open_model {
    np_entry info; /* "flits", "steps" */
    uint64_t (*bytes)(const np_open_options *o);
    np_status (*create)(const np_open_options *o, void **out);
    np_status (*advance)(void *m, int64_t until); /* plays up to time `until` */
    void (*stop)(void *m);                        /* no packet is created from now on (drain) */
    void (*counts)(void *m, np_open_counts *out);
    void (*accepted)(void *m, uint64_t *flits); /* [terminals] flits ejected, by SOURCE: fairness */
    void (*links)(void *m, uint64_t *flits);    /* [link numbers] flits that entered links; NULL: nobody counts them */
    void (*free)(void *m);
    /*
     * Creates a packet of one flit at the time that is reached, where options have a window and arrivals no rate.
     * `number`: no other packet of the source has it. NULL: the model cannot.
     */
    np_status (*push)(void *m, np_node source, uint64_t number, np_node destination);
    /*
     * Of a model that is stuck: channels each of which waits for the next, and the last for the first, as its buffer is
     * full, or not all of its packet has room in it. Returns how many; the first `room` of them are in out. NULL: it
     * never is.
     */
    size_t (*waits)(void *m, size_t room, np_waiting *out);
} np_open_model;

extern const np_open_model np_open_steps; /* engine/queueing/open.c */
extern const np_open_model np_open_flits; /* engine/flits/flits.c */

/* closed.c: requests and replies, played by another model. Its packets are round trips. */
extern const np_open_model np_open_closed;
