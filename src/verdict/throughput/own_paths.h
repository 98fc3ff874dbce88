/* What the routes of one's own path rule reach. */
#ifndef NP_THROUGHPUT_OWN_PATHS_H
#define NP_THROUGHPUT_OWN_PATHS_H

#include "netpram/throughput.h"
#include "verdict/throughput/problem.h"

/*
 * Fills in what options->paths reach, but for per_host and share. out->rule is *rule, which the caller frees in any
 * case. Fails as np_path_create and np_expected_loads do.
 */
np_status np_own_paths_find(const np_problem *problem, const np_throughput_options *options, char **rule,
                            np_throughput_paths *out) NP_CHECKED;

/* The loads alone: adds to load[link_numbers]. *rule as above; *draws as np_expected_loads has it. */
np_status np_own_paths_load(const np_problem *problem, const np_throughput_options *options, char **rule, double *load,
                            uint32_t *draws) NP_CHECKED;

#endif
