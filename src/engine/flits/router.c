/* Switch allocation of a router, and a cycle of the routers of a block: see flits.h. */
#include "base/room.h"
#include "engine/flits/allocate.h"

/* ---- Who goes ---- */

/* The input channels that bid: of word w. */
NP_INLINE uint64_t bids(const np_flits_visit *v, uint32_t w)
{
    const uint64_t *row = v->rows + w;
    return row[NP_FLITS_FULL * v->words] & row[NP_FLITS_READY * v->words] & row[NP_FLITS_CREDIT * v->words];
}

/* Of two input channels that want one output. */
NP_INLINE bool goes_before(const np_flits_visit *v, uint32_t port, uint32_t channel, uint32_t other)
{
    const np_flits *f = v->f;
    uint32_t gate = f->gate_of[channel], rival = f->gate_of[other], last;
    if (gate == rival) {
        last = np_flits_gate_at(f, v->router, gate)->channel;
        return np_flits_behind(channel, last) < np_flits_behind(other, last);
    }
    last = np_flits_port_at(f, v->router, port)->last;
    return np_flits_behind(gate, last) < np_flits_behind(rival, last);
}

/* Each output grants to one input, and by one of its channels: h->best. Returns the outputs in h->list. */
NP_INLINE uint32_t grant(const np_flits_visit *v)
{
    const np_flits *f = v->f;
    np_flits_hand *h = v->hand;
    uint32_t count = 0;
    for (uint32_t w = 0; w < v->words; w++)
        for (uint64_t bits = bids(v, w); bits; bits &= bits - 1) {
            uint32_t c = 64 * w + (uint32_t)__builtin_ctzll(bits), port = np_flits_in(f, v->router, c)->port;
            if (!v->plain && f->last && !np_flits_open(f, np_flits_port_at(f, v->router, port), v->t))
                continue;
            if (h->best[port] == NP_FLITS_NONE)
                h->list[count++] = (uint16_t)port;
            else if (!goes_before(v, port, c, h->best[port]))
                continue;
            h->best[port] = (uint16_t)c;
        }
    return count;
}

/* Each input accepts one of the outputs that grant to it: h->accept. */
NP_INLINE void accept(const np_flits_visit *v, uint32_t count)
{
    np_flits_hand *h = v->hand;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t port = h->list[i], gate = v->f->gate_of[h->best[port]], other = h->accept[gate];
        uint32_t last = other == NP_FLITS_NONE ? 0 : np_flits_gate_at(v->f, v->router, gate)->last;
        if (other == NP_FLITS_NONE || np_flits_behind(port, last) < np_flits_behind(other, last))
            h->accept[gate] = (uint16_t)port;
    }
}

/* ---- A flit goes ---- */

static np_status deliver(np_flits *f, np_flits_hand *h, uint32_t number, int64_t arrived)
{
    const np_flits_packet *p = np_flits_packet_of(f, number);
    np_flits_told *told = &h->told[arrived & (f->ring - 1)];
    np_status st = np_memory_room(&told->delivery, told->count, &told->room, sizeof *told->delivery, "deliveries");
    if (st)
        return st;
    told->delivery[told->count++] =
        (np_delivery){p->source, p->destination, p->number, p->created, arrived, p->hops, p->flits};
    return np_flits_give_back(h, number);
}

NP_INLINE np_status pass_on(const np_flits_visit *v, const np_flits_port *port, uint32_t channel, uint32_t flit,
                            int64_t arrives)
{
    np_flits_mail *m = v->plain ? &v->moves[port->block] : np_flits_mail_at(v->f, v->hand, port->block, arrives);
    np_status st;
    if (m->moves == m->move_room && (st = np_flits_grow(&m->move, &m->move_room, sizeof *m->move)))
        return st;
    m->move[m->moves++] = (np_flits_move){port->router, (uint16_t)(port->channel + channel), flit};
    v->hand->hops++;
    return NP_OK;
}

/* The place of an input channel's buffer is free again. */
NP_INLINE np_status return_credit(const np_flits_visit *v, const np_flits_gate *gate, uint32_t channel)
{
    np_status st;
    if (gate->block == NP_FLITS_NONE) {
        np_flits_diary *d = np_flits_diary_at(v->f, v->block, v->t + NP_FLITS_INJECTION);
        if (d->sources == d->source_room && (st = np_flits_grow(&d->source, &d->source_room, sizeof *d->source)))
            return st;
        d->source[d->sources++] = gate->credit + channel;
        return NP_OK;
    }
    np_flits_mail *m =
        v->plain ? &v->credits[gate->block] : np_flits_mail_at(v->f, v->hand, gate->block, v->t + gate->delay);
    if (m->credits == m->credit_room && (st = np_flits_grow(&m->credit, &m->credit_room, sizeof *m->credit)))
        return st;
    m->credit[m->credits++] = gate->credit + channel;
    return NP_OK;
}

/* When a flit arrives that leaves an output behind others: a link takes one a cycle. */
static int64_t queue(np_flits *f, const np_flits_port *port, int64_t arrives)
{
    int64_t *last = &f->last[port - f->port];
    *last = *last < arrives ? arrives : *last + 1;
    return *last;
}

/* A flit that has left its buffer leaves the router. */
NP_INLINE np_status leave(const np_flits_visit *v, uint32_t channel, const np_flits_port *port, uint32_t flit,
                          int64_t arrives)
{
    np_flits_hand *h = v->hand;
    const np_flits_input *in = np_flits_in(v->f, v->router, channel);
    if (port->channel != NP_FLITS_NONE) {
        if (!--np_flits_out(v->f, v->router, in->channel)->credits)
            *np_flits_word(v, NP_FLITS_CREDIT, channel) &= ~(UINT64_C(1) << channel % 64);
        return pass_on(v, port, in->channel - in->port * v->f->V, flit, arrives);
    }
    h->inside--;
    h->ejected++;
    return flit & NP_FLITS_TAIL ? deliver(v->f, h, flit & ~NP_FLITS_TAIL, arrives) : NP_OK;
}

NP_INLINE np_status go(const np_flits_visit *v, uint32_t channel)
{
    np_flits *f = v->f;
    np_flits_router *r = v->router;
    np_flits_input *in = np_flits_in(f, r, channel);
    uint32_t at = f->gate_of[channel];
    uint32_t flit = *np_flits_slot(f, r, channel, in->first), count = in->count - 1U;
    np_flits_port *port = np_flits_port_at(f, r, in->port);
    np_flits_gate *gate = np_flits_gate_at(f, r, at);
    uint64_t bit = UINT64_C(1) << channel % 64;
    int64_t arrives = v->t + (v->plain ? f->move_delay : port->delay);
    if (!v->plain && f->last)
        arrives = queue(f, port, arrives);
    in->first = (uint8_t)(count ? np_flits_after(in->first, f->B) : 0);
    in->count = (uint8_t)count;
    if (!count)
        *np_flits_word(v, NP_FLITS_FULL, channel) &= ~bit;
    port->last = (uint16_t)at;
    gate->last = in->port;
    gate->channel = (uint16_t)channel;
    if (!v->plain && f->watched)
        np_flits_watch_going(f, r, channel, flit, v->t, arrives);
    np_status st = leave(v, channel, port, flit, arrives);
    if (flit & NP_FLITS_TAIL) {
        *np_flits_word(v, NP_FLITS_READY, channel) &= ~bit;
        v->freed[v->words == 1 ? 0 : in->channel / 64] |= UINT64_C(1) << in->channel % 64;
        v->heads[v->words == 1 ? 0 : channel / 64] |= count ? bit : 0;
        in->class_ = 0;
    }
    return st ? st : return_credit(v, gate, channel);
}

/* ---- A cycle ---- */

/* All bids of a router. If there is one alone, it is granted and accepted. */
NP_INLINE np_status allocate_switch(const np_flits_visit *v)
{
    np_flits_hand *h = v->hand;
    uint64_t first = bids(v, 0);
    np_status st = NP_OK;
    if (v->words == 1 && !(first & (first - 1)) && (v->plain || !v->f->last))
        return first ? go(v, (uint32_t)__builtin_ctzll(first)) : NP_OK;
    uint32_t count = grant(v);
    accept(v, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t port = h->list[i], channel = h->best[port];
        uint16_t *accepted = &h->accept[v->f->gate_of[channel]];
        h->best[port] = NP_FLITS_NONE;
        if (*accepted != port)
            continue;
        *accepted = NP_FLITS_NONE;
        if (!st)
            st = go(v, channel);
    }
    return st;
}

/* Those behind a tail are first from the next cycle on. */
static np_status ask_later(np_flits *f, np_flits_block *b, np_flits_head head, int64_t t)
{
    np_flits_diary *d = np_flits_diary_at(f, b, t);
    return np_flits_note(&d->ask, &d->asks, &d->ask_room, head);
}

/* Tails have left: their channels are free from the next cycle on, and the next heads may be first. */
NP_INLINE np_status clear(const np_flits_visit *v)
{
    np_flits *f = v->f;
    np_flits_router *r = v->router;
    np_status st = NP_OK;
    for (uint32_t w = 0; w < v->words; w++) {
        v->rows[NP_FLITS_FREE * v->words + w] |= v->freed[w];
        for (uint64_t bits = v->heads[w]; bits && !st; bits &= bits - 1) {
            uint32_t channel = 64 * w + (uint32_t)__builtin_ctzll(bits);
            if (v->plain || !f->options.routing_delay)
                np_flits_ask(f, r, v->rows, v->words, v->plain, channel);
            else
                st = ask_later(f, v->block, np_flits_head_of(v, channel), v->t + 1 + f->options.routing_delay);
        }
        v->freed[w] = v->heads[w] = 0;
    }
    return st;
}

NP_INLINE bool idles(const np_flits_visit *v)
{
    uint64_t some = 0;
    for (uint32_t w = 0; w < v->words; w++)
        some |= bids(v, w) | v->rows[NP_FLITS_ASK * v->words + w];
    return !some;
}

NP_INLINE np_status serve(np_flits_visit v)
{
    const np_flits *f = v.f;
    uint64_t freed[2] = {0}, heads[2] = {0};
    v.freed = v.words > 2 ? v.hand->freed : freed;
    v.heads = v.words > 2 ? v.hand->freed + v.words : heads;
    np_status st = allocate_switch(&v);
    for (uint32_t i = 1; !v.plain && f->last && i < f->options.internal_speedup && !st; i++)
        st = allocate_switch(&v);
    if (!st)
        st = np_flits_allocate(&v);
    if (!st)
        st = clear(&v);
    if (idles(&v))
        np_flits_unset(v.block->active, (uint32_t)(v.router - v.block->router));
    return st;
}

/* words, plain: constants; words = 0: as routers have them */
NP_INLINE np_status serve_all(np_flits *f, np_flits_hand *h, np_flits_block *b, uint32_t words, bool plain, int64_t t)
{
    np_flits_visit v = {.f = f, .hand = h, .block = b, .plain = plain, .t = t};
    np_status st = NP_OK;
    bool acts = false;
    v.moves = np_flits_mail_at(f, h, 0, t + f->move_delay);
    v.credits = np_flits_mail_at(f, h, 0, t + f->credit_delay);
    for (uint32_t w = 0; 64 * w < b->routers && !st; w++) {
        for (uint64_t bits = b->active[w]; bits && !st; bits &= bits - 1) {
            v.router = &b->router[64 * w + (uint32_t)__builtin_ctzll(bits)];
            v.rows = words == 1 ? v.router->row : v.router->wide.rows;
            v.words = words ? words : v.router->wide.words;
            st = serve(v);
        }
        acts |= b->active[w] != 0;
    }
    b->acts = acts;
    return st;
}

NP_HOT static np_status serve_plain_one(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    return serve_all(f, h, b, 1, true, t);
}

/* Up to 128 channels, as of the 16-cube. */
NP_HOT static np_status serve_plain_two(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    return serve_all(f, h, b, 2, true, t);
}

NP_HOT static np_status serve_one(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    return serve_all(f, h, b, 1, false, t);
}

NP_HOT static np_status serve_any(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    return serve_all(f, h, b, 0, false, t);
}

np_status np_flits_serve(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    uint64_t before = h->hops + h->ejected;
    if (!b->acts)
        return NP_OK;
    bool plain = f->plain && !f->watched;
    np_status st = f->row_words == 1            ? plain ? serve_plain_one(f, h, b, t) : serve_one(f, h, b, t)
                              : f->row_words == 2 && plain ? serve_plain_two(f, h, b, t)
                                                : serve_any(f, h, b, t);
    if (h->hops + h->ejected > before)
        h->moved_last = t;
    return st;
}
