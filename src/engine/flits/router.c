/* Switch allocation of a router, and a cycle of the routers of a block: see flits.h. */
#include "base/memory.h"
#include "base/room.h"
#include "engine/flits/allocate.h"

/* ---- Who goes ---- */

/* The input channels that bid: of word w. */
NP_INLINE uint64_t bids(np_flits_router *r, uint32_t words, uint32_t w)
{
    const uint64_t *row = np_flits_rows(r, words) + w;
    return row[NP_FLITS_FULL * words] & row[NP_FLITS_READY * words] & row[NP_FLITS_CREDIT * words];
}

/* Of two input channels that want one output. */
NP_INLINE bool goes_before(const np_flits *f, np_flits_router *r, uint32_t port, uint32_t channel, uint32_t other)
{
    uint32_t gate = f->gate_of[channel], rival = f->gate_of[other];
    if (gate == rival) {
        uint32_t next = r->gate[gate].next, v = f->channel_of[channel], rivals = f->channel_of[other];
        return np_flits_behind(v, next, f->V) < np_flits_behind(rivals, next, f->V);
    }
    uint32_t turn = r->port[port].turn;
    return np_flits_behind(gate, turn, r->gates) < np_flits_behind(rival, turn, r->gates);
}

/* Each output grants to one input, and by one of its channels: h->best. Returns the outputs in h->list. */
NP_INLINE uint32_t grant(const np_flits *f, np_flits_hand *h, np_flits_router *r, uint32_t words, int64_t t)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t bits = bids(r, words, w); bits; bits &= bits - 1) {
            uint32_t c = 64 * w + (uint32_t)__builtin_ctzll(bits), port = r->input[c].port;
            if (f->last && !np_flits_open(f, &r->port[port], t))
                continue;
            if (h->best[port] == NP_FLITS_NONE)
                h->list[count++] = (uint16_t)port;
            else if (!goes_before(f, r, port, c, h->best[port]))
                continue;
            h->best[port] = (uint16_t)c;
        }
    return count;
}

/* Each input accepts one of the outputs that grant to it. Leaves the input channels that go in h->list. */
NP_INLINE uint32_t accept(const np_flits *f, np_flits_hand *h, np_flits_router *r, uint32_t count)
{
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t port = h->list[i], gate = f->gate_of[h->best[port]], turn = r->gate[gate].turn;
        if (h->accept[gate] == NP_FLITS_NONE ||
            np_flits_behind(port, turn, r->ports) < np_flits_behind(h->accept[gate], turn, r->ports))
            h->accept[gate] = (uint16_t)port;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t port = h->list[i], channel = h->best[port];
        if (h->accept[f->gate_of[channel]] == port)
            h->list[accepted++] = (uint16_t)channel;
        h->best[port] = NP_FLITS_NONE;
    }
    for (uint32_t i = 0; i < accepted; i++)
        h->accept[f->gate_of[h->list[i]]] = NP_FLITS_NONE;
    return accepted;
}

/* ---- A flit goes ---- */

NP_INLINE np_status deliver(np_flits *f, np_flits_hand *h, uint32_t number, int64_t arrived)
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

np_status np_flits_grow_moves(np_flits_mail *m)
{
    uint32_t room = 2 * m->move_room + 64;
    np_status st = np_memory_grow(&m->move, m->moves, room, sizeof *m->move, "flits on their way");
    if (!st)
        m->move_room = room;
    return st;
}

NP_INLINE np_status pass_on(np_flits *f, np_flits_hand *h, const np_flits_port *port, uint32_t v, uint32_t flit,
                            int64_t arrives)
{
    np_flits_mail *m = np_flits_mail_at(f, h, port->mail, arrives);
    np_status st;
    if (m->moves == m->move_room && (st = np_flits_grow_moves(m)))
        return st;
    m->move[m->moves++] = (np_flits_move){port->router, (uint16_t)(port->channel + v), flit};
    h->hops++;
    return NP_OK;
}

static np_status grow_sources(np_flits_diary *d)
{
    uint32_t room = 2 * d->source_room + 16;
    np_status st = np_memory_grow(&d->source, d->sources, room, sizeof *d->source, "what is due");
    if (!st)
        d->source_room = room;
    return st;
}

NP_INLINE np_status return_credit(np_flits *f, np_flits_hand *h, np_flits_block *b, const np_flits_gate *gate,
                                  uint32_t v, int64_t t)
{
    np_status st;
    if (gate->channel == NP_FLITS_NONE) {
        np_flits_diary *d = np_flits_diary_at(f, b, t + NP_FLITS_INJECTION);
        if (d->sources == d->source_room && (st = grow_sources(d)))
            return st;
        d->source[d->sources++] = gate->mail * f->V + v;
        return NP_OK;
    }
    np_flits_mail *m = np_flits_mail_at(f, h, gate->mail, t + gate->delay);
    np_flits_credit credit = {gate->router, (uint16_t)(gate->channel + v)};
    if (m->credits == m->credit_room)
        return np_flits_note(&m->credit, &m->credits, &m->credit_room, credit);
    m->credit[m->credits++] = credit;
    return NP_OK;
}

/* When a flit arrives that leaves an output behind others: a link takes one a cycle. */
static int64_t queue(np_flits *f, const np_flits_port *port, int64_t arrives)
{
    int64_t *last = &f->last[port - f->port];
    *last = *last < arrives ? arrives : *last + 1;
    return *last;
}

/* A flit goes. *left: how many tails have left the router in this cycle: h->left. */
NP_INLINE np_status go(np_flits *f, np_flits_hand *h, np_flits_block *b, np_flits_router *r, uint32_t words,
                       uint32_t channel, int64_t t, uint32_t *left)
{
    np_flits_input *in = &r->input[channel];
    uint32_t at = f->gate_of[channel], to = in->port, flit = *np_flits_slot(f, r, channel, in->first);
    np_flits_port *port = &r->port[to];
    np_flits_gate *gate = &r->gate[at];
    uint64_t *rows = np_flits_rows(r, words) + (words == 1 ? 0 : channel / 64), bit = UINT64_C(1) << channel % 64;
    uint32_t v = f->channel_of[channel], count = in->count - 1;
    int64_t arrives = t + port->delay;
    bool tail = flit & NP_FLITS_TAIL;
    np_status st;
    if (f->last)
        arrives = queue(f, port, arrives);
    in->first = (count ? np_flits_after(in->first, f->B) : 0) & 255;
    in->count = count & 255;
    rows[NP_FLITS_FULL * words] &= ~(count ? 0 : bit);
    rows[NP_FLITS_READY * words] &= ~(tail ? bit : 0);
    port->turn = np_flits_after(at, r->gates);
    gate->turn = np_flits_after(to, r->ports);
    gate->next = np_flits_after(v, f->V);
    if (f->watched)
        np_flits_watch_going(f, r, channel, flit, t, arrives);
    if (port->channel != NP_FLITS_NONE) {
        if (!--r->output[in->channel].credits)
            rows[NP_FLITS_CREDIT * words] &= ~bit;
        if ((st = pass_on(f, h, port, in->channel - to * f->V, flit, arrives)))
            return st;
    } else {
        h->inside--;
        h->ejected++;
        if (tail && (st = deliver(f, h, flit & ~NP_FLITS_TAIL, arrives)))
            return st;
    }
    if (tail) {
        h->left[(*left)++] = (np_flits_credit){(uint16_t)channel, in->channel};
        in->channel = NP_FLITS_NONE;
    }
    return return_credit(f, h, b, gate, v, t);
}

/* ---- A cycle ---- */

/* All bids of a router. If there is one alone, it is granted and accepted. Returns the tails that leave, in h->left. */
NP_INLINE np_status allocate_switch(np_flits *f, np_flits_hand *h, np_flits_block *b, np_flits_router *r,
                                    uint32_t words, int64_t t, uint32_t *left)
{
    uint64_t first = bids(r, words, 0);
    np_status st = NP_OK;
    if (words == 1 && !(first & (first - 1)) && !f->last)
        return first ? go(f, h, b, r, words, (uint32_t)__builtin_ctzll(first), t, left) : NP_OK;
    uint32_t sent = accept(f, h, r, grant(f, h, r, words, t));
    for (uint32_t i = 0; i < sent && !st; i++)
        st = go(f, h, b, r, words, h->list[i], t, left);
    return st;
}

/* Tails have left: their channels are free from the next cycle on, and the next heads may be first. */
NP_INLINE np_status clear(np_flits *f, np_flits_hand *h, np_flits_block *b, np_flits_router *r, uint32_t words,
                          uint32_t left, int64_t t)
{
    uint64_t *free = np_flits_rows(r, words) + NP_FLITS_FREE * words;
    for (uint32_t i = 0; i < left; i++) {
        uint32_t channel = h->left[i].router, freed = h->left[i].channel;
        free[words == 1 ? 0 : freed / 64] |= UINT64_C(1) << freed % 64;
        if (!r->input[channel].count)
            continue;
        if (!f->options.routing_delay) {
            np_flits_ask(f, r, words, channel);
            continue;
        }
        np_flits_diary *d = np_flits_diary_at(f, b, t + 1 + f->options.routing_delay);
        np_status st = np_flits_note(&d->ask, &d->asks, &d->ask_room, (np_flits_credit){r->number, (uint16_t)channel});
        if (st)
            return st;
    }
    return NP_OK;
}

NP_INLINE bool idles(np_flits_router *r, uint32_t words)
{
    uint64_t some = 0;
    for (uint32_t w = 0; w < words; w++)
        some |= bids(r, words, w) | np_flits_rows(r, words)[NP_FLITS_ASK * words + w];
    return !some;
}

NP_INLINE np_status serve(np_flits *f, np_flits_hand *h, np_flits_block *b, np_flits_router *r, uint32_t words,
                          int64_t t)
{
    uint32_t left = 0;
    np_status st = allocate_switch(f, h, b, r, words, t, &left);
    for (uint32_t i = 1; f->last && i < f->options.internal_speedup && !st; i++)
        st = allocate_switch(f, h, b, r, words, t, &left);
    if (!st)
        st = np_flits_allocate(f, h, b, r, words, t);
    if (left && !st)
        st = clear(f, h, b, r, words, left, t);
    if (idles(r, words))
        np_flits_unset(b->active, r->number);
    return st;
}

NP_HOT static np_status serve_word(np_flits *f, np_flits_hand *h, np_flits_block *b, uint32_t w, int64_t t)
{
    np_status st = NP_OK;
    for (uint64_t bits = b->active[w]; bits && !st; bits &= bits - 1) {
        np_flits_router *r = &b->router[64 * w + (uint32_t)__builtin_ctzll(bits)];
        st = r->words == 1   ? serve(f, h, b, r, 1, t)
             : r->words == 2 ? serve(f, h, b, r, 2, t) /* up to 128 channels, as of the 16-cube */
                             : serve(f, h, b, r, r->words, t);
    }
    return st;
}

np_status np_flits_serve(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    uint64_t before = h->hops + h->ejected;
    np_status st = NP_OK;
    bool acts = false;
    if (!b->acts)
        return NP_OK;
    for (uint32_t w = 0; 64 * w < b->routers; w++) {
        if (b->active[w] && !st)
            st = serve_word(f, h, b, w, t);
        acts |= b->active[w] != 0;
    }
    b->acts = acts;
    if (h->hops + h->ejected > before)
        h->moved_last = t;
    return st;
}
