/*
 * What an engine asks of others: where a phase sends the packets, and which
 * packet of a queue goes first. What it reports of a run: the outcome of a
 * phase, the state after a step, and each event.
 */
#ifndef NETPRAM_ENGINE_H
#define NETPRAM_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "netpram/base.h"
#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** Packets at the start of a phase. */
typedef struct np_aim {
    const np_network *network;
    const void *tables;         /**< np_queueing.tables, made for the run; NULL: the scheme has none */
    unsigned phase;             /**< from 0 */
    const np_draws *draws;      /**< for random choices of this phase, with the packet's number as item */
    size_t count;               /**< packets of this call */
    const np_packet *packet;    /**< [count] their numbers */
    const np_node *at;          /**< [count] where they are */
    const np_node *destination; /**< [count] where the traffic sends them */
    const np_node *source;      /**< [packets of the traffic] packet[i] comes from source[packet[i]] */
    np_node_list via; /**< where the scheme may send packets first: np_route_options.via, or the nodes where packets
                           start and end */
} np_aim;

/*
 * Queue disciplines: which packet of a queue goes first (stage 2 of Leighton,
 * Maggs, Ranade & Rao 1994). NP_LIST_QUEUES names them.
 */

/** What a key may depend on: arrays over the packets that enter queues. */
typedef struct np_key_inputs {
    const uint32_t *remaining;     /**< hops to the end of the packet's route in this phase */
    const uint32_t *made;          /**< hops since the engine's run began: in the phase, or with overlap in all */
    const uint32_t *made_in_phase; /**< hops in this phase */
    const uint32_t *priority;      /**< the traffic's, smaller is more urgent; all 0 if the traffic has none */
} np_key_inputs;

/** How the library keeps queues. */
typedef struct np_queue_structure np_queue_structure;

/**
 * A queue discipline. The library's own disciplines are descriptors of this type, and a program registers others with
 * np_discipline_register. From then on np_route_options.queue takes their names. examples/own_discipline.c is an
 * example.
 */
typedef struct np_discipline {
    /** name, help and source are required. */
    np_entry info;

    /**
     * key[i] = the key of packet i as it enters a queue, for i below count. The packet with the smallest key of the
     * queue goes first; of equal keys, the packet that entered first. The arrays do not overlap. Required. (The
     * library's disciplines with structures of their own may have none.)
     *
     * Threads: several threads call it at once. The keys depend on the inputs alone.
     */
    void (*keys)(size_t count, const np_key_inputs *inputs, uint32_t *key);

    /** The library's own member, NULL in other disciplines: how queues are kept. NULL: in heaps ordered by the keys. */
    const np_queue_structure *structure;
} np_discipline;

/**
 * Adds a discipline. It must remain valid until the process ends, with its texts. Any thread may call it at any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_discipline_register(const np_discipline *discipline) NP_CHECKED;

/** The cost of emulating a leveled network on the physical one: the most for one physical node or link. */
typedef struct np_emulation_result {
    uint32_t nodes_per_node; /**< logical nodes of one physical node */
    uint32_t degree;         /**< most links that enter or leave a logical node: Delta */
    uint32_t links_per_link; /**< crossings of one physical link if every logical link is crossed once */
    uint32_t steps; /**< physical steps that play a step in which every logical link is crossed once; 0: not leveled */
} np_emulation_result;

/** The outcome of one phase of one run. */
typedef struct np_phase_run {
    np_packet packets;                                   /**< packets in the phase */
    np_step steps;                                       /**< until the last packet arrived, or the phase's time */
    np_step delay_max;                                   /**< most steps one packet spent waiting */
    np_step delay_p50, delay_p90, delay_p99, delay_p999; /**< quantiles of these steps over the packets: of results;
                                                              what observers get has 0 */
    uint64_t delay_sum;                                  /**< over all packets */
    uint64_t hops;                                       /**< over all packets */
    uint32_t queue_max;                                  /**< most packets in one queue at the start of a step */
    uint32_t population_max; /**< most packets at one node at an integral instant: waiting, just arrived and
                                   finished ones all count (section 2(e)) */
    uint32_t congestion;     /**< most packets over one link; where a phase stops, those in its queue then count, too */

    /* Of merging (netpram/merging.h); else 0. There links are those of the leveled network. */
    uint32_t levels;                  /**< L: the depth of the leveled network */
    uint32_t congestion_destinations; /**< most different destinations of packets over one link; differs from
                                           congestion only where packets combine */
    uint64_t ghosts;                  /**< sent */
    uint64_t tokens;                  /**< sent, where packets go in waves */
    uint64_t combined;                /**< times that two packets became one */
    uint32_t queue_real_max; /**< most packets in one edge queue, ghosts not counted: at most q. queue_max counts a
                                   ghost as one, where ghosts take room */
    uint64_t node_steps;     /**< logical nodes times steps; times message cycles where those count */
    uint64_t starved; /**< times that a node with packets waited for an empty queue after step `level`, which Lemma 2.3
                           forbids; counted where ghosts need room or are not sent */
    bool ends_meet;   /**< some packet ends at a node of the leveled network where another begins */
    bool
        absent; /**< the run did not have the phase: it was over before, or nothing was left. All other members are 0 */
    np_emulation_result emulation; /**< of results; what observers get has 0 */
    /**
     * Of results: steps of the physical network, over each of whose directed links one message goes in a step. Without
     * a leveled network it is `steps`. With np_merge_options.physical they were executed; else they are steps *
     * emulation.steps, which is the most that they can be. What observers get has 0 where they were not executed.
     */
    uint64_t physical_steps;
    /**
     * Phases with a fixed time: how often a packet had not ended the phase in this time. Of the phase that routes what
     * is left then: packets that were not at their destinations.
     */
    uint32_t late;

    /* Of schedules by an outline (schemes `resampled`, `resampled-early`); else 0. */
    uint32_t dilation;     /**< d: links of the longest path */
    np_step outline;       /**< times of the outline: no packet arrives at a later one */
    uint32_t outline_load; /**< most packets over one link at one time of the outline */
    uint64_t resamplings;  /**< times that a link had more than its share, and packets drew their waits anew */

    /* Of messages of several packets in message cycles; else 0. There `steps` is cycles times the steps of a cycle. */
    uint64_t cycles;      /**< message cycles until the last message arrived */
    uint64_t packet_hops; /**< packets of messages that crossed a link; `hops` counts messages */
    np_step
        packet_steps; /**< until the last packet of a message arrived, which need not be the last step of its cycle */

    /* Of paths that are locked in rounds (scheme `locked`); else 0. */
    uint32_t rounds;  /**< until all packets had arrived */
    np_packet locked; /**< packets that locked their paths in the first round */
    uint64_t blocked; /**< times that a packet did not lock its path, and tried again */
} np_phase_run;

/** State after one step, for traces and progress. */
typedef struct np_step_report {
    uint32_t run;
    uint32_t phase;
    np_step step;                       /**< instant reached: 0 is the state before the first step */
    np_packet moved;                    /**< packets that crossed a link in the step */
    np_packet finished;                 /**< packets at the end of the phase's route, so far */
    np_packet waiting;                  /**< packets in queues, and those that wait for the fixed time of a phase */
    np_packet packets;                  /**< in the phase */
    uint32_t queue_max, population_max; /**< largest so far in the phase */
    uint64_t hash; /**< of all moves so far; the same for any number of threads. 0 unless asked for */
} np_step_report;

/*
 * Events: what happens to each packet, step by step. An np_observer gets the events of a run, phase after phase.
 * Traces, tables of links, nodes and packets, and checkers are observers. The order of events is the same for any
 * number of threads. A run that nobody observes makes no events.
 *
 * Nodes and links of an event are those of the phase: of np_event_phase.network, or of np_event_phase.leveled if this
 * is not NULL. Step s leads from instant s - 1 to instant s, and steps count from 1 in each phase.
 */

/** What happened to a packet. */
typedef enum np_event_kind {
    NP_EVENT_INJECTED, /**< the phase begins for it: it is at `from`, and its end is `to`; NP_NONE: not known */
    NP_EVENT_MOVED,    /**< it crossed `link` in the step, from `from` to `to` */
    NP_EVENT_WAITED,   /**< it stayed at `from` in the step; `link` is its next link, NP_NONE if it is at its end */
    NP_EVENT_COMBINED, /**< it became a part of packet `other` at `from` in the step */
    NP_EVENT_SPLIT,   /**< it leaves packet `other` at `from`, as a part or a copy, and goes on by itself from this step
                         on */
    NP_EVENT_LANDED,  /**< its route ended at `from`, at the instant to which the step leads */
    NP_EVENT_ENTERED, /**< of flits (np_event_phase.channels): one of its flits is in a buffer at `from`, at the instant
                           to which the step leads */
    NP_EVENT_LEFT,    /**< of flits: the first flit of that buffer, one of this packet, left it in the step */
    NP_EVENT_KINDS
} np_event_kind;

/** Why a packet waited. */
typedef enum np_event_reason {
    NP_EVENT_NO_REASON, /**< it did not wait */
    NP_EVENT_BEHIND,    /**< packet `other` went first */
    NP_EVENT_ROOM,      /**< there was no room at the end of `link` */
    NP_EVENT_ORDER,     /**< a packet that goes before it may still come */
    NP_EVENT_LENGTH,    /**< it is a message of several packets, and one of them crossed its link, or landed */
    NP_EVENT_PLAN,      /**< its schedule was made before */
    NP_EVENT_PHASE,     /**< its next phase starts at a fixed time */
    NP_EVENT_REASONS
} np_event_reason;

/** An event. */
typedef struct np_event {
    np_event_kind kind;
    np_event_reason reason; /**< of WAITED */
    np_step
        step; /**< 0 only of INJECTED, and of LANDED without a hop. INJECTED: the packet acts from the next step on */
    np_packet packet;
    np_packet other;  /**< BEHIND, COMBINED, SPLIT: the other packet; else NP_NONE */
    np_node from, to; /**< equal but for INJECTED and MOVED */
    np_link link; /**< MOVED, WAITED; ENTERED, LEFT: the link at whose end the buffer is; else, and of what comes from
                       a terminal without a link, NP_NONE */
    /**
     * MOVED and WAITED: packets in a queue, this one included; 0 if there are no queues. Where queues are at the tails
     * of links: in the queue of `link` when the step began. On leveled networks, where they are at the heads: of a
     * packet that moved, in the queue of `link` when the step ended; of one that waited, in the queue where it is.
     * Of flits: MOVED: credits that the channel of `link` has then; WAITED: 0; ENTERED and LEFT: flits in the buffer
     * then.
     */
    uint32_t queue;
    /**
     * INJECTED, where packets are messages (np_event_phase.messages): of how many packets; of flits: of how many flits.
     * MOVED, ENTERED and LEFT of flits: the channel of `link`. Else 0.
     */
    uint32_t length;
} np_event;

/** A leveled network, and the physical nodes and links that play it. */
typedef struct np_event_leveled {
    uint32_t nodes, edges;
    const uint32_t *tail, *head; /**< [edges] the nodes of each edge */
    const np_node *host;         /**< [nodes] the physical node */
    const uint32_t *walk;        /**< [edges + 1] */
    const np_link *link; /**< edge e crosses the physical links link[walk[e]] .. link[walk[e + 1] - 1], perhaps none; on
                              shuffle-exchanges some of them backwards */
    bool of_run;         /**< it was made for the paths of this run; else all runs are on it */
} np_event_leveled;

/** A phase that begins. It is valid during the call, and what it points to until the phase ends. */
typedef struct np_event_phase {
    uint32_t run, phase;             /**< from 0 */
    const char *name;                /**< "A"; "" if it has none */
    const np_network *network;       /**< whose nodes and links are crossed */
    const np_event_leveled *leveled; /**< NULL: events name nodes and links of the network itself */
    np_packet packets;               /**< packets have numbers below this */
    uint32_t queue_size;             /**< most packets in one queue; 0: no bound */
    /**
     * NULL: packets are packets. Else they are messages of several packets, which take as many steps over a link, and
     * to land: "cycles" and "asynchronous": MOVED is the step in which the last packet crosses, the steps before it are
     * WAITED with NP_EVENT_LENGTH; "pipelined": MOVED is the step in which the first packet crosses, and the others
     * follow, while the message may go on. LANDED is the last step of landing; the steps before it are WAITED likewise.
     */
    const char *messages;
    np_step time;  /**< the phase stops after so many steps: packets that are on their way LANDED where they are; 0: it
                      ends  when all have landed */
    bool circuits; /**< circuits are switched: in the step in which a packet moves, it crosses all links of its way, and
                        lands. There is a MOVED for each link */
    uint32_t runs, phases; /**< how many of them there will be in all; 0: this is not known before */
    uint64_t hops;         /**< of all packets of the phase; 0: this is not known before */
    /**
     * Packets are created over time (np_load): INJECTED comes in any step, and events end when step `time` is over,
     * while packets are on their way. Of the outcome of such a phase only packets, steps and hops are known.
     */
    bool open;
    /**
     * Above 0: a packet is a train of flits, and routers have buffers of so many flits for each of so many channels of
     * a link. MOVED and WAITED are the packet's head: it leaves for `link`; it is behind packet `other` in its buffer,
     * or that packet has the channel or the turn that it wants (BEHIND), or there is no place in the next buffer
     * (ROOM). In other steps it is on its way, or within a router. Each flit ENTERED and LEFT each buffer on its way.
     */
    uint32_t channels, buffer_flits;
    uint32_t credit_delay; /**< steps from LEFT until the sender may use the place again; 0: links have their own */
} np_event_phase;

/** Who gets events. All functions may be NULL. Non-zero cancels the run. They are called from one thread. */
typedef struct np_observer np_observer;
struct np_observer {
    uint32_t kinds; /**< bits 1 << np_event_kind: it needs these, and may get others; 0: it needs all */
    int (*begin)(void *context, const np_event_phase *phase);
    /** In the order of time, several batches a step. */
    int (*events)(void *context, size_t count, const np_event *event);
    int (*end)(void *context, const np_phase_run *run); /**< the phase's outcome */
    void *context;
    const np_observer *next; /**< another one, for the same events; NULL: none */
};

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
