/*
 * The finding of a phase's routes, for the rules that do it in ways of their own.
 *
 * A rule has one of these, and routes.c calls it:
 *   through  the routes of all packets that go through gates first .. end - 1
 *   pass     the routes of all packets
 * np_finding_through is the `through` of rules that have `choose`, a route among the shortest ones for each packet of a
 * batch, when their gate has been searched from.
 * With `through` and `pass`, every packet's route is given to np_finding_keep. If routes are
 * long, all are found a second time, and must be the same.
 */
#pragma once

#include <stdatomic.h>

#include "model/path/routes.h"

enum { NP_ROUTES_COUNT_BITS = 6 }; /* of a ticket: the hops left */

/* What threads share while they find the routes of a phase. */
typedef struct np_finding {
    np_routes *routes;
    const np_demand *demand;
    np_ticket *ticket;   /* of the slot */
    bool write;          /* tickets have the places of routes: write the ports there */
    double done, share;  /* of the work: before this pass, and in it */
    atomic_uint next;    /* gate to take */
    atomic_bool stop;    /* cancelled */
    atomic_bool stored;  /* some route has no room in its ticket */
    atomic_bool endless; /* some route has more hops than a ticket can count */
    uint32_t lost;       /* the first packet without a way; NP_NONE */
    np_status status;    /* of a thread that failed; its message is `message` */
    char message[256];
} np_finding;

/* Keeps the route of packet i of the demand. port: [hops] */
void np_finding_keep(np_finding *f, uint32_t i, uint32_t hops, const np_port *port);

/* The packet's route crosses one of several parallel links, or may do so: these links are to be taken in turn. */
void np_finding_share(np_finding *f, uint32_t i);

/* `through` of the rules that have `choose`: they choose when the gate has been searched from. */
void np_finding_through(np_finding *f, np_seeker *seeker, np_node first, np_node end);

/* Packet i has no way. Any thread. */
void np_finding_lose(np_finding *f, uint32_t i);

/* The thread has raised an error. */
void np_finding_fail(np_finding *f, np_status status);

/* Tells how far the search is, from the calling thread: gate has been done. */
void np_finding_tell(np_finding *f, np_node gate);
