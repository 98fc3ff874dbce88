/*
 * Packets on links that take more than a step.
 *
 * A packet that leaves a queue at instant t over a link of delay d is at the link's head at instant t + d. A link takes
 * a packet a step all the same: it is a pipeline. Packets in flight are at no node and in no queue. They are kept in a
 * list for each instant of arrival, a wheel of as many lists as the largest delay; in the step before they arrive, they
 * are put in the order of their links, and go on as all packets do that move in this step.
 *
 * Where no network says delays, there is no wheel, and a batch of hops pays one comparison.
 */
#pragma once

#include "model/network/network.h"
#include "model/path/path.h"

struct np_hops;

/* A packet that has left its node. */
typedef struct np_flight {
    np_ticket ticket;
    np_link link;
    np_node from, at; /* the ends of the link */
    np_port port;     /* that it takes next */
    np_packet next;   /* of those that arrive at the same instant; NP_NONE: none */
} np_flight;

typedef struct np_flights {
    const uint16_t *delay; /* [link_numbers] steps, from 1 on; borrowed. NULL: all links take a step */
    uint32_t instants;     /* of the wheel: one more than the largest delay */
    np_packet *first;      /* [instants] who arrives at each, modulo instants; NP_NONE: nobody */
    np_flight *flight;     /* [packets] */
    uint64_t *order;       /* [links] who arrives at an instant: 2^32 link + packet */
    size_t arriving;       /* of them, not given out yet ... */
    size_t given;          /* ... from this place on */
    np_packet flying;
} np_flights;

/* Nobody flies. delay NULL: nothing is taken. Clear it in any case. */
np_status np_flights_init(np_flights *flights, const np_network *network, const uint16_t *delay,
                          size_t packets) NP_CHECKED;
np_status np_flights_grow(np_flights *flights, size_t before, size_t packets) NP_CHECKED;
void np_flights_reset(np_flights *flights);
void np_flights_clear(np_flights *flights);
uint64_t np_flights_bytes(const np_network *network, const uint16_t *delay, size_t packets);

/* The packets leave at instant `now`. */
void np_flights_depart(np_flights *flights, np_step now, const struct np_hops *hops);

/* Those who arrive at instant `then` become the ones that are given out. */
void np_flights_land(np_flights *flights, np_step then);
/* Gives some out, in ascending order of their links, into hops, which is empty. False: there are none. */
bool np_flights_take(np_flights *flights, struct np_hops *hops);
