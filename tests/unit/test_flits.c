/*
 * Model flits against a twin written from the definition: every buffer is a list, every cycle looks at every channel,
 * what is on its way is a list of events. It shares the relation and the arrivals with the engine, and nothing else.
 */
#include "support.h"

#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "engine/open/open_loop.h"
#include "model/network/network.h"
#include "model/relation/cables.h"
#include "model/relation/relation.h"

enum {
    MOST_ROUTERS = 64,
    MOST_PORTS = 16,
    MOST_CHANNELS = 8,
    MOST_BUFFER = 16,
    MOST_EVENTS = 1 << 16,
    MOST_LINKS = 4096
};

typedef struct flit {
    int packet;
    bool head, tail;
} flit;

typedef struct buffer { /* of an input channel */
    flit flit[MOST_BUFFER];
    int count, output, channel; /* which it holds; -1: none */
    int64_t ask, bid;           /* from when on it may */
    int turn;                   /* the channel of all outputs to begin with */
} buffer;

typedef struct port {   /* an output */
    int link, terminal; /* one of them is -1; the terminal's cable */
    int credit[MOST_CHANNELS], owner[MOST_CHANNELS], turn[MOST_CHANNELS], grant;
    int64_t last; /* flit's arrival */
} port;

typedef struct router {
    np_node node;
    int inputs, outputs;
    int in_link[MOST_PORTS], in_terminal[MOST_PORTS];
    int accept[MOST_PORTS * MOST_CHANNELS], first[MOST_PORTS * MOST_CHANNELS]; /* of inputs of the switch */
    buffer in[MOST_PORTS][MOST_CHANNELS];
    port out[MOST_PORTS];
} router;

typedef struct packet {
    int64_t created;
    np_node source, destination;
    uint64_t number, state;
    int flits, hops, exit;
} packet;

typedef enum kind { FLIT, CREDIT, SOURCE, DELIVERY } kind;

typedef struct event {
    int64_t time;
    kind kind;
    int router, port, channel;
    flit flit;
} event;

typedef struct creator { /* a terminal */
    np_arrival next;
    bool ended;
    uint64_t created;
} creator;

typedef struct cable { /* into the routers, or out of them; cables are in the order of terminals and links */
    int router, link;
} cable;

typedef struct terminal {     /* a cable from one */
    int waiting[4096], waits; /* packets */
    uint64_t refused;         /* flits */
    int sending, left, channel, credit[MOST_CHANNELS];
} terminal;

typedef struct twin {
    np_open_options o;
    int routers, terminals, packets, events, entries, exits;
    int64_t now;
    creator creator[MOST_ROUTERS];
    cable entry[MOST_ROUTERS], exit[MOST_ROUTERS];
    router router[MOST_ROUTERS];
    terminal terminal[MOST_ROUTERS];
    packet packet[1 << 16];
    event event[MOST_EVENTS];
    np_delivery told[1 << 16];
    int tolds;
    uint64_t crossed[MOST_LINKS]; /* flits that entered each link */
} twin;

static int router_of(const twin *w, np_node node)
{
    for (int r = 0; r < w->routers; r++)
        if (w->router[r].node == node)
            return r;
    return -1;
}

/* Of a terminal: all links from its host to routers, and all that lead back; or a node that is a router. */
static void find_cables(twin *w, int t)
{
    const np_network *n = w->o.network;
    np_node in = np_network_input(n, (np_node)t), out = np_network_output(n, (np_node)t);
    if (!np_network_has_hosts(n)) {
        w->entry[w->entries++] = (cable){router_of(w, in), -1};
        w->exit[w->exits++] = (cable){router_of(w, out), -1};
    }
    for (np_link l = 0; l < np_network_link_numbers(n) && np_network_has_hosts(n); l++) {
        np_node head = np_network_link_head(n, l), tail = np_network_link_tail(n, l);
        if (head == NP_NONE)
            continue;
        if (tail == in)
            w->entry[w->entries++] = (cable){router_of(w, head), (int)l};
        if (head == out)
            w->exit[w->exits++] = (cable){router_of(w, tail), (int)l};
    }
}

static void build(twin *w, const np_open_options *o)
{
    const np_network *n = o->network;
    w->o = *o;
    w->terminals = (int)np_network_terminals(n);
    for (np_node u = 0; u < np_network_nodes(n); u++)
        if (!n->host || n->host_number[u] == NP_NONE)
            w->router[w->routers++].node = u;
    for (np_node u = 0; u < np_network_nodes(n); u++)
        for (np_link l = np_network_first_link(n, u); l < np_network_first_link(n, u + 1); l++) {
            np_node v = np_network_link_head(n, l);
            if (v == NP_NONE || v == u || router_of(w, u) < 0 || router_of(w, v) < 0)
                continue;
            router *from = &w->router[router_of(w, u)], *to = &w->router[router_of(w, v)];
            from->out[from->outputs++] = (port){.link = (int)l, .terminal = -1};
            to->in_link[to->inputs] = (int)l;
            to->in_terminal[to->inputs++] = -1;
        }
    for (int t = 0; t < w->terminals; t++) {
        find_cables(w, t);
        creator *s = &w->creator[t];
        s->ended = !np_arrivals_next(o->arrivals, (np_node)t, 0, -1, &s->next);
    }
    for (int x = 0; x < w->exits; x++) {
        router *r = &w->router[w->exit[x].router];
        r->out[r->outputs++] = (port){.link = -1, .terminal = x};
    }
    for (int e = 0; e < w->entries; e++) {
        router *r = &w->router[w->entry[e].router];
        r->in_link[r->inputs] = -1;
        r->in_terminal[r->inputs++] = e;
        w->terminal[e].sending = -1;
        w->terminal[e].channel = (int)o->channels - 1;
    }
    for (int r = 0; r < w->routers; r++)
        for (int p = 0; p < MOST_PORTS; p++)
            for (int v = 0; v < (int)o->channels; v++) {
                w->router[r].in[p][v].output = w->router[r].in[p][v].channel = -1;
                w->router[r].out[p].owner[v] = -1;
                w->router[r].out[p].credit[v] = (int)o->buffer_flits;
            }
    for (int t = 0; t < w->entries; t++)
        for (int v = 0; v < (int)o->channels; v++)
            w->terminal[t].credit[v] = (int)o->buffer_flits;
}

/* Of a link, and of its credits if `credit`. */
static int64_t delay_of(const twin *w, int link, bool credit)
{
    if (link >= 0 && w->o.link_delays && w->o.link_delays[link])
        return w->o.link_delays[link];
    return credit ? w->o.credit_delay : w->o.link_delay;
}

static void later(twin *w, event e)
{
    assert_true(w->events < MOST_EVENTS);
    w->event[w->events++] = e;
}

/* The router and the port of a link's other end, or of its beginning. */
static void find_end(const twin *w, int link, bool head, int *r, int *p)
{
    for (*r = 0; *r < w->routers; ++*r)
        for (*p = 0; *p < (head ? w->router[*r].inputs : w->router[*r].outputs); ++*p)
            if ((head ? w->router[*r].in_link[*p] : w->router[*r].out[*p].link) == link)
                return;
    fail();
}

/* A flit goes over a cable. */
static void cross_cable(twin *w, const cable *c)
{
    if (c->link >= 0)
        w->crossed[c->link]++;
}

/* ---- What happens by itself ---- */

static void happen(twin *w, const event *e)
{
    router *r = &w->router[e->router];
    if (e->kind == CREDIT) {
        r->out[e->port].credit[e->channel]++;
    } else if (e->kind == SOURCE) {
        w->terminal[e->router].credit[e->channel]++;
    } else if (e->kind == DELIVERY) {
        const packet *p = &w->packet[e->flit.packet];
        w->told[w->tolds++] = (np_delivery){p->source, p->destination,    p->number,         p->created,
                                            e->time,   (uint32_t)p->hops, (uint32_t)p->flits};
    } else {
        buffer *b = &r->in[e->port][e->channel];
        assert_true(b->count < (int)w->o.buffer_flits);
        b->flit[b->count++] = e->flit;
        if (b->count == 1 && e->flit.head)
            b->ask = w->now + w->o.routing_delay;
    }
}

static void events(twin *w)
{
    int kept = 0, count = w->events;
    for (int i = 0; i < count; i++)
        if (w->event[i].time == w->now)
            happen(w, &w->event[i]);
    for (int i = 0; i < w->events; i++)
        if (w->event[i].time > w->now)
            w->event[kept++] = w->event[i];
    w->events = kept;
}

/* ---- Terminals ---- */

static void create(twin *w, int t)
{
    creator *s = &w->creator[t];
    while (!s->ended && s->next.time == (np_step)w->now) {
        np_cable_pair pair = np_cables_draw(w->o.relation, &w->o.draws, (np_node)t, s->created, s->next.to);
        terminal *from = &w->terminal[pair.entry];
        int flits = from->left * (from->sending >= 0);
        for (int i = 0; i < from->waits; i++)
            flits += w->packet[from->waiting[i]].flits;
        if (w->o.source_flits && flits + (int)s->next.flits > (int)w->o.source_flits) {
            from->refused += s->next.flits;
        } else {
            w->packet[w->packets] = (packet){.created = w->now,
                                             .source = (np_node)t,
                                             .destination = s->next.to,
                                             .number = s->created,
                                             .exit = (int)pair.exit,
                                             .flits = (int)s->next.flits};
            from->waiting[from->waits++] = w->packets++;
        }
        s->created++;
        s->ended = !np_arrivals_next(w->o.arrivals, (np_node)t, s->created, w->now, &s->next);
    }
}

/* The router where a packet leaves. */
static np_node end_of(const twin *w, const packet *p) { return w->router[w->exit[p->exit].router].node; }

/* Flits that have gone to a port and whose places are not free again. */
static int output_of(const twin *w, const router *r, np_port p)
{
    int link = (int)(np_network_first_link(w->o.network, r->node) + p);
    for (int o = 0; o < r->outputs; o++)
        if (r->out[o].link == link)
            return o;
    return -1;
}

static void class_of(const twin *w, unsigned class_, int *low, int *width)
{
    int each = (int)(w->o.channels / np_relation_classes(w->o.relation));
    int more = (int)(w->o.channels % np_relation_classes(w->o.relation));
    *low = (int)class_ * each + ((int)class_ < more ? (int)class_ : more);
    *width = each + ((int)class_ < more);
}

/*
 * Does the first packet of a buffer hold the output, or has it asked for it; of all its classes, or of this one? Of
 * relations that are not adaptive.
 */
static bool is_for(const twin *w, const router *r, const buffer *b, int output, unsigned class_)
{
    np_candidate c[NP_CANDIDATES];
    int low = 0, width = (int)w->o.channels;
    if (class_ != NP_ALL_CLASSES)
        class_of(w, class_, &low, &width);
    if (b->count && b->output >= 0)
        return b->output == output && b->channel >= low && b->channel < low + width;
    if (!b->count || w->now < b->ask)
        return false;
    const packet *p = &w->packet[b->flit[0].packet];
    return np_relation_candidates(w->o.relation, r->node, end_of(w, p), p->state, c) &&
           output_of(w, r, c[0].port) == output && (class_ == NP_ALL_CLASSES || c[0].class_ == class_);
}

static uint32_t pressure(const void *context, np_node at, np_port p, unsigned class_)
{
    const twin *w = context;
    const router *r = &w->router[router_of(w, at)];
    int o = output_of(w, r, p), low = 0, width = (int)w->o.channels;
    uint32_t sum = 0;
    if (class_ != NP_ALL_CLASSES)
        class_of(w, class_, &low, &width);
    for (int v = low; v < low + width; v++)
        sum += w->o.buffer_flits - (uint32_t)r->out[o].credit[v];
    for (int i = 0; i < r->inputs; i++)
        for (int v = 0; v < (int)w->o.channels; v++)
            sum += is_for(w, r, &r->in[i][v], o, class_) ? (uint32_t)r->in[i][v].count : 0;
    return sum;
}

static void send(twin *w, int t)
{
    terminal *s = &w->terminal[t];
    int V = (int)w->o.channels;
    if (s->sending < 0) {
        if (!s->waits)
            return;
        s->sending = s->waiting[0];
        memmove(s->waiting, s->waiting + 1, (size_t)--s->waits * sizeof *s->waiting);
        packet *p = &w->packet[s->sending];
        s->left = p->flits;
        const np_pressure load = {pressure, w};
        p->state = np_relation_start(w->o.relation, &w->o.draws, p->number * (uint64_t)w->terminals + p->source,
                                     w->router[w->entry[t].router].node, end_of(w, p), &load);
    }
    packet *p = &w->packet[s->sending];
    bool head = s->left == p->flits;
    int v = s->channel, least = head && w->o.cut_through ? p->flits : 1;
    for (int k = 1; head && k <= V; k++)
        if (s->credit[v = (s->channel + k) % V] >= least)
            break;
    if (s->credit[v] < least)
        return;
    s->channel = v;
    s->credit[v]--;
    int r = w->entry[t].router, i = 0;
    while (w->router[r].in_terminal[i] != t)
        i++;
    cross_cable(w, &w->entry[t]);
    s->left--;
    later(w, (event){w->now + 2, FLIT, r, i, v, {s->sending, head, !s->left}});
    if (!s->left)
        s->sending = -1;
}

/* ---- A router ---- */

/* The queue of an output holds as many flits as a buffer, beside the one that the link takes. */
static bool has_room(const twin *w, const port *out)
{
    int64_t next = w->now + w->o.switch_delay + w->o.crossbar_delay + delay_of(w, out->link, false);
    return out->last - next < (int64_t)w->o.buffer_flits;
}

static bool bids(const twin *w, const router *r, int i, int v, int o)
{
    const buffer *b = &r->in[i][v];
    return b->count && b->output == o && w->now >= b->bid && has_room(w, &r->out[o]) &&
           (r->out[o].terminal >= 0 || r->out[o].credit[b->channel] > 0);
}

/* x: of the inputs of the switch, `speedup` for each input of the router */
static int bidder(const twin *w, const router *r, int x, int o)
{
    int speedup = (int)w->o.input_speedup;
    for (int k = 0; k < (int)w->o.channels; k++) {
        int v = (r->first[x] + k) % (int)w->o.channels;
        if (v % speedup == x % speedup && bids(w, r, x / speedup, v, o))
            return v;
    }
    return -1;
}

static void move(twin *w, int number, int x, int o, int v)
{
    router *r = &w->router[number];
    int i = x / (int)w->o.input_speedup, inputs = r->inputs * (int)w->o.input_speedup;
    buffer *b = &r->in[i][v];
    flit f = b->flit[0];
    int ro = 0, po = 0;
    int64_t arrives = w->now + w->o.switch_delay + w->o.crossbar_delay + delay_of(w, r->out[o].link, false);
    if (r->out[o].last >= arrives)
        arrives = r->out[o].last + 1;
    r->out[o].last = arrives;
    memmove(b->flit, b->flit + 1, (size_t)--b->count * sizeof *b->flit);
    if (r->out[o].terminal >= 0) {
        cross_cable(w, &w->exit[r->out[o].terminal]);
        if (f.tail)
            later(w, (event){arrives, DELIVERY, 0, 0, 0, f});
    } else {
        find_end(w, r->out[o].link, true, &ro, &po);
        r->out[o].credit[b->channel]--;
        w->crossed[r->out[o].link]++;
        later(w, (event){arrives, FLIT, ro, po, b->channel, f});
    }
    if (r->in_terminal[i] >= 0) {
        later(w, (event){w->now + 2, SOURCE, r->in_terminal[i], 0, v, f});
    } else {
        find_end(w, r->in_link[i], false, &ro, &po);
        later(w, (event){w->now + w->o.switch_delay + 1 + delay_of(w, r->in_link[i], true), CREDIT, ro, po, v, f});
    }
    r->out[o].grant = (x + 1) % inputs;
    r->accept[x] = (o + 1) % r->outputs;
    r->first[x] = (v + 1) % (int)w->o.channels;
}

/* Grants, acceptances, and the channels that tails have left: left[output][channel]. */
static void allocate_switch(twin *w, int number, bool left[MOST_PORTS][MOST_CHANNELS])
{
    router *r = &w->router[number];
    int inputs = r->inputs * (int)w->o.input_speedup;
    int granted[MOST_PORTS], accepted[MOST_PORTS * MOST_CHANNELS], bid[MOST_PORTS * MOST_CHANNELS];
    for (int o = 0; o < r->outputs; o++) {
        granted[o] = -1;
        for (int k = 0; k < inputs && granted[o] < 0; k++) {
            int x = (r->out[o].grant + k) % inputs;
            if (bidder(w, r, x, o) >= 0)
                granted[o] = x;
        }
    }
    for (int x = 0; x < inputs; x++) {
        accepted[x] = -1;
        for (int k = 0; k < r->outputs && accepted[x] < 0; k++)
            if (granted[(r->accept[x] + k) % r->outputs] == x)
                accepted[x] = (r->accept[x] + k) % r->outputs;
        bid[x] = accepted[x] < 0 ? -1 : bidder(w, r, x, accepted[x]);
    }
    for (int x = 0; x < inputs; x++) {
        if (accepted[x] < 0)
            continue;
        buffer *b = &r->in[x / (int)w->o.input_speedup][bid[x]];
        bool tail = b->flit[0].tail;
        move(w, number, x, accepted[x], bid[x]);
        if (!tail)
            continue;
        left[accepted[x]][b->channel] = true;
        b->output = b->channel = -1;
        b->ask = w->now + 1 + w->o.routing_delay;
    }
}

/*
 * May a packet take this channel? Not if another one has it. With cut-through, if there is room for all of it. Else, if
 * the channel is none of an escape and the packet has an escape, if the buffer is empty or there is room for all of it.
 */
static bool may_take(const twin *w, const packet *p, const port *out, int channel, bool has_escape, bool is_escape)
{
    int credit = out->credit[channel], all = (int)w->o.buffer_flits;
    if (out->owner[channel] >= 0)
        return false;
    if (out->terminal >= 0)
        return true;
    if (w->o.cut_through)
        return credit >= p->flits;
    return !has_escape || is_escape || credit == all || credit >= p->flits;
}

/* What the first packet of a buffer asks for: output, channels, the state behind. False: nothing is free. */
static bool wish(const twin *w, const router *r, const buffer *b, int *output, int *channel, uint64_t *state)
{
    const packet *p = &w->packet[b->flit[0].packet];
    np_candidate c[NP_CANDIDATES];
    unsigned count = np_relation_candidates(w->o.relation, r->node, end_of(w, p), p->state, c);
    int low = 0, width = (int)w->o.channels, most = -1;
    bool has_escape = false, takes_escape = false;
    for (unsigned k = 0; k < count; k++)
        has_escape = has_escape || c[k].escape;
    *state = p->state;
    if (!count)
        for (*output = 0; r->out[*output].terminal != p->exit;)
            ++*output;
    for (unsigned escape = 0; escape < 2 && most < 0; escape++)
        for (unsigned k = 0; k < count; k++) {
            int first, wide, free = 0, credits = 0, o = output_of(w, r, c[k].port);
            class_of(w, c[k].class_, &first, &wide);
            for (int v = first; v < first + wide; v++) {
                bool may = may_take(w, p, &r->out[o], v, has_escape, escape);
                free += may;
                credits += may ? r->out[o].credit[v] : 0;
            }
            if (c[k].escape != escape || !free || credits <= most)
                continue;
            most = credits;
            *output = o;
            low = first;
            width = wide;
            takes_escape = escape;
            *state = c[k].state;
        }
    if (count && most < 0)
        return false;
    for (int k = 0, V = (int)w->o.channels; k < V * r->outputs; k++) {
        int at = (b->turn + k) % (V * r->outputs);
        *channel = at % V;
        if (at / V == *output && *channel >= low && *channel < low + width &&
            may_take(w, p, &r->out[*output], *channel, has_escape, takes_escape))
            return true;
    }
    return false;
}

/* The wishes are those of the beginning of the cycle. */
static void allocate(twin *w, int number)
{
    router *r = &w->router[number];
    int V = (int)w->o.channels, all = r->inputs * V;
    int output[MOST_PORTS * MOST_CHANNELS], channel[MOST_PORTS * MOST_CHANNELS];
    uint64_t state[MOST_PORTS * MOST_CHANNELS];
    for (int c = 0; c < all; c++) {
        const buffer *b = &r->in[c / V][c % V];
        output[c] = -1;
        if (b->count && b->output < 0 && w->now >= b->ask && !wish(w, r, b, &output[c], &channel[c], &state[c]))
            output[c] = -1;
    }
    for (int o = 0; o < r->outputs; o++)
        for (int v = 0; v < V; v++)
            for (int k = 0, turn = r->out[o].turn[v]; k < all; k++) {
                int c = (turn + k) % all;
                buffer *b = &r->in[c / V][c % V];
                if (output[c] != o || channel[c] != v)
                    continue;
                packet *p = &w->packet[b->flit[0].packet];
                p->hops += r->out[o].terminal < 0;
                p->state = state[c];
                b->output = o;
                b->channel = v;
                b->bid = w->now + w->o.allocation_delay;
                b->turn = o * V + v + 1;
                r->out[o].owner[v] = c;
                r->out[o].turn[v] = (c + 1) % all;
                break;
            }
}

static void cycle(twin *w)
{
    events(w);
    for (int t = 0; t < w->terminals; t++)
        create(w, t);
    for (int e = 0; e < w->entries; e++)
        send(w, e);
    for (int r = 0; r < w->routers; r++) {
        bool left[MOST_PORTS][MOST_CHANNELS] = {{false}};
        for (unsigned k = 0; k < w->o.internal_speedup; k++)
            allocate_switch(w, r, left);
        allocate(w, r);
        for (int o = 0; o < w->router[r].outputs; o++)
            for (int v = 0; v < (int)w->o.channels; v++)
                if (left[o][v])
                    w->router[r].out[o].owner[v] = -1;
    }
    w->now++;
}

/* ---- The engine beside it ---- */

static np_delivery told[1 << 16];
static int tolds;

static int keep(void *context, size_t count, const np_delivery *d)
{
    (void)context;
    for (size_t i = 0; i < count; i++)
        told[tolds++] = d[i];
    return 0;
}

static int by_arrival(const void *left, const void *right)
{
    const np_delivery *a = left, *b = right;
    if (a->arrived != b->arrived)
        return a->arrived < b->arrived ? -1 : 1;
    if (a->destination != b->destination)
        return a->destination < b->destination ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

typedef struct trial {
    const char *network, *relation, *traffic, *length;
    double rate; /* packets */
    unsigned channels, buffer, routing, allocation, crossbar, link, credit;
    bool cut_through;
    int cycles;
    unsigned threads, switching;              /* 0: 1 */
    int slice;                                /* cycles played at once; 0: all */
    unsigned input_speedup, internal_speedup; /* 0: 1 */
    bool own;                                 /* some links have delays of their own */
    unsigned room;                            /* flits of a terminal; 0: any number */
} trial;

static uint64_t refusals; /* of all cases so far: flits */

/* Returns how many packets arrived; -1: the relation is not for the network, or wants more channels. */
static int compare(const trial *c)
{
    static twin w;
    np_network *network = support_network(c->network);
    np_relation *relation;
    np_arrivals *arrivals;
    void *model;
    np_open_counts counts;
    const np_arrivals_options drawn = {c->traffic, "bernoulli", c->rate, c->length, 7, 0};
    if (np_relation_create(c->relation, network, &relation) || np_relation_classes(relation) > c->channels) {
        np_relation_free(relation);
        np_network_free(network);
        return -1;
    }
    assert_ok(np_arrivals_create(network, &drawn, &arrivals));
    static uint16_t delays[MOST_LINKS];
    static uint64_t crossed[MOST_LINKS];
    assert_true(np_network_link_numbers(network) <= MOST_LINKS);
    for (np_link l = 0; l < np_network_link_numbers(network); l++)
        delays[l] = l % 3 ? (uint16_t)(1 + l * 7 % 11) : 0;
    const np_open_options o = {.network = network,
                               .link_delays = c->own ? delays : NULL,
                               .relation = relation,
                               .arrivals = arrivals,
                               .draws = {.seed = 3},
                               .threads = c->threads,
                               .channels = c->channels,
                               .buffer_flits = c->buffer,
                               .routing_delay = c->routing,
                               .allocation_delay = c->allocation,
                               .switch_delay = c->switching ? c->switching : 1,
                               .crossbar_delay = c->crossbar,
                               .link_delay = c->link,
                               .credit_delay = c->credit,
                               .cut_through = c->cut_through,
                               .input_speedup = c->input_speedup ? c->input_speedup : 1,
                               .internal_speedup = c->internal_speedup ? c->internal_speedup : 1,
                               .counts_links = c->slice % 2 == 0, /* else nobody watches: the routine */
                               .source_flits = c->room,
                               .deliver = keep};
    memset(&w, 0, sizeof w);
    build(&w, &o);
    while (w.now < c->cycles)
        cycle(&w);
    qsort(w.told, (size_t)w.tolds, sizeof *w.told, by_arrival);
    tolds = 0;
    assert_ok(np_open_flits.create(&o, &model));
    for (int now = 0; now < c->cycles;) {
        now = c->slice && now + c->slice < c->cycles ? now + c->slice : c->cycles;
        assert_ok(np_open_flits.advance(model, now));
    }
    np_open_flits.counts(model, &counts);
    if (o.counts_links)
        np_open_flits.links(model, crossed);
    for (np_link l = 0; o.counts_links && l < np_network_link_numbers(network); l++)
        if (crossed[l] != w.crossed[l])
            fail_msg("%s %s: link %u carried %llu flits, not %llu", c->network, c->relation, l,
                     (unsigned long long)crossed[l], (unsigned long long)w.crossed[l]);
    for (int i = 0; i < tolds && i < w.tolds; i++)
        if (memcmp(&told[i], &w.told[i], sizeof *told))
            fail_msg("%s %s, %u channels of %u, packets %s, delays %u %u %u %u %u %u, cut-through %d, %g: delivery %d: "
                     "from %u to %u, %lld to %lld, %u hops, not from %u to %u, %lld to %lld, %u",
                     c->network, c->relation, c->channels, c->buffer, c->length ? c->length : "1", c->routing,
                     c->allocation, c->switching, c->crossbar, c->link, c->credit, c->cut_through, c->rate, i,
                     told[i].source, told[i].destination, (long long)told[i].created, (long long)told[i].arrived,
                     told[i].hops, w.told[i].source, w.told[i].destination, (long long)w.told[i].created,
                     (long long)w.told[i].arrived, w.told[i].hops);
    assert_int_equal(tolds, w.tolds);
    uint64_t created = 0, refused = 0;
    for (int i = 0; i < w.packets; i++)
        created += (uint64_t)w.packet[i].flits;
    for (size_t i = 0; i < sizeof w.terminal / sizeof *w.terminal; i++)
        refused += w.terminal[i].refused;
    assert_int_equal(counts.created, created);
    assert_int_equal(counts.refused, refused);
    refusals += refused;
    np_open_flits.free(model);
    np_arrivals_free(arrivals);
    np_relation_free(relation);
    np_network_free(network);
    return tolds;
}

static void agrees_with_the_definition(void **state)
{
    static const trial trials[] = {
        {"mesh:3x3", "dimension-order", "uniform", NULL, 0.1, 4, 8, 0, 1, 1, 1, 1, false, 600, 0, 0, 0, 1, 1, false, 0},
        {"mesh:3x3", "dimension-order", "uniform", NULL, 0.7, 4, 8, 0, 1, 1, 1, 1, false, 600, 0, 0, 0, 1, 1, false, 0},
        {"mesh:4x3", "dimension-order", "uniform", "4", 0.15, 2, 3, 0, 1, 1, 1, 1, false, 800, 0, 0, 0, 1, 1, false, 0},
        {"mesh:4x3", "dimension-order", "uniform", "1-5", 0.12, 3, 5, 1, 2, 2, 3, 0, false, 800, 0, 0, 0, 1, 1, false,
         0},
        {"mesh:4x3", "dimension-order", "uniform", "1-5", 0.2, 3, 5, 2, 3, 1, 1, 3, true, 800, 0, 0, 0, 1, 1, false, 0},
        {"mesh:4x4", "dimension-order", "transpose", "2", 0.3, 1, 1, 0, 1, 1, 1, 0, false, 800, 0, 0, 0, 1, 1, false,
         0},
        {"hypercube:4",
         "dimension-order",
         "uniform",
         NULL,
         0.8,
         4,
         8,
         0,
         1,
         1,
         1,
         1,
         false,
         400,
         0,
         0,
         0,
         1,
         1,
         false,
         0},
        {"torus:4x4",
         "dimension-order",
         "uniform",
         "3",
         0.15,
         4,
         4,
         0,
         1,
         1,
         1,
         1,
         false,
         600,
         0,
         0,
         0,
         1,
         1,
         false,
         0},
        {"torus:4x4",
         "dimension-order:drawn",
         "uniform",
         NULL,
         0.5,
         3,
         2,
         0,
         1,
         1,
         1,
         1,
         false,
         600,
         0,
         0,
         0,
         1,
         1,
         false,
         0},
        {"mesh:4x4", "dimension-order", "uniform", "1-5", 0.3, 2, 4, 0, 1, 1, 1, 1, false, 600, 0, 0, 0, 1, 1, false,
         9},
        {"mesh:4x4", "adaptive", "uniform", "2", 0.25, 3, 4, 0, 1, 1, 1, 1, false, 600, 0, 0, 0, 1, 1, false, 0},
        {"mesh:4x4", "adaptive", "uniform", "1-6", 0.2, 3, 4, 0, 1, 1, 1, 1, false, 600, 0, 0, 0, 1, 1, false, 0},
        {"torus:4x4", "adaptive", "uniform", "3", 0.3, 4, 4, 0, 1, 1, 1, 2, true, 600, 0, 0, 0, 1, 1, false, 0},
        {"mesh:3x3", "valiant", "uniform", NULL, 0.4, 4, 4, 0, 1, 1, 1, 1, false, 600, 0, 0, 0, 1, 1, false, 0},
        {"mesh:2x3@2",
         "dimension-order",
         "uniform",
         "1-3",
         0.2,
         2,
         4,
         0,
         1,
         1,
         1,
         1,
         false,
         600,
         0,
         0,
         0,
         1,
         1,
         false,
         0},
        {"dragonfly:a=2,p=1,h=1",
         "shortest",
         "uniform",
         NULL,
         0.3,
         2,
         4,
         0,
         1,
         1,
         1,
         1,
         false,
         600,
         0,
         0,
         0,
         1,
         1,
         false,
         0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        assert_true(compare(&trials[i]) > 20);
}

/* One of 0 .. count - 1, for the i-th case. */
static unsigned pick(unsigned i, unsigned what, unsigned count)
{
    const np_draws draws = {.seed = 5, .purpose = NP_RANDOM_TRAFFIC};
    return np_random_below(&draws, i, what, count);
}

/* Of anything that can be set. Routes without escape may stand still: then both do. */
static trial draw_trial(unsigned i)
{
    static const char *const networks[] = {"mesh:3x3",
                                           "mesh:5x2",
                                           "mesh:2x2x2",
                                           "torus:4x3",
                                           "ring:7",
                                           "hypercube:3",
                                           "hypercube:4",
                                           "mesh:2x3@2",
                                           "torus:3x3@2",
                                           "ring:5@3",
                                           "dragonfly:a=2,p=1,h=1",
                                           "complete:6",
                                           "tree:3",
                                           "ring:4"};
    static const char *const relations[] = {"dimension-order",
                                            "dimension-order:drawn",
                                            "adaptive",
                                            "adaptive",
                                            "adaptive:no-escape",
                                            "valiant",
                                            "ugal-l",
                                            "ugal-l-vc",
                                            "ugal-l-vch",
                                            "shortest",
                                            "up*down*",
                                            "up*down*:adaptive",
                                            "up-down:adaptive"};
    static const char *const lengths[] = {NULL, NULL, "2", "3", "1-4", "5", "2-9"};
    static const char *const traffics[] = {"uniform", "uniform", "random"};
    static const double loads[] = {0.1, 0.3, 0.6, 0.95};
    static const double means[] = {1, 1, 2, 3, 2.5, 5, 5.5};
    unsigned length = pick(i, 0, 7);
    trial t = {.network = networks[pick(i, 1, 14)],
               .relation = relations[pick(i, 2, 13)],
               .traffic = traffics[pick(i, 3, 3)],
               .length = lengths[length],
               .rate = loads[pick(i, 4, 4)] / means[length],
               .channels = 1 + pick(i, 5, 6),
               .buffer = 1 + pick(i, 6, 10)};
    bool slow = pick(i, 7, 3) == 0;
    t.routing = slow ? pick(i, 8, 4) : 0;
    t.allocation = slow ? 1 + pick(i, 9, 3) : 1;
    t.switching = slow ? 1 + pick(i, 10, 2) : 1;
    t.crossbar = slow ? 1 + pick(i, 11, 2) : 1;
    t.link = pick(i, 12, 3) == 0 ? 1 + pick(i, 13, 9) : 1;
    t.credit = pick(i, 14, 3) == 0 ? pick(i, 15, 5) : 1;
    t.cut_through = pick(i, 16, 3) == 0 && (!length || 2 * means[length] <= t.buffer);
    t.cycles = 300;
    t.threads = 1 + pick(i, 17, 3);
    t.input_speedup = pick(i, 20, 3) == 0 ? 1 + pick(i, 21, t.channels) : 1;
    t.internal_speedup = pick(i, 22, 3) == 0 ? 1 + pick(i, 23, 4) : 1;
    t.own = pick(i, 24, 4) == 0;
    t.room = pick(i, 25, 3) ? 0 : (unsigned)(2 * means[length]) + pick(i, 26, 12);
    t.slice = pick(i, 18, 3) ? (int)(1 + pick(i, 19, 11)) : 0;
    return t;
}

static void agrees_on_drawn_cases(void **state)
{
    unsigned agreed = 0, moved = 0;
    (void)state;
    for (unsigned i = 0; agreed < 250 && i < 2000; i++) {
        trial t = draw_trial(i);
        int arrived = compare(&t);
        agreed += arrived >= 0;
        moved += arrived > 20;
    }
    assert_int_equal(agreed, 250);
    assert_true(moved > 200 && refusals > 1000);
}

/* Hosts with cables to several routers, or several to one; and hosts that send and receive at two routers. */
static void agrees_on_several_cables(void **state)
{
    static const char *const networks[] = {"planes:2,mesh:2x2@1",
                                           "planes:3,ring:4@1",
                                           "planes:2,tree:2@1",
                                           "rail:servers=2,g=3,spines=2",
                                           "kary-fly:2x2",
                                           "kary-fly:3x2",
                                           NULL};
    static const char *const relations[] = {"spray",
                                            "shortest",
                                            "ecmp",
                                            "lowest-port",
                                            "adaptive",
                                            "up*down*",
                                            "up*down*:adaptive",
                                            "adaptive:no-escape",
                                            "valiant",
                                            "valiant:up*down*",
                                            "ugal-l",
                                            "ugal-l-vc",
                                            "ugal-l-vch",
                                            "valiant:ecmp"};
    char *text = support_file("a b\nb c\nc d\nh a\nh a\nh c\ni b\ni d\nk c\n"), file[200];
    unsigned agreed = 0, moved = 0, turned = 0;
    (void)state;
    snprintf(file, sizeof file, "file:%s:undirected:hosts=h,i,k", text);
    for (unsigned i = 0; i < 400; i++) {
        trial t = draw_trial(i);
        const char *network = networks[pick(i, 30, 7)];
        unsigned relation = pick(i, 31, 14);
        t.network = network ? network : file;
        t.relation = relations[relation];
        int arrived = compare(&t);
        agreed += arrived >= 0;
        moved += arrived > 20;
        turned += arrived > 20 && relation >= 8;
    }
    assert_true(agreed > 240 && moved > 210 && turned > 80);
    remove(text);
    free(text);
}

/*
 * Minimal adaptive routes with an escape do not stand still, at twice the load that they can bear: after no packet is
 * created any more, all of them arrive. Packets shorter than a buffer, as long as it, and longer.
 */
static void drains(const char *spec, const char *length, double rate, bool cut_through)
{
    np_network *network = support_network(spec);
    const np_arrivals_options drawn = {"uniform", "bernoulli", rate, length, 7, 0};
    np_open_options o = {.network = network, .draws = {.seed = 3}, .threads = 1, .channels = 4, .buffer_flits = 8};
    np_relation *relation;
    np_arrivals *arrivals;
    np_open_counts counts;
    void *model;
    assert_ok(np_relation_create("adaptive", network, &relation));
    assert_ok(np_arrivals_create(network, &drawn, &arrivals));
    o.relation = relation;
    o.arrivals = arrivals;
    o.allocation_delay = o.switch_delay = o.crossbar_delay = o.link_delay = o.credit_delay = 1;
    o.cut_through = cut_through;
    assert_ok(np_open_flits.create(&o, &model));
    assert_ok(np_open_flits.advance(model, 3000));
    np_open_flits.stop(model);
    assert_ok(np_open_flits.advance(model, 16000));
    np_open_flits.counts(model, &counts);
    assert_false(counts.stuck);
    assert_int_equal(counts.ejected, counts.created);
    np_open_flits.free(model);
    np_arrivals_free(arrivals);
    np_relation_free(relation);
    np_network_free(network);
}

static void adaptive_routes_do_not_stand_still(void **state)
{
    (void)state;
    drains("mesh:8x8", "2", 0.3, false);
    drains("mesh:8x8", "8", 0.075, false);
    drains("mesh:6x6", "12", 0.07, false);
    drains("torus:5x5", "1-10", 0.15, false);
    drains("hypercube:5", "3", 0.5, false);
    drains("mesh:8x8", "2", 0.3, true);
}

/* ---- Threads ---- */

typedef struct tale {
    uint64_t hash, packets;
} tale;

static int hash(void *context, size_t count, const np_delivery *d)
{
    tale *t = context;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = d[i].number << 32 ^ (uint64_t)d[i].source << 16 ^ d[i].destination ^ (uint64_t)d[i].hops << 48;
        t->hash = np_random_mix(t->hash ^ word) + (uint64_t)d[i].arrived;
    }
    t->packets += count;
    return 0;
}

/* Enough routers, and flits that move, for blocks of several threads. */
static tale tale_of(const char *spec, const char *paths, double rate, unsigned threads)
{
    np_network *network = support_network(spec);
    const np_arrivals_options drawn = {"uniform", "bernoulli", rate, "1-3", 7, 0};
    np_open_options o = {.network = network, .draws = {.seed = 3}, .channels = 4, .buffer_flits = 4};
    np_relation *relation;
    np_arrivals *arrivals;
    tale t = {0, 0};
    unsigned started;
    void *model;
    assert_ok(np_threads_choose(threads, threads, &started));
    assert_ok(np_relation_create(paths, network, &relation));
    assert_ok(np_arrivals_create(network, &drawn, &arrivals));
    o.relation = relation;
    o.arrivals = arrivals;
    o.threads = threads;
    o.allocation_delay = o.switch_delay = o.crossbar_delay = o.link_delay = o.credit_delay = 1;
    o.deliver = hash;
    o.context = &t;
    assert_ok(np_open_flits.create(&o, &model));
    for (int64_t now = 100; now <= 400; now += 100)
        assert_ok(np_open_flits.advance(model, now));
    np_open_flits.free(model);
    np_arrivals_free(arrivals);
    np_relation_free(relation);
    np_network_free(network);
    return t;
}

static void threads_change_nothing(void **state)
{
    static const struct {
        const char *network, *paths;
        double rate;
    } cases[] = {
        {"mesh:30x30", "dimension-order", 0.06}, {"hypercube:9", "adaptive", 0.3}, {"torus:20x20@2", "valiant", 0.1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tale one = tale_of(cases[i].network, cases[i].paths, cases[i].rate, 1);
        assert_true(one.packets > 1000);
        for (unsigned threads = 2; threads < 8; threads += threads == 2 ? 1 : 4) {
            tale more = tale_of(cases[i].network, cases[i].paths, cases[i].rate, threads);
            assert_int_equal(more.packets, one.packets);
            assert_true(more.hash == one.hash);
        }
    }
}

/* ---- Against an independent simulator ---- */

typedef struct mean {
    double sum, count;
    int64_t from; /* packets created since then count */
} mean;

static int add(void *context, size_t count, const np_delivery *d)
{
    mean *m = context;
    for (size_t i = 0; i < count; i++)
        if (d[i].created >= m->from) {
            m->sum += (double)(d[i].arrived - d[i].created);
            m->count++;
        }
    return 0;
}

/* The mean latency is what another program has, within 1.5%. Close to saturation it takes long to be so certain. */
static void has_mean(const char *spec, double rate, int64_t cycles, double latency)
{
    np_network *network = support_network(spec);
    const np_arrivals_options drawn = {"uniform", "bernoulli", rate, NULL, 7, 0};
    np_open_options o = {.network = network, .draws = {.seed = 3}, .threads = 1, .channels = 4, .buffer_flits = 8};
    np_relation *relation;
    np_arrivals *arrivals;
    mean m = {.from = 5000};
    void *model;
    assert_ok(np_relation_create("dimension-order", network, &relation));
    assert_ok(np_arrivals_create(network, &drawn, &arrivals));
    o.relation = relation;
    o.arrivals = arrivals;
    o.allocation_delay = o.switch_delay = o.crossbar_delay = o.link_delay = o.credit_delay = 1;
    o.deliver = add;
    o.context = &m;
    assert_ok(np_open_flits.create(&o, &model));
    assert_ok(np_open_flits.advance(model, cycles));
    double found = m.sum / m.count;
    if (found < 0.985 * latency || found > 1.015 * latency)
        fail_msg("%s at %g: a mean latency of %g, not %g", spec, rate, found, latency);
    np_open_flits.free(model);
    np_arrivals_free(arrivals);
    np_relation_free(relation);
    np_network_free(network);
}

static void has_the_curves_of_another_simulator(void **state)
{
    (void)state;
    has_mean("mesh:8x8", 0.1, 25000, 27.3);
    if (SUPPORT_SANITIZED) /* numbers, of code that all other cases run */
        return;
    has_mean("mesh:8x8", 0.2, 25000, 27.9);
    has_mean("mesh:8x8", 0.3, 25000, 29.4);
    has_mean("mesh:8x8", 0.4, 105000, 39.7);
    has_mean("hypercube:6", 0.02, 25000, 18.0);
    has_mean("hypercube:6", 0.5, 25000, 18.9);
    has_mean("hypercube:6", 0.8, 25000, 22.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_definition),         cmocka_unit_test(agrees_on_drawn_cases),
        cmocka_unit_test(agrees_on_several_cables),           cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(adaptive_routes_do_not_stand_still), cmocka_unit_test(has_the_curves_of_another_simulator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
