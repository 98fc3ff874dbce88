/*
 * Routes for packets that are yet to be created: path rules that find routes for many packets at once (np_chooser) are
 * asked beforehand for those of the next cycles. The packets are listed by time, and their routes are numbered in this
 * order. Each packet brings its tickets.
 */
#pragma once

#include "base/random.h"
#include "model/path/path.h"

/* A packet of model steps. */
typedef struct np_open_packet {
    uint64_t number;                     /* of its source */
    np_node source, destination, target; /* terminals; target: of its present route */
    np_step created;
    uint32_t hops;       /* of its routes so far */
    np_ticket ticket[2]; /* of its two routes, if they are found beforehand */
} np_open_packet;

/* One that is yet to be created, with the nodes at which its routes begin and end; via = to: it has one. */
typedef struct np_coming {
    np_open_packet packet;
    np_node place, from, via, to; /* place: the caller's */
} np_coming;

typedef struct np_ahead {
    np_path bound; /* the path, with the routes */
    const np_path *path;
    np_draws draws;
    unsigned threads;
    np_step first, cycles; /* of the list */
    np_coming *packet;     /* [count] by time, and then as they were added */
    size_t count, room;
    size_t *begin; /* [cycles + 2] where those of a cycle begin */

    struct np_routes *routes;
    size_t most;        /* routes that it has room for */
    np_node *from, *to; /* [2 * count] */
    size_t from_room, to_room;
    uint64_t number; /* of the first route of the list */
} np_ahead;

/* For a rule with a chooser. packets: room for so many at first. np_ahead_free in any case. */
np_status np_ahead_init(np_ahead *ahead, const np_path *path, const np_draws *draws, unsigned threads, np_step cycles,
                        size_t packets) NP_CHECKED;

/* The bytes that it takes for no more than so many packets at once, of one cycle, and their routes. */
uint64_t np_ahead_bytes(const np_path *path, unsigned threads, size_t packets, size_t routes);
void np_ahead_free(np_ahead *ahead);

/* Adds a packet of first .. first + cycles - 1; *p.ticket is filled in later. */
np_status np_ahead_add(np_ahead *ahead, const np_coming *p) NP_CHECKED;

/* All are there: orders them and finds their routes. NP_ERROR_APPLY, NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_ahead_find(np_ahead *ahead) NP_CHECKED;

/* The next cycles. */
static inline void np_ahead_next(np_ahead *ahead, np_step first)
{
    ahead->first = first;
    ahead->count = 0;
}
