/*
 * An interpreter of PRAM steps, from the definition: it compares every access
 * of a step with every other access of the step. Slow and obvious.
 */
#ifndef NP_ORACLE_PRAM_H
#define NP_ORACLE_PRAM_H

#include "netpram/pram.h"

/* The state that a program has reached. */
typedef struct oracle_pram {
    np_access_rule rule;
    uint64_t seed;
    uint64_t cells;
    np_word *memory;          /* [cells] owned by the caller */
    const np_cell_type *type; /* [cells] owned by the caller; NULL: all are ints */
    uint64_t steps, work, violations;
    uint32_t clean; /* bit r: clean under rule r, with the same effect; at first all bits are set */
    /* The last violation found, in the order of the processors that complete violations. */
    np_address address;
    np_processor first, second;
} oracle_pram;

/* Does the step ask for what has no meaning for the type of a cell? Then nothing of it is done. */
bool oracle_pram_refuses(const oracle_pram *pram, const np_pram_step *step);

/* Replies go to step->value. half: the step is a half of np_pram_move, so it does not count yet. */
void oracle_pram_step(oracle_pram *pram, const np_pram_step *step, bool half);

/* The weakest rule whose bit is set in `clean`. */
np_access_rule oracle_pram_weakest(const oracle_pram *pram);

#endif
