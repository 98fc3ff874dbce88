/*
 * Messages and receives find each other by source and tag, first in, first out. Each does so in constant time where no
 * receive takes any source or any tag, however many wait.
 */
#pragma once

#include "work/goal/goal.h"

typedef struct np_matching_queue {
    uint32_t first, last; /* items; NP_NONE: none */
} np_matching_queue;

typedef struct np_matching {
    const np_goal *goal;
    uint32_t *channel; /* [items] of a receiver, a source and a tag; NP_NONE: a receive that takes any, a calculation */
    uint32_t channels;
    np_matching_queue *posted, *early; /* [channels] receives, and messages that none has taken */
    np_matching_queue *any, *came;     /* [ranks] posted receives that take any, and all early messages */
    uint32_t *next;                    /* [items] in the queue of its channel, or in `any` */
    uint32_t *after, *before;          /* [items] in `came` */
    uint32_t *turn;                    /* [items] order of being posted */
    uint32_t posts;
    uint64_t unreceived; /* early messages */
} np_matching;

/* NP_ERROR_MEMORY; clear it in any case. */
np_status np_matching_init(np_matching *matching, const np_goal *goal) NP_CHECKED;
void np_matching_clear(np_matching *matching);
/* The message of a send is received: the receive that takes it; NP_NONE: it is early. */
uint32_t np_matching_receive(np_matching *matching, uint32_t send);
/* A receive is posted: the send of the early message that it takes; NP_NONE: it waits. */
uint32_t np_matching_post(np_matching *matching, uint32_t receive);
