#include "report/experiment.h"

extern const np_series_kind np_experiment_route, np_experiment_pram;

const np_series_kind *const np_series_kinds[] = {&np_experiment_route, &np_experiment_pram, NULL};
