/*
 * Networks beside each other: what they are made of, how much of hard traffic the best routing of all carries on them,
 * what path rules guarantee, and what is left when links fail. All figures of throughput are packets a step for each
 * host, because networks have different numbers of hosts.
 */
#ifndef NETPRAM_COMPARE_H
#define NETPRAM_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/network.h"
#include "netpram/throughput.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** How to compare. Initialise with np_compare_options_init. */
typedef struct np_compare_options {
    size_t size;           /**< of this structure; set by the initialiser */
    double gap;            /**< of each certified factor: (high - low)/high; default 0.05 */
    double time_limit;     /**< seconds after which what is underway ends with what is proved, and the rest is left out;
                                0 (default): none. What is left out then depends on the machine */
    double electrical;     /**< length of the longest electrical cable, by the attribute `length` of links; longer ones
                                are optical. 0 (default): cables are not told apart */
    uint32_t iterations;   /**< after which a search ends with what is proved; default 3000 */
    uint32_t draws;        /**< of links that fail, for each share of them; default 20. 0: none */
    uint64_t seed;         /**< of the first draw; the others follow; default 1 */
    unsigned threads;      /**< 0 (default): one a processor. The result does not depend on them */
    uint64_t memory_limit; /**< bytes; what needs more is refused. 0 (default): what is available */
    np_watch watch;        /**< is told now and then how far it is, and may cancel it */
} np_compare_options;

extern const np_fields np_compare_options_fields;

/** Fills in the defaults. */
static inline void np_compare_options_init(np_compare_options *options)
{
    np_options_init(&np_compare_options_fields, options, sizeof *options);
}

enum { NP_COMPARE_SHARES = 2 /**< shares of links that fail: 1%, 5% */ };

/** What is left of the factor for all-to-all if a share of the cables between switches is down, in so many draws. */
typedef struct np_compare_failed {
    double share;
    double median, least; /**< of what is proved from below, a host. Where the network is torn apart it is 0 */
    uint32_t draws, torn, short_of_gap; /**< how many; in which it is torn apart, and the gap was not reached */
} np_compare_failed;

/** What may not be known of a network. */
typedef enum np_compare_figure {
    NP_COMPARE_MEAN_HOPS,
    NP_COMPARE_ALL_TO_ALL, /**< the diameter, too */
    NP_COMPARE_LONGEST_MATCHING,
    NP_COMPARE_NEAR_WORST,
    NP_COMPARE_SHORTEST,
    NP_COMPARE_SPRAY,
    NP_COMPARE_VALIANT,
    NP_COMPARE_FAILED,
    NP_COMPARE_FIGURES
} np_compare_figure;

/** A network. */
typedef struct np_compare_row {
    const np_network *network;               /**< the caller's */
    uint64_t hosts, switches, radix, cables; /**< cables: between switches; radix: their most links */
    uint64_t electrical, optical;            /**< of them, if they are told apart: neither has those without a length */
    bool lengths;                            /**< they are */
    uint32_t diameter;                       /**< hops between hosts, the most */
    double mean_hops;                        /**< between different hosts, by shortest paths */
    bool moves;                              /**< there are two hosts or more; else no factor */
    np_throughput_between all_to_all, longest_matching, near_worst; /**< of the best routing, a host */
    double shortest, spray, valiant;                                /**< guaranteed by the rule; 0: it does not apply */
    bool fails;                                                     /**< `failed` is there */
    np_compare_failed failed[NP_COMPARE_SHARES];
    const char *why[NP_COMPARE_FIGURES]; /**< why a figure is not known, or how far a factor is from the gap asked for;
                                              NULL: it is known, and no factor is */
    bool reached;                        /**< all gaps, and the time limit left nothing out */
} np_compare_row;

/** The result. */
typedef struct np_compare {
    const np_compare_row *network; /**< [networks] in the order given */
    size_t networks;
    double gap;
    uint64_t seed;
    bool reached;   /**< by all networks */
    size_t reasons; /**< in all rows: np_compare_row.why that are not NULL */
} np_compare;

/** The fields of a result, and of a row. */
extern const np_fields np_compare_fields, np_compare_row_fields;

/**
 * Compares networks.
 *
 * @param network  [networks], which must outlive the result
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_compare_free; NULL on error
 * @return NP_ERROR_INPUT: an option out of range; NP_ERROR_APPLY: no way leads from one host to another (the message
 *         names both); NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_CANCELLED. A gap that is not reached, or a time limit
 *         that leaves something out, is no error: out->reached and the rows say so
 */
np_status np_compare_find(size_t networks, const np_network *const *network, const np_compare_options *options,
                          np_compare **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_compare_free(np_compare *compare);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
