/* The hops of a guest's packets, step by step: in a routing, or by the file of a schedule. */
#ifndef NP_EMBED_GUEST_HOPS_H
#define NP_EMBED_GUEST_HOPS_H

#include <stddef.h>

#include "base/status.h"
#include "netpram/network.h"
#include "netpram/traffic.h"

/* Gets the links that are crossed in a step: at least one, none twice. It is not called again after an error. */
typedef np_status np_guest_step(void *context, size_t count, const np_link *link);

/* The caller sets on_step and context, and the rest to zero, and clears it in any case. */
typedef struct np_guest_hops {
    np_guest_step *on_step;
    void *context;
    np_watch watch;     /* is told how far the routing is, and may cancel it. The caller may set it */
    np_packet packets;  /* afterwards: how many packets */
    np_step steps;      /* the last step in which a packet moves, over all phases */
    uint64_t hops;      /* of all packets */
    size_t count, room; /* of the present step */
    np_link *link;      /* [count] */
    np_step passed;     /* steps of the phases before */
    np_status status;   /* the first failure of on_step, or of the memory for a step; message: its text */
    char message[512];
} np_guest_hops;

/*
 * Routes the packets, or if they are NULL run 0 of the traffic, by a scheme (NULL: the network's own).
 * @return as np_route and np_offline_find; NP_ERROR_APPLY: the scheme has no step-by-step trace; NP_ERROR_LIMIT:
 * it needs more than memory_limit; what on_step returns
 */
np_status np_guest_hops_route(const np_network *guest, const char *traffic, const np_traffic *packets,
                              const char *scheme, uint64_t seed, np_guest_hops *hops) NP_CHECKED;

/* Reads the hops from a file and checks them hop by hop (route/schedule_file.h); the packets are found likewise. */
np_status np_guest_hops_read(const np_network *guest, const char *traffic, const np_traffic *packets, uint64_t seed,
                             const char *path, np_guest_hops *hops) NP_CHECKED;

void np_guest_hops_clear(np_guest_hops *hops);

#endif
