/*
 * Ranade's six phases from the paper (1987b, section 3), switch by switch and
 * message by message. Requests with their contents combine at switches. Modules
 * serve requests that come by. Replies go back by the direction bits that the
 * switches remember. Slow and obvious. Fails the test if a lemma of the paper
 * does not hold.
 */
#ifndef NP_ORACLE_RANADE_H
#define NP_ORACLE_RANADE_H

#include "machine/pram/request.h"

typedef struct oracle_ranade_batch {
    uint32_t n, queue_size, share;
    np_access_rule rule;
    size_t count;              /* request i belongs to processor i / share */
    const np_request *request; /* [count] */
    const uint64_t *module;    /* [count] c' 2^n + r' of the module that has its cell */
    const uint64_t *order;     /* [count] the first part of its tag, before address and kind */
    np_store *store;
    const uint32_t *target; /* NULL: replies go back. Else [count] r n + c, the address of the processor to which the
                               reply goes; all tags differ, and a reply is the step, from 0, in which it was taken */
} oracle_ranade_batch;

typedef struct oracle_ranade_outcome {
    uint64_t steps, ghosts, combined, replies;
    uint64_t physical_steps; /* one message over each directed link of the wrapped butterfly */
    uint32_t queue_max, module_max;
    uint32_t *selected; /* [steps][6n + 1][rows] malloced, as in np_ranade_record */
} oracle_ranade_outcome;

/* Routes the batch; reply[i] = the reply to request i. */
void oracle_ranade(const oracle_ranade_batch *batch, np_word *reply, oracle_ranade_outcome *out);

#endif
