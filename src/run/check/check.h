/* Internals of the checks: routes between given ends, for phases that do not simply send to a random node. */
#pragma once

#include "base/status.h"
#include "netpram/theory.h"

/* NP_ERROR_APPLY if packets of the network go only from some nodes to some. */
np_status np_check_network(const np_network *network) NP_CHECKED;

/* Gives the source and the destination of each packet of a phase: one packet a node; packet u's origin is u. */
typedef struct np_check_ends np_check_ends;
struct np_check_ends {
    void (*of)(const np_check_ends *ends, uint64_t seed, uint32_t run, np_packet packet, np_node *from, np_node *to);
    unsigned phase; /* the phase whose draws the path rule gets */
    const void *context;
};

/* np_check_symmetric with these ends instead of the ends of options->phase, never exact. ends NULL: without change. */
np_status np_check_symmetric_between(const np_path *path, const np_check_options *options, const np_check_ends *ends,
                                     np_check_symmetric_result *result) NP_CHECKED;
