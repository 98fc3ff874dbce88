/*
 * Ranade's six phases from the paper (1987b, section 3), switch by switch and
 * message by message: requests with their contents combine at switches, are served by
 * modules as they come by, and replies go back by the direction bits that the switches
 * remember. Slow and obvious. Says so (by failing the test) where the paper's lemmas do not hold.
 */
#ifndef NP_ORACLE_RANADE_H
#define NP_ORACLE_RANADE_H

#include "pram/request.h"

typedef struct oracle_ranade_batch {
    uint32_t n, queue_size, share;
    np_access_rule rule;
    size_t count;              /* request i is of processor i / share */
    const np_request *request; /* [count] */
    const uint64_t *module;    /* [count] c' 2^n + r' of its cell */
    const uint64_t *order;     /* [count] the first part of its tag, before address and kind */
    np_store *store;
    const uint32_t *target; /* [count] r n + c of the processor that the reply goes to, by its address; all tags differ.
                               NULL: back. Replies are then the steps, from 0, in which they were taken */
} oracle_ranade_batch;

typedef struct oracle_ranade_outcome {
    uint64_t steps, ghosts, combined, replies;
    uint32_t queue_max, module_max;
    uint32_t *selected; /* [steps][6n + 1][rows] malloced: as np_ranade_record has it */
} oracle_ranade_outcome;

/* reply[i] of every request i. */
void oracle_ranade(const oracle_ranade_batch *batch, np_word *reply, oracle_ranade_outcome *out);

#endif
