/*
 * The engine of waves as plain lists. Tokens stand in every queue, also in the
 * initial queues, and a step looks at all nodes and all their queues. Written
 * from the rules at the head of papers/waves/waves.h. It shares no code with the
 * engine: the case is plain arrays.
 */
#ifndef ORACLE_WAVES_H
#define ORACLE_WAVES_H

#include "oracle/merging.h"

typedef struct oracle_waves {
    np_phase_run run;
    uint32_t *delay;   /* [packets] */
    bool stuck;        /* in some step nothing moved; then the other members are not set */
    uint32_t held_max; /* most packets and tokens in one edge queue between steps */
} oracle_waves;

/* Uses only network, packets, queue_size and room of the case. wave: [packets], each below waves. */
oracle_waves *oracle_waves_run(const oracle_merging_case *c, const uint32_t *wave, uint32_t waves);
void oracle_waves_free(oracle_waves *result);

#endif
