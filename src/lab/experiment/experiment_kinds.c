/* The kinds of series. If a series has the key of no kind, the error asks for the key of the first kind. */
#include "lab/experiment/experiment.h"

const np_series_kind *const np_series_kinds[] = {
    &np_experiment_route, &np_experiment_pram,       &np_experiment_sort,   &np_experiment_throughput,
    &np_experiment_worst, &np_experiment_flows,      &np_experiment_replay, &np_experiment_collective,
    &np_experiment_load,  &np_experiment_comparison, &np_experiment_jobs,   NULL};

_Static_assert(sizeof np_series_kinds / sizeof *np_series_kinds <= NP_EXPERIMENT_KINDS + 1, "room for all kinds");
