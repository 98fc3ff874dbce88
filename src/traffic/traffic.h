/* The traffic layer's inside. A generator is one const descriptor and one line in generators.c. */
#ifndef NP_TRAFFIC_TRAFFIC_H
#define NP_TRAFFIC_TRAFFIC_H

#include "base/random.h"
#include "base/status.h"
#include "netpram/traffic.h"

enum { NP_PACKETS_MAX = 0x7ffffffe }; /* the queues keep one bit of a packet's number for themselves */

struct np_traffic {
    char *spec;
    np_packet packets;
    np_node *source, *destination;
    uint32_t *priority; /* NULL: all equal */
};

#endif
