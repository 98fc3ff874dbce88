/*
 * The worst permutation for an oblivious path rule, and the throughput that the rule guarantees.
 *
 * A rule is oblivious if the path of a packet depends on its own ends and draws alone. Then the load that a link
 * expects is a sum over packets, and the permutation that loads the link most is a heaviest assignment of sources to
 * destinations (Towles & Dally 2002). The largest such load over all links is L: if every terminal sends and receives
 * at most f packets a step, whatever to whom, no link expects more than f L. So the rule guarantees the factor 1/L, and
 * the permutation reaches no more.
 */
#ifndef NETPRAM_WORST_H
#define NETPRAM_WORST_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** How to search. Initialise with np_worst_options_init. */
typedef struct np_worst_options {
    size_t size;       /**< of this structure; set by the initialiser */
    const char *paths; /**< a path rule; "valiant" or "valiant:RULE": by way of a random terminal. Default: greedy */
    uint64_t memory_limit; /**< bytes; what needs more is refused. 0 (default): what is available */
    np_watch watch;        /**< is told now and then how far the search is, and may cancel it */
} np_worst_options;

extern const np_fields np_worst_options_fields;

/** Fills in the defaults. */
static inline void np_worst_options_init(np_worst_options *options)
{
    np_options_init(&np_worst_options_fields, options, sizeof *options);
}

/** The link that expects most, and how much that is. */
typedef struct np_worst_link {
    const np_network *network; /**< the caller's */
    double factor;             /**< 1/load, rounded down: the rule guarantees it */
    double load;               /**< packets that the link expects, if every terminal sends one */
    np_node from, to;          /**< the ends of the link */
    np_link link;
} np_worst_link;

/** The result. All pointers but `network` are owned by it. */
typedef struct np_worst {
    const np_network *network; /**< the caller's */
    const char *paths;         /**< the rule, by its name */
    bool moves;                /**< there are two terminals or more; else there is no factor */
    np_worst_link worst;
    bool exact;    /**< the load is a quotient of whole numbers; else it is so to 1e-9 */
    bool alike;    /**< all permutations load all links alike, as with valiant */
    size_t links;  /**< that were looked at: one of those that are alike */
    size_t solved; /**< of them, those for which an assignment was sought; a bound did for the others */
    size_t packets;
    const np_node *source, *destination; /**< [packets] the permutation */
} np_worst;

/** The fields of a result. */
extern const np_fields np_worst_fields;

/**
 * Finds the worst permutation. Time: that of following all paths, and of an assignment for each link whose bound is not
 * below the load that is found already: O(N^2) to O(N^3).
 *
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_worst_free; NULL on error. The network must outlive it
 * @return NP_ERROR_INPUT: an option out of range, an unknown rule; NP_ERROR_APPLY: the rule does not apply to the
 *         network, is not oblivious, or draws from more than the search can tell, or no way leads from a terminal to
 *         another; NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_worst_find(const np_network *network, const np_worst_options *options, np_worst **out) NP_CHECKED;

/** Writes the permutation, for the traffic file:PATH. @return NP_ERROR_IO, NP_ERROR_MEMORY */
np_status np_worst_save(const np_worst *worst, const char *path) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_worst_free(np_worst *worst);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
