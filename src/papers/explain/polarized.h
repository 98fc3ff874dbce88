/* The polarized sequence of a batch (netpram/merging.h), from the record of its six phases. */
#pragma once

#include "engine/merging/ranade.h"
#include "netpram/merging.h"

/*
 * record, steps: of the whole batch `job`, which was not abandoned, in queues of queue_size. The caller clears *out,
 * which is empty on failure. NP_ERROR_INTERNAL if the record contradicts itself; NP_ERROR_MEMORY.
 */
np_status np_polarized_trace(uint32_t n, uint32_t queue_size, const np_ranade_job *job, const np_ranade_record *record,
                             uint64_t steps, np_polarized *out) NP_CHECKED;
void np_polarized_clear(np_polarized *polarized);
