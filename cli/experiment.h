/* What the verbs `experiment` and `sweep` share. */
#ifndef CLI_EXPERIMENT_H
#define CLI_EXPERIMENT_H

#include "verb.h"

/* Runs the experiment, with progress, says what was written or is kept, and frees it. Returns an exit status. */
int cli_experiment_run(const cli_common *common, np_experiment_options *options, np_experiment *experiment);

#endif
