/*
 * The inside of the collective layer. An algorithm is one const descriptor and one line in algorithms.c. It generates
 * rounds and does not know who plays them. A job is one operation on one network by one algorithm.
 *
 * Pieces are what is sent; they are numbered from 0. Pieces that move (permutation, all-to-all, k-k) are at one node at
 * a time, on their way from source to destination. Pieces that are copied (broadcast, gather, gossip) are known to
 * nodes. Of pieces that are combined (reduce), a node has what some number of nodes began with.
 *
 * Ranks: all-reduce and its like are done among the hosts of any network. Their algorithms make messages from rank to
 * rank, which are links of the complete network of all ranks: the job's network. The network that the hosts belong to
 * is `under` it. What the messages take there is the business of a model (model.h).
 */
#pragma once

#include "base/arena.h"
#include "base/log2.h"
#include "model/network/axes.h"
#include "netpram/collective.h"

typedef enum np_collective_kind {
    NP_PERMUTATION,
    NP_ALL_TO_ALL,
    NP_K_K,
    NP_BROADCAST,
    NP_REDUCE,
    NP_GATHER,
    NP_GOSSIP,
    NP_ALL_REDUCE,
    NP_REDUCE_SCATTER,
    NP_SCATTER,
    NP_SCAN,
    NP_BARRIER,
    NP_COLLECTIVE_KINDS
} np_collective_kind;

/* What a node may do in a round, netpram/collective.h. */
typedef enum np_ports { NP_FULL_PORT, NP_ONE_PORT, NP_UNI_AXIAL, NP_TELEPHONE, NP_PORTS } np_ports;

/* How the rounds of ranks take their time, model.h. */
typedef enum np_model { NP_MODEL_ROUNDS, NP_MODEL_FLOWS, NP_MODEL_STEPS, NP_MODELS } np_model;

/* The transfers of one round, at most `capacity`; the transfers of one message follow one another. */
typedef struct np_round {
    size_t count, capacity;
    np_link *link;
    uint32_t *piece;
} np_round;

/* Rounds that are kept: the transfers of round r are first[r] .. first[r + 1] - 1. */
typedef struct np_round_log {
    size_t rounds, round_room, room;
    size_t *first;
    np_link *link;
    uint32_t *piece;
} np_round_log;

/* ranks.c: on which network an operation is played. */
typedef struct np_rank_net {
    const np_network *network; /* on which algorithms play */
    const np_network *under;   /* that was given; `network` itself if it is played over its links */
    const np_network *core;    /* np_collective_job.core */
    bool played;               /* among ranks, and so by a model */
    np_model model;
    bool shared;   /* np_collective_job.shared */
    np_node *host; /* [nodes] np_collective_job.host */
    np_network *complete, *small;
} np_rank_net;

/* The operation on the network by these options. Clear it in any case. */
np_status np_rank_net_init(np_rank_net *ranks, const np_network *network, const char *operation,
                           const np_collective_options *options) NP_CHECKED;
void np_rank_net_clear(np_rank_net *ranks);

typedef struct np_collective_ops np_collective_ops;

typedef struct np_collective_job {
    const np_network *network;
    const np_network *under; /* of ranks: the network of their hosts; else `network` */
    np_model model;
    bool among_ranks;       /* np_rank_net.played */
    const np_node *host;    /* [nodes] of ranks that are not in the order of the hosts: where each is; else NULL */
    const np_network *core; /* of ranks: the complete network of the first 2^k, k as large as there are ranks for */
    const np_collective_ops *ops;
    np_collective_options options; /* resolved */
    np_ports ports;                /* to play under */
    np_axes axes;                  /* of grids and hypercubes, else none */
    uint64_t pieces;
    double part;               /* data of a piece */
    bool shared;               /* `size` is what one node sends to all, or the whole result: not the data of a piece */
    const np_traffic *traffic; /* of permutation and k-k */
    np_traffic *own_traffic;   /* NULL: the caller's, or none */
    uint32_t degree;           /* of the traffic: the most packets that a node sends or receives */
    void *own;                 /* the algorithm's */
    np_round round;            /* the present one */
    void *block;               /* own and round */
    uint32_t count;            /* for algorithms whose only state is a number */
    bool optimal;              /* set by the algorithms that search */
    const char *optimal_of;    /* likewise: what was proved, np_collective_result.optimal_of */
    bool new_phase;            /* set by next: before this round, nodes bucket anew what goes on */
} np_collective_job;

struct np_collective_ops {
    np_entry info;
    bool flits;          /* it can cut a packet into parts and send them one after the other */
    uint32_t flits_unit; /* flits come in multiples of this; such algorithms are no defaults. 0: 1 */
    np_collective_kind kind;
    np_ports ports;
    bool uni_axial;      /* its rounds are uni-axial as well, where there are dimensions */
    bool calls_on_cubes; /* on hypercubes its rounds are telephone calls */
    bool single;         /* all messages are of one packet: rounds are steps */
    bool searches;       /* for a best schedule, under its ports alone: no other ports are served */
    uint32_t variant;    /* the algorithm's own: which of several algorithms that share the code */

    const np_collective_ops *mirrors; /* NULL, or what a reduction or a scatter plays backwards */
    const np_collective_ops *inside;  /* NULL, or the algorithm whose rounds this one makes its own of */

    /* Returns NULL, or why it is not for the network: "it is no hypercube". To be called by np_collective_refuses. */
    const char *(*refuses)(const np_network *network);
    /* Checks the rest of the job (the root); the message names the nearest valid choice. NULL: everything is valid. */
    np_status (*check)(const np_collective_job *job);

    /* How many pieces there are. NULL: as the operation has it. */
    uint64_t (*pieces)(const np_collective_job *job);
    /* The most transfers of a round. NULL: one for each node. */
    size_t (*transfers)(const np_collective_job *job);
    /* The layout of own and its arrays (base/arena.h), by np_collective_own; the object is the job. NULL: no own. */
    np_layout *own;
    /* Fills own, which is zeroed but not its arrays. NULL: there is nothing to fill. */
    np_status (*begin)(np_collective_job *job);
    /* Adds the transfers of the next round to job->round, which is empty. If it adds none, the schedule is over. */
    np_status (*next)(np_collective_job *job);

    /* Gives rounds, steps and text, without own; leaves the text empty if there is no formula. NULL: there is none. */
    np_status (*formula)(const np_collective_job *job, np_collective_figure *out);

    /* How many packets a node buckets anew, summed over the phases; without own. NULL: none. */
    uint64_t (*bucketed)(const np_collective_job *job);

    /* Instead of begin and next: routes by an engine that checks itself. Sets rounds, steps and transfers. */
    np_status (*route)(np_collective_job *job, np_collective_result *out);
};

/* The registry of algorithms, in algorithms.c. The algorithms of an operation are together; the first that applies is
   the default. */
extern const np_registry np_collective_algorithms;

/* Why the algorithm is not for the network, or NULL. */
const char *np_collective_refuses(const np_collective_ops *ops, const np_network *network);

const char *np_collective_ports_name(np_ports ports);
np_status np_collective_ports_of(const char *name, np_ports *out) NP_CHECKED;
/* The operation's name as it was asked for, which lasts; NULL: it is none. */
const char *np_collective_name(const char *operation);
np_status np_collective_kind_of(const char *name, np_collective_kind *out) NP_CHECKED;

/* The ports that the algorithm needs on the network. */
np_ports np_collective_ports_needed(const np_network *network, const np_collective_ops *ops);

/* Is everything that the algorithm does on the network allowed under the ports `asked`? */
bool np_collective_ports_allow(np_ports asked, const np_network *network, const np_collective_ops *ops);

/* The next algorithm after the *place-th of the registry that may be the default under ports that were asked for, and
   heeds the options; NULL: there is none. */
const np_collective_ops *np_collective_candidates(const np_network *network, np_collective_kind kind,
                                                  const np_collective_options *options, size_t *place);

/* Chooses an algorithm by names: NP_ERROR_INPUT or NP_ERROR_APPLY with the nearest one. algorithm NULL: the first that
   applies, and heeds flits and rounds if they are asked for. */
np_status np_collective_choose(const np_network *network, np_collective_kind kind, const np_collective_options *options,
                               const np_collective_ops **out) NP_CHECKED;

/* collective.c: a job without own. Free with np_collective_job_clear. */
np_status np_collective_job_init(np_collective_job *job, const np_rank_net *ranks, const np_collective_ops *ops,
                                 const np_collective_options *options) NP_CHECKED;
void np_collective_job_clear(np_collective_job *job);
/* c_a in the unit of c_v, the time of a datum: with a rate of links it is given in seconds. */
static inline double np_collective_latency(const np_collective_options *o)
{
    return o->link_rate > 0 ? o->ca * o->link_rate / 8 : o->ca;
}

static inline double np_collective_cost(const np_collective_job *job, uint64_t steps, uint64_t rounds,
                                        uint64_t bucketed)
{
    const np_collective_options *o = &job->options;
    double packet = job->part;
    return o->cv * packet * (double)steps + np_collective_latency(o) * (double)rounds +
           o->ci * packet * (double)bucketed;
}

/* How many pieces the operation has. */
uint64_t np_collective_pieces(const np_collective_job *job);

/* The most transfers of a round. */
size_t np_collective_transfers(const np_collective_job *job);

/* In a layout of own, before its arrays: own, of `size` bytes; while the layout counts, `counted`. */
void *np_collective_own(np_collective_job *job, np_arena *arena, void *counted, size_t size);

/* round.c. The arrays of a round of `capacity` transfers. */
void np_round_layout(np_round *round, np_arena *arena);

/* Adds a transfer. NP_ERROR_INTERNAL: the round is full. */
np_status np_round_add(np_round *round, np_link link, uint32_t piece) NP_CHECKED;

/* init makes a log of no rounds; add keeps one more round. Clear the log in any case. */
np_status np_round_log_init(np_round_log *log) NP_CHECKED;
np_status np_round_log_add(np_round_log *log, const np_round *round) NP_CHECKED;
void np_round_log_clear(np_round_log *log);

/* Do the pieces move, each to one place? If not, they are copied or combined. */
static inline bool np_collective_moves(np_collective_kind kind) { return kind <= NP_K_K; }

static inline bool np_collective_rooted(np_collective_kind kind)
{
    return kind == NP_BROADCAST || kind == NP_REDUCE || kind == NP_GATHER || kind == NP_SCATTER;
}

/* Are pieces combined? */
static inline bool np_collective_combines(np_collective_kind kind)
{
    return kind == NP_REDUCE || kind == NP_ALL_REDUCE || kind == NP_REDUCE_SCATTER || kind == NP_SCAN;
}

/* Is it an operation of ranks, which are played on the complete network of them? */
static inline bool np_collective_of_ranks(np_collective_kind kind) { return kind > NP_GOSSIP; }

/* The ends of a piece that moves. All-to-all: piece s N + d goes from s to d; the pieces with s = d are counted too. */
static inline np_node np_collective_source(const np_collective_job *job, uint32_t piece)
{
    return job->traffic ? np_traffic_sources(job->traffic)[piece] : piece / job->network->nodes;
}

static inline np_node np_collective_destination(const np_collective_job *job, uint32_t piece)
{
    return job->traffic ? np_traffic_destinations(job->traffic)[piece] : piece % job->network->nodes;
}

static inline bool np_collective_complete(const np_network *network)
{
    return np_network_is(network, NP_KIND_COMPLETE);
}

/* Reasons to refuse, shared by several algorithms. They are NULL for complete networks; for arrays, rings, meshes and
   tori; where all nodes send and receive. */
const char *np_collective_but_complete(const np_network *network);
const char *np_collective_but_grids(const np_network *network);
const char *np_collective_but_terminals(const np_network *network);

/* The link from a node to a neighbour. */
np_link np_collective_link(const np_network *network, np_node from, np_node to);

/* collective.c: does np_collective take the operation and its options on this network? Nothing is played, but by
 * ports that choose the cheapest algorithm. Fails as it does. */
NP_FOR_REPORT np_status np_collective_check(const np_network *network, const char *operation,
                                            const np_collective_options *options) NP_CHECKED;

/* collective.c: the time of the algorithm by the model of the ranks, which are played. */
np_status np_collective_measure(const np_rank_net *ranks, const np_collective_ops *ops,
                                const np_collective_options *options, double *time) NP_CHECKED;

/* bounds.c: the lower bounds for every algorithm, and the most bytes that they take. */
np_status np_collective_bound(const np_collective_job *job, np_collective_figure *out) NP_CHECKED;
