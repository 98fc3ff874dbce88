/* The inside of the traffic layer. A generator is one const descriptor and one entry in generators.c. */
#ifndef NP_TRAFFIC_TRAFFIC_H
#define NP_TRAFFIC_TRAFFIC_H

#include "base/random.h"
#include "netpram/traffic.h"
#include "model/network/network.h"

enum { NP_PACKETS_MAX = 0x7ffffffe };   /* the queues use one bit of a packet's number */
enum { NP_TRAFFIC_WHOLE = 1000000000 }; /* shares are whole multiples of 1e-9: every machine computes the same */

struct np_traffic {
    char *spec;
    np_packet packets;
    np_node *source, *destination;
    uint32_t *priority; /* NULL: all are equal */
    char *note;         /* what the demands of a file became; NULL: no file */
};

/* Is the packet for its own node? It counts in every scheme: with delay 0 and no hops. */
static inline bool np_traffic_rests(const np_traffic *traffic, np_packet packet)
{
    return traffic->source[packet] == traffic->destination[packet];
}

/*
 * Does every packet go between terminals of the network? Traffic from outside may have been made for another network.
 * NP_ERROR_INPUT names the first packet that does not.
 */
np_status np_traffic_check(const np_traffic *traffic, const np_network *network) NP_CHECKED;

/* The registry of generators, in generators.c. */
extern const np_registry np_traffic_generators;

/* plan->number = the parameter, a whole number in low..high; the message names it by `what`. */
np_status np_traffic_plan_number(np_traffic_plan *plan, const char *what, uint64_t low, uint64_t high);

/* plan->share = a decimal number in 0..1 with at most 9 decimals. */
np_status np_traffic_plan_share(np_traffic_plan *plan, const char *text);

#endif
