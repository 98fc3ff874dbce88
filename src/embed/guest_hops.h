/* What a guest's packets do step by step: from a routing, or from the file of a schedule. */
#ifndef NP_EMBED_GUEST_HOPS_H
#define NP_EMBED_GUEST_HOPS_H

#include <stddef.h>

#include "base/status.h"
#include "netpram/network.h"

typedef struct np_guest_hops {
    np_packet packets;
    np_step steps;       /* the last one in which a packet moves */
    size_t count, room;
    np_step *step;       /* [count] ascending, from 1 */
    np_link *link;       /* [count] no link twice in a step */
    np_step passed;      /* while listening: steps of the phases before */
    unsigned phase;
    np_status status;    /* of the memory for them */
} np_guest_hops;

/*
 * Run 0 of the traffic by a scheme (NULL: the network's own). Clear it in any case.
 * @return as np_route and np_offline_find; NP_ERROR_INPUT: a scheme that has no step-by-step trace
 */
np_status np_guest_hops_route(const np_network *guest, const char *traffic, const char *scheme, uint64_t seed,
                              np_guest_hops *out) NP_CHECKED;

/* As a file has them, checked hop by hop (engine/schedule_file.h); the traffic is run 0's. */
np_status np_guest_hops_read(const np_network *guest, const char *traffic, uint64_t seed, const char *path,
                             np_guest_hops *out) NP_CHECKED;

void np_guest_hops_clear(np_guest_hops *hops);

#endif
