/*
 * Collective operations: what all nodes of a network do together, such as all sending to all (Sibeyn, lecture notes
 * on interconnection networks). An algorithm generates an explicit schedule, round by round: which node sends which
 * pieces over which link. The schedule is played and checked: the links and ports exist and are free, senders have what
 * they send, and at the end every node has what the operation gives it.
 *
 * A round is a set of messages sent at the same time, each over one link, of one or more packets of l data. It takes
 * as many steps as its longest message has packets, and costs c_v l steps + c_a. Between two phases of an algorithm
 * nodes take apart what they have received and put it together for the next phase, which costs c_i for each datum. If
 * every message has one packet, as on meshes in the unit-cost model, rounds and steps are the same.
 *
 *     np_collective_options options;
 *     np_collective_options_init(&options);
 *     options.algorithm = "overlay";
 *     np_collective(network, "all-to-all", &options, &result);
 */
#ifndef NETPRAM_COLLECTIVE_H
#define NETPRAM_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/network.h"
#include "netpram/traffic.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The i-th operation's name, NULL past the last: "permutation", "all-to-all", "k-k", "broadcast", "reduce", "gather",
 *  "gossip", "all-reduce", "reduce-scatter", "scatter", "scan", "barrier". "all-gather" is another name of gossip,
 *  and "all-to-allv" is k-k among ranks. */
const char *np_collective_operation(size_t i);

typedef struct np_collective_options {
    size_t size; /**< of this structure; set by the initialiser */
    /**
     * A name from `netpram list`. NULL: the first for the operation and the network; if `ports` are given, the one that
     * costs least under them: by its formula, or else found by playing it. Of equals the one of fewer rounds.
     */
    const char *algorithm;
    /**
     * What a node may do in a round; NULL: what the algorithm needs. "full-port": all links at once. "one-port": send
     * to one neighbour and receive from one. "uni-axial": links of one dimension only, of the whole network.
     * "telephone": exchange with one neighbour.
     */
    const char *ports;
    np_node root;        /**< of broadcast, reduce, gather and scatter; default 0 */
    double data;         /**< l: data in a packet, or of what is broadcast or reduced; default 1 */
    double cv, ca;       /**< c_v for each datum, c_a for each round; default 1 and 0 */
    uint64_t flits;      /**< f: parts of what is broadcast or reduced, of l/f data each; 0 (default): 1 */
    uint32_t k;          /**< of k-k; default 4 */
    const char *traffic; /**< of permutation, and of k-k, where `k` is then 4; NULL: "random" or "h-relation:k" */
    uint64_t seed;       /**< default 1: of random traffic */
    uint32_t rounds;     /**< of search: the fewest steps in at most this number of rounds; 0 (default): in the
                              fewest rounds */
    bool record;         /**< keep the schedule in the result */
    np_watch watch;      /**< is told now and then how far the call is, and may cancel it */
    /**
     * Gets the events (netpram/engine.h) of the operation, when its schedule has been played: a phase with the name of
     * the operation. A packet that moves is one packet. What is copied is a new packet for each transfer, which splits
     * from the one that brought it. What is combined becomes a part of what the node has. Of the phase's outcome only
     * packets, steps and hops are known. An algorithm that routes has the events of np_route. NULL (default): nobody.
     */
    const np_observer *observer;
    uint64_t memory_limit; /**< bytes; what needs more is refused before it is allocated: what is kept for a recorded
                              schedule or an observer as it grows, all else before the first round. 0 (default): what is
                              available */
    const char *root_name; /**< the root as the network's file names it; its number if nodes have no names. NULL
                              (default): `root` says it */
    const np_traffic
        *packets; /**< of permutation and k-k, instead of `traffic`; borrowed. Default NULL: they are made */
    double ci;    /**< c_i, for each datum that a node takes apart and puts together between phases; default 0 */
    /**
     * "rounds", "flows", "steps": the operation is done among ranks, the hosts of the network or all its nodes, by
     * messages from rank to rank, and takes as long as the model says; docs/collectives.md. `data` is then the vector
     * of a rank (all-reduce, reduce-scatter, scan), the whole result (gossip, gather), or what a rank sends in all
     * (all-to-all, scatter). NULL (default): "rounds" for the operations from all-reduce on; the others are done over
     * the links.
     */
    const char *model;
    double link_rate;  /**< bits a second of a link of width 1: data are bytes, `ca` and times are seconds. Default 0 */
    const char *place; /**< of ranks on hosts: "linear", "random" (by `seed`), "file:PATH"; NULL (default): linear */
    const char *paths; /**< of models flows and steps: a path rule; NULL (default): "greedy" */
    const char *goal;  /**< a file: the messages are written there as a GOAL schedule; NULL (default): nowhere */
    double packet_size; /**< of model steps: data in a packet; 0 (default): 1, with a rate 4096 */
    bool bytes; /**< `data` or `packet_size` is of bytes, as "1GB" says: refused without a rate. Default false: in the
                     units of the call */
} np_collective_options;

extern const np_fields np_collective_options_fields;

/**
 * Does the operation have the option, a name of np_collective_options_fields? Whether its algorithm does, the call
 * says.
 * @return NP_OK; NP_ERROR_INPUT: no such operation; NP_ERROR_APPLY: "is for broadcast, reduce, gather, scatter, and not
 * for gossip"
 */
np_status np_collective_heeds(const char *operation, const char *option) NP_CHECKED;

/** Fills in the defaults. */
static inline void np_collective_options_init(np_collective_options *options)
{
    np_options_init(&np_collective_options_fields, options, sizeof *options);
}

/** Room for a formula in words. */
enum { NP_COLLECTIVE_TEXT = 160 };

/** Rounds, steps and what they cost. */
typedef struct np_collective_figure {
    uint64_t rounds, steps;
    double cost;                   /**< c_v l steps + c_a rounds, and c_i l times what is bucketed */
    char text[NP_COLLECTIVE_TEXT]; /**< the formula, or where the bound comes from */
} np_collective_figure;

/** The schedule that was played: transfer i of round r, first[r] <= i < first[r + 1], is one packet. */
typedef struct np_collective_schedule {
    size_t rounds;
    const size_t *first;   /**< [rounds + 1] */
    const np_link *link;   /**< the transfers of one message follow one another */
    const uint32_t *piece; /**< which packet: of gossip and gather its source, of broadcast and reduce the flit;
                              of all-to-all from s to d: s N + d; of permutation and k-k its place in the traffic */
} np_collective_schedule;

/** The outcome of np_collective. All pointers are owned by the result. */
typedef struct np_collective_result {
    const char *network, *operation, *algorithm, *ports;
    const char *traffic; /**< of permutation and k-k; else NULL */
    uint64_t nodes, packets;
    bool rooted; /**< the operation has a root */
    np_node root;
    double size, cv, ca;
    uint64_t flits; /**< 0: the algorithm does not divide the data into flits */
    uint64_t seed;
    uint64_t rounds, steps;
    uint64_t transfers; /**< of a packet over a link */
    double cost;
    bool has_formula; /**< there is a formula; rounds and steps must equal it */
    np_collective_figure formula;
    /** Lower bounds: no schedule with these ports takes fewer rounds, fewer steps, or costs less. Each of the three is
     *  a bound by itself. If all messages of the algorithm have one packet, the bound on rounds is only for schedules
     *  of such messages. */
    np_collective_figure bound;
    bool routed;            /**< the queues of np_route routed the packets: there is no schedule to play */
    bool bound_of_rounds;   /**< the known bound of the operation is on rounds (gossip); false: on steps */
    bool searched, optimal; /**< the schedule was searched for; it is proved to be the best, as optimal_of says */
    const np_collective_schedule *schedule; /**< NULL unless asked for */
    double wall_seconds;
    double ci;
    /**
     * Packets that a node puts together anew between phases, because they go on: the most of a node, summed over the
     * times; counted while playing. Costs c_i l each. formula_bucketed: what the formula says.
     */
    uint64_t bucketed, formula_bucketed;
    const char *optimal_of; /**< what was proved: of which ports, whether rounds, steps or both; NULL: nothing */
    const char *root_name;  /**< of the root; NULL: nodes have no names, or there is no root */
    const char *model;      /**< of an operation among ranks; else NULL, and what follows is unknown */
    uint64_t ranks;
    double part; /**< data in a piece of the schedule */
    const char *place;
    double link_rate;           /**< 0: none */
    double packet_size;         /**< of model steps: data in a packet */
    double time;                /**< by the model, c_a included: steps, seconds if there is a rate */
    double algorithm_bandwidth; /**< `size` by `time`: data a step, or bytes a second; barrier: 0 */
    double bus_bandwidth;       /**< the same times what each rank must send of `size`, by the best algorithm */
} np_collective_result;

/**
 * Does the operation on the network by one algorithm, plays and checks the schedule, every transfer by itself.
 *
 * @param operation  a name from np_collective_operation
 * @param out        receives the result; free with np_collective_result_free; NULL on error
 * @return NP_ERROR_INPUT (an unknown name, a value out of range, with the nearest), NP_ERROR_APPLY (the algorithm is
 *         not for this network, root or ports), NP_ERROR_LIMIT (too many packets, with the figure; more bytes than
 *         memory_limit), NP_ERROR_MEMORY, NP_ERROR_CANCELLED, NP_ERROR_INTERNAL: the schedule breaks a rule
 */
np_status np_collective(const np_network *network, const char *operation, const np_collective_options *options,
                        np_collective_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_collective_result_free(np_collective_result *result);

/** What an algorithm costs as a function of l, f, c_v, c_a and c_i. */
typedef struct np_collective_model {
    const char *algorithm;
    bool flits; /**< it divides the data into flits: rounds and steps are for one flit, and each more adds `per_flit` */
    uint64_t rounds, steps;
    uint64_t per_flit;
    uint64_t bucketed; /**< np_collective_result.formula_bucketed */
    double part;       /**< a packet is this part of `data`; flits divide it further */
    uint64_t
        flits_unit; /**< flits come in multiples of it: `rounds` are for so many, per_flit for as many more; 0: 1 */
    double time;    /**< of models flows and steps: np_collective_result.time, with one flit; else 0 */
} np_collective_model;

/** An algorithm, the number of flits that suits it best, and what it costs. */
typedef struct np_collective_candidate {
    const char *algorithm;
    uint64_t flits; /**< 0: the algorithm does not divide the data into flits */
    uint64_t rounds, steps;
    double cost;
    uint64_t bucketed; /**< np_collective_result.formula_bucketed */
    double time;       /**< np_collective_model.time */
} np_collective_candidate;

/** The fields of a result and of a candidate. */
extern const np_fields np_collective_result_fields, np_collective_candidate_fields;

/** The most models that an operation has. */
enum { NP_COLLECTIVE_MODELS = 16 };

/**
 * The models of the algorithms that have a formula, for the operation, network, root and ports. If options->ports is
 * NULL: on a complete network the algorithms that need only one port, on other networks all. options->algorithm and
 * options->flits are ignored. With model flows or steps all algorithms are played, and each has its time.
 *
 * @param model  [NP_COLLECTIVE_MODELS]
 * @param count  receives how many there are, at least one
 * @return as np_collective; NP_ERROR_APPLY if there is none
 */
np_status np_collective_models(const np_network *network, const char *operation, const np_collective_options *options,
                               np_collective_model *model, size_t *count) NP_CHECKED;

/**
 * What a model costs with options->data, cv and ca, in options->flits flits. If options->flits is 0, the best number of
 * flits up to l is taken (a flit has at least one datum).
 */
np_collective_candidate np_collective_price(const np_collective_model *model, const np_collective_options *options);

/** Prices all models. The cheapest comes first, or that of the least time, where there are times; equal ones keep the
 * order of the list. candidate: [count]. */
void np_collective_compare(size_t count, const np_collective_model *model, const np_collective_options *options,
                           np_collective_candidate *candidate);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
