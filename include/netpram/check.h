/*
 * Checkers for the properties that the proofs of Valiant & Brebner 1981 need
 * of a phase (section 2): oblivious, nonrepeating and symmetric. Each works on
 * a path rule bound to a network, with one packet a node and uniformly random
 * nodes at one end of the routes, as in both phases of the two-phase schemes.
 *
 * A rule whose routes depend on (from, to) alone is checked on all pairs, if
 * this takes no more than `effort`; then the answer is a proof for the
 * network. Otherwise routes are drawn at random, and "holds" means that no
 * counter-example was found.
 *
 * The same path, options and seed give the same result. Any number of threads
 * may check one path at once.
 */
#ifndef NETPRAM_CHECK_H
#define NETPRAM_CHECK_H

#include <stdbool.h>

#include "netpram/field.h"
#include "netpram/path.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The kind of phase. */
typedef enum np_check_phase {
    NP_CHECK_TO_RANDOM,  /**< A: the packet of node u goes to a random node */
    NP_CHECK_FROM_RANDOM /**< B: the packet of destination v comes from a random node */
} np_check_phase;

/** How to check. Initialise with np_check_options_init. */
typedef struct np_check_options {
    size_t size;          /**< of this structure; set by the initialiser */
    np_check_phase phase; /**< default NP_CHECK_TO_RANDOM */
    uint64_t seed;        /**< default 1 */
    uint64_t effort;      /**< default 1e8, about two seconds: hops visited; for nonrepeating the sum of the squares
                               of the route lengths, for oblivious four times the hops
                               compared. At most 2^32 - 1 */
    uint32_t samples;     /**< routes drawn by nonrepeating; default 65536, fewer if effort runs out */
    uint32_t runs;        /**< phases run by oblivious and measured by symmetric; default 200, at least 1, fewer if
                               effort runs out */
    double error_rate;    /**< of the test in symmetric: default 0.001 */
} np_check_options;

extern const np_fields np_check_options_fields;

/** Fills in the defaults. */
static inline void np_check_options_init(np_check_options *options)
{
    np_options_init(&np_check_options_fields, options, sizeof *options);
}

/** A route: np_path_walk(path, from, to, seed, run, phase, packet, ...) walks it again. */
typedef struct np_check_route {
    np_node from, to;
    np_packet packet; /**< with run 0, options->seed and options->phase */
} np_check_route;

/** The outcome of np_check_oblivious. */
typedef struct np_check_oblivious_result {
    bool holds;      /**< no packet's route depended on the others, in all runs: tested, not proved */
    uint32_t runs;   /**< run through the engine, each with all packets and with a part of them */
    uint64_t routes; /**< compared with the route of the packet alone */
    uint64_t hops;   /**< of all these routes */

    /* If it does not hold, the first packet met that leaves its own route. Positions count from 0. */
    np_check_route route; /**< np_path_walk(path, from, to, seed, run, phase, packet, ...) is its route alone */
    uint32_t run;
    np_packet present;       /**< packets in the network; fewer than the nodes: the others had been removed */
    uint32_t hop;            /**< the first at which the routes differ */
    np_link alone, together; /**< the links there; NP_NONE: that route has ended */
} np_check_oblivious_result;

/**
 * Is the rule oblivious: does the route of each packet stay what it is,
 * whatever other packets there are?
 *
 * A correct rule sees only the ticket and the node of one packet at a time;
 * this call tests that. In each run the engine routes one packet a node, and
 * then a random part of these packets, as in Corollary 1 (section 5). Both
 * times every packet must take exactly the links that np_path_walk gives for
 * it alone. Run r uses the r-th queue discipline, in turn: the route must not
 * depend on the order in which packets wait either.
 *
 * Random choices depend on the number of the packet. Numbers are given to the
 * nodes in a random order, and the packets with the highest numbers are
 * removed: a uniformly random set. The other packets keep their numbers.
 *
 * @param options  NULL: the defaults
 * @return NP_ERROR_INPUT: runs 0; NP_ERROR_MEMORY; NP_ERROR_INTERNAL if the
 *         rule breaks its contract for a packet alone. (The rule must name
 *         ports that exist also among other packets: the engine trusts it.)
 */
np_status np_check_oblivious(const np_path *path, const np_check_options *options,
                             np_check_oblivious_result *result) NP_CHECKED;

/** The outcome of np_check_nonrepeating. */
typedef struct np_check_nonrepeating_result {
    bool holds;          /**< to the letter of section 2 */
    bool holds_in_order; /**< for links that the two routes share in the same order (m >= j). Shortest routes on a
                              directed graph have this, as section 6 argues, but one may use e before f and another f
                              before e: docs/bounds.md */
    bool exhaustive;     /**< all routes were checked: holds is proved */
    uint64_t routes;     /**< checked */
    uint64_t hops;       /**< of all these routes */

    /*
     * If it does not hold, a witness (one with m >= j if there is any) in the words of the definition: routes
     * e = one and e' = other with e_i = e'_j = first, e_k = e'_m = second,
     * k > i, where k - i != m - j or the links in between differ. Positions
     * count from 0. one and other may be the same route, which then repeats a
     * link: two packets with that route violate the definition.
     */
    np_check_route one, other;
    np_link first, second;
    uint32_t i, j, k, m;
} np_check_nonrepeating_result;

/**
 * Is the rule nonrepeating: if two routes meet and part, do they never meet
 * again? To the letter of section 2: whenever e_i = e'_j and e_k = e'_m with
 * k > i, then k - i = m - j and e_p = e'_{p+j-i} for all p in i..k.
 *
 * Cost: the sum of the squares of the route lengths (not of the number of
 * pairs of routes), memory 12 bytes a hop and 16 bytes a link.
 *
 * @param options  NULL: the defaults
 * @return NP_ERROR_MEMORY; NP_ERROR_INTERNAL if the rule breaks its contract
 */
np_status np_check_nonrepeating(const np_path *path, const np_check_options *options,
                                np_check_nonrepeating_result *result) NP_CHECKED;

/** The outcome of np_check_symmetric. Traffic is per packet a node: times h for an h-relation. */
typedef struct np_check_symmetric_result {
    bool holds;
    bool exact; /**< by enumeration; else holds means p >= error_rate */
    uint64_t links;
    double min, max, mean;      /**< expected packets over a link in the phase; estimates unless exact */
    np_link min_link, max_link; /**< the first links with the extremes */
    uint64_t min_count, max_count, denominator; /**< min = min_count / denominator, max alike, exactly */
    double statistic, p; /**< of the chi-square test with links - 1 degrees of freedom; 0 and 1 if exact */
    double error_rate;
} np_check_symmetric_result;

/**
 * Is the phase symmetric: is the expected number of packets over a link the
 * same for all links?
 *
 * Exact: Traff(e) = (routes of all N^2 pairs that use e) / N, the same number
 * in both kinds of phase, whatever permutation is realised.
 *
 * Measured: packets over each link in `runs` phases, and a chi-square test
 * that all links expect the same. It rejects a symmetric phase with
 * probability about error_rate: the counts of different links are not quite
 * independent (a packet that uses a link is likely to use one of the next),
 * and each varies a little less than a Poisson count (no packet uses a link
 * of a simple route twice), which errs on the side of "symmetric". Do not use
 * it on rules whose single routes use a link many times.
 *
 * @param options  NULL: the defaults
 * @return NP_ERROR_INPUT: runs 0; NP_ERROR_MEMORY; NP_ERROR_INTERNAL if the
 *         rule breaks its contract
 */
np_status np_check_symmetric(const np_path *path, const np_check_options *options,
                             np_check_symmetric_result *result) NP_CHECKED;

/* ---- All three, for the phases of a scheme ---- */

/** What the check found out about a property. */
typedef enum np_check_verdict {
    NP_CHECK_HOLDS,     /**< on this network: all routes were checked */
    NP_CHECK_UNREFUTED, /**< no counter-example among the routes drawn */
    NP_CHECK_FAILS,     /**< there is a witness, or a test rejects at its error rate */
    NP_CHECK_UNDECIDED  /**< too little was measured to tell */
} np_check_verdict;

/** The verdict in words: "holds", "not refuted", "does not hold", "undecided". */
const char *np_check_verdict_name(np_check_verdict verdict);

/** One phase of a scheme. */
typedef struct np_check_phase_result {
    char name[8];        /**< "A", "B", ... or "route" */
    np_check_phase kind; /**< of the routes drawn for oblivious and nonrepeating: A for the first phase, else B */
    np_check_verdict oblivious, nonrepeating, symmetric;
    np_check_oblivious_result oblivious_result;
    np_check_nonrepeating_result nonrepeating_result;
    np_check_symmetric_result symmetric_result;
} np_check_phase_result;

/** The outcome of np_check_scheme. All pointers are owned by the result. */
typedef struct np_check_scheme_result {
    const np_network *network; /**< the caller's */
    const char *scheme, *paths;
    uint64_t seed;
    bool uniform; /**< two phases with uniformly random nodes between; else symmetric is measured for one permutation */
    bool fails;   /**< some property of some phase */
    size_t phases;
    const np_check_phase_result *phase; /**< [phases] */
} np_check_scheme_result;

/** The fields of a result. */
extern const np_fields np_check_scheme_result_fields;

/**
 * Checks each phase of a scheme.
 *
 * oblivious and nonrepeating are properties of the scheme's path rule. They are
 * checked between all pairs of nodes, or uniformly random pairs. So the check
 * asks more than needed of a phase that sends only along one dimension of a grid.
 *
 * symmetric is measured for the traffic that the phase itself makes. In the
 * two-phase schemes with a uniformly random node it does not depend on the
 * permutation, and is enumerated where possible. In other schemes (grid, complement,
 * greedy) the scheme realises one random permutation, drawn from the seed, in
 * all `runs`. A measurement with fewer than 5 packets a link is undecided.
 *
 * @param scheme   a name from `netpram list`; NULL: the network's default, or "greedy" if paths is given
 * @param paths    a path rule, for a scheme that has none of its own; NULL: the scheme's own, else "greedy"
 * @param options  `phase` is ignored; NULL: the defaults
 * @param out      receives the result; free with np_check_scheme_result_free; NULL on error. The network must
 *                 outlive it
 * @return as np_route for the names; else as the three checkers
 */
np_status np_check_scheme(const np_network *network, const char *scheme, const char *paths,
                          const np_check_options *options, np_check_scheme_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_check_scheme_result_free(np_check_scheme_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
