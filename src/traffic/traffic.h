/* The traffic layer's inside. A generator is one const descriptor and one line in generators.c. */
#ifndef NP_TRAFFIC_TRAFFIC_H
#define NP_TRAFFIC_TRAFFIC_H

#include "base/random.h"
#include "base/status.h"
#include "netpram/traffic.h"
#include "network/network.h"

enum { NP_PACKETS_MAX = 0x7ffffffe };   /* the queues keep one bit of a packet's number for themselves */
enum { NP_TRAFFIC_WHOLE = 1000000000 }; /* shares are kept in exact units of 1e-9: no rounding differs anywhere */

struct np_traffic {
    char *spec;
    np_packet packets;
    np_node *source, *destination;
    uint32_t *priority; /* NULL: all equal */
};

/* The registry of generators, in generators.c. */
extern const np_registry np_traffic_generators;

/* plan->number = the whole parameter, in low..high; the message says `what` it is. */
np_status np_traffic_plan_number(np_traffic_plan *plan, const char *what, uint64_t low, uint64_t high);

/* plan->share = a decimal number in 0..1 with at most 9 decimals. */
np_status np_traffic_plan_share(np_traffic_plan *plan, const char *text);

#endif
