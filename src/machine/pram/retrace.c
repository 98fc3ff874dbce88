/* See carry.h. */
#include "machine/pram/carry.h"

/* ---- There ---- */

void np_retrace_begin_phase(np_retrace *retrace, const np_event_leveled *leveled)
{
    retrace->phase[retrace->phases] = (np_retrace_phase){.host = leveled->host, .begin = retrace->hops};
}

void np_retrace_note(np_retrace *retrace, const np_event *event, uint32_t message, uint32_t other)
{
    retrace->hop[retrace->hops++] = (np_retrace_hop){.step = event->step,
                                                     .message = message,
                                                     .from = event->from,
                                                     .to = event->kind == NP_EVENT_COMBINED ? other : event->to,
                                                     .kind = (uint8_t)event->kind};
}

void np_retrace_end_phase(np_retrace *retrace, np_step steps) { retrace->phase[retrace->phases++].steps = steps; }

/* ---- Back ---- */

/* The module, or the node where the phase after this one began, sends the reply into the phase before its first step. */
static bool enter(np_retrace *r, const np_retrace_phase *phase, const np_retrace_hop *hop)
{
    const uint32_t i = hop->message;
    if (r->place[i] != phase->host[hop->from])
        return false;
    r->node[i] = hop->from;
    r->since[i] = 0;
    return true;
}

/* The reply crosses the link of its request in step `now`. */
static bool cross(np_retrace *r, const np_retrace_phase *phase, const np_retrace_hop *hop, np_step now)
{
    const uint32_t i = hop->message;
    if (r->place[i] == NP_NONE || r->node[i] != hop->to || r->since[i] >= now)
        return false;
    r->node[i] = hop->from;
    r->since[i] = now;
    r->place[i] = phase->host[hop->from];
    return true;
}

/* After step `now` the reply to all is at the node, and the part's reply leaves it. */
static bool part(np_retrace *r, const np_retrace_hop *hop, np_step now, np_retrace_divide *divide, void *context)
{
    const uint32_t i = hop->message, whole = hop->to;
    if (r->place[whole] == NP_NONE || r->node[whole] != hop->from || !divide(context, i))
        return false;
    r->node[i] = hop->from;
    r->since[i] = now;
    r->place[i] = r->place[whole];
    return true;
}

/* The hops of one step, from hop[begin] up to hop[end]: replies move, then they divide. */
static bool play_step(np_retrace *r, const np_retrace_phase *phase, size_t begin, size_t end, np_retrace_divide *divide,
                      void *context)
{
    const np_step now = phase->steps + 1 - r->hop[begin].step;
    bool good = true;
    for (size_t k = end; k-- > begin && good;)
        if (r->hop[k].kind == NP_EVENT_MOVED)
            good = cross(r, phase, &r->hop[k], now);
        else if (r->hop[k].kind == NP_EVENT_LANDED)
            good = enter(r, phase, &r->hop[k]);
    for (size_t k = end; k-- > begin && good;)
        if (r->hop[k].kind == NP_EVENT_COMBINED)
            good = part(r, &r->hop[k], now, divide, context);
    return good;
}

np_status np_retrace_play(np_retrace *retrace, np_retrace_divide *divide, void *context)
{
    size_t end = retrace->hops;
    for (unsigned p = retrace->phases; p-- > 0;) {
        const np_retrace_phase *phase = &retrace->phase[p];
        for (size_t begin = end; end > phase->begin; end = begin) {
            while (begin > phase->begin && retrace->hop[begin - 1].step == retrace->hop[end - 1].step)
                begin--;
            if (!play_step(retrace, phase, begin, end, divide, context))
                return NP_RAISE(NP_ERROR_INTERNAL, "a reply is late, or elsewhere, in step %u of %u on its way back",
                                (unsigned)(phase->steps + 1 - retrace->hop[begin].step), (unsigned)phase->steps);
        }
    }
    return NP_OK;
}
