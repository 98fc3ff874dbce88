/*
 * Who observes a model under load: the feed of events, for so many cycles from the first on. A packet's number is its
 * place in the order of creation.
 */
#pragma once

#include "engine/open/open_loop.h"
#include "engine/queueing/events.h"

struct np_open_book {
    np_event_feed feed;
    int64_t until;              /* cycles that are observed */
    np_packet packets, created; /* in these cycles; so far */
    uint64_t hops;
    bool over;
};

/*
 * Tells of the phase; `flits`: its packets are trains of flits. NP_ERROR_CANCELLED; NP_ERROR_LIMIT: packets are too
 * many to have numbers.
 */
np_status np_open_book_begin(np_open_book *book, const np_observer *observer, const np_open_options *options,
                             bool flits, uint32_t cycles) NP_CHECKED;

/* A packet is created at an instant, at a node, for another one. Returns its number. */
np_packet np_open_book_create(np_open_book *book, int64_t now, np_node at, np_node end, uint32_t flits);

/* Hands over what has happened. NP_ERROR_CANCELLED. */
np_status np_open_book_step(np_open_book *book) NP_CHECKED;

/* After so many cycles, if it is not over yet. NP_ERROR_CANCELLED. */
np_status np_open_book_end(np_open_book *book, int64_t cycles) NP_CHECKED;
