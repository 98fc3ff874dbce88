/* What terminals create and send: see flits.h. */
#include "engine/flits/flits.h"
#include "model/network/read_node.h"
#include "model/relation/rule.h"

/* ---- Creation: a timing wheel of the terminals of a block ---- */

void np_flits_expect(np_flits *f, np_flits_block *b, uint32_t place)
{
    np_flits_source *s = &f->source[place];
    uint32_t *first = &b->wheel[s->coming.time % NP_FLITS_WHEEL];
    s->next = *first;
    *first = place;
}

/* The k-th packet that was let in where room is bounded. */
static np_flits_kept *kept_of(const np_flits *f, const np_flits_source *s, uint64_t k)
{
    uint32_t room = f->options.source_flits;
    return &f->kept[(size_t)(s - f->source) * room + k % room];
}

/* Where terminals have several cables: is this packet of the terminal one of this cable? */
static bool is_own(const np_flits *f, const np_flits_source *s, uint64_t number, np_node to)
{
    return !f->cables->several ||
           np_cables_draw(f->options.relation, &f->options.draws, s->terminal, number, to).entry == s->entry;
}

/* A packet that another cable has: no packet waits before it, or it is passed when its turn comes. */
static void pass(np_flits_source *s)
{
    if (s->begun == s->created) {
        s->going = s->coming;
        s->begun++;
    }
    s->created++;
}

/* If no packet waits, this one is the next to be sent, and need not be drawn again. */
static void keep(np_flits *f, np_flits_hand *h, np_flits_block *b, uint32_t place, uint64_t number, int64_t t)
{
    np_flits_source *s = &f->source[place];
    if (f->book)
        np_flits_observe_creation(f, place, t);
    h->created += s->coming.flits;
    if (f->kept) {
        *kept_of(f, s, s->created) = (np_flits_kept){number, s->coming};
        s->waits += s->coming.flits;
    } else if (s->begun == s->created) {
        s->going = s->coming;
        s->drawn = true;
    }
    s->created++;
    np_flits_wake_source(b, place);
}

static void create(np_flits *f, np_flits_hand *h, np_flits_block *b, uint32_t place, int64_t t)
{
    np_flits_source *s = &f->source[place];
    uint64_t number = s->drawn_so_far++;
    if (is_own(f, s, number, s->coming.to)) {
        if (f->kept && s->waits + s->coming.flits > f->options.source_flits)
            h->refused += s->coming.flits;
        else
            keep(f, h, b, place, number, t);
    } else if (!f->kept) {
        pass(s);
    }
}

/* One process may create several in one cycle. */
static void create_all(np_flits *f, np_flits_hand *h, np_flits_block *b, uint32_t place, int64_t t)
{
    np_flits_source *s = &f->source[place];
    while (!s->ended && s->coming.time == (np_step)t) {
        create(f, h, b, place, t);
        s->ended = !np_arrivals_next(f->options.arrivals, s->terminal, s->drawn_so_far, t, &s->coming);
    }
}

/* Of the usual arrivals. Draws the next packets of terminals that have created one, at most NP_RANDOM_LANES. */
static void draw_next(np_flits *f, size_t count, const uint32_t *place, int64_t t)
{
    np_arrivals_which which[NP_RANDOM_LANES];
    np_arrival next[NP_RANDOM_LANES];
    for (size_t i = 0; i < count; i++)
        which[i] = (np_arrivals_which){.terminal = f->source[place[i]].terminal, .k = f->source[place[i]].drawn_so_far};
    np_arrivals_next_some(f->options.arrivals, count, which, t, next);
    for (size_t i = 0; i < count; i++) {
        f->source[place[i]].coming = next[i];
        f->source[place[i]].ended = !which[i].more;
    }
}

/* Creates packets of some terminals of a list, which begins with `place`. Returns what is left of it. */
static uint32_t create_some(np_flits *f, np_flits_hand *h, np_flits_block *b, uint32_t place, int64_t t)
{
    uint32_t seen[NP_RANDOM_LANES], made[NP_RANDOM_LANES];
    size_t sees = 0, makes = 0;
    for (; place != NP_NONE && sees < NP_RANDOM_LANES; place = f->source[place].next) {
        seen[sees++] = place;
        if (f->source[place].coming.time == (np_step)t) {
            create(f, h, b, place, t);
            made[makes++] = place;
        }
    }
    if (makes)
        draw_next(f, makes, made, t);
    for (size_t i = 0; i < sees; i++)
        if (!f->source[seen[i]].ended)
            np_flits_expect(f, b, seen[i]);
    return place;
}

void np_flits_create_packets(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    uint32_t *first = &b->wheel[t % NP_FLITS_WHEEL], place = *first;
    if (f->stopped || place == NP_NONE)
        return;
    *first = NP_NONE;
    while (f->usual && place != NP_NONE)
        place = create_some(f, h, b, place, t);
    while (place != NP_NONE) {
        np_flits_source *s = &f->source[place];
        uint32_t next = s->next;
        create_all(f, h, b, place, t);
        if (!s->ended)
            np_flits_expect(f, b, place);
        place = next;
    }
}

/* ---- Sending ---- */

/*
 * The flits that wait for a port, or for the channels of a class of it: in the buffers of the router, behind a head
 * that has asked for it, and beyond its link, where they hold credits.
 */
static uint32_t pressure(const void *context, np_node at, np_port port, unsigned class_)
{
    const np_flits *f = context;
    np_flits_router *r = &f->router[f->number[at]];
    const uint64_t *rows = np_flits_rows(f, r);
    const uint32_t first = np_flits_output_at(f, r, port) * f->V, words = np_flits_words(f, r);
    const np_flits_class part = class_ == NP_ALL_CLASSES ? f->class_[f->classes] : f->class_[class_];
    uint32_t waiting = 0, low = first + part.low, end = low + part.width;
    for (uint32_t c = low; c < end; c++)
        waiting += f->B - np_flits_out(f, r, c)->credits;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t full = rows[NP_FLITS_FULL * words + w]; full; full &= full - 1) {
            uint32_t channel = 64 * w + (uint32_t)__builtin_ctzll(full);
            const np_flits_input *in = np_flits_in(f, r, channel);
            bool holds = in->class_ == NP_FLITS_HOLDS;
            bool asked = holds || (!f->adaptive && np_flits_has(rows + NP_FLITS_ASK * words, channel));
            uint32_t to = holds ? in->channel : asked ? np_flits_low(f, in) : 0;
            waiting += asked && to >= low && to < end ? in->count : 0;
        }
    return waiting;
}

/* ---- Which packet is next ---- */

/* The next packet of a terminal, which draws it again if it had to wait, into s->going. Returns its number. */
static uint64_t draw(np_flits *f, np_flits_source *s)
{
    if (f->kept) {
        const np_flits_kept *kept = kept_of(f, s, s->begun);
        s->going = kept->arrival;
        return kept->number;
    }
    if (!s->drawn)
        np_arrivals_next(f->options.arrivals, s->terminal, s->begun, s->begun ? (int64_t)s->going.time : -1, &s->going);
    s->drawn = false;
    return s->begun;
}

/* Where terminals have several cables: those that others have, before the next packet of this one. */
static void pass_others(np_flits *f, np_flits_source *s)
{
    while (f->cables->several && !f->pushes.place && !f->kept && s->begun < s->created) {
        draw(f, s);
        s->drawn = true;
        if (is_own(f, s, s->begun, s->going.to))
            return;
        s->drawn = false;
        s->begun++;
    }
}

/* ---- Packets that somebody pushed ---- */

/* One that is free again, or a new one: no more wait than windows have. */
static uint32_t take_place(np_flits *f)
{
    np_flits_pushes *p = &f->pushes;
    for (unsigned i = 0; i < f->hands; i++) {
        uint32_t at = f->hand[i].pushes;
        if (at != NP_NONE) {
            f->hand[i].pushes = p->push[at].next;
            return at;
        }
    }
    return (uint32_t)p->count++;
}

np_status np_flits_push_packet(void *model, np_node source, uint64_t number, np_node destination)
{
    np_flits *f = model;
    np_flits_pushes *p = &f->pushes;
    uint32_t entry = np_cables_draw(f->options.relation, &f->options.draws, source, number, destination).entry;
    uint32_t place = p->place[entry], at = take_place(f);
    p->push[at] = (np_flits_push){number, (np_step)f->counts.now, destination, NP_NONE};
    *(p->first[place] == NP_NONE ? &p->first[place] : &p->push[p->last[place]].next) = at;
    p->last[place] = at;
    f->source[place].created++;
    f->hand->created++;
    np_flits_wake_source(&f->block[f->entry[entry].router >> f->block_bits], place);
    return NP_OK;
}

/* The first one of a terminal, into s->going. Returns its number. */
static uint64_t take_pushed(np_flits *f, np_flits_hand *h, np_flits_source *s)
{
    np_flits_pushes *p = &f->pushes;
    uint32_t *first = &p->first[s - f->source], at = *first;
    np_flits_push *push = &p->push[at];
    s->going = (np_arrival){.time = push->created, .to = push->to, .flits = 1};
    *first = push->next;
    push->next = h->pushes;
    h->pushes = at;
    return push->number;
}

/* ---- A packet begins ---- */

static np_status begin(np_flits *f, np_flits_hand *h, np_flits_source *s)
{
    const np_pressure load = {pressure, f};
    np_status st = np_flits_take(f, h, &s->packet);
    if (st)
        return st;
    uint64_t number = f->pushes.place ? take_pushed(f, h, s) : draw(f, s);
    np_cable_pair pair = {s->entry, s->going.to}; /* where no terminal has several */
    if (f->cables->several)
        pair = np_cables_draw_pair(f->options.relation, &f->options.draws, s->terminal, number, s->going.to);
    np_node from = f->cables->entry[s->entry].router, to = f->cables->exit[pair.exit].router;
    np_flits_packet *p = np_flits_packet_of(f, s->packet);
    bool formal = f->options.relation->form != NP_RELATION_ANY;
    if (!formal && !np_relation_serves(f->options.relation, from, to))
        return NP_RAISE(NP_ERROR_APPLY, "%s has no route from %.60s to %.60s", np_relation_name(f->options.relation),
                        NP_NODE_NAME(f->options.network, from), NP_NODE_NAME(f->options.network, to));
    *p = (np_flits_packet){.created = s->going.time,
                           .number = number,
                           .source = s->terminal,
                           .destination = s->going.to,
                           .router = to,
                           .exit = pair.exit,
                           .flits = s->going.flits};
    if (!formal)
        p->state = np_relation_start(f->options.relation, &f->options.draws, number * f->terminals + s->terminal, from,
                                     to, &load);
    if (f->book)
        np_flits_observe_beginning(f, (uint32_t)(s - f->source), p);
    s->left = p->flits;
    s->begun++;
    pass_others(f, s);
    return NP_OK;
}

/* The channel of the next packet, if one has room for a flit, or with cut-through for all of it. */
static bool choose(const np_flits *f, np_flits_source *s, const uint8_t *credits)
{
    uint32_t least = f->options.cut_through ? s->left : 1, v = s->last;
    for (uint32_t k = 0; k < f->V; k++) {
        v = np_flits_after(v, f->V);
        if (credits[v] >= least) {
            s->last = (uint8_t)v;
            return true;
        }
    }
    return false;
}

/* One flit. *sent: there was a credit. */
static np_status send(np_flits *f, np_flits_hand *h, np_flits_block *b, uint32_t place, int64_t t, bool *sent)
{
    np_flits_source *s = &f->source[place];
    uint8_t *credits = &f->source_credits[(size_t)place * f->V];
    np_status st;
    *sent = false;
    if (!s->left && (st = begin(f, h, s)))
        return st;
    if (s->left == np_flits_packet_of(f, s->packet)->flits ? !choose(f, s, credits) : !credits[s->last])
        return NP_OK;
    np_flits_mail *m = np_flits_mail_at(f, h, b->number, t + NP_FLITS_INJECTION);
    if (m->moves == m->move_room && (st = np_flits_grow(&m->move, &m->move_room, sizeof *m->move)))
        return st;
    credits[s->last]--;
    if (f->watched)
        np_flits_watch_sending(f, place, t);
    s->left--;
    s->waits -= f->kept != NULL;
    m->move[m->moves++] =
        (np_flits_move){s->router, (uint16_t)(s->channel + s->last), s->packet | (s->left ? 0 : NP_FLITS_TAIL)};
    h->injected++;
    h->inside++;
    h->moved_last = t;
    *sent = true;
    return NP_OK;
}

np_status np_flits_send(np_flits *f, np_flits_hand *h, np_flits_block *b, int64_t t)
{
    np_status st = NP_OK;
    bool sends = false;
    if (!b->sends)
        return NP_OK;
    for (uint32_t w = 0; 64 * w < b->sources; w++) {
        for (uint64_t bits = b->sending[w]; bits && !st; bits &= bits - 1) {
            uint32_t place = b->source + 64 * w + (uint32_t)__builtin_ctzll(bits);
            const np_flits_source *s = &f->source[place];
            bool sent;
            st = send(f, h, b, place, t, &sent);
            if (!sent || (!s->left && s->begun == s->created)) /* a credit, or a packet, sets it again */
                np_flits_unset(b->sending, place - b->source);
        }
        sends |= b->sending[w] != 0;
    }
    b->sends = sends;
    return st;
}
