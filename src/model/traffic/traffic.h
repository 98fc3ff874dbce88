/* The inside of the traffic layer. A generator is one const descriptor and one entry in generators.c. */
#pragma once

#include "base/random.h"
#include "base/share.h"
#include "netpram/traffic.h"
#include "model/network/network.h"

enum { NP_PACKETS_MAX = 0x7ffffffe };   /* the queues use one bit of a packet's number */
enum { NP_TRAFFIC_WHOLE = 1000000000 }; /* shares are whole multiples of 1e-9: every machine computes the same */

struct np_traffic {
    char *spec;
    np_packet packets;
    np_packet first, count;        /* it has packets first .. first + count - 1: all, unless ranks share it */
    np_node *source, *destination; /* [count] */
    uint32_t *priority;            /* [count] NULL: all are equal */
    char *note;                    /* np_traffic_note */
};

typedef struct np_traffic_range {
    np_packet first, count;
} np_traffic_range;

/* The packets that it has. */
static inline np_traffic_range np_traffic_part(const np_traffic *traffic)
{
    return (np_traffic_range){traffic->first, traffic->count};
}

/* Arrays for so many packets, and of their priorities if there are any. */
np_status np_traffic_allocate(np_traffic *traffic, uint64_t packets, bool priorities) NP_CHECKED;

/*
 * As np_traffic_create, of the packets of this rank alone; its arrays begin with the first of them. NULL: all packets.
 * Generators that can make no part of their packets make all, of which the others are dropped.
 */
np_status np_traffic_create_part(const char *spec, const np_network *network, uint64_t seed, uint32_t run,
                                 const np_job *job, np_traffic **out) NP_CHECKED;

/* What a spec asks of its generator. The plan borrows the spec. Fails as np_traffic_create does. */
np_status np_traffic_plan_of(const char *spec, const np_network *network, const np_traffic_generator **generator,
                             np_traffic_plan *plan) NP_CHECKED;

/* This rank's part of traffic that has all packets. */
np_status np_traffic_take_part(const np_traffic *all, const np_job *job, np_traffic **out) NP_CHECKED;

/* As np_traffic_relation, of the parts of all ranks: collective. NULL: the traffic has all packets. */
np_status np_traffic_relation_of(const np_traffic *traffic, const np_network *network, const np_job *job,
                                 uint32_t *h) NP_CHECKED;

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

/*
 * save.c: writes packets from source[p] to destination[p], [packets] each, so that traffic file:PATH reads them.
 * NP_ERROR_IO, NP_ERROR_MEMORY.
 */
np_status np_traffic_save(const np_network *network, size_t packets, const np_node *source, const np_node *destination,
                          const char *path) NP_CHECKED;

/* The registry of generators, in generators.c. */
extern const np_registry np_traffic_generators;

/*
 * Where traffic moves coordinates: the network, or where hosts hang on every switch, the network of the switches. Host
 * k of a switch then sends to host k of another.
 */
static inline const np_network *np_traffic_grid(const np_traffic_plan *plan)
{
    return plan->network->switches ? plan->network->switches : plan->network;
}

/* The image of terminal u, where `image` is that of a node of np_traffic_grid. */
static inline np_node np_traffic_lift(const np_traffic_plan *plan, np_node u,
                                      np_node (*image)(const np_traffic_plan *plan, np_node u))
{
    uint32_t per = plan->network->switches ? plan->network->per_switch : 1;
    return per > 1 ? image(plan, u / per) * per + u % per : image(plan, u);
}

/* plan->number = the parameter, a whole number in low..high; the message names it by `what`. */
np_status np_traffic_plan_number(np_traffic_plan *plan, const char *what, uint64_t low, uint64_t high);

/*
 * plan->number = the terminal that "NODE" or "NODE:MORE" names. *rest: where ":MORE" begins, digits and points alone;
 * or the end. `more` says what MORE is, as in "a share, as in hotspot:0:0.5". A name may end so, too: if both readings
 * are nodes, neither is taken.
 */
np_status np_traffic_plan_node(np_traffic_plan *plan, const char *more, const char **rest);

/* groups.c: terminals of a group of the network, or of a switch, numbered one after the other; 1: it has none. */
np_node np_traffic_group(const np_network *network);

/* plan->share = a decimal number in 0..1 with at most 9 decimals. */
np_status np_traffic_plan_share(np_traffic_plan *plan, const char *text);
