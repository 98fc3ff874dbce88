/*
 * Ranks found deterministically, off line, for a routing of the scheme `ranked` that will be repeated
 * (Leighton, Maggs, Ranade & Rao 1994, section 11).
 *
 * Ranks are for one network, traffic, and choice of paths: those of run 0 with the
 * seed. The promise is a number of steps that is known before any rank is; the bound is what
 * the ranks themselves leave possible: the longest chain of delays. Both are proved for
 * the steps of the merging engine, and the measured steps are checked against them.
 * Phases that set ranks of their own are none of this: they always take the same steps.
 */
#ifndef NETPRAM_RANKING_H
#define NETPRAM_RANKING_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/field.h"
#include "netpram/merge.h"
#include "netpram/network.h"
#include "netpram/statistics.h"
#include "netpram/status.h"
#include "netpram/types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A phase of the routing, with these ranks. */
typedef struct np_ranking_phase {
    char name[8];
    uint32_t levels;     /**< L */
    uint32_t congestion; /**< c */
    np_packet packets;   /**< that move */
    np_step steps;       /**< measured */
    bool own_ranks;      /**< it sets ranks of its own: not in the sums below */
} np_ranking_phase;

/** Ranks and what is known of them. All pointers are owned by it. */
typedef struct np_ranking {
    const char *network, *traffic, *paths; /**< specs and names */
    const char *file;                      /**< that they were loaded from; NULL: they were found */
    uint64_t seed;
    uint32_t queue_size;  /**< q */
    bool freed;           /**< NP_ROOM_FREED */
    np_packet packets;    /**< of the traffic */
    uint32_t range;       /**< R: ranks are in 1..R */
    const uint32_t *rank; /**< [packets] */
    np_step promised;     /**< found: steps that the method promised. Loaded: what the file's head says; 0 if nothing */
    np_step bound;        /**< steps that no run with these ranks exceeds, by the longest chain of delays they leave */
    np_step steps;        /**< of run 0 with these ranks */
    bool kept;            /**< bound <= promised, or nothing was promised. Always true of ranks that were found */
    uint32_t rounds;      /**< further attempts that lowered the bound */
    double estimate_first,
        estimate_last; /**< found: expected number of chains that break the promise, before any rank is
            fixed and in the end. The first is below 1, the last 0, unless the
            promise is one that any ranks keep. Loaded: 0 */
    np_summary random; /**< steps with random ranks in 1..2^30 on the same paths; count 0: none were asked for */
    size_t phases;
    const np_ranking_phase *phase; /**< [phases] */
} np_ranking;

/** The fields of ranks. */
extern const np_fields np_ranking_fields;

/** How to find or judge ranks. Initialise with np_ranking_options_init. */
typedef struct np_ranking_options {
    np_merge_options merge; /**< queue_size, room and rank_range count. rank_range 0 (default): to find, c + L + log2 N
                            rounded up, of the phase where that is most (N packets); to load, the largest in the file */
    uint64_t seed;          /**< of traffic and paths; default 1 */
    uint32_t rounds;        /**< most further attempts to lower the bound; default 4 */
    uint32_t contrast;      /**< runs with random ranks, to compare; default 20 */
    /** Called after every packet that got a rank: in which attempt, 0 the first, and the share of it that is done. */
    void (*on_progress)(void *context, uint32_t round, double share);
    void *context;
} np_ranking_options;

extern const np_fields np_ranking_options_fields;

/** Fills in the defaults. */
void np_ranking_options_init(np_ranking_options *options);

/**
 * Finds ranks by conditional expectations. Time about packets x R x edges x steps, for each attempt.
 *
 * @param traffic  a traffic spec; where it is random, run 0's
 * @param out      receives the ranks; free with np_ranking_free; NULL on error
 * @return NP_ERROR_INPUT (bad traffic or options), NP_ERROR_APPLY (no leveled network for this one; messages of
 *         several packets, combining, no ghosts), NP_ERROR_LIMIT (it would take too long or too much memory),
 *         NP_ERROR_IO (a file of traffic), NP_ERROR_MEMORY
 */
np_status np_ranking_find(const np_network *network, const char *traffic, const np_ranking_options *options,
                          np_ranking **out) NP_CHECKED;

/**
 * Loads ranks from a file of np_ranking_save, or of lines "packet rank" that another made, and bounds their steps.
 *
 * @return as np_ranking_find; NP_ERROR_INPUT also, with name and line, for a file that is not one rank in
 *         1..R for each packet of the traffic; NP_ERROR_IO
 */
np_status np_ranking_load(const np_network *network, const char *traffic, const np_ranking_options *options,
                          const char *path, np_ranking **out) NP_CHECKED;

/** Writes them to a file, which appears when whole: see np_output_open. NP_ERROR_IO, NP_ERROR_MEMORY. */
np_status np_ranking_save(const np_ranking *ranking, const char *path) NP_CHECKED;

/** Frees the ranks. NULL is allowed. */
void np_ranking_free(np_ranking *ranking);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
