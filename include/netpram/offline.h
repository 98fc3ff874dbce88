/*
 * Off-line schedules: every hop of every packet fixed before the first one
 * moves (Sibeyn, lecture notes, off-line routing). What the scheme `offline` carries out, as a list that can be
 * stored, loaded, and checked hop by hop by an engine that knows nothing of how it was made.
 *
 * Schedules are for one network, traffic and seed: the traffic of run 0.
 */
#ifndef NETPRAM_OFFLINE_H
#define NETPRAM_OFFLINE_H

#include <stddef.h>

#include "netpram/field.h"
#include "netpram/network.h"
#include "netpram/status.h"
#include "netpram/types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A hop. */
typedef struct np_offline_hop {
    np_step step; /**< from 1 on */
    np_packet packet;
    np_link link;
} np_offline_hop;

/** A phase of a schedule that was found. */
typedef struct np_offline_phase {
    char name[8];
    np_step steps;
    uint64_t hops;
} np_offline_phase;

/** A schedule and what replaying it came to. All pointers are owned by it. */
typedef struct np_offline {
    const char *network, *traffic; /**< specs */
    const char *rule;              /**< "exchange", "straight" or "fifo" (on complete networks); NULL: it was loaded */
    const char *file;              /**< that it was loaded from; NULL: it was found */
    uint64_t seed;
    np_packet packets;
    np_step steps;     /**< the last one in which a packet moves */
    uint64_t bound;    /**< steps that the method needs at most for any such traffic; 0 if loaded */
    uint64_t hops;     /**< over all packets */
    np_step delay_max; /**< most steps that one packet waited before it was there */
    double delay_mean;
    uint32_t congestion;           /**< most packets over one link */
    uint32_t population_max;       /**< most packets at one node at an instant: passing through, too */
    uint32_t stored_max;           /**< most packets at one node that stay there for a step, or in the end */
    size_t phases;                 /**< 0 if loaded */
    const np_offline_phase *phase; /**< [phases] */
    const np_offline_hop *hop;     /**< [hops] in ascending order of steps; NULL if loaded */
} np_offline;

/** The fields of a schedule. */
extern const np_fields np_offline_fields;

/** How to make a schedule. Initialise with np_offline_options_init. */
typedef struct np_offline_options {
    const char *rule;      /**< "exchange" (default, NULL): never more than one packet at a node; or "straight": no
                                packet waits */
    uint64_t seed;         /**< of random traffic; default 1 */
    uint64_t memory_limit; /**< bytes; a schedule that needs more is refused before it is made. 0 (default): no limit */
} np_offline_options;

extern const np_fields np_offline_options_fields;

/** Fills in the defaults. */
void np_offline_options_init(np_offline_options *options);

/**
 * Makes a schedule by edge colouring, lists its hops and replays them.
 *
 * On products of rows (meshes, tori, arrays, rings, hypercubes), partial permutations: within 2 T_B + T_C steps, which
 * on an n x n mesh is 3n by exchanges and 3n - 3 straight. On complete networks any traffic: with at most m packets
 * of one node, ceil(m / P) steps each in two phases.
 *
 * @param traffic  a traffic spec; where it is random, run 0's
 * @param out      receives the schedule; free with np_offline_free; NULL on error
 * @return NP_ERROR_INPUT (bad traffic or rule), NP_ERROR_APPLY (neither a product nor complete; traffic that is no partial
 *         permutation, with the node), NP_ERROR_LIMIT (with the figure), NP_ERROR_MEMORY, NP_ERROR_IO (of a traffic file)
 */
np_status np_offline_find(const np_network *network, const char *traffic, const np_offline_options *options,
                          np_offline **out) NP_CHECKED;

/**
 * Loads a schedule, replays and checks it: on any network, for any traffic.
 *
 * @return as np_offline_find; NP_ERROR_INPUT with the line for what is no line "step packet link"; NP_ERROR_APPLY with
 *         the line for a hop that may not be (a packet that is elsewhere, two over one link in one step, ...), and
 *         for packets that do not arrive
 */
np_status np_offline_load(const np_network *network, const char *traffic, const np_offline_options *options,
                          const char *path, np_offline **out) NP_CHECKED;

/** Writes a schedule that was found to a file for np_offline_load. NP_ERROR_IO; NP_ERROR_INPUT if it was loaded. */
np_status np_offline_save(const np_offline *offline, const char *path) NP_CHECKED;

/** Frees it. NULL is allowed. */
void np_offline_free(np_offline *offline);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
