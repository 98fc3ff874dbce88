/* See events.h. */
#include "engine/queueing/events.h"

enum { ALL_KINDS = (1 << NP_EVENT_KINDS) - 1 };

static np_status status_of(const np_event_feed *feed)
{
    return feed->cancelled ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled by an observer") : NP_OK;
}

np_status np_event_feed_begin(np_event_feed *feed, const np_observer *observer, const np_event_phase *phase)
{
    feed->observer = observer;
    feed->kinds = 0;
    feed->count = 0;
    feed->cancelled = false;
    for (const np_observer *o = observer; o; o = o->next) {
        feed->kinds |= o->kinds ? o->kinds : ALL_KINDS;
        if (o->begin && o->begin(o->context, phase))
            feed->cancelled = true;
    }
    return status_of(feed);
}

bool np_event_feed_flush(np_event_feed *feed)
{
    size_t count = feed->count;
    feed->count = 0;
    for (const np_observer *o = feed->observer; o && count && !feed->cancelled; o = o->next)
        if (o->events && o->events(o->context, count, feed->event))
            feed->cancelled = true;
    return !feed->cancelled;
}

np_status np_event_feed_end(np_event_feed *feed, const np_phase_run *run)
{
    np_event_feed_flush(feed);
    for (const np_observer *o = feed->observer; o && !feed->cancelled; o = o->next)
        if (o->end && o->end(o->context, run))
            feed->cancelled = true;
    return status_of(feed);
}

np_status np_event_tell_nothing(const np_observer *observer, const np_event_phase *phase, const np_phase_run *run)
{
    np_event_feed feed;
    np_status st = np_event_feed_begin(&feed, observer, phase);
    return st ? st : np_event_feed_end(&feed, run);
}
