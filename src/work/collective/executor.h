/*
 * Plays a schedule and checks it. Every link carries at most one message a round, of one packet where the algorithm
 * says so. Nodes keep to their ports. A node that sends something had it when the round began. A piece that moves is
 * sent once a round. The executor does not depend on the algorithms: it sees only rounds.
 *
 * Pieces that are combined. What a node began with of a piece is a random word of the node, and what it has gathered is
 * the sum of such words modulo 2^64. If in the end it is the sum over the nodes that are to be in the result, each of
 * them is in it exactly once; another schedule has this sum with probability 2^-64. In a reduction to a root, a node
 * sends its word and has it no longer. Elsewhere it keeps what it sends; a result that is complete replaces what the
 * receiver has, and anything else is added to it.
 *
 * A barrier has no data: a message says that all nodes of which the sender knows have arrived.
 */
#pragma once

#include "work/collective/collective.h"
#include "engine/queueing/hop_list.h"

typedef struct np_executor {
    const np_collective_job *job;
    uint64_t rounds, steps, transfers, bucketed;
    uint32_t *at;    /* [pieces] where each is, if they move */
    uint64_t *known; /* [nodes][words] bits, if they are copied */
    uint32_t *held;  /* [nodes] of algorithms that bucket: packets at a node that go on */
    size_t words;
    uint64_t *share;           /* [nodes][pieces] if pieces are combined: the sum of what a node has gathered */
    uint64_t *amount;          /* [room] if pieces are combined: the shares that the round's transfers carry */
    uint64_t *before;          /* [nodes][words] of a barrier: `known` when the round began */
    uint64_t total;            /* of all nodes' words */
    uint32_t *sent, *received; /* [nodes] the last round in which a node did, if it may once a round */
    uint32_t *met;             /* [nodes] of telephone: the last round in which the node met its partner */
    np_node *partner;          /* [nodes] */
    uint32_t *used;            /* [link numbers] the last round that used the link, if nodes may use several */
    uint32_t axis;             /* of uni-axial: the axis of the round */
    size_t room;               /* transfers of a round, at most */
    np_node *tail, *head;      /* [room] the ends of a round's transfers */
    void *block;               /* the arrays */
} np_executor;

/* NP_ERROR_LIMIT, with the figure, if the job is too large to play. */
np_status np_executor_fits(const np_collective_job *job) NP_CHECKED;

/* The job must fit; a round has at most `room` transfers. NP_ERROR_MEMORY. Clear it in any case. */
np_status np_executor_init(np_executor *executor, const np_collective_job *job, size_t room) NP_CHECKED;
void np_executor_clear(np_executor *executor);

/* Plays a round. NP_ERROR_INTERNAL with the first violation in words; then only clear is legal. */
np_status np_executor_play(np_executor *executor, const np_round *round) NP_CHECKED;

/* Between phases: counts the packets of each node that are not yet at their destinations. For pieces that move. */
void np_executor_bucket(np_executor *executor);

/* Has the operation been done? NP_ERROR_INTERNAL names a node and what it lacks. */
np_status np_executor_finish(const np_executor *executor) NP_CHECKED;

/* ---- observe.c: what observers hear, the transfers of the rounds as hops ---- */

/* Zeroed, but for the job: nothing has been heard. */
typedef struct np_collective_log {
    const np_collective_job *job;
    np_hop_list hops;
    uint64_t steps;    /* of the rounds so far */
    np_packet packets; /* so far */
    size_t room;       /* for packets */
    np_node *at;       /* [packets] as in np_hop_ends */
    np_packet *of;     /* [packets] likewise, if pieces are copied */
    np_packet *into;   /* [packets] likewise, if they are combined */
    np_node *end;      /* [packets] likewise, if they move */
    np_packet
        *holds; /* [nodes][pieces] the packet by which a node has a piece; NP_NONE: it has none. NULL: they move */
} np_collective_log;

/* The packets as they are before the first round. NP_ERROR_MEMORY, NP_ERROR_LIMIT. Clear the log in any case. */
np_status np_collective_log_begin(np_collective_log *log) NP_CHECKED;

/* Adds the round that the executor has just played. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_collective_log_round(np_collective_log *log, const np_executor *executor,
                                  const np_round *round) NP_CHECKED;

/* Tells the observer of all rounds. As np_hop_list_tell. */
np_status np_collective_log_tell(const np_collective_log *log) NP_CHECKED;

void np_collective_log_clear(np_collective_log *log);
