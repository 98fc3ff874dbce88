/* See relay.h. */
#include "queueing/relay.h"

#include <stdbool.h>
#include <stdio.h>

static int begin(void *context, const np_event_phase *phase)
{
    np_event_relay *relay = context;
    np_event_phase own = *phase;
    int cancels = 0;
    if (relay->name) {
        snprintf(relay->text, sizeof relay->text, "%s%s%s", relay->name, *phase->name ? " " : "", phase->name);
        own.name = relay->text;
    }
    own.run = relay->run;
    own.phase = relay->phase++;
    for (const np_observer *o = relay->to; o && !cancels; o = o->next)
        cancels = o->begin ? o->begin(o->context, &own) : 0;
    return cancels;
}

static int hand_on(void *context, size_t count, const np_event *event)
{
    const np_event_relay *relay = context;
    int cancels = 0;
    for (const np_observer *o = relay->to; o && !cancels; o = o->next)
        cancels = o->events ? o->events(o->context, count, event) : 0;
    return cancels;
}

static int end(void *context, const np_phase_run *run)
{
    const np_event_relay *relay = context;
    int cancels = 0;
    for (const np_observer *o = relay->to; o && !cancels; o = o->next)
        cancels = o->end ? o->end(o->context, run) : 0;
    return cancels;
}

void np_event_relay_init(np_event_relay *relay, const np_observer *to)
{
    uint32_t kinds = 0;
    bool all = false;
    for (const np_observer *o = to; o; o = o->next) {
        kinds |= o->kinds;
        all = all || !o->kinds;
    }
    *relay = (np_event_relay){.observer = {all ? 0 : kinds, begin, hand_on, end, relay, NULL}, .to = to};
}
