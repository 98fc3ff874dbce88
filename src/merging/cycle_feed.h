/*
 * Message cycles for observers. In message cycles the engine makes one step of each cycle, and a cycle is as many steps
 * as the longest message has packets (merge.h). This observer hears the engine's steps and tells those of the cycles:
 * what a message does in a cycle happens in its last step, and in the steps before it its first packets go ahead.
 */
#ifndef NP_MERGING_CYCLE_FEED_H
#define NP_MERGING_CYCLE_FEED_H

#include "queueing/events.h"

/* It must stay where it is: its observer points to it. */
typedef struct np_cycle_feed {
    np_observer observer; /* the engine's */
    const np_observer *to;
    uint32_t steps;  /* of a cycle */
    np_event *event; /* [room] of the present cycle; a packet has one at most */
    size_t count, room;
    np_event_feed feed;
} np_cycle_feed;

/* Prepares for a run of `packets` packets. *feed is NULL or that of an earlier run; free it in any case.
 * NP_ERROR_MEMORY. */
np_status np_cycle_feed_renew(np_cycle_feed **feed, const np_observer *to, uint32_t steps,
                              np_packet packets) NP_CHECKED;
void np_cycle_feed_free(np_cycle_feed *feed);

/* The bytes of a feed for so many packets. */
uint64_t np_cycle_feed_bytes(np_packet packets);

#endif
