/*
 * Routes that are found before a phase begins, for all of its packets at once.
 *
 * A path rule that finds routes (np_path_rule.chooser) needs them: np_routes_find
 * finds the routes of a phase and keeps a ticket for each packet. The rule's
 * start() then gives the tickets out.
 *
 * A ticket has all of a route, if it is short enough:
 *   6 bits  hops left, less than 63
 *   58 bits the next ports, of as many bits as the largest port needs
 * Else it has the place of the route in an array of ports:
 *   6 bits  63
 *   22 bits hops left
 *   36 bits the place of the next port
 *
 * Threads share the destinations. A route depends on (network, rule, seed, run,
 * phase, packet, its ends) and, where the rule says so, on the other packets. It
 * never depends on threads.
 */
#pragma once

#include "model/path/path.h"
#include "model/path/seek.h"
#include "model/path/dice.h"

/*
 * Packets of one gate whose routes are chosen together, hop by hop: while the memory is asked for one packet's next
 * hop, the others go on.
 */

enum { NP_BATCH = 32 }; /* ours, measured */

typedef struct np_batch {
    bool leads_on; /* the gate has nodes behind it, and may not be the destination of a packet */
    uint32_t count;
    uint32_t ports;            /* of the seeker's, that routes have taken */
    uint32_t packet[NP_BATCH]; /* its number in the demand */
    np_node from[NP_BATCH];
    uint32_t hops[NP_BATCH]; /* to the gate */
    np_port *port[NP_BATCH]; /* where the route goes */
    bool parallel[NP_BATCH]; /* does it cross one of several parallel links? */
    np_dice dice[NP_BATCH];  /* each packet's, or its pair's; not set for a rule that does not draw */
} np_batch;

struct np_finding;

/* How a rule finds routes: by `through`, which may call `choose`, or by `pass` (finding.h). */
typedef struct np_chooser {
    bool draws;                                /* by draws */
    bool (*single)(const np_network *network); /* ... but of one way each, on this network; NULL: on none */
    bool by_pair;                              /* the draws are of the packet's ends, not of the packet */
    bool shares;                               /* packets take parallel links in turn */
    bool balances;                             /* needs np_routes.turn for the loads of links */
    bool together;                             /* a route depends on the other packets */
    bool reads;                                /* np_path.listed: the parameter is a file */
    bool costs;                                /* the parameter names a number of the links: what they cost */
    bool weighs;                               /* it heeds the costs that a network says (np_network_cost) */
    bool within;                  /* no route is longer than the diameter, though it may be no shortest path */
    uint32_t number, number_most; /* np_path.number: the parameter's default, and its most; 0: it is none */
    void (*choose)(np_seeker *seeker, np_batch *batch);
    void (*through)(struct np_finding *f, np_seeker *seeker, np_node first, np_node end);
    void (*pass)(struct np_finding *f);
    uint64_t (*bytes)(const np_path *path, size_t packets); /* what `pass` takes by itself, at most; NULL: nothing */
    /*
     * chance[k]: how likely a packet at u, a marked node that is not the target, takes its k-th link; 0 for links that
     * lead nowhere. NULL: the next hop does not depend on the node and the target alone.
     */
    void (*chance)(np_seeker *seeker, np_node u, double *chance);
} np_chooser;

/* Can two packets with the same ends go different ways? */
static inline bool np_path_draws(const np_path *path)
{
    const np_chooser *chooser = path->rule->chooser;
    return path->rule->randomized && !(chooser && chooser->single && chooser->single(path->network));
}

/* Where the packets of a phase go. Packet `first` + i goes from from[i] to to[i]. */
typedef struct np_demand {
    np_draws draws; /* seed, run and phase */
    np_packet first;
    size_t count;
    const np_node *from, *to; /* [count] */

    const np_watch *watch; /* is told the share, from the calling thread; may be NULL */
} np_demand;

typedef struct np_routes_options {
    const np_path *path; /* its rule finds routes; borrowed */
    size_t packets;      /* the most of a phase */
    unsigned slots;      /* phases whose routes are kept at the same time */
    unsigned threads;    /* at least 1; routes do not depend on it */
} np_routes_options;

typedef struct np_routes {
    np_routes_options options;
    const np_graph *graph;
    unsigned bits; /* of a port in a ticket */
    unsigned size; /* bytes of a port in `ports` */
    np_packet first;
    np_ticket *ticket; /* [slots * packets] */
    uint32_t *order;   /* [packets] the packets of each gate, the gates in ascending order */
    uint32_t *begin;   /* [nodes + 1] where those of a gate begin */
    uint32_t
        *turn; /* [link_numbers] at the first of parallel links: the one to take next; or loads; NULL: not needed */
    uint64_t *parallel;  /* [packets / 64 + 1] a bit for each packet: its route may cross parallel links; or NULL */
    np_seeker *seeker;   /* [threads] */
    uint8_t *ports;      /* routes that tickets have no room for */
    uint64_t port_count; /* of all slots */
} np_routes;

np_status np_routes_create(const np_routes_options *options, np_routes **out) NP_CHECKED;
void np_routes_free(np_routes *routes);

/* These, and the bytes that np_routes_create takes. */
uint64_t np_routes_bytes(const np_routes_options *options);

/* The options of routes for one phase of so many packets, found by one thread: those of np_routes_for. */
static inline np_routes_options np_routes_of_phase(const np_path *path, size_t packets)
{
    return (np_routes_options){.path = path, .packets = packets, .slots = 1, .threads = 1};
}

/*
 * Finds the routes of a phase. They replace those of the slot, and with slot 0 all others.
 * NP_ERROR_APPLY: there is no way from one node to another; NP_ERROR_LIMIT, NP_ERROR_MEMORY; NP_ERROR_CANCELLED.
 */
np_status np_routes_find(np_routes *routes, unsigned slot, const np_demand *demand) NP_CHECKED;

/* NP_ERROR_APPLY: some routes are in no ticket, so packets cannot take them to another process. */
np_status np_routes_check_travel(const np_routes *routes) NP_CHECKED;

/* A copy of the path that starts packets on these routes: for one phase of packets. */
np_status np_routes_for(const np_path *path, const np_demand *demand, np_path *bound, np_routes **out) NP_CHECKED;

/* NP_ERROR_APPLY: there is no way from one node to another, and the parts that the network falls into. */
np_status np_path_refuse_pair(const np_path *path, np_node from, np_node to) NP_CHECKED;

/* start, next and remaining of all rules that find routes. */
void np_routes_start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                     const np_node *at, const np_node *to, np_ticket *ticket);
void np_routes_next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port);
void np_routes_remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops);
