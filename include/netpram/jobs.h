/*
 * Jobs that share a network: each is a collective operation on hosts of its own, which begins at some time. How long
 * does each take alone, and how long together with the others?
 *
 *     np_jobs_item job[] = {{.collective = "all-reduce", .size = 1e6, .ranks = 8},
 *                           {.collective = "all-to-all", .size = 1e6, .ranks = 8, .random = true, .start = 100}};
 *     np_jobs_play(network, 2, job, NULL, &result);
 *
 * A job is played round by round, as np_collective plays operations among ranks by model "flows": each message is a
 * flow over one path, and a round begins when the last message of the one before has ended. At every moment the flows
 * of all jobs share the links max-min fairly (netpram/flows.h).
 */
#ifndef NETPRAM_JOBS_H
#define NETPRAM_JOBS_H

#include "netpram/flows.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A job. Members that are not given are 0. Texts and arrays are borrowed for the call. */
typedef struct np_jobs_item {
    const char *name;       /**< in messages and in the result; NULL: its place among the jobs, from 0 */
    const char *collective; /**< an operation among ranks, as "all-reduce"; rank 0 is the root */
    const char *algorithm;  /**< as np_collective_options.algorithm; NULL: the first that applies to its ranks */
    double size;            /**< as np_collective_options.data among ranks: packets, or with a link rate bytes; above 0,
                                 but 0 of a barrier */
    double start;           /**< steps, or with a link rate seconds; 0 or more */
    uint32_t ranks;         /**< how many hosts it has, 2..65536 */
    const np_node *host;    /**< [ranks] rank r is at node host[r], each once; NULL: the job is placed on hosts that no
                                 job before it has */
    bool random;            /**< if it is placed: on hosts by lot, in an order by lot; false: on the first ones */
} np_jobs_item;

/** What became of a job. Times are steps, or with a link rate seconds. */
typedef struct np_jobs_outcome {
    const char *name, *collective, *algorithm;
    double size;
    uint64_t ranks, rounds;
    uint64_t messages; /**< of all rounds */
    double start, finish;
    double time;     /**< finish minus start */
    double alone;    /**< the time that it takes without the other jobs, on the same hosts and paths */
    double slowdown; /**< time by alone; NAN: it takes no time alone */
} np_jobs_outcome;

/** The result. All pointers but `network` are owned by it. */
typedef struct np_jobs_result {
    const np_network *network; /**< the caller's */
    const char *paths;         /**< the path rule */
    const char *link_rate;     /**< as given; NULL: one packet a step */
    uint64_t seed;
    size_t count;
    const np_jobs_outcome *job; /**< [count] in the order of the jobs */
    double makespan;            /**< the last finish; 0 if there is no job */
    uint64_t events;            /**< moments at which rates changed, together */
    double wall_seconds;        /**< that the call took */
    size_t rate_count;          /**< with record_rates 1 to 512, if anything is sent over a link; else 0 */
    double rate_step;           /**< how long a step of the rates is */
    double rate_start;          /**< when the first step begins: with the first job */
    const double *rate; /**< [count * rate_count] by jobs: what each sends in a unit of time, the mean of each step,
                           when all play together */
} np_jobs_result;

/** The fields of a result, and of an outcome. */
extern const np_fields np_jobs_result_fields, np_jobs_outcome_fields;

/**
 * Plays all jobs together, and each alone.
 *
 * @param jobs     [count]; may be NULL if count is 0
 * @param options  `paths`, `link_rate`, `seed` (of paths, places and random traffic), `memory_limit`, `record_rates`
 * and `watch` are heeded; the others must have their defaults. NULL: the defaults
 * @param out      receives the result; free with np_jobs_free; NULL on error. The network must outlive it
 * @return NP_ERROR_INPUT: a job is wrong, and the message names it; an option; NP_ERROR_APPLY: the algorithm is not for
 *         so many ranks, there are too few hosts, an option is not heeded, no way leads between two hosts;
 *         NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_jobs_play(const np_network *network, size_t count, const np_jobs_item *jobs,
                       const np_flows_options *options, np_jobs_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_jobs_free(np_jobs_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
