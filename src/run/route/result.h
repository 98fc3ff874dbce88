/* Collecting the runs of a routing into a result. */
#pragma once

#include "run/route/plan.h"

/* Packets by delay, over the phases of some runs. */
typedef struct np_delay_counts {
    uint64_t *count; /* [room] */
    size_t room;
    size_t used; /* largest delay + 1 */
} np_delay_counts;

/*
 * Adds the delays of one phase of one run, and sets the quantiles of *out. run: room that is used again. ranks: the
 * delays are those of this rank's packets, and what is added is that of all; NULL: all packets are here.
 */
np_status np_delay_counts_add(np_delay_counts *counts, np_delay_counts *run, const np_delays *delays, const np_job *job,
                              np_phase_run *out) NP_CHECKED;
/* Adds other, which becomes empty, to counts. The sum does not depend on the order. */
void np_delay_counts_merge(np_delay_counts *counts, np_delay_counts *other);
void np_delay_counts_clear(np_delay_counts *counts);

/* The result's object: what np_route_result points to is owned here. */
typedef struct np_route_outcome {
    np_route_result result; /* first: the caller's pointer points to it */
    np_phase_result *phase;
    np_phase_run *run;       /* [phases * runs], phase by phase */
    np_delay_counts *delays; /* [phases] */
    uint64_t *steps_bound;   /* [runs] or NULL */
    char *network, *traffic, *queue, *paths, *rank_file, *fallback;
} np_route_outcome;

/* Makes room for all runs of the plan and copies the specs. */
np_status np_route_outcome_create(const np_route_plan *plan, np_route_outcome **out) NP_CHECKED;

/* Computes the summaries. Called once all runs are in. */
np_status np_route_outcome_summarise(np_route_outcome *outcome) NP_CHECKED;
