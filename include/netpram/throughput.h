/*
 * Throughput with a certificate: how much of a traffic the best routing of all can carry.
 *
 * The maximum concurrent flow (Shahrokhi & Matula 1990) is the largest factor f such that f times every demand can be
 * routed at once, in fractions, with at most one packet a step on each directed link (parallel links carry one each).
 * It is found as two numbers between which it lies. The lower one comes with a flow, the upper one with lengths of
 * links: whatever the lengths are, f <= sum of width x length over links / sum of amount x distance over demands. Both
 * are rounded outward. np_throughput_verify checks what a certificate claims, in exact whole numbers, with code that
 * shares nothing with the search.
 */
#ifndef NETPRAM_THROUGHPUT_H
#define NETPRAM_THROUGHPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/network.h"
#include "netpram/traffic.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** How to search. Initialise with np_throughput_options_init. */
typedef struct np_throughput_options {
    size_t size;             /**< of this structure; set by the initialiser */
    double gap;              /**< the search ends when (high - low)/high is at most this; default 0.01 */
    double time_limit;       /**< seconds after which the search ends with what is proved; 0 (default): none. What is
                                  proved then depends on the machine. paths_out may take as long again, or is not
                                  written */
    uint32_t iterations;     /**< after which the search ends with what is proved; default 10000 */
    uint64_t seed;           /**< that the traffic was drawn from, for the report; default 1 */
    unsigned threads;        /**< 0 (default): one a processor. The result does not depend on them */
    uint64_t memory_limit;   /**< bytes; what needs more is refused. 0 (default): what is available */
    const char *certificate; /**< a file to write, which proves both bounds: np_throughput_verify; NULL: none */
    np_watch watch;          /**< is told now and then how far the search is, and may cancel it */
    /**
     * A path rule (netpram/path.h), "valiant", or "valiant:RULE": np_throughput.paths is to say what these paths reach.
     * valiant sends each packet to a node drawn among those where packets start and end, and on to its destination,
     * both times by the rule, "greedy" if none is named. NULL (default): no paths are asked about
     */
    const char *paths;
    bool split; /**< the paths of the rule divide evenly at every hop: as those of spray do. Default: by its chances */
    /**
     * A file to write: the paths of the flow of the lower bound, with weights, as lines that the path rule "file"
     * reads; NULL: none. A packet that draws among the paths of its pair by their weights loads the links on average as
     * the flow does
     */
    const char *paths_out;
} np_throughput_options;

extern const np_fields np_throughput_options_fields;

/** Fills in the defaults. */
static inline void np_throughput_options_init(np_throughput_options *options)
{
    np_options_init(&np_throughput_options_fields, options, sizeof *options);
}

/** Two numbers between which another one lies. */
typedef struct np_throughput_between {
    double low, high;
} np_throughput_between;

/** All parallel links from a node to another one. */
typedef struct np_throughput_link {
    const np_network *network; /**< the caller's */
    np_node from, to;
    uint32_t width; /**< parallel links */
    double load;    /**< in the flow of the lower bound, over the width, 0..1 */
    double price;   /**< by how much one more link here raises the upper bound, while the lengths stay */
} np_throughput_link;

/** Upper bounds that are found at once. INFINITY: the bound does not apply. */
typedef struct np_throughput_bounds {
    double distance; /**< links over amount x hops: every packet takes as many links as its distance at least */
    double switches; /**< the same of links between switches alone (Namyar et al. 2021): INFINITY if no host is told
                          from switches by having one neighbour */
    double hosts;    /**< by the links at a node and what it sends or receives */
    double cut;      /**< by the links out of a set of nodes, the best that was found, and what must leave the set */
} np_throughput_bounds;

/** What the routes of a path rule reach, by the loads of links on average. */
typedef struct np_throughput_paths {
    const char *rule; /**< its name, with that of the rule that "greedy" stands for; NULL: none is asked about */
    bool split;       /**< of the options */
    uint32_t draws;   /**< routes drawn for each demand, whose mean is taken; 0: loads are exact */
    double factor;    /**< by which all demands can be multiplied until some link is full */
    double per_host;  /**< the factor times host_most */
    np_throughput_between share; /**< factor over the optimum: what is proved of it, 0..1 */
    double mean_hops;            /**< of a packet */
    np_throughput_link link;     /**< the most loaded one; its load is in packets a step, without the factor */
} np_throughput_paths;

/** The paths that were written. */
typedef struct np_throughput_written {
    const char *file;
    uint64_t paths;   /**< lines of the file; 0: it was not written, since that took longer than the time limit */
    uint32_t longest; /**< hops of the longest one */
} np_throughput_written;

/** The result. All pointers but `network` are owned by it. */
typedef struct np_throughput {
    const np_network *network;      /**< the caller's */
    const char *traffic;            /**< its spec */
    uint64_t seed;                  /**< of the options */
    uint64_t packets;               /**< of the traffic that go to another node; the others take no link */
    uint64_t resting;               /**< packets for their own node */
    size_t demands;                 /**< pairs of a source and a destination that differ */
    bool moves;                     /**< packets > 0; else there is no factor, and only the members above are set */
    np_throughput_between factor;   /**< f is between them */
    double gap;                     /**< (high - low)/high */
    bool reached;                   /**< the gap asked for */
    uint64_t host_most;             /**< packets that one node sends or receives, the most */
    np_throughput_between per_host; /**< the factor times host_most */
    uint32_t distance_most;         /**< hops, or with delays of links steps: the largest distance of a demand */
    uint64_t steps_bound; /**< no schedule whatever delivers all packets in fewer steps: the larger of 1/high, rounded
                               up, and distance_most */
    double mean_hops;     /**< of the flow of the lower bound, a packet */
    uint32_t iterations;
    np_throughput_bounds bounds;
    size_t links_binding;              /**< pairs of nodes whose links have a price and are full to 99% */
    size_t links_idle;                 /**< pairs of nodes whose links are full to 1% at most */
    size_t binding_count;              /**< of the list: those with the highest prices, NP_THROUGHPUT_BINDING at most */
    const np_throughput_link *binding; /**< [binding_count] by price, then by node */
    const char *certificate;           /**< the file that was written; NULL: none */
    np_throughput_paths paths;         /**< of the options; paths.rule is NULL if none are, or if no packet moves */
    np_throughput_written written;     /**< by paths_out of the options; written.file is NULL if there is none, or if no
                                            packet moves */
    size_t links_count;                /**< pairs of linked nodes; 0 if no packet moves */
    const np_throughput_link *links;   /**< [links_count] all of them, by tail and head. A price is the length of the
                                            proof of factor.high, over the length that all demands need */
    const bool *cut; /**< [nodes of the network] the set of nodes of bounds.cut; NULL if no packet moves */
} np_throughput;

enum { NP_THROUGHPUT_BINDING = 10 };

/** The fields of a result. */
extern const np_fields np_throughput_fields;

/**
 * Finds the two numbers. The search is that of docs/throughput.md: lengths that grow exponentially with loads, and
 * flows that split softly over the links that lead nearer. Time of an iteration: O(links) for each destination.
 *
 * @param traffic  made for the network
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_throughput_free; NULL on error. The network must outlive it
 * @return NP_ERROR_INPUT (an option out of range, or a packet that goes between nodes that are no terminals);
 *         NP_ERROR_APPLY: no way leads from a source to its destination (the message names both), no packet takes
 *         a link and a file is to be written, or the paths do
 *         not apply; NP_ERROR_LIMIT, NP_ERROR_MEMORY, NP_ERROR_IO, NP_ERROR_CANCELLED. A gap that is not reached is no
 * error: out->reached says so
 */
np_status np_throughput_find(const np_network *network, const np_traffic *traffic, const np_throughput_options *options,
                             np_throughput **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_throughput_free(np_throughput *throughput);

/* ---- The checker ---- */

/** What a certificate proves. All pointers are owned by it. */
typedef struct np_throughput_proof {
    const char *file, *network, *traffic; /**< the specs that it is about */
    uint64_t seed;
    np_node nodes;
    uint64_t links, packets;
    size_t demands;
    np_throughput_between factor; /**< proved: rounded outward */
    double gap;
    uint32_t flows; /**< by whose mean the lower bound is proved; 0: by paths with weights */
    size_t paths;   /**< so many */
} np_throughput_proof;

/** The fields of a proof. */
extern const np_fields np_throughput_proof_fields;

/**
 * Reads a certificate, makes its network and its traffic, and works out both bounds again in whole numbers of 128 bits.
 *
 * @param memory_limit  bytes; 0: what is available
 * @param out           receives the proof; free with np_throughput_proof_free; NULL on error
 * @return NP_ERROR_INPUT: the file is no certificate, or does not prove what it claims (the message says which figure
 *         is wrong); what np_network_create and np_traffic_create return for the specs; NP_ERROR_IO, NP_ERROR_LIMIT,
 *         NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_throughput_verify(const char *path, uint64_t memory_limit, np_watch watch,
                               np_throughput_proof **out) NP_CHECKED;

/** Frees the proof. NULL is allowed. */
void np_throughput_proof_free(np_throughput_proof *proof);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
