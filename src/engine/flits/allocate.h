/* Channel allocation of a router: see flits.h. Compiled into router.c. */
#pragma once

#include "engine/flits/visit.h"

/*
 * Duato's escape is of use to a packet only whose head is the first of its buffer. So where there is an escape, a
 * packet takes another channel only if its head will be the first there, as the buffer is empty, or if all of it finds
 * room behind the packets that are there, so that it holds no channel while it waits for them (Ma, Enright Jerger &
 * Wang 2012). A packet longer than a buffer needs an empty one. Escape channels need no such rule: a head that waits in
 * one of them waits for packets whose next escape channels are behind it in the order of the escape channels.
 */
static inline uint32_t np_flits_need_of(const np_flits *f, const np_flits_packet *p, bool escapes, bool escape)
{
    if (f->options.cut_through)
        return p->flits;
    return escapes && !escape ? p->flits < f->B ? p->flits : f->B : 0;
}

/* The channels of the class that are free and have the credits: bit k is channel np_flits_low + k. */
NP_INLINE uint64_t np_flits_free_of(const np_flits_visit *v, const np_flits_input *in)
{
    uint32_t low = np_flits_low(v->f, in), at = low % 64, width = v->f->class_[in->class_].width;
    const uint64_t *row = np_flits_word(v, NP_FLITS_FREE, low);
    uint64_t bits = row[0] >> at;
    if (v->words > 1 && at + width > 64)
        bits |= row[1] << (64 - at);
    bits &= ~UINT64_C(0) >> (64 - width);
    if (!v->plain && in->need)
        for (uint64_t left = bits; left; left &= left - 1)
            if (np_flits_out(v->f, v->router, low + (uint32_t)__builtin_ctzll(left))->credits < in->need)
                bits &= ~(left & -left);
    return bits;
}

static inline int64_t np_flits_credits_of(const np_flits_visit *v, const np_flits_input *in)
{
    uint64_t bits = np_flits_free_of(v, in);
    int64_t credits = bits ? 0 : -1;
    for (uint32_t low = np_flits_low(v->f, in); bits; bits &= bits - 1)
        credits += np_flits_out(v->f, v->router, low + (uint32_t)__builtin_ctzll(bits))->credits;
    return credits;
}

/* Of an adaptive relation: the candidate with the most credits in free channels; an escape only if no other is free. */
static inline void np_flits_choose(const np_flits_visit *v, uint32_t channel)
{
    np_flits *f = v->f;
    np_flits_router *r = v->router;
    np_flits_input *in = np_flits_in(f, r, channel), best;
    np_flits_packet *p = np_flits_packet_of(f, *np_flits_slot(f, r, channel, in->first));
    np_candidate c[NP_CANDIDATES];
    unsigned count = np_relation_candidates(f->options.relation, r->node, p->router, p->state, c);
    int64_t most = -1;
    bool escapes = false;
    if (!count)
        np_flits_want_ejection(f, p, in);
    for (unsigned i = 0; i < count; i++)
        escapes |= c[i].escape;
    best = *in;
    for (unsigned k = 0; k < 2 * count && (k != count || most < 0); k++) {
        unsigned i = k % count;
        if (c[i].escape != k / count)
            continue;
        np_flits_want(f, r, in, &c[i], np_flits_need_of(f, p, escapes, c[i].escape));
        int64_t credits = np_flits_credits_of(v, in);
        if (credits <= most)
            continue;
        most = credits;
        best = *in;
        p->next = c[i].state;
    }
    *in = count && most < 0 ? *in : best;
}

/*
 * The output channel that an input channel asks for: the first free one of its class behind its last one;
 * NP_FLITS_NONE. If that one is the last of the class or of another, the class begins at its first channel.
 */
NP_INLINE uint32_t np_flits_wanted(const np_flits_visit *v, uint32_t channel)
{
    const np_flits_input *in = np_flits_in(v->f, v->router, channel);
    if (!v->plain && v->f->adaptive)
        np_flits_choose(v, channel);
    uint64_t bits = np_flits_free_of(v, in), behind;
    uint32_t low = np_flits_low(v->f, in), start = in->channel + 1U - low;
    if (!bits)
        return NP_FLITS_NONE;
    behind = bits >> start % 64 << start % 64 & -(uint64_t)(start < v->f->class_[in->class_].width); /* no branch */
    return low + (uint32_t)__builtin_ctzll(behind ? behind : bits);
}

/* Of an adaptive relation a packet takes its hop when it gets a channel, of others when it asks. */
static inline void np_flits_take_hop(np_flits *f, np_flits_router *r, uint32_t channel)
{
    np_flits_input *in = np_flits_in(f, r, channel);
    np_flits_packet *p = np_flits_packet_of(f, *np_flits_slot(f, r, channel, in->first));
    if (np_flits_port_at(f, r, in->port)->channel == NP_FLITS_NONE)
        return;
    p->hops++;
    p->state = p->next;
}

/* The input channel gets the output channel. */
NP_INLINE np_status np_flits_give(const np_flits_visit *v, uint32_t channel, uint32_t to)
{
    np_flits *f = v->f;
    np_flits_router *r = v->router;
    np_flits_input *in = np_flits_in(f, r, channel);
    np_flits_output *out = np_flits_out(f, r, to);
    uint64_t bit = UINT64_C(1) << channel % 64, *credit = np_flits_word(v, NP_FLITS_CREDIT, channel);
    out->owner = (uint16_t)channel;
    in->channel = (uint16_t)to;
    in->class_ = NP_FLITS_HOLDS;
    *np_flits_word(v, NP_FLITS_FREE, to) &= ~(UINT64_C(1) << to % 64);
    *np_flits_word(v, NP_FLITS_ASK, channel) &= ~bit;
    *credit = (*credit & ~bit) | (out->credits ? bit : 0);
    if (!v->plain && f->adaptive)
        np_flits_take_hop(f, r, channel);
    if (v->plain || f->options.allocation_delay == 1) { /* the switch is allocated before channels are */
        *np_flits_word(v, NP_FLITS_READY, channel) |= bit;
        return NP_OK;
    }
    np_flits_diary *d = np_flits_diary_at(f, v->block, v->t + f->options.allocation_delay);
    return np_flits_note(&d->bid, &d->bids, &d->bid_room, np_flits_head_of(v, channel));
}

/* Output channels that are asked for, in h->list, and h->asked: by whom. */
NP_INLINE uint32_t np_flits_collect(const np_flits_visit *v)
{
    np_flits_hand *h = v->hand;
    uint32_t count = 0;
    for (uint32_t w = 0; w < v->words; w++)
        for (uint64_t bits = v->rows[NP_FLITS_ASK * v->words + w]; bits; bits &= bits - 1) {
            uint32_t c = 64 * w + (uint32_t)__builtin_ctzll(bits), to = np_flits_wanted(v, c);
            if (to == NP_FLITS_NONE)
                continue;
            uint32_t last = np_flits_out(v->f, v->router, to)->owner;
            if (h->asked[to] == NP_FLITS_NONE)
                h->list[count++] = (uint16_t)to;
            else if (np_flits_behind(c, last) >= np_flits_behind(h->asked[to], last))
                continue;
            h->asked[to] = (uint16_t)c;
        }
    return count;
}

/* If one head alone asks, it gets what it asks for. */
NP_INLINE np_status np_flits_allocate(const np_flits_visit *v)
{
    np_flits_hand *h = v->hand;
    uint64_t first = v->rows[NP_FLITS_ASK * v->words];
    np_status st = NP_OK;
    if (v->words == 1 && !first)
        return NP_OK;
    if (v->words == 1 && !(first & (first - 1))) {
        uint32_t channel = (uint32_t)__builtin_ctzll(first), to = np_flits_wanted(v, channel);
        return to == NP_FLITS_NONE ? NP_OK : np_flits_give(v, channel, to);
    }
    for (uint32_t i = 0, count = np_flits_collect(v); i < count; i++) {
        uint32_t to = h->list[i], channel = h->asked[to];
        h->asked[to] = NP_FLITS_NONE;
        if (!st)
            st = np_flits_give(v, channel, to);
    }
    return st;
}
