/*
 * Judges a polarized sequence (Ranade 1987b, section 4) by a replay of the batch. The replay takes the selected
 * messages and the paths of all requests, and finds which message was in which queue when. Fails the test if an element
 * of the sequence is not justified.
 */
#ifndef NP_ORACLE_POLARIZED_JUDGE_H
#define NP_ORACLE_POLARIZED_JUDGE_H

#include "engine/merging/ranade.h"
#include "netpram/merging.h"

void polarized_judge(uint32_t n, uint32_t b, const np_ranade_job *job, const np_ranade_record *record, uint64_t steps,
                     const np_polarized *sequence);

#endif
