/* Model `flits`, as those who measure see it: see flits.h. */
#include "engine/flits/flits.h"

/* Cycles without a move after which flits that are inside are stuck; ours: longer than any way in a router. */
enum { STILL = 1000 };

static np_status deliver(np_flits *f, int64_t t)
{
    np_flits_mail *m = np_flits_mail_at(f, t);
    const np_open_options *o = &f->options;
    for (size_t i = 0; i < m->deliveries; i++)
        f->accepted[m->delivery[i].source] += m->delivery[i].flits;
    if (m->deliveries && o->deliver && o->deliver(o->context, m->deliveries, m->delivery))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled");
    m->deliveries = 0;
    return NP_OK;
}

static np_status cycle(np_flits *f, int64_t t)
{
    np_status st;
    if ((st = deliver(f, t)) || (st = np_flits_receive(f, t)) || (st = np_flits_create_packets(f, t)) ||
        (st = np_flits_send(f, t)))
        return st;
    return np_flits_serve(f, t);
}

static np_status advance(void *model, int64_t until)
{
    np_flits *f = model;
    while (f->counts.now < until && !f->status)
        f->status = cycle(f, f->counts.now++);
    return f->status;
}

static void stop(void *model) { ((np_flits *)model)->stopped = true; }

static void counts(void *model, np_open_counts *out)
{
    np_flits *f = model;
    *out = f->counts;
    out->waiting = f->counts.created - f->counts.ejected;
    out->source_waiting = f->counts.created - f->counts.injected;
    out->stuck = f->inside && f->counts.now - f->moved_last > STILL;
}

static void accepted(void *model, uint64_t *flits)
{
    const np_flits *f = model;
    for (uint32_t i = 0; i < f->terminals; i++)
        flits[i] = f->accepted[i];
}

static np_status create(const np_open_options *options, void **out)
{
    np_flits *f;
    np_status st = np_flits_create(options, &f);
    *out = f;
    return st;
}

static void free_model(void *model) { np_flits_free(model); }

const np_open_model np_open_flits = {
    .info = {"flits", "input-queued routers with virtual channels of flits, credits, iSLIP", "Dally & Towles 2004"},
    .bytes = np_flits_bytes,
    .create = create,
    .advance = advance,
    .stop = stop,
    .counts = counts,
    .accepted = accepted,
    .free = free_model,
};
