/*
 * What observers hear of engines on leveled networks. Nodes and links of the events are those of the leveled network,
 * and step t of an engine is step t + 1 of the events. An engine has such a feed only in observed runs.
 */
#pragma once

#include "model/leveled/path_set.h"
#include "engine/queueing/events.h"
#include "model/traffic/traffic.h"

typedef struct np_leveled_feed {
    const np_leveled *leveled;
    const np_packet *number; /* [packets] their numbers in the traffic */
    np_event_leveled own;
    np_event_feed feed;
} np_leveled_feed;

/*
 * Starts a phase. *feed is NULL or the feed of an earlier run; the caller frees it. If phase->leveled is NULL, the feed
 * describes the leveled network itself; then its edges must cross links of phase->network. queue_size is that of the
 * phase that observers hear of.
 * NP_ERROR_MEMORY, NP_ERROR_CANCELLED; NP_ERROR_APPLY.
 */
np_status np_leveled_feed_begin(np_leveled_feed **feed, const np_leveled *leveled, const np_packet *number,
                                const np_observer *observer, const np_event_phase *phase,
                                uint32_t queue_size) NP_CHECKED;

/*
 * The same for an engine that moves a path set, whose packets it tells to be at their origins. *feed: *held, or NULL if
 * there is no observer. resting: its packets for their own node land there at once; NULL: none do. length: [packets] of
 * messages; NULL: they are none.
 */
np_status np_leveled_feed_open(np_leveled_feed **held, const np_leveled *leveled, const np_path_set *path_set,
                               const np_traffic *resting, const np_observer *observer, const np_event_phase *phase,
                               uint32_t queue_size, const uint32_t *length, np_leveled_feed **feed) NP_CHECKED;

/* Below: i is a packet of the engine, now its step from 0. */

/* queue: packets in the queue at the end of the edge when the step ends. */
static inline void np_leveled_tell_move(np_leveled_feed *feed, np_step now, np_packet i, uint32_t edge, uint32_t queue)
{
    const np_leveled *lv = feed->leveled;
    np_event_feed_put(&feed->feed,
                      np_event_moved(now + 1, feed->number[i], lv->tail[edge], lv->head[edge], edge, queue));
}

static inline void np_leveled_tell_landing(np_leveled_feed *feed, np_step now, np_packet i, uint32_t node)
{
    np_event_feed_put(&feed->feed, np_event_landed(now + 1, feed->number[i], node));
}

/* edge: the one that it wants; NP_NONE: it is at its end, or has begun to go. other: a packet of the engine, or
 * NP_NONE. */
static inline void np_leveled_tell_wait(np_leveled_feed *feed, np_step now, np_packet i, uint32_t node, np_link edge,
                                        uint32_t queue, np_event_reason reason, np_packet other)
{
    np_event_feed_put(&feed->feed, np_event_waited(now + 1, feed->number[i], node, edge, queue, reason,
                                                   other == NP_NONE ? NP_NONE : feed->number[other]));
}
