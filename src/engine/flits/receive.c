/* What arrives at the routers of a block in a cycle: see flits.h. */
#include "base/memory.h"
#include "engine/flits/ask.h"

enum { AHEAD = 8 /* items whose memory is asked for early; ours */ };

np_status np_flits_note(np_flits_head **list, uint32_t *count, uint32_t *room, np_flits_head item)
{
    np_status st = NP_OK;
    if (*count == *room && !(st = np_memory_grow(list, *count, 2 * (size_t)*room + 16, sizeof **list, "what is due")))
        *room = 2 * *room + 16;
    if (!st)
        (*list)[(*count)++] = item;
    return st;
}

/* words: a constant 1, or r->words */
NP_INLINE np_status take_flit(np_flits *f, np_flits_block *b, np_flits_router *r, uint32_t words, np_flits_move m,
                              int64_t t)
{
    np_flits_input *in = &r->input[m.channel];
    uint64_t *rows = words == 1 ? r->row : r->rows;
    uint32_t count = in->count, at = in->first + count;
    if (count == f->B)
        return NP_RAISE(NP_ERROR_INTERNAL, "a flit came where there was no room");
    *np_flits_slot(f, r, m.channel, at < f->B ? at : at - f->B) = m.flit;
    in->count = (uint8_t)(count + 1);
    np_flits_set(b->active, m.router);
    if (count)
        return NP_OK;
    rows[NP_FLITS_FULL * words + (words == 1 ? 0 : m.channel / 64)] |= UINT64_C(1) << m.channel % 64;
    if (in->channel != NP_FLITS_NONE)
        return NP_OK;
    if (f->options.routing_delay) {
        np_flits_diary *d = np_flits_diary_at(f, b, t + f->options.routing_delay);
        return np_flits_note(&d->ask, &d->asks, &d->ask_room, (np_flits_head){m.router, m.channel});
    }
    np_flits_ask(f, r, rows, words, m.channel);
    return NP_OK;
}

NP_INLINE void prefetch(const np_flits *f, const np_flits_block *b, np_flits_move next)
{
    np_flits_router *r = &b->router[next.router];
    __builtin_prefetch(&r->input[next.channel], 1);
    __builtin_prefetch(&r->slot[next.channel], 1);
    __builtin_prefetch(np_flits_packet_of(f, next.flit), 1);
    __builtin_prefetch(r->rows, 1);
}

NP_HOT static np_status take_flits(np_flits *f, np_flits_block *b, np_flits_mail *m, int64_t t)
{
    uint32_t moves = m->moves;
    const np_flits_move *move = m->move;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < moves && !st; i++) {
        np_flits_router *r = &b->router[move[i].router];
        if (i + AHEAD < moves)
            prefetch(f, b, move[i + AHEAD]);
        st = r->words == 1 ? take_flit(f, b, r, 1, move[i], t) : take_flit(f, b, r, r->words, move[i], t);
    }
    b->acts = true;
    m->moves = 0;
    return st;
}

static void credit_again(np_flits_block *b, const np_flits_output *out)
{
    np_flits_router *r = &b->router[out->router];
    if (np_flits_has(r->rows + NP_FLITS_FREE * r->words, (uint32_t)(out - r->output)))
        return;
    np_flits_set(r->rows + NP_FLITS_CREDIT * r->words, out->owner);
    np_flits_wake(b, r->number);
}

NP_HOT static void take_credits(np_flits *f, np_flits_block *b, np_flits_mail *m)
{
    np_flits_output *output = f->output;
    const uint32_t *credit = m->credit;
    for (uint32_t i = 0, credits = m->credits; i < credits; i++) {
        if (i + AHEAD < credits)
            __builtin_prefetch(&output[credit[i + AHEAD]], 1);
        if (!output[credit[i]].credits++)
            credit_again(b, &output[credit[i]]);
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
        np_flits_router *r = &b->router[d->ask[i].router];
        np_flits_ask(f, r, r->rows, r->words, d->ask[i].channel);
        np_flits_wake(b, r->number);
    }
    for (uint32_t i = 0; i < d->bids; i++) {
        np_flits_router *r = &b->router[d->bid[i].router];
        np_flits_set(r->rows + NP_FLITS_READY * r->words, d->bid[i].channel);
        np_flits_wake(b, r->number);
    }
    d->sources = d->asks = d->bids = 0;
}

np_status np_flits_receive(np_flits *f, np_flits_block *b, int64_t t)
{
    np_status st = NP_OK;
    for (unsigned i = 0; i < f->hands && !st; i++) {
        np_flits_mail *m = np_flits_mail_at(f, &f->hand[i], b->mail, t);
        if (m->credits)
            take_credits(f, b, m);
        if (m->moves)
            st = take_flits(f, b, m, t);
    }
    read_diary(f, b, np_flits_diary_at(f, b, t));
    return st;
}
