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

/* What a spec asks of a generator on a network: worked out before anything is allocated. */
typedef struct np_traffic_plan {
    const np_network *network;
    np_node terminals;      /* N: generators choose among 0 .. N-1 */
    const char *ends;       /* what messages call them: "nodes" or "terminals" */
    const char *name;       /* of the generator */
    const char *parameters; /* the text after "name:"; NULL if there is no colon */
    uint64_t packets;       /* starts as N */
    bool random;            /* the packets depend on the seed */
    uint64_t number;        /* K, H or NODE */
    uint64_t share;         /* F, in units of 1 / NP_TRAFFIC_WHOLE */
    uint32_t base, digits;  /* node numbers have that many digits in that base */
} np_traffic_plan;

typedef struct np_traffic_generator_ops {
    np_entry info;

    /*
     * Reads the parameters and fills what make() or image() needs, or refuses
     * with NP_ERROR_INPUT or NP_ERROR_APPLY. NULL: there are none.
     */
    np_status (*plan)(np_traffic_plan *plan);

    /* One packet a node, to a place fixed by the node: its destination. Else NULL. */
    np_node (*image)(const np_traffic_plan *plan, np_node u);

    /* If image is NULL: fills source and destination, [plan->packets] each. */
    np_status (*make)(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic);

    /* make() sets packets and allocates the arrays itself; the plan's packets are 0 if not known before. */
    bool sizes_itself;
    bool places_itself; /* make() gives nodes, not numbers of terminals */
} np_traffic_generator_ops;

/* The registry of generators, in generators.c. */
extern const np_registry np_traffic_generators;

/* plan->number = the whole parameter, in low..high; the message says `what` it is. */
np_status np_traffic_plan_number(np_traffic_plan *plan, const char *what, uint64_t low, uint64_t high);

/* plan->share = a decimal number in 0..1 with at most 9 decimals. */
np_status np_traffic_plan_share(np_traffic_plan *plan, const char *text);

#endif
