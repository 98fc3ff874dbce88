/* The messages of Ranade 1987a: x sets of N, each a permutation of the terminals. */
#pragma once

#include "base/random.h"
#include "base/status.h"
#include "netpram/traffic.h"

typedef struct np_message_sets {
    uint32_t sets;         /* x */
    uint32_t terminals;    /* N */
    np_packet messages;    /* x N */
    uint32_t *source;      /* [messages] terminal of the omega network that sends it */
    uint32_t *destination; /* [messages] terminal that receives it */
    uint32_t *set;         /* [messages] its priority in the paper: larger is more urgent */
} np_message_sets;

/*
 * The sets that traffic on an omega network and `permutations` stand for.
 *   traffic of k N packets, 2k from every first switch: k sets, as h-relation:k
 *     lists them: packet i of a terminal is of set i;
 *   permutations x > 1 and traffic "random": the sets of h-relation:x, drawn
 *     from (seed, run); the first set is the given traffic;
 *   permutations x > 1 and another permutation: x copies of it.
 * A set that is no permutation is refused with NP_ERROR_APPLY. *sets must be
 * zeroed, or made by an earlier call; then its arrays are used again.
 */
np_status np_message_sets_make(np_message_sets *sets, const np_network *omega, const np_traffic *traffic,
                               uint32_t permutations, uint64_t seed, uint32_t run) NP_CHECKED;
void np_message_sets_clear(np_message_sets *sets);
