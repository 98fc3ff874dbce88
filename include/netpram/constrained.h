/*
 * Why the slowest message of the Router was slow (Ranade 1987a, sections 6.1 and 7).
 *
 * A run of the Router is turned into a monotonic one, in which no two messages
 * delay each other and every message still arrives when it did (theorem 2). In that run a
 * distinguished path is traced from the slowest message's destination to an input of
 * the Router. It is made of parts of the paths of messages M_i of ascending priority
 * i; the messages that delay them, directly or through others, are all different and at
 * least as many as the steps that the slowest message waited.
 */
#ifndef NETPRAM_CONSTRAINED_H
#define NETPRAM_CONSTRAINED_H

#include <stdio.h>

#include "netpram/route.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** Part Q_i of the distinguished path: stages first .. last of the path of message M_i. */
typedef struct np_constrained_segment {
    uint32_t priority;             /**< i, larger is more urgent */
    np_packet message;             /**< M_i */
    uint32_t entered, destination; /**< terminals at which M_i enters the Router and leaves it */
    uint32_t first, last;          /**< stages, counted from 1 at the outputs of the Router: s_i and s'_i */
    uint32_t delay;                /**< D(M_i, s_i): steps that M_i waited from the inputs to stage first */
    uint32_t delaying;             /**< messages in DS(M_i, s) for some s of the part */
} np_constrained_segment;

/** One run, explained. */
typedef struct np_constrained_explanation {
    uint32_t run, stages, sets;
    np_step steps;      /**< of the Router */
    uint64_t exchanges; /**< that made the run monotonic */
    np_packet message;  /**< the slowest: the first of largest delay */
    uint32_t delay;     /**< steps that it waited */
    size_t segments;
    np_constrained_segment *segment; /**< [segments] from the outputs to the inputs */
    uint32_t described;              /**< messages that the parts count in all */
    bool disjoint;                   /**< they are all different */
    bool theorem3, corollary1;       /**< hold for every message on the path at every stage of it */
} np_constrained_explanation;

/**
 * Routes run `run` of the scheme (options->scheme: "constrained", "total-randomization" or
 * "unrandomized"; NULL: constrained) and explains it.
 *
 * @param out  receives the explanation; free with np_constrained_explanation_free; NULL on error
 * @return as np_route; NP_ERROR_APPLY for another scheme or network; NP_ERROR_INTERNAL if the run is none
 */
np_status np_constrained_explain(const np_network *network, const char *traffic, const np_route_options *options,
                                 uint32_t run, np_constrained_explanation **out) NP_CHECKED;

/** Frees the explanation. NULL is allowed. */
void np_constrained_explanation_free(np_constrained_explanation *explanation);

/** Prints it for people. NP_ERROR_IO if the stream fails. */
np_status np_constrained_explanation_print(const np_constrained_explanation *explanation, FILE *stream) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
