/*
 * What is created in model `steps`: over time, or pushed by a closed loop.
 *
 * Rules that find routes for many packets at once (np_chooser) are asked beforehand for those of the next cycles: their
 * arrivals are listed by time, and numbered in this order. Each then brings its tickets. In a closed loop they are
 * asked for those of the next cycle, which have been pushed.
 */
#include "base/room.h"
#include "engine/queueing/open.h"

enum {
    AHEAD = 1 << 18,   /* terminals times cycles whose routes are found at once: ours */
    AHEAD_MOST = 4096, /* such cycles */
};

/* Where a packet goes first. */
static np_node target_of(const np_open *o, const np_open_packet *s)
{
    np_draws draws = np_draws_for(o->options.draws, NP_RANDOM_TARGET);
    uint64_t number = s->number * o->terminals + s->source;
    draws.phase = (uint16_t)(number >> 32);
    np_node via = np_random_below(&draws, (uint32_t)number, 0, o->terminals);
    return np_open_input(o, via) == np_open_input(o, s->source) ? s->destination : via;
}

static np_status add(const np_open *o, np_nursery *n, np_open_packet s)
{
    np_status st;
    if (np_open_output(o, s.destination) == np_open_input(o, s.source)) {
        if ((st = np_memory_room(&n->own, n->owns, &n->own_room, sizeof *n->own, "packets for their own nodes")))
            return st;
        n->own[n->owns++] = s;
        return NP_OK;
    }
    if ((st = np_memory_room(&n->entrant, n->count, &n->room, sizeof *n->entrant, "packets that are created")))
        return st;
    if (!o->plan.path->routes)
        s.target = o->options.via_random ? target_of(o, &s) : s.destination;
    n->fresh++;
    n->entrant[n->count++] = (np_entrant){NP_NONE, s};
    return NP_OK;
}

/* The worker's arrivals at an instant, of the list. */
static void scan_ahead(const np_open *o, np_nursery *n, np_step then)
{
    const np_ahead *a = &o->ahead;
    size_t last = o->stopped ? 0 : a->begin[then - a->first + 1];
    for (size_t i = a->begin[then - a->first]; i < last && !n->status; i++)
        if (a->packet[i].place >= n->first && a->packet[i].place < n->last)
            n->status = add(o, n, a->packet[i].packet);
}

/* When the terminal at a place creates its next packet. */
static void draw(const np_open *o, np_node place, int64_t after)
{
    bool more = np_arrivals_next(o->options.arrivals, o->terminal[place], o->made[place], after, &o->next[place]);
    o->due[place] = more ? o->next[place].time : NP_NONE;
}

/* The packet that is due at a place; the next one is drawn. */
static np_open_packet take(const np_open *o, np_node place)
{
    const np_open_packet s = {.number = o->made[place]++,
                              .source = o->terminal[place],
                              .destination = o->next[place].to,
                              .created = o->due[place]};
    draw(o, place, s.created);
    return s;
}

void np_open_scan(const np_open *o, unsigned worker, np_step then)
{
    np_nursery *n = &o->nursery[worker];
    if (o->plan.path->routes && !o->options.window) {
        scan_ahead(o, n, then);
        return;
    }
    for (np_node i = n->first; i < n->last && !o->stopped; i++)
        while (o->due[i] == then && !n->status)
            n->status = add(o, n, take(o, i));
}

/* A packet for its own node needs none. */
static np_status list_packet(np_open *o, np_node place, np_open_packet s)
{
    s.target = o->options.via_random ? target_of(o, &s) : s.destination;
    np_node from = np_open_input(o, s.source), to = np_open_output(o, s.destination);
    return np_ahead_add(&o->ahead, &(np_coming){s, place, from, from == to ? to : np_open_output(o, s.target), to});
}

/* The arrivals of the next cycles, and their routes. */
static np_status list_arrivals(np_open *o, np_step first)
{
    np_status st = NP_OK;
    np_ahead_next(&o->ahead, first);
    for (np_node i = 0; i < o->terminals; i++)
        while (!st && o->due[i] < first + o->ahead.cycles)
            st = list_packet(o, i, take(o, i));
    return st ? st : np_ahead_find(&o->ahead);
}

np_status np_open_look_ahead(np_open *o)
{
    const np_step next = o->engine->step + 1;
    return o->plan.path->routes && !o->options.window && !o->stopped && next == o->ahead.first + o->ahead.cycles
               ? list_arrivals(o, next)
               : NP_OK;
}

static np_status add_pushed(const np_open *o, np_open_packet s)
{
    return add(o, np_open_nursery(o, np_open_input(o, s.source)), s);
}

/* Those who were pushed at the instant reached, with their routes. */
np_status np_open_enter_pushed(np_open *o)
{
    np_ahead *a = &o->ahead;
    if (!o->options.window || !o->options.path->rule->chooser)
        return NP_OK;
    a->first = (np_step)o->counts.now;
    np_status st = a->count ? np_ahead_find(a) : NP_OK;
    for (size_t i = 0; i < a->count && !st; i++)
        st = add_pushed(o, a->packet[i].packet);
    np_ahead_next(a, a->first + 1);
    return st;
}

np_status np_open_push(void *m, np_node source, uint64_t number, np_node destination)
{
    np_open *o = m;
    const np_open_packet s = {
        .number = number, .source = source, .destination = destination, .created = (np_step)o->counts.now};
    return o->options.path->rule->chooser ? list_packet(o, 0, s) : add_pushed(o, s);
}

static np_step cycles_ahead(const np_open *o)
{
    if (o->options.window)
        return 1;
    np_step cycles = AHEAD / o->terminals;
    return cycles < 1 ? 1 : cycles > AHEAD_MOST ? AHEAD_MOST : cycles;
}

np_status np_open_begin_arrivals(np_open *o)
{
    np_status st = NP_OK;
    for (np_node i = 0; i < o->terminals; i++)
        draw(o, i, -1);
    if (o->options.path->rule->chooser) {
        o->plan.path = &o->ahead.bound;
        st = np_ahead_init(&o->ahead, o->options.path, &o->options.draws, o->engine->options.workers, cycles_ahead(o),
                           np_open_trips(&o->options));
        if (!st && !o->options.window)
            st = list_arrivals(o, 0);
    }
    for (unsigned w = 0; w < o->engine->options.workers && !st; w++)
        np_open_scan(o, w, 0);
    return st;
}
