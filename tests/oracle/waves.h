/*
 * The engine of waves as plain lists: tokens stand in every queue, the initial ones too, and a step looks
 * at all nodes and all their queues. Written from the rules at the head of
 * merging/waves.h. Shares no code with the engine: the case is plain arrays.
 */
#ifndef ORACLE_WAVES_H
#define ORACLE_WAVES_H

#include "oracle/merging.h"

typedef struct oracle_waves {
    np_phase_run run;
    uint32_t *delay;   /* [packets] */
    bool stuck;        /* in some step nothing moved; then the rest is not told */
    uint32_t held_max; /* most packets and tokens in one edge queue between steps */
} oracle_waves;

/* Of the case what is told of network, packets, queue_size and room counts. wave: [packets], each below waves. */
oracle_waves *oracle_waves_run(const oracle_merging_case *c, const uint32_t *wave, uint32_t waves);
void oracle_waves_free(oracle_waves *result);

#endif
