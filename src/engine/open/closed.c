/*
 * Closed loop: every terminal that sends has `window` requests on their way, no more and no less. A request that
 * arrives is answered, and when the reply has arrived the next request is made, each in the cycle after. Requests draw
 * their destinations as packets of open loop do; replies go back. Both are packets of one flit of another model.
 *
 * Who measures sees round trips: created with the request, delivered with the reply. As each terminal has a window of
 * them at every time but the cycle between a reply and the next request, their number a cycle is window / (mean round
 * trip + 1), by Little.
 *
 * A terminal counts all of its packets, requests and replies, by one number, which tells them apart.
 */
#include "base/memory.h"
#include "engine/open/open_loop.h"

/* One of a terminal's window. */
typedef struct trip {
    uint64_t number; /* of the request, or of the reply among the packets of who sent it */
    int64_t created;
    np_node to;
    uint32_t hops;
    bool answered; /* the reply is on its way */
} trip;

typedef struct closed {
    np_open_options options;
    np_arrivals *drawn, *none; /* who tells destinations; who creates nothing */
    void *model;
    np_node terminals;
    trip *trip;      /* [terminals * window] */
    uint64_t *made;  /* [terminals] packets */
    uint64_t *asked; /* [terminals] requests */
    uint64_t *accepted;
    np_delivery *arrived; /* [count] in this cycle, of which each trip has one at most; first packets, then, in their
                             places, round trips */
    size_t count;
    uint64_t fresh; /* requests that are created at the time that is reached: counted with the cycle that they begin */
    np_open_counts counts;
} closed;

static np_status ask(closed *c, np_node terminal, trip *t)
{
    np_arrival next = {.to = 0};
    (void)np_arrivals_next(c->drawn, terminal, c->asked[terminal]++, 0, &next);
    *t = (trip){.number = c->made[terminal]++, .created = c->counts.now, .to = next.to};
    c->fresh++;
    return c->options.inner->push(c->model, terminal, t->number, next.to);
}

static np_status answer(closed *c, const np_delivery *d, trip *t)
{
    t->answered = true;
    t->hops = d->hops;
    t->number = c->made[d->destination]++;
    return c->options.inner->push(c->model, d->destination, t->number, d->source);
}

/* The round trip of a packet. */
static trip *find(const closed *c, const np_delivery *d, bool reply)
{
    trip *t = &c->trip[(size_t)(reply ? d->destination : d->source) * c->options.window];
    for (uint32_t i = 0; i < c->options.window; i++)
        if (t[i].number == d->number && t[i].answered == reply && (!reply || t[i].to == d->source))
            return &t[i];
    return NULL;
}

/* *ended: the packet was a reply, and its delivery becomes that of the round trip. */
static np_status take(closed *c, np_delivery *d, bool *ended)
{
    trip *t = find(c, d, false);
    *ended = !t;
    if (t)
        return answer(c, d, t);
    if (!(t = find(c, d, true)))
        return NP_RAISE(NP_ERROR_INTERNAL, "packet %llu of terminal %u is of no round trip",
                        (unsigned long long)d->number, d->source);
    *d = (np_delivery){d->destination, t->to, d->number, t->created, d->arrived, t->hops + d->hops, 1};
    c->accepted[d->source]++;
    c->counts.ejected++;
    return ask(c, d->source, t);
}

static int deliver(void *context, size_t count, const np_delivery *d)
{
    closed *c = context;
    for (size_t i = 0; i < count; i++)
        c->arrived[c->count++] = d[i];
    return 0;
}

static np_status cycle(closed *c)
{
    size_t trips = 0;
    c->counts.created += c->fresh;
    c->count = c->fresh = 0;
    np_status st = c->options.inner->advance(c->model, ++c->counts.now);
    for (size_t i = 0; i < c->count && !st; i++) {
        bool ended;
        np_delivery d = c->arrived[i];
        if (!(st = take(c, &d, &ended)) && ended)
            c->arrived[trips++] = d;
    }
    if (!st && trips && c->options.deliver && c->options.deliver(c->options.context, trips, c->arrived))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled in cycle %lld", (long long)c->counts.now);
    return st;
}

static np_status advance(void *m, int64_t until)
{
    closed *c = m;
    np_status st = NP_OK;
    while (c->counts.now < until && !st)
        st = cycle(c);
    return st;
}

static void free_closed(void *m)
{
    closed *c = m;
    if (!c)
        return;
    if (c->model)
        c->options.inner->free(c->model);
    np_arrivals_free(c->drawn);
    np_arrivals_free(c->none);
    NP_MEMORY_FREE(c->trip, c->made, c->asked, c->accepted, c->arrived, c);
}

static np_status begin(closed *c)
{
    np_open_options inner = c->options;
    const size_t trips = (size_t)c->terminals * c->options.window;
    np_status st;
    inner.deliver = deliver;
    inner.context = c;
    if ((st = np_arrivals_at(c->options.arrivals, 1, c->options.draws.run, &c->drawn)) ||
        (st = np_arrivals_at(c->options.arrivals, 0, c->options.draws.run, &c->none)))
        return st;
    inner.arrivals = c->none;
    if ((st = c->options.inner->create(&inner, &c->model)) ||
        (st = np_memory_zeroed(&c->trip, trips, sizeof *c->trip, "round trips")) ||
        (st = np_memory_array(&c->arrived, trips, sizeof *c->arrived, "round trips")) ||
        (st = np_memory_zeroed(&c->made, c->terminals, sizeof *c->made, "round trips")) ||
        (st = np_memory_zeroed(&c->asked, c->terminals, sizeof *c->asked, "round trips")) ||
        (st = np_memory_zeroed(&c->accepted, c->terminals, sizeof *c->accepted, "round trips")))
        return st;
    for (size_t i = 0; i < trips && !st; i++) {
        np_node terminal = (np_node)(i / c->options.window);
        c->trip[i].number = UINT64_MAX; /* of no packet */
        if (np_arrivals_share(c->drawn, terminal) > 0)
            st = ask(c, terminal, &c->trip[i]);
    }
    return st;
}

static np_status create(const np_open_options *options, void **out)
{
    closed *c;
    np_status st = np_memory_zeroed(&c, 1, sizeof *c, "an engine");
    *out = NULL;
    if (st)
        return st;
    c->options = *options;
    c->terminals = np_network_terminals(options->network);
    if ((st = begin(c)))
        free_closed(c);
    else
        *out = c;
    return st;
}

static uint64_t bytes(const np_open_options *o)
{
    uint64_t terminal = o->window * (sizeof(trip) + sizeof(np_delivery)) + 3 * sizeof(uint64_t);
    return o->inner->bytes(o) + np_network_terminals(o->network) * terminal;
}

/* Nobody stops a loop that is closed: what is on its way does not grow. */
static void stop(void *m) { (void)m; }

static void counts(void *m, np_open_counts *out)
{
    const closed *c = m;
    np_open_counts inner;
    c->options.inner->counts(c->model, &inner);
    *out = c->counts;
    out->injected = c->counts.created;
    out->hops = inner.hops;
    out->stuck = inner.stuck;
    out->waiting = out->created - out->ejected;
}

static void accepted(void *m, uint64_t *flits)
{
    const closed *c = m;
    for (np_node t = 0; t < c->terminals; t++)
        flits[t] = c->accepted[t];
}

/* Requests and replies. */
static void links(void *m, uint64_t *flits)
{
    const closed *c = m;
    c->options.inner->links(c->model, flits);
}

static size_t waits(void *m, size_t room, np_waiting *out)
{
    const closed *c = m;
    return c->options.inner->waits(c->model, room, out);
}

const np_open_model np_open_closed = {
    .info = {"closed", "requests and replies, so many of a terminal on their way", "", .parameters = ""},
    .bytes = bytes,
    .create = create,
    .advance = advance,
    .stop = stop,
    .counts = counts,
    .accepted = accepted,
    .links = links,
    .free = free_closed,
    .waits = waits,
};
