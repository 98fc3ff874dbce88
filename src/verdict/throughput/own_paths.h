/* What the routes of one's own path rule reach. */
#pragma once

#include "model/path/path.h"
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

/* Valiant's way, for all that take path rules here: is it "valiant" or "valiant:RULE"? *spec becomes the rule. */
bool np_own_paths_take_valiant(const char **spec);

/* Can np_own_paths_find do what these options ask for? Paths are not sought. Fails as np_own_paths_find. */
NP_FOR_REPORT np_status np_own_paths_check(const np_network *network, const np_throughput_options *options) NP_CHECKED;

/* NP_ERROR_APPLY: packets cannot go by way of any terminal. */
np_status np_own_paths_refuse_valiant(const np_network *network) NP_CHECKED;

/* *rule = the name of the rule, behind "valiant:" if it is Valiant's way. The caller frees it. */
np_status np_own_paths_name(const np_path *path, bool valiant, char **rule) NP_CHECKED;
