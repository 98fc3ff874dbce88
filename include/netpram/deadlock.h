/*
 * Deadlock: may packets of a set of routes wait for each other for ever, where links have virtual channels?
 *
 * A packet that holds a channel waits for the next one of its route. The graph of these dependencies has an arc from
 * each channel that a packet may hold to each that it may want next. If it has no cycle, packets never wait for each
 * other (Dally & Seitz 1987). If it has one, packets can hold all of its channels at once, each waiting for the next.
 * Of adaptive routes with escape channels, the dependencies are those of the escape channels, direct and indirect, and
 * it is enough that they have no cycle (Duato 1993).
 */
#ifndef NETPRAM_DEADLOCK_H
#define NETPRAM_DEADLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What is asked. Initialise with np_deadlock_options_init. */
typedef struct np_deadlock_options {
    size_t size;           /**< of this structure; set by the initialiser */
    const char *paths;     /**< routes hop by hop, of the list "relations"; NULL (default): greedy */
    uint32_t channels;     /**< virtual channels of a link; 0 (default): as many as the routes have classes */
    uint64_t memory_limit; /**< bytes; what needs more is refused. 0 (default): what is available */
    np_watch watch;        /**< is told now and then how far the search is, and may cancel it */
} np_deadlock_options;

extern const np_fields np_deadlock_options_fields;

/** Fills in the defaults. */
static inline void np_deadlock_options_init(np_deadlock_options *options)
{
    np_options_init(&np_deadlock_options_fields, options, sizeof *options);
}

/** The virtual channels of one class of a link. */
typedef struct np_deadlock_channel {
    const np_network *network; /**< the caller's */
    np_node from, to;          /**< the ends of the link */
    np_link link;
    uint32_t class_number; /**< of the classes that the routes have, from 0 */
} np_deadlock_channel;

/** The result. All pointers but `network` are owned by it. */
typedef struct np_deadlock {
    const np_network *network; /**< the caller's */
    const char *paths;         /**< the routes, by their name */
    uint32_t channels;         /**< virtual channels of a link */
    uint32_t classes;          /**< over which they are divided; the first ones have one more */
    bool adaptive;             /**< a packet may have a choice by what is free */
    bool escape;               /**< of adaptive routes: it is the escape channels that must have no cycle */
    bool possible;             /**< a deadlock is possible */
    const char *theorem;       /**< why it is not, if nothing was searched; NULL: all dependencies were looked at */
    uint64_t nodes;            /**< channels, each for a class, that packets may hold */
    uint64_t dependencies;     /**< from one of them to another */
    uint64_t levels; /**< channels on the longest chain of dependencies: their order has so many levels; 0: a cycle */
    size_t length;   /**< of the cycle; 0: there is none */
    const np_deadlock_channel *cycle; /**< [length] in order; the last is followed by the first */
} np_deadlock;

/** The fields of a result. */
extern const np_fields np_deadlock_fields;

/**
 * Looks for a cycle of dependencies, over all sources, destinations and draws. Up to 4,096 routers all dependencies are
 * looked at: time O(routers^2) for each port, a second for 1,000 routers. Beyond, rules that have no cycle by a theorem
 * are not searched. The cycle is a short one, not always the shortest.
 *
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_deadlock_free; NULL on error. The network must outlive it
 * @return NP_ERROR_INPUT: an option out of range, unknown routes, fewer channels than classes; NP_ERROR_APPLY: the
 *         routes do not apply to the network; NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_deadlock_find(const np_network *network, const np_deadlock_options *options, np_deadlock **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_deadlock_free(np_deadlock *deadlock);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
