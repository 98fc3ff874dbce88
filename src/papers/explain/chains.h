/*
 * Counts delay chains: the delay sequences of delay_sequence.c, without the run
 * that they came from. The expected number of long chains bounds the probability
 * that a run is long. With all ranks fixed, the longest chain bounds the steps of
 * the run. chains.c has the argument.
 */
#pragma once

#include "model/leveled/path_set.h"

typedef struct np_chains np_chains;

/* For queues of queue_size and ranks in 1..range. The arguments are borrowed. NP_ERROR_MEMORY. */
np_status np_chains_create(const np_leveled *leveled, const np_path_set *path_set, uint32_t queue_size, uint32_t range,
                           np_chains **out) NP_CHECKED;
void np_chains_free(np_chains *chains);

/* The most steps that a chain of distinct packets makes. */
uint32_t np_chains_steps_max(const np_chains *chains);

/* Operations of one pass over chains of up to `steps` steps while all ranks are open; and the bytes it needs. */
double np_chains_cost(const np_chains *chains, uint32_t steps);
double np_chains_bytes(const np_chains *chains, uint32_t steps);

/*
 * sum[0..steps): sum[t] = expected number of chains that come to more than t steps. Packet i has rank rank[i]; where
 * rank[i] is 0, its rank is open: independent and uniform in 1..range. If sum[t] is below 1, a run takes at most t
 * steps with positive probability; if sum[t] is 0, a run takes at most t steps for certain. NP_ERROR_MEMORY.
 */
np_status np_chains_profile(np_chains *chains, const uint32_t *rank, uint32_t steps, double *sum) NP_CHECKED;

/*
 * *without = expected number of chains of more than `steps` steps without packet i, whose rank must be open;
 * cost[r - 1] += what rank r for packet i adds to *without. NP_ERROR_MEMORY.
 */
np_status np_chains_try(np_chains *chains, const uint32_t *rank, uint32_t steps, np_packet i, double *without,
                        double *cost) NP_CHECKED;
