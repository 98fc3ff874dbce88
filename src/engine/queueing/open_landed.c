/*
 * Who has landed in model `steps`: those half-way enter again, the others are told of in the order of their
 * destinations.
 */
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/room.h"
#include "engine/queueing/open.h"

enum { TOLD = 256 /* deliveries at once: ours */ };

/* By targets, of which there are `terminals`. The result is in order[0 .. count - 1]. */
static void sort_landed(np_open *o, size_t count)
{
    uint64_t *from = o->order, *to = o->order + o->order_room;
    for (unsigned shift = 32; (uint64_t)(o->terminals - 1) >> (shift - 32); shift += 8) {
        np_order_by_digit(count, from, to, shift);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != o->order)
        memcpy(o->order, from, count * sizeof *from);
}

/* Those for their own nodes follow the slots. */
static const np_open_packet *packet_of(const np_open *o, uint32_t reference)
{
    size_t own = reference - o->slots;
    unsigned w = 0;
    if (reference < o->slots)
        return &o->slot[reference];
    for (; own >= o->nursery[w].owns; w++)
        own -= o->nursery[w].owns;
    return &o->nursery[w].own[own];
}

static bool before(const np_open_packet *a, const np_open_packet *b)
{
    return a->source != b->source ? a->source < b->source : a->number < b->number;
}

/* Lists who has landed, by targets; those of a target by their own names, which are the same for any workers. */
static np_status list_landed(np_open *o, size_t *count)
{
    size_t landed = 0, owns = 0;
    np_status st;
    for (unsigned w = 0; w < o->engine->options.workers; w++)
        landed += o->engine->shard[w].landings + o->nursery[w].owns;
    *count = landed;
    if (landed > o->order_room) {
        np_memory_free(o->order);
        o->order_room = 0;
        if ((st = np_memory_array(&o->order, 4 * landed, sizeof *o->order, "packets that have arrived")))
            return st;
        o->order_room = 2 * landed;
    }
    landed = 0;
    for (unsigned w = 0; w < o->engine->options.workers; w++) {
        const np_shard *shard = &o->engine->shard[w];
        const np_nursery *n = &o->nursery[w];
        for (size_t i = 0; i < shard->landings; i++)
            o->order[landed++] = (uint64_t)o->slot[shard->landed[i]].target << 32 | shard->landed[i];
        for (size_t i = 0; i < n->owns; i++, owns++)
            o->order[landed++] = (uint64_t)n->own[i].destination << 32 | (o->slots + owns);
    }
    sort_landed(o, landed);
    for (size_t i = 1; i < landed; i++)
        for (size_t j = i; j > 0 && o->order[j - 1] >> 32 == o->order[j] >> 32 &&
                           before(packet_of(o, (uint32_t)o->order[j]), packet_of(o, (uint32_t)o->order[j - 1]));
             j--) {
            uint64_t swap = o->order[j];
            o->order[j] = o->order[j - 1];
            o->order[j - 1] = swap;
        }
    return NP_OK;
}

/* Half-way: it enters again, at the end of its first route. */
static np_status enter_again(np_open *o, np_packet p)
{
    np_nursery *n = np_open_nursery(o, np_open_output(o, o->slot[p].target));
    np_status st = np_memory_room(&n->entrant, n->count, &n->room, sizeof *n->entrant, "packets that enter again");
    if (!st)
        n->entrant[n->count++].slot = p;
    return st;
}

static np_delivery arrive(np_open *o, uint32_t reference)
{
    const np_open_packet *s = packet_of(o, reference);
    bool own = reference >= o->slots;
    np_delivery d = {s->source, s->destination, s->number, s->created, o->counts.now, own ? 0 : s->hops - o->cables,
                     1 /* flit */};
    o->counts.hops += s->hops;
    o->counts.ejected++;
    o->counts.created += own;
    o->counts.injected += own;
    o->accepted[s->source]++;
    if (!own)
        o->free[o->frees++] = reference;
    return d;
}

np_status np_open_tell(np_open *o)
{
    np_delivery delivery[TOLD];
    size_t landed, count = 0;
    int stop = 0;
    np_status st = list_landed(o, &landed);
    for (size_t i = 0; i < landed && !st && !stop; i++) {
        uint32_t p = (uint32_t)o->order[i];
        if (p < o->slots && o->slot[p].target != o->slot[p].destination) {
            st = enter_again(o, p);
            continue;
        }
        delivery[count++] = arrive(o, p);
        if (count == TOLD) {
            stop = o->options.deliver(o->options.context, count, delivery);
            count = 0;
        }
    }
    if (!st && !stop && count)
        stop = o->options.deliver(o->options.context, count, delivery);
    for (unsigned w = 0; w < o->engine->options.workers; w++)
        o->nursery[w].owns = 0;
    return st ? st : stop ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled in cycle %lld", (long long)o->counts.now) : NP_OK;
}
