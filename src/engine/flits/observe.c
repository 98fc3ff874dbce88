/*
 * What observers see of model `flits`. A cycle t is step t + 1, which leads from instant t to instant t + 1: flits that
 * are there at t have entered at instant t, those that go leave in step t + 1. Of a packet its head moves, and waits.
 *
 * A head waits if it asks for a channel and gets none, or holds one, may bid, and does not go. Why: there is no place
 * in the next buffer; or a packet has the channel, has gone over the output or from the input in its place, or comes
 * from the input to which the output gave its turn in vain (iSLIP with one iteration).
 */
#include "base/room.h"
#include "engine/flits/flits.h"
#include "engine/open/observed.h"

enum { NOT = -1 };

typedef struct landing {
    np_packet name;
    np_node at;
} landing;

/* Who arrives in a cycle. */
typedef struct landings {
    landing *landing;
    size_t count, room;
} landings;

/* Who went last, and when. */
typedef struct last_turn {
    np_packet name;
    int64_t cycle;
} last_turn;

struct np_flits_book {
    np_open_book *open;
    size_t links, inputs, outputs, gates, ports, entries, packets, ring;
    np_link *in, *out; /* [links] of input channels, V of which are one link's; [ports]; NP_NONE: of a terminal that is
                          the router */
    np_packet *holder; /* [outputs] who holds the channel, or held it last */
    int64_t *taken, *freed; /* [outputs] when its holder got it, and left it */
    int64_t *emptied;       /* [inputs] when a tail left it */
    bool *holds;            /* [inputs] its packet has an output channel */
    last_turn *over, *from; /* [ports], [gates] */
    int64_t *granted; /* [inputs] when the head that is there got its channel; NOT: there is none, or it has none */
    np_packet *head;  /* [entries] by places: the first packet that was created and has not begun; NP_NONE */
    np_packet *last;  /* [entries] the last one */
    np_packet *next;  /* [packets] the one behind it */
    landings *due;    /* [ring] by the cycle of arrival */
    np_status status; /* of what cannot return one */
};

static np_event_feed *feed(const np_flits *f) { return &f->book->open->feed; }

static np_link *link_in(const np_flits *f, const np_flits_router *r, uint32_t channel)
{
    return &f->book->in[(r->input + channel) / f->V];
}

static const uint64_t *row_of(const np_flits *f, np_flits_router *r, np_flits_row row)
{
    return np_flits_rows(f, r) + (size_t)row * np_flits_words(f, r);
}

static np_packet name_of(const np_flits *f, uint32_t flit) { return np_flits_packet_of(f, flit)->name; }

static np_packet name_at(const np_flits *f, const np_flits_router *r, uint32_t channel)
{
    return name_of(f, *np_flits_slot(f, r, channel, np_flits_in(f, r, channel)->first));
}

/* ---- Life ---- */

static void layout(void *object, np_arena *arena)
{
    np_flits_book *b = object;
    np_arena_array(arena, &b->in, b->links, sizeof *b->in, "the links of channels");
    np_arena_array(arena, &b->out, b->ports, sizeof *b->out, "the links of outputs");
    np_arena_zeroed(arena, &b->holder, b->outputs, sizeof *b->holder, "who holds channels");
    np_arena_array(arena, &b->taken, b->outputs, sizeof *b->taken, "who holds channels");
    np_arena_array(arena, &b->freed, b->outputs, sizeof *b->freed, "who holds channels");
    np_arena_array(arena, &b->emptied, b->inputs, sizeof *b->emptied, "heads");
    np_arena_zeroed(arena, &b->holds, b->inputs, sizeof *b->holds, "heads");
    np_arena_array(arena, &b->over, b->ports, sizeof *b->over, "who went over outputs");
    np_arena_array(arena, &b->from, b->gates, sizeof *b->from, "who went from inputs");
    np_arena_array(arena, &b->granted, b->inputs, sizeof *b->granted, "heads");
    NP_ARENA_WORDS(arena, b->entries, "packets that wait at terminals", &b->head, &b->last);
    np_arena_array(arena, &b->next, b->packets, sizeof *b->next, "packets that wait at terminals");
    np_arena_zeroed(arena, &b->due, b->ring, sizeof *b->due, "packets that arrive");
}

static void clear(np_flits_book *b)
{
    for (size_t i = 0; i < b->ports; i++)
        b->over[i].cycle = NOT;
    for (size_t i = 0; i < b->gates; i++)
        b->from[i].cycle = NOT;
    for (size_t i = 0; i < b->outputs; i++)
        b->taken[i] = b->freed[i] = NOT;
    for (size_t i = 0; i < b->inputs; i++)
        b->granted[i] = b->emptied[i] = NOT;
    for (size_t i = 0; i < b->entries; i++)
        b->head[i] = NP_NONE;
}

/* The links that leave a router, and the inputs at their other ends. */
static void join_links(const np_flits *f, np_flits_book *b, const np_flits_router *r)
{
    const np_network *network = f->options.network;
    np_link first = np_network_first_link(network, r->node), end = np_network_first_link(network, r->node + 1);
    for (np_link link = first; link < end; link++) {
        np_node head = np_network_link_head(network, link);
        if (head == NP_NONE || head == r->node || !np_network_is_router(network, head))
            continue;
        const np_flits_port *port = np_flits_port_at(f, r, np_flits_output_at(f, r, (np_port)(link - first)));
        const np_flits_router *to = &f->router[f->number[head]];
        b->out[port - f->port] = link;
        b->in[(to->input + port->channel) / f->V] = link;
    }
}

static void join_cables(const np_flits *f, np_flits_book *b)
{
    for (uint32_t i = 0; i < f->entries; i++) {
        const np_flits_source *s = &f->source[i];
        const np_flits_router *r = &f->router[f->entry[s->entry].router];
        b->in[(r->input + s->channel) / f->V] = f->cables->entry[s->entry].link;
    }
    for (uint32_t i = 0; i < f->exits; i++)
        b->out[f->router[f->exit[i].router].port + f->exit[i].port] = f->cables->exit[i].link;
}

np_status np_flits_observe_begin(np_flits *f)
{
    np_flits_book sizes = {.open = f->options.book,
                           .links = f->inputs / f->V,
                           .inputs = f->inputs,
                           .outputs = f->outputs,
                           .gates = f->gates,
                           .ports = f->ports,
                           .entries = f->entries,
                           .packets = f->options.book->packets,
                           .ring = f->ring};
    np_status st = np_arena_create(&sizes, sizeof sizes, layout, "an observed run", &f->book);
    if (st)
        return st;
    clear(f->book);
    for (uint32_t u = 0; u < f->routers; u++)
        join_links(f, f->book, &f->router[u]);
    join_cables(f, f->book);
    return NP_OK;
}

void np_flits_observe_free(np_flits_book *b)
{
    for (size_t i = 0; b && i < b->ring; i++)
        np_memory_free(b->due[i].landing);
    np_memory_free(b);
}

/* ---- Terminals ---- */

void np_flits_observe_creation(np_flits *f, uint32_t place, int64_t t)
{
    np_flits_book *b = f->book;
    const np_network *network = f->options.network;
    const np_flits_source *s = &f->source[place];
    np_packet name = np_open_book_create(b->open, t, np_network_input(network, s->terminal),
                                         np_network_output(network, s->coming.to), s->coming.flits);
    *(b->head[place] == NP_NONE ? &b->head[place] : &b->next[b->last[place]]) = name;
    b->last[place] = name;
    b->next[name] = NP_NONE;
}

void np_flits_observe_beginning(np_flits *f, uint32_t place, np_flits_packet *packet)
{
    np_flits_book *b = f->book;
    packet->name = b->head[place];
    b->head[place] = b->next[packet->name];
}

/* The head moves to `to` in step t + 1, if there is a link. */
static void tell_move(np_flits *f, int64_t t, np_packet name, np_node from, np_node to, np_link link, uint32_t credits,
                      uint32_t v)
{
    np_event event = np_event_moved((np_step)t + 1, name, from, to, link, credits);
    if (link == NP_NONE)
        return;
    event.length = v;
    np_event_feed_put(feed(f), event);
    f->book->open->hops++;
}

static void observe_sending(np_flits *f, uint32_t place, int64_t t)
{
    const np_flits_source *s = &f->source[place];
    const np_flits_router *r = &f->router[f->entry[s->entry].router];
    const np_flits_packet *p = np_flits_packet_of(f, s->packet);
    if (s->left == p->flits)
        tell_move(f, t, p->name, np_network_input(f->options.network, s->terminal), r->node, *link_in(f, r, s->channel),
                  f->source_credits[(size_t)place * f->V + s->last], s->last);
}

void np_flits_watch_sending(np_flits *f, uint32_t place, int64_t t)
{
    if (f->crossed)
        f->crossed[f->ports + place]++;
    if (f->book)
        observe_sending(f, place, t);
}

/* ---- Routers ---- */

/* A link, and a terminal, brings one flit a cycle at most: the buffer has one more then. */
static void observe_entries(np_flits *f, const np_flits_block *block, int64_t t)
{
    const np_flits_mail *m = np_flits_mail_at(f, f->hand, block->number, t);
    for (uint32_t i = 0; i < m->moves; i++) {
        const np_flits_router *r = &block->router[m->move[i].router];
        uint32_t c = m->move[i].channel;
        np_event_feed_put(feed(f), np_event_buffered(NP_EVENT_ENTERED, (np_step)t, name_of(f, m->move[i].flit), r->node,
                                                     *link_in(f, r, c), np_flits_in(f, r, c)->count + 1U, c % f->V));
    }
}

/* The tail has gone to its terminal. */
static void expect(np_flits *f, uint32_t flit, int64_t arrives)
{
    landings *due = &f->book->due[arrives & (f->ring - 1)];
    const np_flits_packet *p = np_flits_packet_of(f, flit);
    np_status st = np_memory_room(&due->landing, due->count, &due->room, sizeof *due->landing, "packets that arrive");
    if (st)
        f->book->status = st;
    else
        due->landing[due->count++] = (landing){p->name, np_network_output(f->options.network, p->destination)};
}

static void observe_going(np_flits *f, np_flits_router *r, uint32_t channel, uint32_t flit, int64_t t, int64_t arrives)
{
    np_flits_book *b = f->book;
    const np_flits_input *in = np_flits_in(f, r, channel);
    uint32_t port = (r->port + in->port), v = in->channel - in->port * f->V, input = (r->input + channel);
    bool ejects = np_flits_port_at(f, r, in->port)->channel == NP_FLITS_NONE;
    np_packet name = name_of(f, flit);
    b->over[port] = b->from[r->gate + f->gate_of[channel]] = (last_turn){name, t};
    np_event_feed_put(feed(f), np_event_buffered(NP_EVENT_LEFT, (np_step)t + 1, name, r->node, *link_in(f, r, channel),
                                                 in->count, channel % f->V));
    if (b->granted[input] != NOT)
        tell_move(f, t, name, r->node,
                  b->out[port] == NP_NONE ? r->node : np_network_link_head(f->options.network, b->out[port]),
                  b->out[port], np_flits_out(f, r, in->channel)->credits - !ejects, v);
    b->granted[input] = NOT;
    if (!(flit & NP_FLITS_TAIL))
        return;
    b->holds[input] = false;
    b->emptied[input] = b->freed[(r->output + in->channel)] = t;
    if (ejects)
        expect(f, flit, arrives);
}

void np_flits_watch_going(np_flits *f, np_flits_router *r, uint32_t channel, uint32_t flit, int64_t t, int64_t arrives)
{
    if (f->crossed)
        f->crossed[(r->port + np_flits_in(f, r, channel)->port)]++;
    if (f->book)
        observe_going(f, r, channel, flit, t, arrives);
}

/* Heads that have got an output channel in this cycle. */
static void observe_grants(np_flits *f, const np_flits_router *r, int64_t t)
{
    np_flits_book *b = f->book;
    for (uint32_t c = 0; c < r->inputs; c++) {
        uint32_t input = (r->input + c);
        if (np_flits_in(f, r, c)->class_ != NP_FLITS_HOLDS || b->holds[input])
            continue;
        b->holds[input] = true;
        b->granted[input] = b->taken[(r->output + np_flits_in(f, r, c)->channel)] = t;
        b->holder[(r->output + np_flits_in(f, r, c)->channel)] = name_at(f, r, c);
    }
}

/* ---- Waiting ---- */

/*
 * Of a head that got no channel: who has the one for which it asked, the first one that was free when channels were
 * given, or if none was, the first of its class. NP_NONE: those that were free had too few credits.
 */
static np_packet lost_channel(np_flits *f, np_flits_router *r, const np_flits_input *in, int64_t t)
{
    const uint64_t *free = row_of(f, r, NP_FLITS_FREE);
    uint32_t low = np_flits_low(f, in), width = f->class_[in->class_].width, start = in->channel + 1U - low;
    size_t first = r->output + low;
    uint32_t best = NP_NONE, most = width;
    bool some = false;
    for (uint32_t k = 0; k < width; k++) {
        bool taken = f->book->taken[first + k] == t;
        if (!taken && (!np_flits_has(free, low + k) || f->book->freed[first + k] == t))
            continue;
        uint32_t behind = start >= width ? k : k < start ? k + width - start : k - start;
        some = true;
        if (taken && np_flits_out(f, r, low + k)->credits >= in->need && behind < most) {
            best = k;
            most = behind;
        }
    }
    if (best == NP_NONE && some)
        return NP_NONE;
    return f->book->holder[first + (best == NP_NONE ? 0 : best)];
}

static bool bids(const np_flits *f, np_flits_router *r, uint32_t channel)
{
    return np_flits_has(row_of(f, r, NP_FLITS_FULL), channel) && np_flits_has(row_of(f, r, NP_FLITS_READY), channel) &&
           np_flits_has(row_of(f, r, NP_FLITS_CREDIT), channel);
}

/* Nobody went over the output: it gave its turn to an input that went elsewhere. */
static np_packet in_vain(np_flits *f, np_flits_router *r, uint32_t channel, int64_t t)
{
    uint32_t port = np_flits_in(f, r, channel)->port, last = np_flits_port_at(f, r, port)->last, best = channel;
    for (uint32_t c = 0; c < r->inputs; c++)
        if (np_flits_in(f, r, c)->port == port && bids(f, r, c) && f->book->granted[(r->input + c)] != t &&
            np_flits_behind(f->gate_of[c], last) < np_flits_behind(f->gate_of[best], last))
            best = c;
    return name_at(f, r, best);
}

/* Of a head that holds a channel. *other = NP_NONE: it waits for room. */
static bool lost_turn(np_flits *f, np_flits_router *r, uint32_t channel, int64_t t, np_packet *other)
{
    const np_flits_book *b = f->book;
    uint32_t port = np_flits_in(f, r, channel)->port;
    const last_turn *over = &b->over[(r->port + port)], *from = &b->from[r->gate + f->gate_of[channel]];
    *other = NP_NONE;
    if (b->granted[(r->input + channel)] == t || !np_flits_has(row_of(f, r, NP_FLITS_READY), channel))
        return false;
    if (!np_flits_has(row_of(f, r, NP_FLITS_CREDIT), channel))
        return true;
    if (over->cycle == t || from->cycle == t)
        *other = over->cycle == t ? over->name : from->name;
    else if (!f->last || np_flits_open(f, np_flits_port_at(f, r, port), t))
        *other = in_vain(f, r, channel, t);
    return true;
}

static void tell_wait(np_flits *f, const np_flits_router *r, uint32_t flit, np_link link, np_packet other, int64_t t)
{
    np_event_feed_put(feed(f), np_event_waited((np_step)t + 1, name_of(f, flit), r->node, link, 0,
                                               other == NP_NONE ? NP_EVENT_ROOM : NP_EVENT_BEHIND, other));
}

/* The first flit of an input channel is a head that waits. */
static bool first_waits(np_flits *f, np_flits_router *r, uint32_t channel, int64_t t, np_packet *other)
{
    const np_flits_input *in = np_flits_in(f, r, channel);
    if (in->class_ == NP_FLITS_HOLDS)
        return f->book->granted[(r->input + channel)] != NOT && lost_turn(f, r, channel, t, other);
    if (!np_flits_has(row_of(f, r, NP_FLITS_ASK), channel))
        return false; /* its way is looked up */
    *other = lost_channel(f, r, in, t);
    return true;
}

/* The heads of an input channel: the first one, and those behind tails. */
static void observe_channel(np_flits *f, np_flits_router *r, uint32_t channel, int64_t t)
{
    const np_flits_input *in = np_flits_in(f, r, channel);
    uint32_t before = *np_flits_slot(f, r, channel, in->first);
    np_packet other = NP_NONE;
    if (f->book->emptied[(r->input + channel)] == t) /* until the end of this cycle a tail was before it */
        tell_wait(f, r, before, NP_NONE, f->book->from[r->gate + f->gate_of[channel]].name, t);
    else if (first_waits(f, r, channel, t, &other))
        tell_wait(f, r, before, f->book->out[(r->port + in->port)], other, t);
    for (uint32_t k = 1, at = in->first; k < in->count; k++) {
        at = np_flits_after(at, f->B);
        uint32_t flit = *np_flits_slot(f, r, channel, at);
        if (before & NP_FLITS_TAIL)
            tell_wait(f, r, flit, NP_NONE, name_of(f, before), t);
        before = flit;
    }
}

static void observe_waits(np_flits *f, np_flits_router *r, int64_t t)
{
    for (uint32_t c = 0; c < r->inputs; c++)
        if (np_flits_has(row_of(f, r, NP_FLITS_FULL), c))
            observe_channel(f, r, c, t);
}

/* ---- Cycles ---- */

/* Who arrives at instant t. After the last cycle nobody observes any more. */
static np_status begin_cycle(np_flits *f, int64_t t)
{
    np_flits_book *b = f->book;
    landings *now = &b->due[t & (f->ring - 1)];
    for (size_t i = 0; i < now->count; i++)
        np_event_feed_put(feed(f), np_event_landed((np_step)t, now->landing[i].name, now->landing[i].at));
    now->count = 0;
    if (t < b->open->until)
        return NP_OK;
    np_status st = np_open_book_end(b->open, t);
    np_flits_observe_free(b);
    f->book = NULL;
    f->watched = f->crossed;
    return st;
}

static np_status end_cycle(np_flits *f, int64_t t)
{
    for (uint32_t u = 0; u < f->routers; u++) {
        observe_grants(f, &f->router[u], t);
        observe_waits(f, &f->router[u], t);
    }
    return f->book->status ? NP_RAISE(f->book->status, "no memory for packets that arrive")
                           : np_open_book_step(f->book->open);
}

np_status np_flits_observe_cycle(np_flits *f, int64_t t)
{
    np_flits_hand *h = f->hand;
    np_status st = begin_cycle(f, t);
    for (uint32_t i = 0; i < f->blocks && !st; i++) {
        np_flits_block *b = &f->block[i];
        if (f->book)
            observe_entries(f, b, t);
        st = np_flits_receive(f, b, t);
        np_flits_create_packets(f, h, b, t);
    }
    for (uint32_t i = 0; i < f->blocks && !st; i++)
        if (!(st = np_flits_send(f, h, &f->block[i], t)))
            st = np_flits_serve(f, h, &f->block[i], t);
    return st || !f->book ? st : end_cycle(f, t);
}
