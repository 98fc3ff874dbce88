/*
 * An interpreter of PRAM steps, from the definition: every access is compared
 * with every other one of its step. Slow and obvious.
 */
#ifndef NP_ORACLE_PRAM_H
#define NP_ORACLE_PRAM_H

#include "netpram/pram.h"

/* What a program has come to. */
typedef struct oracle_pram {
    np_access_rule rule;
    uint64_t seed;
    uint64_t cells;
    np_word *memory; /* [cells] the caller's */
    uint64_t steps, work, violations;
    uint32_t clean; /* bit r: clean under rule r, to the same effect; all bits at first */
    /* The last violation found: in order of the processor that completes it. */
    np_address address;
    np_processor first, second;
} oracle_pram;

/* Replies go to step->value. halves: this is a half of np_pram_move, so the step does not count yet. */
void oracle_pram_step(oracle_pram *pram, const np_pram_step *step, bool half);

/* The weakest rule that has its bit in clean. */
np_access_rule oracle_pram_weakest(const oracle_pram *pram);

#endif
