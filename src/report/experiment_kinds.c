/* The kinds of series. The first is the one that is asked for where a series has the key of none. */
#include "report/experiment.h"

extern const np_series_kind np_experiment_route, np_experiment_pram, np_experiment_sort;

const np_series_kind *const np_series_kinds[] = {&np_experiment_route, &np_experiment_pram, &np_experiment_sort, NULL};
