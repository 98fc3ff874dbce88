/*
 * Routing relations (Duato 1993; Dally & Towles 2004, chapter 14): which channels a packet that is at a router may take
 * next. The flits engine asks them hop by hop, and the check for deadlock asks them for all that can happen.
 *
 * Routers are the nodes that are no hosts. A host's cables are its injection and its ejection channels, and no channels
 * of the network: packets go from router to router.
 *
 * All functions depend on their arguments alone. They allocate nothing but in np_relation_create, and any threads may
 * call them at once.
 */
#pragma once

#include <stdbool.h>

#include "base/registry.h"
#include "netpram/network.h"

typedef struct np_relation np_relation;
typedef struct np_cables np_cables; /* cables.h */

/* One channel set that a packet may take: all virtual channels of a class of one link. */
typedef struct np_candidate {
    np_port port;   /* of the router where the packet is */
    uint8_t class_; /* class of virtual channels, 0 .. classes - 1 */
    uint8_t escape; /* 1: taken only if no candidate with 0 has a free channel (Duato's escape) */
    uint64_t state; /* the packet's state if it takes it */
} np_candidate;

enum { NP_CANDIDATES = 64 }; /* the most of one call */

/* The registry of relations, in relations.c. */
extern const np_registry np_relations;

/*
 * rule: "dimension-order:drawn", "valiant". The network is borrowed. NP_ERROR_INPUT: no such rule, or its parameter is
 * wrong; NP_ERROR_APPLY: it does not apply to the network, with the reason; NP_ERROR_LIMIT, NP_ERROR_MEMORY.
 */
np_status np_relation_create(const char *rule, const np_network *network, np_relation **out) NP_CHECKED;
void np_relation_free(np_relation *r);

/* As it was asked for, but "greedy" is the rule that it stands for, and "valiant" has the rule of both phases. */
const char *np_relation_name(const np_relation *r);

/*
 * The classes of virtual channels that it needs. V channels are divided evenly over them, and the first classes get one
 * more. Fewer channels than classes are refused.
 */
unsigned np_relation_classes(const np_relation *r);

/* Why its channels have no cycle of dependencies, if a theorem says so; else NULL: a search tells (verdict/dependency).
 */
const char *np_relation_theorem(const np_relation *r);

/* Has it routes from one router to another? Files may have none for some pairs; then nothing is to start there. */
bool np_relation_serves(const np_relation *r, np_node from, np_node to);

/* It may give several candidates, of which one is chosen by what is free; else there is exactly one. */
bool np_relation_adaptive(const np_relation *r);

/* Where packets of terminals enter and leave. */
const np_cables *np_relation_cables(const np_relation *r);

/* The router of a terminal: the one to which the host's first cable leads, or the node itself. */
np_node np_relation_router(const np_network *network, np_node terminal);

enum { NP_ALL_CLASSES = UINT8_MAX };

/*
 * Of the queues at a router: the flits that wait for a port, or for the channels of one class of it, in the router and
 * in the buffers beyond the link.
 */
typedef struct np_pressure {
    uint32_t (*of)(const void *context, np_node at, np_port port, unsigned class_);
    const void *context;
} np_pressure;

/*
 * The state of packet `number` of router `from`, to router `to`, as it enters the network. Several hosts of a router
 * give their packets different numbers. draws: seed, run and phase. pressure NULL: as if all queues were empty.
 */
uint64_t np_relation_start(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                           const np_pressure *pressure);

/* The candidates of a packet at router `at` with this state, to router `to`; 0: it leaves the network here. */
unsigned np_relation_candidates(const np_relation *r, np_node at, np_node to, uint64_t state, np_candidate *out);
