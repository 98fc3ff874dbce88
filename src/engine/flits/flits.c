/* Model `flits`, as those who measure see it: see flits.h. */
#include "engine/flits/flits.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/room.h"
#include "base/threads.h"

enum {
    STILL = 1000, /* cycles beyond the longest delay without a move after which flits that are inside are stuck; ours */
    WORTH = 2000  /* flits that move between two meetings, above which threads are asked for; ours */
};

/* ---- A round ---- */

static np_status cycle(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    np_status st = np_flits_receive(f, b, t);
    np_flits_create_packets(f, h, b, t);
    if (st || (st = np_flits_send(f, h, b, t)))
        return st;
    return np_flits_serve(f, h, b, t);
}

/* A block plays the cycles of a round. */
static void play(void *context, unsigned thread, uint32_t block)
{
    np_flits *f = context;
    np_flits_hand *h = &f->hand[thread];
    for (int64_t t = f->counts.now; t < f->until && !h->status; t++)
        if ((h->status = cycle(f, h, &f->block[block], t)))
            snprintf(h->message, sizeof h->message, "%s", np_last_error());
}

static np_status outcome(const np_flits *f)
{
    for (unsigned i = 0; i < f->hands; i++)
        if (f->hand[i].status)
            return NP_RAISE(f->hand[i].status, "%s", f->hand[i].message);
    return NP_OK;
}

static uint64_t moves(const np_flits *f)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < f->hands; i++)
        sum += f->hand[i].hops + f->hand[i].injected + f->hand[i].ejected;
    return sum;
}

static np_status play_round(np_flits *f)
{
    uint64_t before = moves(f);
    if (f->book)
        return np_flits_observe_cycle(f, f->counts.now);
    if (f->hands > 1 && f->moved > WORTH)
        np_threads_each(f->hands, f->blocks, play, f);
    else
        for (uint32_t b = 0; b < f->blocks; b++)
            play(f, 0, b);
    f->moved = moves(f) - before;
    np_status st = outcome(f);
    return st || f->hands == 1 ? st : np_flits_share(f);
}

/* ---- Deliveries ---- */

static int by_destination(const void *left, const void *right)
{
    const np_delivery *a = left, *b = right;
    return a->destination != b->destination ? np_order(a->destination, b->destination)
                                            : np_order_pair(a->source, b->source, a->number, b->number);
}

/* Those of a cycle, from all threads, into f->delivery, in ascending order: a cable brings one flit a cycle. */
static np_status gather(np_flits *f, int64_t t, size_t *count)
{
    bool ascends = true;
    size_t sum = 0;
    for (unsigned i = 0; i < f->hands; i++)
        sum += f->hand[i].told[t & (f->ring - 1)].count;
    np_status st = np_memory_need(&f->delivery, 0, sum, &f->delivery_room, sizeof *f->delivery, "deliveries");
    *count = 0;
    for (unsigned i = 0; i < f->hands && !st; i++) {
        np_flits_told *told = &f->hand[i].told[t & (f->ring - 1)];
        for (size_t k = 0; k < told->count; k++) {
            const np_delivery *d = &told->delivery[k];
            ascends = ascends && (!*count || f->delivery[*count - 1].destination < d->destination);
            f->accepted[d->source] += d->flits;
            f->delivery[(*count)++] = *d;
        }
        told->count = 0;
    }
    if (!ascends)
        qsort(f->delivery, *count, sizeof *f->delivery, by_destination);
    return st;
}

static np_status tell(np_flits *f, int64_t t)
{
    const np_open_options *o = &f->options;
    size_t count;
    np_status st = gather(f, t, &count);
    if (!st && count && o->deliver && o->deliver(o->context, count, f->delivery))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled");
    return st;
}

/* ---- The model ---- */

static np_status advance(void *model, int64_t until)
{
    np_flits *f = model;
    while (f->counts.now < until && !f->status) {
        int64_t from = f->counts.now, round = f->book ? 1 : f->round;
        f->until = until - from < round ? until : from + round;
        f->status = play_round(f);
        f->counts.now = f->until;
        for (int64_t t = from; t < f->until && !f->status; t++)
            f->status = tell(f, t);
    }
    return f->status;
}

static void stop(void *model) { ((np_flits *)model)->stopped = true; }

static void counts(void *model, np_open_counts *out)
{
    const np_flits *f = model;
    int64_t inside = 0, last = 0;
    *out = f->counts;
    for (unsigned i = 0; i < f->hands; i++) {
        const np_flits_hand *h = &f->hand[i];
        out->created += h->created;
        out->refused += h->refused;
        out->injected += h->injected;
        out->ejected += h->ejected;
        out->hops += h->hops;
        inside += h->inside;
        last = h->moved_last > last ? h->moved_last : last;
    }
    out->waiting = out->created - out->ejected;
    out->source_waiting = out->created - out->injected;
    out->stuck = inside && f->counts.now - last > STILL + f->longest;
}

static void accepted(void *model, uint64_t *flits)
{
    const np_flits *f = model;
    memcpy(flits, f->accepted, f->terminals * sizeof *flits);
}

static void links(void *model, uint64_t *flits) { np_flits_links(model, flits); }

static np_status create(const np_open_options *options, void **out)
{
    np_flits *f;
    np_status st = np_flits_create(options, &f);
    *out = f;
    return st;
}

static np_status push(void *model, np_node source, uint64_t number, np_node destination)
{
    return np_flits_push_packet(model, source, number, destination);
}

static size_t waits(void *model, size_t room, np_waiting *out) { return np_flits_waits(model, room, out); }

static void free_model(void *model) { np_flits_free(model); }

const np_open_model np_open_flits = {
    .info = {"flits", "input-queued routers with virtual channels of flits, credits, iSLIP", "Dally & Towles 2004"},
    .bytes = np_flits_bytes,
    .create = create,
    .advance = advance,
    .stop = stop,
    .counts = counts,
    .accepted = accepted,
    .links = links,
    .free = free_model,
    .push = push,
    .waits = waits,
};
