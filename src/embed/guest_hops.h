/* What a guest's packets do, step by step: in a routing, or by the file of a schedule. */
#ifndef NP_EMBED_GUEST_HOPS_H
#define NP_EMBED_GUEST_HOPS_H

#include <stddef.h>

#include "base/status.h"
#include "netpram/network.h"

/* The links that are crossed in a step, none twice, at least one. Not called again after an error. */
typedef np_status np_guest_step(void *context, size_t count, const np_link *link);

/* Set on_step and context, the rest zeros; clear it in any case. */
typedef struct np_guest_hops {
    np_guest_step *on_step;
    void *context;
    np_packet packets;  /* afterwards: how many */
    np_step steps;      /* the last one in which a packet moves, over all phases */
    uint64_t hops;      /* of all packets */
    size_t count, room; /* of the present step */
    np_link *link;      /* [count] */
    np_step passed;     /* steps of the phases before */
    unsigned phase;
    np_status status; /* the first failure of on_step, or of the memory for a step; and what it said */
    char message[512];
} np_guest_hops;

/*
 * Run 0 of the traffic by a scheme (NULL: the network's own).
 * @return as np_route and np_offline_find; NP_ERROR_APPLY: a scheme that has no step-by-step trace; what on_step
 * returns
 */
np_status np_guest_hops_route(const np_network *guest, const char *traffic, const char *scheme, uint64_t seed,
                              np_guest_hops *hops) NP_CHECKED;

/* As a file has them, checked hop by hop (route/schedule_file.h); the traffic is run 0's. */
np_status np_guest_hops_read(const np_network *guest, const char *traffic, uint64_t seed, const char *path,
                             np_guest_hops *hops) NP_CHECKED;

void np_guest_hops_clear(np_guest_hops *hops);

#endif
