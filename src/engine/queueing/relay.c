/* See relay.h. */
#include "engine/queueing/relay.h"

#include <stdio.h>

#include "engine/queueing/events.h"

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
    if (relay->number)
        own.packets = relay->numbers;
    for (const np_observer *o = relay->to; o && !cancels; o = o->next)
        cancels = o->begin ? o->begin(o->context, &own) : 0;
    return cancels;
}

static int tell(const np_event_relay *relay, size_t count, const np_event *event)
{
    int cancels = 0;
    for (const np_observer *o = relay->to; o && !cancels; o = o->next)
        cancels = o->events ? o->events(o->context, count, event) : 0;
    return cancels;
}

/* Packets get their other numbers, a batch at a time. */
static int hand_on(void *context, size_t count, const np_event *event)
{
    const np_event_relay *relay = context;
    np_event own[NP_EVENT_BATCH];
    int cancels = relay->number ? 0 : tell(relay, count, event);
    for (size_t done = 0, some; relay->number && done < count && !cancels; done += some) {
        some = count - done < NP_EVENT_BATCH ? count - done : NP_EVENT_BATCH;
        for (size_t i = 0; i < some; i++) {
            own[i] = event[done + i];
            own[i].packet = relay->number[own[i].packet];
            own[i].other = own[i].other == NP_NONE ? NP_NONE : relay->number[own[i].other];
        }
        cancels = tell(relay, some, own);
    }
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
