/*
 * What an engine asks of a scheme: where a phase sends the packets. What it
 * reports of a run: the outcome of a phase, and the state after a step.
 */
#ifndef NETPRAM_ENGINE_H
#define NETPRAM_ENGINE_H

#include <stddef.h>

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
} np_aim;

/** The outcome of one phase of one run. */
typedef struct np_phase_run {
    np_packet packets;       /**< packets in the phase */
    np_step steps;           /**< until the last packet arrived */
    np_step delay_max;       /**< most steps one packet spent waiting */
    uint64_t delay_sum;      /**< over all packets */
    uint64_t hops;           /**< over all packets */
    uint32_t queue_max;      /**< most packets in one queue at the start of a step */
    uint32_t population_max; /**< most packets at one node at an integral instant: waiting, just arrived and
                                   finished ones all count (section 2(e)) */
    uint32_t congestion;     /**< most packets over one link */

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
} np_phase_run;

/** State after one step, for traces and progress. */
typedef struct np_step_report {
    uint32_t run;
    uint32_t phase;
    np_step step;                       /**< instant reached: 0 is the state before the first step */
    np_packet moved;                    /**< packets that crossed a link in the step */
    np_packet finished;                 /**< packets at the end of the phase's route, so far */
    np_packet waiting;                  /**< packets in queues */
    np_packet packets;                  /**< in the phase */
    uint32_t queue_max, population_max; /**< largest so far in the phase */
    uint64_t hash; /**< of all moves so far; the same for any number of threads. 0 unless asked for */
} np_step_report;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
