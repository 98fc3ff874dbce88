/* A cycle of the routers: see flits.h. */
#include "base/memory.h"
#include "base/room.h"
#include "engine/flits/flits.h"

enum { AHEAD = 8 /* items whose memory is asked for early; ours */ };

/* ---- What arrives ---- */

/* The class of a candidate, as a range of channels: V divided evenly, the first classes get one more. */
static void take_class(const np_flits *f, const np_candidate *c, np_flits_input *in)
{
    uint32_t each = f->V / f->classes, more = f->V % f->classes;
    in->low = (uint8_t)(c->class_ * each + (c->class_ < more ? c->class_ : more));
    in->width = (uint8_t)(each + (c->class_ < more));
}

static uint32_t output_of(const np_flits *f, uint32_t router, np_port port)
{
    return f->out_row[router] + f->port_output[router * f->options.network->ports + port];
}

/* The packet of an input channel leaves the network here, if it is where it goes. */
static void want_ejection(np_flits *f, const np_flits_packet *p, np_flits_input *in)
{
    in->output = f->source[p->destination].port;
    in->low = in->need = 0;
    in->width = (uint8_t)f->V;
}

/*
 * Duato's escape is of use to a packet only whose head is the first of its buffer. So where there is an escape, a
 * packet takes another channel only if its head will be the first there, as the buffer is empty, or if all of it finds
 * room behind the packets that are there, so that it holds no channel while it waits for them (Ma, Enright Jerger &
 * Wang 2012). A packet longer than a buffer needs an empty one. Escape channels need no such rule: a head that waits in
 * one of them waits for packets whose next escape channels are behind it in the order of the escape channels.
 */
static uint32_t need_of(const np_flits *f, const np_flits_packet *p, bool escapes, bool escape)
{
    if (f->options.cut_through)
        return p->flits;
    return escapes && !escape ? p->flits < f->B ? p->flits : f->B : 0;
}

/* The head of an input channel asks from now on. Where the relation is adaptive, what it asks for is chosen each time.
 */
static void ask(np_flits *f, uint32_t channel)
{
    np_flits_input *in = &f->input[channel];
    uint32_t router = f->gate[channel / f->V].router;
    if (!f->adaptive) {
        np_flits_packet *p = &f->packet[f->slot[np_flits_place(f, channel, in->first)] & ~NP_FLITS_TAIL];
        np_candidate c[NP_CANDIDATES];
        if (np_relation_candidates(f->options.relation, f->routers.node[router], p->router, p->state, c)) {
            take_class(f, c, in);
            in->output = output_of(f, router, c->port);
            in->need = (uint8_t)need_of(f, p, false, false);
            p->next = c->state;
        } else {
            want_ejection(f, p, in);
        }
    }
    np_flits_set(f, f->asks, router, channel);
    np_flits_wake(f, router);
}

static np_status post(uint32_t **list, size_t *count, size_t *room, uint32_t item)
{
    np_status st = np_memory_room(list, *count, room, sizeof **list, "what is on its way");
    if (!st)
        (*list)[(*count)++] = item;
    return st;
}

/* The first flit of a channel is a head, and is first from cycle t on. */
static np_status become_first(np_flits *f, uint32_t channel, int64_t t, int64_t now)
{
    int64_t from = t + f->options.routing_delay;
    if (from == now) {
        ask(f, channel);
        return NP_OK;
    }
    np_flits_mail *m = np_flits_mail_at(f, from);
    return post(&m->ask, &m->asks, &m->ask_room, channel);
}

/* It bids, if it can. */
static void may_bid(np_flits *f, uint32_t channel)
{
    const np_flits_input *in = &f->input[channel];
    if (!in->ready || !in->count || !f->output[in->output * f->V + in->held].credits)
        return;
    uint32_t router = f->gate[channel / f->V].router;
    np_flits_set(f, f->bids, router, channel);
    np_flits_wake(f, router);
}

static np_status receive_flit(np_flits *f, np_flits_move move, int64_t t)
{
    np_flits_input *in = &f->input[move.channel];
    if (in->count == f->B)
        return NP_RAISE(NP_ERROR_INTERNAL, "a flit came where there was no room");
    uint32_t at = in->first + in->count;
    f->slot[np_flits_place(f, move.channel, at < f->B ? at : at - f->B)] = move.flit;
    in->count++;
    if (in->held != NP_FLITS_NO_CHANNEL) {
        may_bid(f, move.channel);
        return NP_OK;
    }
    return in->count == 1 ? become_first(f, move.channel, t, t) : NP_OK;
}

static void receive_credits(np_flits *f, const np_flits_mail *m)
{
    for (size_t i = 0; i < m->credits; i++) {
        if (i + AHEAD < m->credits) {
            __builtin_prefetch(&f->output[m->credit[i + AHEAD]], 1);
            __builtin_prefetch(&f->port[m->credit[i + AHEAD] / f->V]);
        }
        np_flits_output *out = &f->output[m->credit[i]];
        const np_flits_port *port = &f->port[m->credit[i] / f->V];
        out->credits++;
        if (out->busy)
            may_bid(f, f->in_row[port->router] * f->V + out->owner);
    }
    for (size_t i = 0; i < m->sources; i++) {
        uint32_t terminal = m->source[i] / f->V;
        const np_flits_source *s = &f->source[terminal];
        f->source_credits[m->source[i]]++;
        if (s->left || s->begun < s->created)
            f->sending[terminal / 64] |= UINT64_C(1) << terminal % 64;
    }
}

np_status np_flits_receive(np_flits *f, int64_t t)
{
    np_flits_mail *m = np_flits_mail_at(f, t);
    np_status st = NP_OK;
    receive_credits(f, m);
    for (size_t i = 0; i < m->moves && !st; i++) {
        if (i + AHEAD < m->moves) {
            np_flits_move next = m->move[i + AHEAD];
            __builtin_prefetch(&f->input[next.channel], 1);
            __builtin_prefetch(&f->slot[next.channel], 1);
            __builtin_prefetch(&f->packet[next.flit & ~NP_FLITS_TAIL], 1);
            __builtin_prefetch(&f->gate[next.channel / f->V]);
        }
        st = receive_flit(f, m->move[i], t);
    }
    for (size_t i = 0; i < m->asks; i++)
        ask(f, m->ask[i]);
    for (size_t i = 0; i < m->bids; i++) {
        f->input[m->bid[i]].ready = true;
        may_bid(f, m->bid[i]);
    }
    m->moves = m->credits = m->sources = m->asks = m->bids = 0;
    return st;
}

/* ---- Switch allocation ---- */

/* Each output grants to one input, and by one of its channels. Returns the outputs in f->touched. */
static uint32_t grant(np_flits *f, uint32_t router)
{
    uint32_t V = f->V, first = f->in_row[router] * V, inputs = f->in_row[router + 1] - f->in_row[router], touched = 0;
    for (uint32_t w = f->word_row[router]; w < f->word_row[router + 1]; w++)
        for (uint64_t bits = f->bids[w]; bits; bits &= bits - 1) {
            uint32_t c = first + 64 * (w - f->word_row[router]) + (uint32_t)__builtin_ctzll(bits), g = c / V;
            np_flits_port *port = &f->port[f->input[c].output];
            if (port->best == NP_NONE) {
                f->touched[touched++] = f->input[c].output;
            } else if (port->best == g) {
                uint32_t turn = f->gate[g].channel;
                if (np_flits_behind(c % V, turn, V) >= np_flits_behind(port->by % V, turn, V))
                    continue;
            } else if (np_flits_behind(g - f->in_row[router], port->turn, inputs) >=
                       np_flits_behind(port->best - f->in_row[router], port->turn, inputs)) {
                continue;
            }
            port->best = g;
            port->by = c;
        }
    return touched;
}

/* Each input accepts one of the outputs that grant to it. Leaves the accepted outputs in f->touched. */
static uint32_t accept(np_flits *f, uint32_t router, uint32_t touched)
{
    uint32_t first = f->out_row[router], outputs = f->out_row[router + 1] - first, accepted = 0;
    for (uint32_t i = 0; i < touched; i++) {
        np_flits_gate *gate = &f->gate[f->port[f->touched[i]].best];
        if (gate->best == NP_NONE || np_flits_behind(f->touched[i] - first, gate->turn, outputs) <
                                         np_flits_behind(gate->best - first, gate->turn, outputs))
            gate->best = f->touched[i];
    }
    for (uint32_t i = 0; i < touched; i++) {
        np_flits_port *port = &f->port[f->touched[i]];
        if (f->gate[port->best].best == f->touched[i])
            f->touched[accepted++] = f->touched[i];
        else
            port->best = NP_NONE;
    }
    return accepted;
}

static np_status deliver(np_flits *f, uint32_t number, int64_t arrived)
{
    const np_flits_packet *p = &f->packet[number];
    np_flits_mail *m = np_flits_mail_at(f, arrived);
    np_status st = np_memory_room(&m->delivery, m->deliveries, &m->delivery_room, sizeof *m->delivery, "deliveries");
    if (st)
        return st;
    np_delivery d = {p->source, p->destination, p->number, p->created, arrived, p->hops, p->flits};
    size_t i = m->deliveries++;
    for (; i && m->delivery[i - 1].destination > d.destination; i--)
        m->delivery[i] = m->delivery[i - 1];
    m->delivery[i] = d;
    f->free_packet[f->free_packets++] = number;
    return NP_OK;
}

static np_status pass_on(np_flits *f, const np_flits_port *port, const np_flits_input *in, uint32_t flit, int64_t t)
{
    np_flits_mail *m = np_flits_mail_at(f, t + port->delay);
    np_status st = np_memory_room(&m->move, m->moves, &m->move_room, sizeof *m->move, "flits on their way");
    if (st)
        return st;
    m->move[m->moves++] = (np_flits_move){port->to * f->V + in->held, flit};
    f->output[in->output * f->V + in->held].credits--;
    f->counts.hops++;
    return NP_OK;
}

static np_status return_credit(np_flits *f, const np_flits_gate *gate, uint32_t v, int64_t t)
{
    if (gate->injection) {
        np_flits_mail *m = np_flits_mail_at(f, t + NP_FLITS_INJECTION);
        return post(&m->source, &m->sources, &m->source_room, gate->from * f->V + v);
    }
    np_flits_mail *m = np_flits_mail_at(f, t + f->options.switch_delay + 1 + f->options.credit_delay);
    return post(&m->credit, &m->credits, &m->credit_room, gate->from * f->V + v);
}

/* The tail has left: the channel is free from the next cycle on, and the next head may be first. */
static np_status leave(np_flits *f, uint32_t channel, int64_t t)
{
    np_flits_input *in = &f->input[channel];
    f->freed[f->frees++] = in->output * f->V + in->held;
    in->held = NP_FLITS_NO_CHANNEL;
    in->ready = false;
    return in->count ? become_first(f, channel, t + 1, t) : NP_OK;
}

/* The flit of the accepted bid goes. */
static np_status go(np_flits *f, uint32_t router, np_flits_port *port, int64_t t)
{
    uint32_t channel = port->by, number = (uint32_t)(port - f->port);
    np_flits_gate *gate = &f->gate[port->best];
    np_flits_input *in = &f->input[channel];
    uint32_t flit = f->slot[np_flits_place(f, channel, in->first)], v = channel % f->V;
    uint32_t inputs = f->in_row[router + 1] - f->in_row[router], outputs = f->out_row[router + 1] - f->out_row[router];
    np_status st;
    in->first = (uint8_t)(--in->count ? in->first + 1 == (int)f->B ? 0 : in->first + 1 : 0);
    port->turn = (uint16_t)((port->best - f->in_row[router] + 1) % inputs);
    gate->turn = (uint16_t)((number - f->out_row[router] + 1) % outputs);
    gate->channel = (uint8_t)((v + 1) % f->V);
    gate->best = port->best = NP_NONE;
    f->moved_last = t;
    if (port->to != NP_NONE) {
        if ((st = pass_on(f, port, in, flit, t)))
            return st;
    } else {
        f->inside--;
        f->counts.ejected++;
        if (flit & NP_FLITS_TAIL && (st = deliver(f, flit & ~NP_FLITS_TAIL, t + port->delay)))
            return st;
    }
    const np_flits_output *out = &f->output[in->output * f->V + in->held];
    if (flit & NP_FLITS_TAIL || !in->count || !out->credits)
        np_flits_unset(f, f->bids, router, channel);
    if ((st = return_credit(f, gate, v, t)))
        return st;
    return flit & NP_FLITS_TAIL ? leave(f, channel, t) : NP_OK;
}

/* ---- Channel allocation ---- */

static uint32_t free_credits(const np_flits *f, const np_flits_input *in, bool *free)
{
    uint32_t credits = 0;
    *free = false;
    for (uint32_t v = in->low; v < (uint32_t)in->low + in->width; v++) {
        const np_flits_output *out = &f->output[in->output * f->V + v];
        if (out->busy || out->credits < in->need)
            continue;
        credits += out->credits;
        *free = true;
    }
    return credits;
}

/* Of an adaptive relation: the candidate with the most credits in free channels; an escape only if no other is free. */
static void choose(np_flits *f, uint32_t router, uint32_t channel)
{
    np_flits_input *in = &f->input[channel], best = *in;
    np_flits_packet *p = &f->packet[f->slot[np_flits_place(f, channel, in->first)] & ~NP_FLITS_TAIL];
    np_candidate c[NP_CANDIDATES];
    unsigned count = np_relation_candidates(f->options.relation, f->routers.node[router], p->router, p->state, c);
    int64_t most = -1;
    bool escapes = false;
    if (!count)
        want_ejection(f, p, in);
    for (unsigned i = 0; i < count; i++)
        escapes |= c[i].escape;
    for (unsigned k = 0; k < 2 * count && (k != count || most < 0); k++) {
        unsigned i = k % count;
        bool free;
        if (c[i].escape != k / count)
            continue;
        take_class(f, &c[i], in);
        in->output = output_of(f, router, c[i].port);
        in->need = (uint8_t)need_of(f, p, escapes, c[i].escape);
        int64_t credits = free_credits(f, in, &free);
        if (!free || credits <= most)
            continue;
        most = credits;
        best = *in;
        p->next = c[i].state;
    }
    if (count && most >= 0)
        *in = best;
}

/*
 * The channel that an input channel asks for: the first free one of its class at or after its pointer; V: none. If the
 * pointer is at another output or class, the class begins at its first channel.
 */
static uint32_t wanted(const np_flits *f, uint32_t router, uint32_t channel)
{
    const np_flits_input *in = &f->input[channel];
    uint32_t first = (in->output - f->out_row[router]) * f->V + in->low;
    uint32_t start = in->next >= first && in->next < first + in->width ? in->next - first : 0;
    for (uint32_t k = 0; k < in->width; k++) {
        uint32_t v = in->low + (start + k) % in->width;
        const np_flits_output *out = &f->output[in->output * f->V + v];
        if (!out->busy && out->credits >= in->need)
            return v;
    }
    return f->V;
}

static uint32_t collect(np_flits *f, uint32_t router)
{
    uint32_t V = f->V, first = f->in_row[router] * V, channels = f->in_row[router + 1] * V - first, touched = 0;
    for (uint32_t w = f->word_row[router]; w < f->word_row[router + 1]; w++)
        for (uint64_t bits = f->asks[w]; bits; bits &= bits - 1) {
            uint32_t c = first + 64 * (w - f->word_row[router]) + (uint32_t)__builtin_ctzll(bits);
            if (f->adaptive)
                choose(f, router, c);
            uint32_t v = wanted(f, router, c);
            if (v == V)
                continue;
            np_flits_output *out = &f->output[f->input[c].output * V + v];
            if (out->asked == NP_NONE)
                f->touched[touched++] = f->input[c].output * V + v;
            else if (np_flits_behind(c - first, out->turn, channels) >=
                     np_flits_behind(out->asked - first, out->turn, channels))
                continue;
            out->asked = c;
        }
    return touched;
}

static np_status allocate(np_flits *f, uint32_t router, uint32_t touched, int64_t t)
{
    uint32_t first = f->in_row[router] * f->V, channels = f->in_row[router + 1] * f->V - first;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < touched && !st; i++) {
        np_flits_output *out = &f->output[f->touched[i]];
        uint32_t channel = out->asked, v = f->touched[i] % f->V;
        np_flits_input *in = &f->input[channel];
        np_flits_packet *p = &f->packet[f->slot[np_flits_place(f, channel, in->first)] & ~NP_FLITS_TAIL];
        bool hop = f->port[in->output].to != NP_NONE;
        out->asked = NP_NONE;
        out->busy = true;
        out->owner = (uint16_t)(channel - first);
        out->turn = (uint16_t)((channel - first + 1) % channels);
        in->held = (uint8_t)v;
        in->next = (uint16_t)(f->touched[i] + 1 - f->out_row[router] * f->V);
        p->hops += hop;
        p->state = hop ? p->next : p->state;
        np_flits_unset(f, f->asks, router, channel);
        np_flits_mail *m = np_flits_mail_at(f, t + f->options.allocation_delay);
        st = post(&m->bid, &m->bids, &m->bid_room, channel);
    }
    return st;
}

static np_status serve(np_flits *f, uint32_t router, int64_t t)
{
    uint32_t sent = accept(f, router, grant(f, router)), asked;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < sent && !st; i++)
        st = go(f, router, &f->port[f->touched[i]], t);
    asked = collect(f, router);
    if (!st)
        st = allocate(f, router, asked, t);
    while (f->frees)
        f->output[f->freed[--f->frees]].busy = false;
    return st;
}

static bool idles(const np_flits *f, uint32_t router)
{
    for (uint32_t w = f->word_row[router]; w < f->word_row[router + 1]; w++)
        if (f->bids[w] | f->asks[w])
            return false;
    return true;
}

np_status np_flits_serve(np_flits *f, int64_t t)
{
    np_status st = NP_OK;
    for (uint32_t w = 0; w <= f->routers.count / 64; w++)
        for (uint64_t bits = f->active[w]; bits && !st; bits &= bits - 1) {
            uint32_t router = 64 * w + (uint32_t)__builtin_ctzll(bits);
            st = serve(f, router, t);
            if (idles(f, router))
                f->active[w] &= ~(UINT64_C(1) << router % 64);
        }
    return st;
}
