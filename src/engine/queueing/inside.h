/*
 * The queueing engine's object, shared by its files: engine.c (its life, the
 * choice of a method), stepping.c with begin.c, step.c and park.c, and
 * the accelerators.
 */
#pragma once

#include "base/share.h"
#include "engine/queueing/bucket.h"
#include "engine/queueing/engine.h"
#include "engine/queueing/events.h"
#include "engine/queueing/flights.h"
#include "engine/schedule/passed.h"

/*
 * A method of the queueing engine: a way to bring the packets of a phase to
 * their targets. All methods have the same outcome, to the bit. Stepping
 * serves every phase. The others, the accelerators, serve some phases, and are
 * faster there: they finish links in topological order, each for all time,
 * instead of all links step by step. The engine tries its methods in the order
 * of the list in methods.c; stepping is the last.
 *
 * A new accelerator is one file with one const descriptor, and one line in the
 * list.
 *
 * A method holds most of its memory only while it serves: before a method
 * runs, the engine has all others rest.
 */

typedef struct np_engine_method {
    const char *name;
    bool tells;   /* it can serve a run that is watched step by step */
    bool divides; /* ranks can share it. Then `run` is collective, and *done is the same on all */
    bool (*applies)(const np_engine_options *options);
    /* The most bytes that the method holds while it serves, and while it rests. */
    uint64_t (*bytes)(const np_engine_options *options);
    uint64_t (*bytes_at_rest)(const np_engine_options *options);
    np_status (*create)(np_engine *engine, void **out);
    /*
     * Can it serve the engine's present phase (plan, draws and phase are set,
     * shards are reset)? Changes nothing but length[] and the shards' hops.
     * NULL: it can serve every phase.
     */
    np_status (*aim)(void *method, np_engine *engine, bool *fits);
    /*
     * Serves the phase. *done = true: location, length (now delays),
     * population, step and the shards' counts are those at the end of the
     * phase. *done = false: the phase needs more than the method's tables
     * hold. Then nothing has changed but length[] and the shards' hops, and
     * the engine frees the method and never tries it again.
     */
    np_status (*run)(void *method, np_engine *engine, bool *done);
    void (*rest)(void *method); /* gives memory back, which the next run takes again */
    void (*free)(void *method); /* NULL is fine */
} np_engine_method;

enum { NP_ENGINE_METHODS_MAX = 8 };

/* In the order in which they are tried; NULL at the end. The last one, stepping, serves everything. */
extern const np_engine_method *const np_engine_methods[NP_ENGINE_METHODS_MAX + 1];
extern const np_engine_method np_engine_stepping;

/* NP_ERROR_INPUT with the nearest name if no method has this name. NULL: any method will do. */
np_status np_engine_method_known(const char *name) NP_CHECKED;

/* Will an engine with these options try the method? */
bool np_engine_method_serves(const np_engine_method *method, const np_engine_options *options);

/*
 * Items handled at once: ours. It is large enough that many items share an indirect call and the
 * latency of a prefetch, and small enough for the first-level cache.
 */
enum { NP_BATCH = NP_PATH_BATCH };

/* Nodes and their links, so few that all that a step looks at in them stays in the cache. */
typedef struct np_block {
    np_node first_node, last_node; /* the range [first, last) */
    np_link first_link, last_link;
    np_link from_ranks; /* links from nodes of other ranks, where the network has lists of links; else 0 */
    np_busy busy;
    np_passed passed; /* its words are those of busy */
} np_block;

/* One worker's blocks and what it counts. Aligned so that workers do not share lines. */
typedef struct np_shard {
    unsigned first_block, last_block; /* the range [first, last) */
    uint64_t *once, *twice;           /* arrive.c: a bit for each link of the largest block, and one word more */
    uint64_t *run, *run_room;         /* arrive.c: [links of the largest block, or packets if these are fewer] */
    np_packet *order;                 /* scratch for the initial order of a queue; it grows only between steps */
    size_t order_room;
    np_status status;

    /* Counted since the phase began. */
    uint32_t queue_max, population_max, congestion, late;
    uint64_t hops, hash;
    np_packet finished[2]; /* in all, by parity of the step: others may still read the other parity */
    uint64_t made[2];      /* hops in all, by parity likewise */
    np_packet moved;       /* packets that moved in this step */

    np_packet *landed; /* open.c: packets whose routes ended in this step; NULL: the engine runs phases */
    size_t landings;
} __attribute__((aligned(128))) np_shard;

/* observe.c: which packets are in which queue, and the feed of an observed run. */
typedef struct np_engine_book np_engine_book;

/* ranks.c: the packets of a run that ranks share. */
typedef struct np_engine_share np_engine_share;

struct np_engine {
    np_engine_options options;
    const np_network *network;
    void *method[NP_ENGINE_METHODS_MAX]; /* the objects of the methods that can serve the engine; NULL: cannot */
    const char *served;                  /* the name of the method of the last phase */
    np_shard *shard;                     /* [workers] */
    np_block *block;                     /* [blocks] in ascending order; each worker owns as many */
    unsigned blocks;
    np_divider by_block;    /* (node - nodes.first) / nodes a block = its block */
    np_share nodes;         /* those of this rank: all, unless ranks share the run. Arrays over nodes and links are for
                               these, and indexed by the numbers that nodes and links have in the network */
    np_engine_share *share; /* NULL: this process has all nodes and packets */

    /* stepping.c */
    bool can_step; /* queues, pools and the arrays of blocks are allocated */
    np_queues queues;
    np_bucket_pool pool;
    np_flights flights; /* of links that take more than a step */
    void *arrays;       /* of blocks and shards: bits of busy, place */

    /*
     * A packet is the index of its places in the arrays. If this process has all packets, that is its number in the
     * traffic. Else it is its place among those of this rank when a phase begins and when a phase has ended; and in
     * between any number below share->slots, as long as the packet is at a node of this rank (ranks.c).
     */
    const np_traffic *traffic;
    np_packet packets;      /* of this rank, by the traffic */
    np_node *location;      /* [packets] where the packet is when it is in no queue */
    uint32_t *length;       /* [packets] hops of its route since the run began; at the end of the run, its delay */
    uint32_t *phase_length; /* [packets] hops of its route in its present phase; no overlap: the array length */
    uint8_t *phase_of;      /* [packets] its present phase; NULL: no overlap */
    /* park.c: phases start at fixed times. NULL: they do not. */
    uint8_t *parked;  /* [packets] 1: it has ended a phase, and waits at location[] for the time of the next one */
    uint32_t *rested; /* [packets] steps that it was parked, up to the end of its present rest, since the run began; and
                         those that it was on links, beside one a hop */
    np_packet *released; /* [packets] those for which a phase starts now, in the order in which they enter queues */
    np_packet releases;
    uint32_t
        *made; /* [packets] step.c: hops made since the run began; NP_NONE: it has landed. NULL: runs do not stop */
    uint32_t *population; /* [nodes] */

    void *open;        /* open.c: who feeds packets from outside, step by step; NULL: the engine runs phases */
    uint64_t *crossed; /* open.c: [link numbers] packets over each link; NULL: nobody counts them */

    np_engine_book *held; /* NULL: no run has been observed */

    /* The present run. */
    const np_engine_plan *plan;
    const np_engine_watch *watch;
    np_engine_book *book; /* NULL: nobody observes */
    np_draws draws;
    unsigned phase;
    np_step step; /* the instant reached */
};

/* The column of the buckets in which packets for the node are: the number of its block, or what is for its rank. */
static inline unsigned np_engine_block_of(const np_engine *engine, np_node node)
{
    if (!np_share_has(&engine->nodes, node))
        return engine->blocks + np_share_owner(&engine->nodes, node);
    return np_divide(node - engine->nodes.first, engine->by_block);
}

/* engine.c: the nodes of this rank, the blocks of all workers together, and the one of that number. */
np_share np_engine_nodes(const np_engine_options *options);
unsigned np_engine_blocks(const np_engine_options *options);
np_block np_engine_block(const np_engine_options *options, unsigned number);

/* engine.c: the packets of all ranks and those of them finished so far, and the report of the present step. */
uint64_t np_engine_all(const np_engine *engine);
np_packet np_engine_finished(const np_engine *engine);
np_step_report np_engine_report(const np_engine *engine);

/* engine.c: runs a pass of a method for each worker, each on a thread of its own. */
void np_engine_each_worker(np_engine *engine, void (*pass)(void *method, np_engine *engine, unsigned worker),
                           void *method);

/* begin.c: the packets of worker `from`'s slice get tickets and go to the buckets of their nodes' blocks. */
void np_engine_ticket(np_engine *engine, unsigned from);
/* stepping.c: does somebody look at the state at the instant reached? Then all that have arrived are in queues. */
bool np_engine_is_told(const np_engine *engine);
/*
 * begin.c: worker `to` takes its packets from the buckets into the queues, in an order drawn from the seed. Those who
 * are alone at their links stay in the buckets, where the first step finds them, unless somebody looks at the state.
 */
void np_engine_fill(np_engine *engine, unsigned to);
/* begin.c: gives each packet a ticket for phase `phase`. Adds to lengths and to shard->hops. */
void np_engine_prepare(np_engine *engine, np_shard *shard, unsigned phase, size_t count, const np_packet *packet,
                       const np_node *at, np_ticket *ticket);
/*
 * The first order of a queue is a shuffle of its packets, which are first listed by number: for i
 * from their count down to 2, packet i - 1 changes places with the packet whose place, 0 .. i - 1,
 * is returned here. The draws have the purpose NP_RANDOM_ORDER.
 */
static inline size_t np_engine_order_draw(const np_draws *draws, np_link link, size_t i)
{
    return np_random_below(draws, link, (uint32_t)i, (uint32_t)i);
}
/*
 * begin.c: with overlap, packets whose port is NP_NONE have ended a
 * phase. If there is a next phase, they start it and get their port there. They do not start a phase whose time is
 * after instant `now`: their port stays NP_NONE, and np_engine_rests tells them from those that land.
 */
void np_engine_start_next(np_engine *engine, np_shard *shard, np_step now, size_t count, const np_packet *packet,
                          const np_node *at, np_ticket *ticket, np_port *port);
/* begin.c: hands packets out to the buckets of their nodes' blocks for instant `now`. Those at their ends land, or
 * park. */
void np_engine_hand_out(np_engine *engine, unsigned from, np_step now, size_t count, const np_packet *packet,
                        const np_node *at, const np_ticket *ticket, const np_port *port);
/* The packet's route ends at node `at` at instant `now`. */
static inline void np_engine_land(np_engine *engine, np_packet packet, np_node at, np_step now)
{
    engine->location[packet] = at;
    if (engine->made)
        engine->made[packet] = NP_NONE;
    engine->length[packet] = now - engine->length[packet] - (engine->rested ? engine->rested[packet] : 0);
}

/* The instant at which a phase starts for the packets that have ended the phase before it by then. */
static inline np_step np_engine_start_of(const np_engine *engine, unsigned phase)
{
    return (phase - engine->phase) * engine->options.phase_time;
}
/* Does a packet that has ended its present phase wait for the time of the next one? */
static inline bool np_engine_rests(const np_engine *engine, np_packet packet)
{
    return engine->parked && engine->phase_of[packet] + 1U < engine->plan->phases;
}
/* park.c: the packet rests at the node from instant `now` on. */
void np_engine_park(np_engine *engine, np_packet packet, np_node at, np_step now);
/* park.c: does a phase start at the instant reached? If so: all packets that have arrived have entered their queues,
 * and nothing is in the buckets. Then one thread makes the list of those who wait for the phase, each worker gives
 * tickets to its slice of the list, and each worker takes what comes to its blocks into the queues. */
bool np_engine_phase_starts(const np_engine *engine);
void np_engine_list_released(np_engine *engine);
void np_engine_ticket_released(np_engine *engine, unsigned from);
void np_engine_enter_released(np_engine *engine, unsigned to);

/*
 * ranks.c, for runs that ranks share. What is here has no effect, and costs nothing, in others.
 *
 * The life of a packet: when a phase begins, each rank makes the tickets of its own packets, those of its part of the
 * traffic, and hands each over to the rank that has the node where it is. Packets go from rank to rank as from block to
 * block. When all have landed, each rank tells those whose packets landed at its nodes where and when they did.
 */
typedef struct np_carried {
    uint32_t length, priority; /* for the keys of disciplines: hops of the packet's route; its priority */
} np_carried;

struct np_engine_share {
    const np_job *job;
    np_share packets;       /* the numbers of this rank's own packets */
    bool placed;            /* a phase has begun since the packets were placed */
    np_packet slots, taken; /* there is room for so many packets; so many places have been used in this phase */
    np_packet given_back;   /* the first of a list of places that are free again, by record.next; NP_NONE: none is */
    size_t room;            /* for which the arrays below have room */
    np_packet *number;      /* [slots] in the traffic; NP_NONE: nobody is there */
    np_carried *carried;    /* [slots] NULL: the discipline has no keys */
    np_packet *landed;      /* [ranks] the first of a list of packets of a rank that have landed here, likewise */
    np_packet finished;     /* of all ranks, at the instant reached */
    np_status status;       /* what went wrong while packets came; it is told in the next step */
};

/* Places for so many packets at the start; there will be more if they do not suffice. */
size_t np_engine_slots(const np_engine_options *options);
uint64_t np_engine_share_bytes(const np_engine_options *options);
np_status np_engine_share_create(np_engine *engine) NP_CHECKED;
void np_engine_share_free(np_engine_share *share);
/* The packets of a traffic are at their sources. */
void np_engine_share_place(np_engine *engine);
/*
 * Collective: room for the packets of a phase, whose places begin anew; before the first phase of a traffic, counts
 * the packets of all ranks at this rank's nodes. The status of all ranks, of which `own` is this one's.
 */
np_status np_engine_share_reserve(np_engine *engine, np_status own) NP_CHECKED;
/* One of this rank's packets begins the phase, with a route of so many hops. */
void np_engine_share_begin(np_engine *engine, np_packet packet, uint32_t hops);
/* A packet has landed at a node of this rank. */
void np_engine_share_land(np_engine *engine, np_packet packet, np_node at, np_step now);
/*
 * Collective: packets that have left for other ranks at the instant reached get there. The status of all ranks, of
 * which `own` is this one's; NP_OK: share->finished is that of all.
 */
np_status np_engine_share_exchange(np_engine *engine, np_status own) NP_CHECKED;
/* Collective: all packets have landed, and each rank gets to know of its own. */
np_status np_engine_share_home(np_engine *engine) NP_CHECKED;
/* Collective: makes the outcome of a phase that of all ranks. */
np_status np_engine_share_collect(const np_engine *engine, np_phase_run *out) NP_CHECKED;

/* stepping.c: memory for steps, all queues empty; the passes of a step, by one thread while little moves. */
np_status np_engine_reserve_steps(np_engine *engine) NP_CHECKED;
void np_engine_pass(np_engine *engine, np_packet moved, void (*pass)(np_engine *engine, unsigned shard));

/* step.c: packets have made a hop, and are at their nodes. */
void np_engine_note_hops(np_engine *engine, size_t count, const np_packet *packet, const np_node *at);
/* step.c: the run stops at the instant reached, and with it the routes of all packets. Counts those that had not
 * landed. */
void np_engine_stop(np_engine *engine);
/* step.c: all packets leave the queues of the worker's blocks, and go nowhere. */
void np_engine_empty_queues(np_engine *engine, unsigned worker);

/* observe.c: the end of a book. NULL is allowed. */
void np_engine_book_free(np_engine_book *book);
/* observe.c: before and after a phase. begin sets engine->book if the watch has an observer. */
np_status np_engine_observe_begin(np_engine *engine);
np_status np_engine_observe_end(np_engine *engine, const np_phase_run *run);
/*
 * observe.c, of open.c, whose packets are slots: sets engine->book. Events go to the feed; name[] is a packet's number
 * in them, and LANDED is told by open.c. More slots come, with their names.
 */
np_status np_engine_observe_open(np_engine *engine, np_event_feed *feed, const np_packet *name) NP_CHECKED;
np_status np_engine_observe_more(np_engine *engine, size_t packets, const np_packet *name) NP_CHECKED;
/* observe.c, of runs with a book: those who rest do so in the step; packets enter the queues of links; the packets of
 * links move, and land if port[i] is NP_NONE; a packet lands without a hop; a step ends, false: the observer cancels.
 */
void np_engine_observe_rests(np_engine *engine, np_step step);
void np_engine_observe_entry(np_engine *engine, size_t count, const np_packet *packet, const np_link *link);
void np_engine_observe_hops(np_engine *engine, np_step step, size_t count, const np_packet *packet, const np_link *link,
                            const np_node *from, const np_node *to, const np_port *port);
void np_engine_observe_landing(np_engine *engine, np_step step, np_packet packet, np_node at);
bool np_engine_observe_step(np_engine *engine);

/* Packets that leave their nodes together. */
typedef struct np_hops {
    size_t count;
    np_link link[NP_BATCH];
    np_packet packet[NP_BATCH];
    np_node from[NP_BATCH], at[NP_BATCH];
    np_port port[NP_BATCH];
    np_ticket ticket[NP_BATCH];
} np_hops;

/*
 * step.c: for one block of the worker after the other, packets that have arrived enter their queues, and one packet
 * leaves each busy queue and goes to the bucket of its new node's block.
 */
void np_engine_move(np_engine *engine, unsigned worker);
/* step.c: the packets of hops leave, and hops is empty. */
void np_engine_send(np_engine *engine, unsigned worker, np_hops *hops);
/*
 * arrive.c: packets that have arrived in the worker's block are counted there. Those who are alone at their links leave
 * at once, with hops, where they may remain. The others enter their queues. hops == NULL: all that travel on enter.
 */
void np_engine_arrive(np_engine *engine, unsigned worker, np_block *block, np_hops *hops);
/* arrive.c: packets that have arrived enter their queues, and none leaves. */
void np_engine_receive(np_engine *engine, unsigned worker);
/* stepping.c: NULL if all invariants hold at the instant reached, the workers at rest; else the first that does not. */
const char *np_engine_audit(const np_engine *engine);
/*
 * begin.c: fills and returns key[], with which packets enter the queues of links; their tickets are past these links.
 * NULL: the discipline has no keys.
 */
const uint32_t *np_engine_keys(const np_engine *engine, size_t count, const np_packet *packet, const np_link *link,
                               const np_ticket *ticket, uint32_t *key);
