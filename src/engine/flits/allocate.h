/* Channel allocation of a router: see flits.h. Compiled into router.c, once for routers whose rows are one word. */
#ifndef NP_FLITS_ALLOCATE_H
#define NP_FLITS_ALLOCATE_H

#include "engine/flits/ask.h"

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

/* The channels of the class that are free and have the credits: bit k is channel low + k. */
NP_INLINE uint64_t np_flits_free_of(np_flits_router *r, uint32_t words, const np_flits_input *in)
{
    const uint64_t *row = np_flits_rows(r, words) + NP_FLITS_FREE * words;
    uint32_t at = in->low % 64;
    uint64_t bits = row[words == 1 ? 0 : in->low / 64] >> at;
    if (words > 1 && at + in->width > 64)
        bits |= row[in->low / 64 + 1] << (64 - at);
    bits &= ~UINT64_C(0) >> (64 - in->width);
    if (in->need)
        for (uint64_t left = bits; left; left &= left - 1)
            if (r->output[in->low + (uint32_t)__builtin_ctzll(left)].credits < in->need)
                bits &= ~(left & -left);
    return bits;
}

static inline int64_t np_flits_credits_of(np_flits_router *r, const np_flits_input *in)
{
    uint64_t bits = np_flits_free_of(r, r->words, in);
    int64_t credits = bits ? 0 : -1;
    for (; bits; bits &= bits - 1)
        credits += r->output[in->low + (uint32_t)__builtin_ctzll(bits)].credits;
    return credits;
}

/* Of an adaptive relation: the candidate with the most credits in free channels; an escape only if no other is free. */
static inline void np_flits_choose(np_flits *f, np_flits_router *r, uint32_t channel)
{
    np_flits_input *in = &r->input[channel], best;
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
        int64_t credits = np_flits_credits_of(r, in);
        if (credits <= most)
            continue;
        most = credits;
        best = *in;
        p->next = c[i].state;
    }
    *in = count && most < 0 ? *in : best;
}

/*
 * The output channel that an input channel asks for: the first free one of its class at or after its pointer;
 * NP_FLITS_NONE. If the pointer is at another output or class, the class begins at its first channel.
 */
NP_INLINE uint32_t np_flits_wanted(np_flits_router *r, uint32_t words, const np_flits_input *in)
{
    uint64_t bits = np_flits_free_of(r, words, in), behind;
    uint32_t start = (uint32_t)in->next - in->low;
    if (!bits)
        return NP_FLITS_NONE;
    behind = start < in->width ? bits >> start << start : 0;
    return in->low + (uint32_t)__builtin_ctzll(behind ? behind : bits);
}

/* Of an adaptive relation a packet takes its hop when it gets a channel, of others when it asks. */
static inline void np_flits_take_hop(np_flits *f, np_flits_router *r, uint32_t channel)
{
    np_flits_input *in = &r->input[channel];
    np_flits_packet *p = np_flits_packet_of(f, *np_flits_slot(f, r, channel, in->first));
    if (r->port[in->port].channel == NP_FLITS_NONE)
        return;
    p->hops++;
    p->state = p->next;
}

/* The input channel gets the output channel. */
NP_INLINE np_status np_flits_give(np_flits *f, np_flits_block *b, np_flits_router *r, uint32_t words, uint32_t channel,
                                  uint32_t to, int64_t t)
{
    np_flits_input *in = &r->input[channel];
    np_flits_output *out = &r->output[to];
    uint64_t *rows = np_flits_rows(r, words) + (words == 1 ? 0 : channel / 64), bit = UINT64_C(1) << channel % 64;
    out->owner = (uint16_t)channel;
    out->turn = np_flits_after(channel, r->inputs);
    in->channel = (uint16_t)to;
    in->next = np_flits_after(to, r->channels);
    np_flits_rows(r, words)[NP_FLITS_FREE * words + (words == 1 ? 0 : to / 64)] &= ~(UINT64_C(1) << to % 64);
    rows[NP_FLITS_ASK * words] &= ~bit;
    rows[NP_FLITS_CREDIT * words] = (rows[NP_FLITS_CREDIT * words] & ~bit) | (out->credits ? bit : 0);
    if (f->adaptive)
        np_flits_take_hop(f, r, channel);
    if (f->options.allocation_delay == 1) { /* the switch is allocated before channels are */
        rows[NP_FLITS_READY * words] |= bit;
        return NP_OK;
    }
    np_flits_diary *d = np_flits_diary_at(f, b, t + f->options.allocation_delay);
    return np_flits_note(&d->bid, &d->bids, &d->bid_room, (np_flits_credit){r->number, (uint16_t)channel});
}

/* Output channels that are asked for, in h->list, and h->asked: by whom. */
NP_INLINE uint32_t np_flits_collect(np_flits *f, np_flits_hand *h, np_flits_router *r, uint32_t words)
{
    const uint64_t *ask = np_flits_rows(r, words) + NP_FLITS_ASK * words;
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t bits = ask[w]; bits; bits &= bits - 1) {
            uint32_t c = 64 * w + (uint32_t)__builtin_ctzll(bits);
            if (f->adaptive)
                np_flits_choose(f, r, c);
            uint32_t to = np_flits_wanted(r, words, &r->input[c]);
            if (to == NP_FLITS_NONE)
                continue;
            uint32_t turn = r->output[to].turn;
            if (h->asked[to] == NP_FLITS_NONE)
                h->list[count++] = (uint16_t)to;
            else if (np_flits_behind(c, turn, r->inputs) >= np_flits_behind(h->asked[to], turn, r->inputs))
                continue;
            h->asked[to] = (uint16_t)c;
        }
    return count;
}

/* If one head alone asks, it gets what it asks for. */
NP_INLINE np_status np_flits_allocate(np_flits *f, np_flits_hand *h, np_flits_block *b, np_flits_router *r,
                                      uint32_t words, int64_t t)
{
    uint64_t first = np_flits_rows(r, words)[NP_FLITS_ASK * words];
    np_status st = NP_OK;
    if (words == 1 && !(first & (first - 1))) {
        if (!first)
            return NP_OK;
        uint32_t channel = (uint32_t)__builtin_ctzll(first);
        if (f->adaptive)
            np_flits_choose(f, r, channel);
        uint32_t to = np_flits_wanted(r, words, &r->input[channel]);
        return to == NP_FLITS_NONE ? NP_OK : np_flits_give(f, b, r, words, channel, to, t);
    }
    for (uint32_t i = 0, count = np_flits_collect(f, h, r, words); i < count; i++) {
        uint32_t to = h->list[i], channel = h->asked[to];
        h->asked[to] = NP_FLITS_NONE;
        if (!st)
            st = np_flits_give(f, b, r, words, channel, to, t);
    }
    return st;
}

#endif
