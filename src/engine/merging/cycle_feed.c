/* See merge_inside.h. */
#include "engine/merging/merge_inside.h"

#include <assert.h>

#include "base/memory.h"

static const char what[] = "an observed run";

/* In step `step` of the cycle's steps, from 1. */
static np_event event_in(const np_cycle_feed *f, np_event event, uint32_t step)
{
    np_step now = (event.step - 1) * f->steps + step;
    if (step < f->steps && event.kind != NP_EVENT_WAITED)
        return np_event_waited(now, event.packet, event.from, NP_NONE, 0, NP_EVENT_LENGTH, NP_NONE);
    event.step = now;
    return event;
}

static void tell_cycle(np_cycle_feed *f)
{
    uint32_t first = np_event_feed_needs(&f->feed, NP_EVENT_WAITED) ? 1 : f->steps;
    for (uint32_t step = first; step <= f->steps; step++)
        for (size_t i = 0; i < f->count; i++)
            np_event_feed_put(&f->feed, event_in(f, f->event[i], step));
    f->count = 0;
}

static int on_begin(void *context, const np_event_phase *phase)
{
    np_cycle_feed *f = context;
    f->count = 0;
    return np_event_feed_begin(&f->feed, f->to, phase) != NP_OK;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    np_cycle_feed *f = context;
    for (size_t i = 0; i < count; i++) {
        if (!event[i].step) { /* before the first cycle: what is there, and what rests there */
            np_event begins = event[i];
            if (begins.kind ==
                NP_EVENT_INJECTED) /* all messages take as long as the longest; one that rests takes none */
                begins.length = begins.from == begins.to ? 1 : f->steps;
            np_event_feed_put(&f->feed, begins);
            continue;
        }
        if (f->count && f->event[0].step != event[i].step)
            tell_cycle(f);
        assert(f->count < f->room);
        f->event[f->count++] = event[i];
    }
    return f->feed.cancelled;
}

static int on_end(void *context, const np_phase_run *run)
{
    np_cycle_feed *f = context;
    tell_cycle(f);
    return np_event_feed_end(&f->feed, run) != NP_OK;
}

np_status np_cycle_feed_renew(np_cycle_feed **feed, const np_observer *to, uint32_t steps, np_packet packets)
{
    np_status st;
    if (!*feed && (st = np_memory_zeroed(feed, 1, sizeof **feed, what)))
        return st;
    np_cycle_feed *f = *feed;
    if (packets > f->room) {
        if ((st = np_memory_grow(&f->event, 0, packets, sizeof *f->event, what)))
            return st;
        f->room = packets;
    }
    f->observer = (np_observer){0, on_begin, on_events, on_end, f, NULL};
    f->to = to;
    f->steps = steps;
    return NP_OK;
}

void np_cycle_feed_free(np_cycle_feed *feed)
{
    if (feed)
        np_memory_free(feed->event);
    np_memory_free(feed);
}

uint64_t np_cycle_feed_bytes(np_packet packets)
{
    return sizeof(np_cycle_feed) + np_memory_taken(packets * sizeof(np_event));
}
