/*
 * Replay: how long a schedule of messages takes that a GOAL file describes, rank by rank with what waits for what.
 *
 *     np_replay_options options;
 *     np_replay_options_init(&options);
 *     options.model = "flows";
 *     np_replay(network, "ring.goal", &options, &result);
 *
 * Models: "loggops" knows no network but costs of messages (LogGOPS: Hoefler, Schneider & Lumsdaine 2010), in whole
 * nanoseconds. "flows" has each message cross the network as a flow, which shares links fairly with all others, from
 * when its first byte leaves. "steps" has it cross as packets, one a step over each link. docs/replay.md has the rules.
 */
#ifndef NETPRAM_REPLAY_H
#define NETPRAM_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** How to replay. Initialise with np_replay_options_init. */
typedef struct np_replay_options {
    size_t size;         /**< of this structure; set by the initialiser */
    const char *model;   /**< "loggops" (default), "flows", "steps" */
    const char *loggops; /**< "L=2500,o=1500,g=1000,G=6,O=0,S=65535": those that differ from these. Whole numbers; with
                              another model than loggops, L and G are the network's, and o, g and O are 0 if not said */
    double
        link_rate; /**< with flows: bits a second of a link; times are nanoseconds then. 0 (default): a byte a step */
    const char *place;  /**< of ranks on hosts: "linear", "random" (by `seed`), "file:PATH"; NULL (default): linear */
    const char *paths;  /**< with flows or steps: a path rule; NULL (default): "greedy" */
    double packet_size; /**< with steps: bytes of a packet; 0 (default): 1 */
    uint64_t seed;      /**< default 1 */
    uint64_t memory_limit; /**< bytes; 0 (default): what is available */
    np_watch watch;        /**< is told now and then how far the call is, and may cancel it */
} np_replay_options;

extern const np_fields np_replay_options_fields;

/** Fills in the defaults. */
static inline void np_replay_options_init(np_replay_options *options)
{
    np_options_init(&np_replay_options_fields, options, sizeof *options);
}

/** What came of it. All texts are owned by the result. */
typedef struct np_replay_result {
    const char *network, *file, *model, *place;
    const char *unit; /**< of times: "ns" or "steps" */
    uint64_t nodes;   /**< of the network */
    uint64_t ranks;   /**< of the schedule */
    uint64_t sends, receives, calcs;
    double bytes;                                                        /**< of all sends */
    uint64_t latency, overhead, gap, byte_gap, byte_overhead, threshold; /**< L, o, g, G, O, S */
    double link_rate;                                                    /**< 0: none */
    double packet_size;                                                  /**< of steps; else 0 */
    uint64_t seed;
    double makespan;     /**< the latest time at which a rank is busy */
    uint64_t unreceived; /**< messages that nobody receives */
    double wall_seconds;
} np_replay_result;

/** The fields of a result. */
extern const np_fields np_replay_result_fields;

/**
 * Replays a file. The network must have a host for each rank; model loggops asks no more of it.
 *
 * @param out  receives the result; free with np_replay_result_free; NULL on error
 * @return NP_ERROR_INPUT: the file, with the line, an option, a schedule that cannot end; NP_ERROR_APPLY: too few
 * hosts, an option that the model does not heed; NP_ERROR_IO, NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_replay(const np_network *network, const char *file, const np_replay_options *options,
                    np_replay_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_replay_result_free(np_replay_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
