/*
 * The loads that the routes of a path rule bring to the links on average, if given amounts are to be carried.
 *
 * They are worked out exactly, but for the roundings of doubles, where the next hop depends on the node and the
 * destination alone (shortest, spray, ecmp, lowest-port), where paths are listed in a file, where the ways of a pair
 * can be counted (np_path_rule.ways), and where a rule draws nothing. For other rules they are the mean over
 * NP_LOADS_DRAWS routes of each pair of a source and a destination.
 */
#pragma once

#include "base/watch.h"
#include "model/path/path.h"

enum { NP_LOADS_DRAWS = 64 }; /* ours */

/* What is to be carried, by destination. */
typedef struct np_amounts {
    /* Adds to amount[u] what goes from u, another node, to the target, and returns how much that is in all. */
    double (*to)(const void *context, np_node target, double *amount);
    const void *context;
} np_amounts;

typedef struct np_loads_options {
    const np_path *path;
    bool split; /* evenly at every hop, whatever the rule's chances are */
    uint64_t seed;
    const np_watch *watch; /* may be NULL */
} np_loads_options;

/*
 * Adds to load[link_numbers]. *draws: routes drawn for each pair; 0: none, the loads are exact.
 * NP_ERROR_APPLY: no way leads from a node to another; the rule's routes depend on all packets; there is nothing to
 * split. NP_ERROR_MEMORY, NP_ERROR_LIMIT, NP_ERROR_CANCELLED.
 */
np_status np_loads_refuse(const np_loads_options *options) NP_CHECKED; /* NP_ERROR_APPLY, of the rule alone */
np_status np_expected_loads(const np_amounts *amounts, const np_loads_options *options, double *load,
                            uint32_t *draws) NP_CHECKED;
