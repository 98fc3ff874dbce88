/*
 * Plays a schedule and checks it: every link carries one message a round at most, of one packet where the algorithm
 * says so; nodes keep to their ports; who sends something has had it when the round began; a piece that moves goes one
 * way. Independent of the algorithms: it sees rounds only.
 */
#ifndef NP_COLLECTIVE_EXECUTOR_H
#define NP_COLLECTIVE_EXECUTOR_H

#include "collective/collective.h"

typedef struct np_executor {
    const np_collective_job *job;
    uint64_t rounds, steps, transfers;
    uint32_t *at;    /* [pieces] where each is, if they move */
    uint64_t *known; /* [nodes][words] bits, if they are copied */
    size_t words;
    uint32_t *share;  /* [nodes][pieces] of how many nodes each has what they began with, if they are combined */
    uint32_t *amount; /* [room] of the round's transfers: such shares */
    uint32_t *sent, *received;  /* [nodes] the last round in which a node did, if it may once a round */
    uint32_t *met;              /* [nodes] of telephone: the last round in which it met its partner */
    np_node *partner;           /* [nodes] */
    uint32_t *used;             /* [link numbers] the last round that used the link, if nodes may use several */
    uint32_t axis;              /* of uni-axial: that of the round */
    np_node *tail_of, *head_of; /* [link numbers] of all links, while there are not too many; else NULL */
    void *block;                /* the arrays so far, but amount */
    size_t room;                /* of the round's ends */
    np_node *tail, *head;       /* [room] of its transfers */
} np_executor;

/* NP_ERROR_LIMIT, with the figure, if there is too much to play. */
np_status np_executor_fits(const np_collective_job *job) NP_CHECKED;

/* The job must fit. NP_ERROR_MEMORY. Clear it in any case. */
np_status np_executor_init(np_executor *executor, const np_collective_job *job) NP_CHECKED;
void np_executor_clear(np_executor *executor);

/* Plays a round. NP_ERROR_INTERNAL with the first offence in words; then only clear is legal. */
np_status np_executor_play(np_executor *executor, const np_round *round) NP_CHECKED;

/* Has the operation been done? NP_ERROR_INTERNAL with who lacks what. */
np_status np_executor_finish(const np_executor *executor) NP_CHECKED;

#endif
