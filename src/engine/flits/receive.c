/* What arrives at the routers of a block in a cycle: see flits.h. */
#include "base/memory.h"
#include "engine/flits/ask.h"

enum { AHEAD = 8 /* items whose memory is asked for early; ours */ };

np_status np_flits_note(np_flits_credit **list, uint32_t *count, uint32_t *room, np_flits_credit item)
{
    np_status st = NP_OK;
    if (*count == *room && !(st = np_memory_grow(list, *count, 2 * (size_t)*room + 16, sizeof **list, "what is due")))
        *room = 2 * *room + 16;
    if (!st)
        (*list)[(*count)++] = item;
    return st;
}

NP_INLINE np_status take_flit(np_flits *f, np_flits_block *b, np_flits_move m, int64_t t)
{
    const np_flits_router *r = &f->router[b->router + m.router];
    np_flits_input *in = &f->input[r->input + m.channel];
    uint32_t count = in->count, at = in->first + count;
    if (count == f->B)
        return NP_RAISE(NP_ERROR_INTERNAL, "a flit came where there was no room");
    *np_flits_slot(f, r, m.channel, at < f->B ? at : at - f->B) = m.flit;
    in->count = (uint8_t)(count + 1);
    np_flits_set(np_flits_row_of(f, r, NP_FLITS_FULL), m.channel);
    if (!count && in->channel == NP_FLITS_NONE) {
        if (f->options.routing_delay) {
            np_flits_diary *d = np_flits_diary_at(f, b, t + f->options.routing_delay);
            return np_flits_note(&d->ask, &d->asks, &d->ask_room, (np_flits_credit){m.router, m.channel});
        }
        np_flits_ask(f, r, m.channel);
    }
    np_flits_wake(b, m.router);
    return NP_OK;
}

NP_HOT static np_status take_flits(np_flits *f, np_flits_block *b, np_flits_mail *m, int64_t t)
{
    uint32_t moves = m->moves;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < moves && !st; i++) {
        if (i + AHEAD < moves) {
            np_flits_move next = m->move[i + AHEAD];
            const np_flits_router *r = &f->router[b->router + next.router];
            __builtin_prefetch(&f->input[r->input + next.channel], 1);
            __builtin_prefetch(np_flits_slot(f, r, next.channel, 0), 1);
            __builtin_prefetch(np_flits_packet_of(f, next.flit), 1);
            __builtin_prefetch(&f->bits[r->word], 1);
        }
        st = take_flit(f, b, m->move[i], t);
    }
    m->moves = 0;
    return st;
}

NP_HOT static void take_credits(np_flits *f, np_flits_block *b, np_flits_mail *m)
{
    const np_flits_router *routers = &f->router[b->router];
    np_flits_output *outputs = f->output;
    const np_flits_credit *credit = m->credit;
    for (uint32_t i = 0, credits = m->credits; i < credits; i++) {
        np_flits_credit c = credit[i];
        const np_flits_router *r = &routers[c.router];
        np_flits_output *out = &outputs[r->output + c.channel];
        if (i + AHEAD < credits)
            __builtin_prefetch(&outputs[routers[credit[i + AHEAD].router].output + credit[i + AHEAD].channel], 1);
        if (out->credits++ || np_flits_has(np_flits_row_of(f, r, NP_FLITS_FREE), c.channel))
            continue;
        np_flits_set(np_flits_row_of(f, r, NP_FLITS_CREDIT), out->owner);
        np_flits_wake(b, c.router);
    }
    m->credits = 0;
}

static void read_diary(np_flits *f, np_flits_block *b, np_flits_diary *d)
{
    for (uint32_t i = 0; i < d->sources; i++) {
        uint32_t place = d->source[i] / f->V;
        const np_flits_source *s = &f->source[place];
        f->source_credits[d->source[i]]++;
        if (s->left || s->begun < s->created)
            np_flits_wake_source(b, place);
    }
    for (uint32_t i = 0; i < d->asks; i++) {
        np_flits_ask(f, &f->router[b->router + d->ask[i].router], d->ask[i].channel);
        np_flits_wake(b, d->ask[i].router);
    }
    for (uint32_t i = 0; i < d->bids; i++) {
        const np_flits_router *r = &f->router[b->router + d->bid[i].router];
        np_flits_set(np_flits_row_of(f, r, NP_FLITS_READY), d->bid[i].channel);
        np_flits_wake(b, d->bid[i].router);
    }
    d->sources = d->asks = d->bids = 0;
}

np_status np_flits_receive(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    uint32_t block = (uint32_t)(b - f->block);
    np_status st = NP_OK;
    (void)h;
    for (unsigned i = 0; i < f->hands && !st; i++) {
        np_flits_mail *m = np_flits_mail_at(f, &f->hand[i], block, t);
        if (m->credits)
            take_credits(f, b, m);
        if (m->moves)
            st = take_flits(f, b, m, t);
    }
    read_diary(f, b, np_flits_diary_at(f, b, t));
    return st;
}
