/*
 * How engines feed observers (netpram/engine.h): a buffer of events, which goes to all observers when it is full, and
 * whenever the engine says so. An engine has a feed only in runs that are observed.
 */
#pragma once

#include "base/status.h"
#include "netpram/engine.h"

enum { NP_EVENT_BATCH = 256 }; /* ours */

typedef struct np_event_feed {
    const np_observer *observer;
    uint32_t kinds; /* bits 1 << kind of what some observer needs; the engine may leave out others */
    bool cancelled;
    size_t count;
    np_event event[NP_EVENT_BATCH];
} np_event_feed;

/* Starts a phase. NP_ERROR_CANCELLED. */
np_status np_event_feed_begin(np_event_feed *feed, const np_observer *observer, const np_event_phase *phase) NP_CHECKED;

/* Hands over what is in the buffer. False: an observer cancels the run. */
bool np_event_feed_flush(np_event_feed *feed);

/* Ends the phase. NP_ERROR_CANCELLED. */
np_status np_event_feed_end(np_event_feed *feed, const np_phase_run *run) NP_CHECKED;

/* Tells of a phase in which no packet moves. observer may be NULL. NP_ERROR_CANCELLED. */
np_status np_event_tell_nothing(const np_observer *observer, const np_event_phase *phase,
                                const np_phase_run *run) NP_CHECKED;

/* Does some observer need events of this kind? */
static inline bool np_event_feed_needs(const np_event_feed *feed, np_event_kind kind)
{
    return feed->kinds >> kind & 1;
}

static inline void np_event_feed_put(np_event_feed *feed, np_event event)
{
    if (feed->count == NP_EVENT_BATCH)
        np_event_feed_flush(feed);
    feed->event[feed->count++] = event;
}

/* The events of a packet that stays at its node. */

static inline np_event np_event_injected(np_packet packet, np_node at, np_node end)
{
    return (np_event){NP_EVENT_INJECTED, NP_EVENT_NO_REASON, 0, packet, NP_NONE, at, end, NP_NONE, 0, 0};
}

static inline np_event np_event_landed(np_step step, np_packet packet, np_node at)
{
    return (np_event){NP_EVENT_LANDED, NP_EVENT_NO_REASON, step, packet, NP_NONE, at, at, NP_NONE, 0, 0};
}

static inline np_event np_event_waited(np_step step, np_packet packet, np_node at, np_link link, uint32_t queue,
                                       np_event_reason reason, np_packet other)
{
    return (np_event){NP_EVENT_WAITED, reason, step, packet, other, at, at, link, queue, 0};
}

static inline np_event np_event_moved(np_step step, np_packet packet, np_node from, np_node to, np_link link,
                                      uint32_t queue)
{
    return (np_event){NP_EVENT_MOVED, NP_EVENT_NO_REASON, step, packet, NP_NONE, from, to, link, queue, 0};
}

/* kind: ENTERED or LEFT. */
static inline np_event np_event_buffered(np_event_kind kind, np_step step, np_packet packet, np_node at, np_link link,
                                         uint32_t flits, uint32_t channel)
{
    return (np_event){kind, NP_EVENT_NO_REASON, step, packet, NP_NONE, at, at, link, flits, channel};
}

/* kind: COMBINED or SPLIT. */
static inline np_event np_event_joined(np_event_kind kind, np_step step, np_packet packet, np_packet other, np_node at)
{
    return (np_event){kind, NP_EVENT_NO_REASON, step, packet, other, at, at, NP_NONE, 0, 0};
}
