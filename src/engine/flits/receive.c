/* What arrives at the routers of a block in a cycle: see flits.h. */
#include "base/memory.h"
#include "engine/flits/ask.h"

enum { AHEAD = 8 /* items whose memory is asked for early; ours */ };

np_status np_flits_grow(void *list, uint32_t *room, size_t size)
{
    uint32_t grown = 2 * *room + 32;
    np_status st = np_memory_grow(list, *room, grown, size, "what is on its way or due");
    if (!st)
        *room = grown;
    return st;
}

/* words, plain: as of a visit */
NP_INLINE np_status take_flit(np_flits *f, np_flits_block *b, uint32_t words, bool plain, np_flits_move m, int64_t t)
{
    np_flits_router *r = &b->router[m.router];
    np_flits_input *in = np_flits_in(f, r, m.channel);
    uint64_t *rows = words == 1 ? r->row : r->wide.rows;
    uint32_t count = in->count, at = in->first + count;
    words = words ? words : r->wide.words;
    if (count == f->B)
        return NP_RAISE(NP_ERROR_INTERNAL, "a flit came where there was no room");
    *np_flits_slot(f, r, m.channel, at < f->B ? at : at - f->B) = m.flit;
    in->count = (uint8_t)(count + 1);
    np_flits_set(b->active, m.router);
    if (count)
        return NP_OK;
    rows[NP_FLITS_FULL * words + (words == 1 ? 0 : m.channel / 64)] |= UINT64_C(1) << m.channel % 64;
    if (in->class_ == NP_FLITS_HOLDS)
        return NP_OK;
    if (!plain && f->options.routing_delay) {
        np_flits_diary *d = np_flits_diary_at(f, b, t + f->options.routing_delay);
        return np_flits_note(&d->ask, &d->asks, &d->ask_room, (np_flits_head){m.router, m.channel});
    }
    np_flits_ask(f, r, rows, words, plain, m.channel);
    return NP_OK;
}

NP_INLINE void prefetch(const np_flits *f, const np_flits_block *b, np_flits_move next)
{
    np_flits_router *r = &b->router[next.router];
    __builtin_prefetch(np_flits_in(f, r, next.channel), 1);
    __builtin_prefetch(np_flits_slot(f, r, next.channel, 0), 1);
    __builtin_prefetch(np_flits_packet_of(f, next.flit), 1);
    __builtin_prefetch(np_flits_rows(f, r), 1);
}

/* words, plain: constants; words = 0: as routers have them */
NP_INLINE np_status take_all(np_flits *f, np_flits_block *b, np_flits_mail *m, uint32_t words, bool plain, int64_t t)
{
    uint32_t moves = m->moves;
    const np_flits_move *move = m->move;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < AHEAD && i < moves; i++)
        prefetch(f, b, move[i]);
    for (uint32_t i = 0; i < moves && !st; i++) {
        if (i + AHEAD < moves)
            prefetch(f, b, move[i + AHEAD]);
        st = take_flit(f, b, words, plain, move[i], t);
    }
    b->acts = true;
    m->moves = 0;
    return st;
}

NP_HOT static np_status take_plain_one(np_flits *f, np_flits_block *b, np_flits_mail *m, int64_t t)
{
    return take_all(f, b, m, 1, true, t);
}

NP_HOT static np_status take_plain_two(np_flits *f, np_flits_block *b, np_flits_mail *m, int64_t t)
{
    return take_all(f, b, m, 2, true, t);
}

NP_HOT static np_status take_one(np_flits *f, np_flits_block *b, np_flits_mail *m, int64_t t)
{
    return take_all(f, b, m, 1, false, t);
}

NP_HOT static np_status take_any(np_flits *f, np_flits_block *b, np_flits_mail *m, int64_t t)
{
    return take_all(f, b, m, 0, false, t);
}

static np_status take_flits(np_flits *f, np_flits_block *b, np_flits_mail *m, int64_t t)
{
    if (f->row_words == 1)
        return f->plain ? take_plain_one(f, b, m, t) : take_one(f, b, m, t);
    return f->row_words == 2 && f->plain ? take_plain_two(f, b, m, t) : take_any(f, b, m, t);
}

static void credit_again(np_flits *f, np_flits_block *b, uint32_t output)
{
    uint32_t router = f->port[output / f->V].own;
    np_flits_router *r = &b->router[router];
    if (np_flits_has(np_flits_rows(f, r) + NP_FLITS_FREE * np_flits_words(f, r), output - r->output))
        return;
    np_flits_set(np_flits_rows(f, r) + NP_FLITS_CREDIT * np_flits_words(f, r), f->output[output].owner);
    np_flits_wake(b, router);
}

NP_HOT static void take_credits(np_flits *f, np_flits_block *b, np_flits_mail *m)
{
    np_flits_output *output = f->output;
    const uint32_t *credit = m->credit;
    for (uint32_t i = 0, credits = m->credits; i < credits; i++) {
        if (i + AHEAD < credits)
            __builtin_prefetch(&output[credit[i + AHEAD]], 1);
        if (!output[credit[i]].credits++)
            credit_again(f, b, credit[i]);
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
        np_flits_ask(f, r, np_flits_rows(f, r), np_flits_words(f, r), false, d->ask[i].channel);
        np_flits_wake(b, d->ask[i].router);
    }
    for (uint32_t i = 0; i < d->bids; i++) {
        np_flits_router *r = &b->router[d->bid[i].router];
        np_flits_set(np_flits_rows(f, r) + NP_FLITS_READY * np_flits_words(f, r), d->bid[i].channel);
        np_flits_wake(b, d->bid[i].router);
    }
    d->sources = d->asks = d->bids = 0;
}

np_status np_flits_receive(np_flits *f, np_flits_block *b, int64_t t)
{
    np_status st = NP_OK;
    for (unsigned i = 0; i < f->hands && !st; i++) {
        np_flits_mail *m = np_flits_mail_at(f, &f->hand[i], b->number, t);
        if (m->credits)
            take_credits(f, b, m);
        if (m->moves)
            st = take_flits(f, b, m, t);
    }
    read_diary(f, b, np_flits_diary_at(f, b, t));
    return st;
}
