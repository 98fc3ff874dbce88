/* The scheme `ranked`, for the annex: ranks that it brings, and runs that it explains. */
#pragma once

#include "engine/merging/merge.h"
#include "run/route/leveled.h"

extern const np_runner_ops np_ranked_runner;

/* Who reads the ranks of np_merge_options.rank_file. */
typedef struct np_rank_source {
    np_entry info;
    /*
     * Makes *rank anew unless it is for the job's traffic already: [packets] ranks in 1..rank_range, to be freed with
     * np_memory_free; NULL on error. *demands tells the traffic of *rank from others.
     */
    np_status (*read)(const np_route_plan *plan, const np_runner_job *job, uint64_t *demands, uint32_t **rank);
} np_rank_source;

/* The registry of sources, in schemes.c. */
extern const np_registry np_rank_sources;

/*
 * Runs a phase of a run again. *record, empty before: what happened; *chosen, all 0 before: the leveled network and
 * paths. The caller clears both, also after an error.
 */
np_status np_ranked_record(const np_route_plan *plan, uint32_t run, unsigned phase, np_merge_record *record,
                           np_chosen *chosen) NP_CHECKED;
