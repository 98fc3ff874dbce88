/*
 * Model `steps`: the queueing engine with arrivals from outside.
 *
 * A step is that of stepping.c, and before it packets that are created at the instant enter the queues of their first
 * links: ahead of those that reach their nodes at the same instant, in the order of their nodes. A packet is a *slot*
 * of the engine's arrays, which is taken again when the packet has landed. Which slot a packet has matters to nobody:
 * what it draws goes by its own number, k x terminals + terminal for the k-th of a terminal.
 *
 * A pass does all that concerns a shard: those who enter, the step, and the arrivals of the next instant. Between two
 * passes one thread gives slots out, and tells of deliveries in the order of their destinations.
 *
 * Rules that find routes for many packets at once (np_chooser) are asked beforehand for those of the next cycles: their
 * arrivals are listed by time, and numbered in this order. Each then brings its tickets. In a closed loop they are
 * asked for those of the next cycle, which have been pushed.
 *
 * By way of a random terminal (Valiant) a packet has two routes, and where the first one ends it enters again like a
 * new one. A packet for its own node has no route: it has arrived when it is created.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/room.h"
#include "engine/open/observed.h"
#include "engine/queueing/ahead.h"
#include "engine/queueing/inside.h"
#include "model/traffic/traffic.h"

enum {
    TOLD = 256,        /* deliveries at once: ours */
    AHEAD = 1 << 18,   /* terminals times cycles whose routes are found at once: ours */
    AHEAD_MOST = 4096, /* such cycles */
};

typedef np_open_packet slot;

/* Who enters at the instant reached. */
typedef struct entrant {
    np_packet slot; /* NP_NONE: it is new, and has none yet */
    slot packet;    /* of a new one */
} entrant;

/* What a worker's terminals do next. */
typedef struct nursery {
    np_node first, last; /* of open.terminal */
    entrant *entrant;    /* [count] those who enter again come last */
    size_t count, room, fresh;
    size_t free; /* those who are new take slots from open.free[free] on */
    slot *own;   /* [owns] packets for their own nodes */
    size_t owns, own_room;
    np_status status;
} __attribute__((aligned(128))) nursery;

typedef struct open {
    np_open_options options;
    np_engine *engine;
    np_engine_plan plan;
    np_node terminals;
    np_node *terminal; /* [terminals] by the nodes of their inputs */
    np_step *due;      /* [terminals] likewise: when it creates its next packet; NP_NONE: never */
    np_arrival *next;  /* [terminals] that packet */
    uint64_t *made;    /* [terminals] packets so far */
    nursery *nursery;  /* [workers] */
    slot *slot;        /* [slots] */
    uint32_t *length;  /* [slots] of the present routes: the engine's array */
    np_packet *free;   /* [slots] of which `frees` are free */
    size_t slots, frees;
    uint64_t *order; /* [2 * order_room] those who have landed, 2^32 target + slot, and room to sort them */
    size_t order_room;
    uint64_t *accepted; /* [terminals] */
    uint64_t *crossed;  /* [link numbers] NULL: nobody asks */
    np_packet *name;    /* [slots] numbers for observers; NULL: nobody observes */
    uint32_t cables;    /* links of a route that are cables of hosts */
    np_packet moved;
    bool stopped;
    np_ahead ahead; /* of a rule that finds routes; else zeroed */
    np_open_counts counts;
} open;

/* ---- Entering ---- */

typedef struct entering {
    np_block *block;
    size_t count;
    np_packet slot[NP_BATCH], number[NP_BATCH];
    np_node at[NP_BATCH], to[NP_BATCH];
    uint16_t epoch; /* what is beside their numbers in draws: their high halves, and which route begins */
} entering;

static np_node input(const open *o, np_node terminal) { return np_network_input(o->options.network, terminal); }
static np_node output(const open *o, np_node terminal) { return np_network_output(o->options.network, terminal); }

/* Gives those of the batch their routes, whose links begin. */
static void start(const open *o, entering *e, np_ticket *ticket, np_link *link)
{
    const np_path *path = o->plan.path;
    np_draws draws = np_draws_for(o->options.draws, NP_RANDOM_TICKET);
    uint32_t hops[NP_BATCH];
    np_port port[NP_BATCH];
    draws.phase = e->epoch;
    for (size_t i = 0; i < e->count && path->routes; i++)
        ticket[i] = o->slot[e->slot[i]].ticket[e->epoch & 1];
    if (!path->routes)
        path->rule->start(path, &draws, e->count, e->number, e->at, e->to, ticket);
    path->rule->remaining(path, e->count, e->at, ticket, hops);
    path->rule->next(path, e->count, e->at, ticket, port);
    for (size_t i = 0; i < e->count; i++) {
        o->length[e->slot[i]] = hops[i];
        o->slot[e->slot[i]].hops += hops[i];
        o->engine->population[e->at[i]]++;
    }
    np_network_link_numbers_of(o->options.network, (uint32_t)e->count, e->at, port, link);
}

/* The batch enters the queues. */
static void flush(const open *o, entering *e)
{
    np_engine *engine = o->engine;
    np_ticket ticket[NP_BATCH];
    np_link link[NP_BATCH];
    uint32_t keys[NP_BATCH];
    if (!e->count)
        return;
    start(o, e, ticket, link);
    const uint32_t *key = np_engine_keys(engine, e->count, e->slot, link, ticket, keys);
    engine->queues.structure->push(&engine->queues, &e->block->busy, e->count, link, e->slot, ticket, key);
    if (engine->book)
        np_engine_observe_entry(engine, e->count, e->slot, link);
    e->count = 0;
}

static void enter(const open *o, unsigned worker)
{
    nursery *n = &o->nursery[worker];
    size_t taken = n->free;
    entering e = {.block = NULL};
    for (size_t i = 0; i < n->count; i++) {
        bool fresh = n->entrant[i].slot == NP_NONE;
        np_packet p = fresh ? o->free[taken++] : n->entrant[i].slot;
        slot *s = &o->slot[p];
        if (fresh)
            *s = n->entrant[i].packet;
        if (fresh && o->engine->book)
            o->name[p] =
                np_open_book_create(o->options.book, o->counts.now, input(o, s->source), output(o, s->destination), 0);
        np_node at = fresh ? input(o, s->source) : output(o, s->target);
        uint64_t number = s->number * o->terminals + s->source;
        np_block *block = &o->engine->block[np_engine_block_of(o->engine, at)];
        uint16_t epoch = (uint16_t)(number >> 32 << 1 | !fresh);
        if (block != e.block || e.count == NP_BATCH || e.epoch != epoch)
            flush(o, &e);
        s->target = fresh ? s->target : s->destination;
        e.block = block;
        e.epoch = epoch;
        e.slot[e.count] = p;
        e.number[e.count] = (np_packet)number;
        e.at[e.count] = at;
        e.to[e.count++] = output(o, s->target);
    }
    flush(o, &e);
    n->count = n->fresh = 0;
}

/* ---- Observing: one worker ---- */

/* Packets for their own nodes are there when they are created. */
static void observe_own(open *o)
{
    for (size_t i = 0; i < o->nursery->owns; i++) {
        const slot *s = &o->nursery->own[i];
        np_node at = output(o, s->destination);
        np_packet name = np_open_book_create(o->options.book, o->counts.now, at, at, 0);
        np_event_feed_put(&o->options.book->feed, np_event_landed((np_step)o->counts.now, name, at));
    }
}

/* After a pass: who has landed. */
static np_status observe_pass(open *o)
{
    np_open_book *book = o->options.book;
    const np_shard *shard = o->engine->shard;
    for (size_t i = 0; i < shard->landings; i++) {
        const slot *s = &o->slot[shard->landed[i]];
        if (s->target == s->destination)
            np_event_feed_put(&book->feed, np_event_landed((np_step)o->counts.now, o->name[shard->landed[i]],
                                                           output(o, s->destination)));
    }
    book->hops += o->moved;
    return np_open_book_step(book);
}

static np_status end_observing(open *o)
{
    o->engine->book = NULL;
    return np_open_book_end(o->options.book, o->counts.now);
}

/* ---- The arrivals of the next instant ---- */

/* Where a packet goes first. */
static np_node target_of(const open *o, const slot *s)
{
    np_draws draws = np_draws_for(o->options.draws, NP_RANDOM_TARGET);
    uint64_t number = s->number * o->terminals + s->source;
    draws.phase = (uint16_t)(number >> 32);
    np_node via = np_random_below(&draws, (uint32_t)number, 0, o->terminals);
    return input(o, via) == input(o, s->source) ? s->destination : via;
}

static np_status add(const open *o, nursery *n, slot s)
{
    np_status st;
    if (output(o, s.destination) == input(o, s.source)) {
        if ((st = np_memory_room(&n->own, n->owns, &n->own_room, sizeof *n->own, "packets for their own nodes")))
            return st;
        n->own[n->owns++] = s;
        return NP_OK;
    }
    if ((st = np_memory_room(&n->entrant, n->count, &n->room, sizeof *n->entrant, "packets that are created")))
        return st;
    if (!o->plan.path->routes)
        s.target = o->options.via_random ? target_of(o, &s) : s.destination;
    n->fresh++;
    n->entrant[n->count++] = (entrant){NP_NONE, s};
    return NP_OK;
}

/* The worker's arrivals at an instant, of the list. */
static void scan_ahead(const open *o, nursery *n, np_step then)
{
    const np_ahead *a = &o->ahead;
    size_t last = o->stopped ? 0 : a->begin[then - a->first + 1];
    for (size_t i = a->begin[then - a->first]; i < last && !n->status; i++)
        if (a->packet[i].place >= n->first && a->packet[i].place < n->last)
            n->status = add(o, n, a->packet[i].packet);
}

static void scan(const open *o, unsigned worker, np_step then)
{
    nursery *n = &o->nursery[worker];
    if (o->plan.path->routes && !o->options.window) {
        scan_ahead(o, n, then);
        return;
    }
    for (np_node i = n->first; i < n->last && !o->stopped; i++) {
        while (o->due[i] == then && !n->status) {
            np_node t = o->terminal[i];
            n->status =
                add(o, n, (slot){.number = o->made[i], .source = t, .destination = o->next[i].to, .created = then});
            bool more = np_arrivals_next(o->options.arrivals, t, ++o->made[i], then, &o->next[i]);
            o->due[i] = more ? o->next[i].time : NP_NONE;
        }
    }
}

static void pass(np_engine *engine, unsigned shard)
{
    open *o = engine->open;
    engine->shard[shard].landings = 0;
    enter(o, shard);
    if (engine->book) /* it knows the packets of queues: all are in them */
        np_engine_receive(engine, shard);
    np_engine_move(engine, shard);
    scan(o, shard, engine->step + 1);
}

/* ---- Routes that are found beforehand ---- */

/* A packet for its own node needs none. */
static np_status list_packet(open *o, np_node place, slot s)
{
    s.target = o->options.via_random ? target_of(o, &s) : s.destination;
    np_node from = input(o, s.source), to = output(o, s.destination);
    return np_ahead_add(&o->ahead, &(np_coming){s, place, from, from == to ? to : output(o, s.target), to});
}

/* The arrivals of the next cycles, and their routes. */
static np_status look_ahead(open *o, np_step first)
{
    np_status st = NP_OK;
    np_ahead_next(&o->ahead, first);
    for (np_node i = 0; i < o->terminals; i++)
        while (!st && o->due[i] < first + o->ahead.cycles) {
            np_node t = o->terminal[i];
            np_step now = o->due[i];
            st = list_packet(o, i,
                             (slot){.number = o->made[i], .source = t, .destination = o->next[i].to, .created = now});
            bool more = np_arrivals_next(o->options.arrivals, t, ++o->made[i], now, &o->next[i]);
            o->due[i] = more ? o->next[i].time : NP_NONE;
        }
    return st ? st : np_ahead_find(&o->ahead);
}

static nursery *nursery_of(const open *o, np_node terminal)
{
    unsigned each = o->engine->blocks / o->engine->options.workers;
    return &o->nursery[np_engine_block_of(o->engine, input(o, terminal)) / each];
}

/* Those who were pushed at the instant reached, with their routes. */
static np_status enter_pushed(open *o)
{
    np_ahead *a = &o->ahead;
    a->first = (np_step)o->counts.now;
    np_status st = a->count ? np_ahead_find(a) : NP_OK;
    for (size_t i = 0; i < a->count && !st; i++)
        st = add(o, nursery_of(o, a->packet[i].packet.source), a->packet[i].packet);
    np_ahead_next(a, a->first + 1);
    return st;
}

static np_step cycles_ahead(const open *o)
{
    if (o->options.window)
        return 1;
    np_step cycles = AHEAD / o->terminals;
    return cycles < 1 ? 1 : cycles > AHEAD_MOST ? AHEAD_MOST : cycles;
}

/* ---- Between two passes ---- */

static np_status grow(open *o, size_t slots)
{
    np_engine *engine = o->engine;
    np_status st;
    if (slots > NP_PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "2^31 packets are on their way");
    if ((st = np_memory_grow(&o->slot, o->slots, slots, sizeof *o->slot, "packets on their way")) ||
        (st = np_memory_grow(&o->length, o->slots, slots, sizeof *o->length, "packets on their way")) ||
        (st = np_memory_grow(&o->free, o->frees, slots, sizeof *o->free, "packets on their way")))
        return st;
    if (o->options.book && (st = np_memory_grow(&o->name, o->slots, slots, sizeof *o->name, "observed packets")))
        return st;
    engine->length = engine->phase_length = o->length;
    if (engine->book && (st = np_engine_observe_more(engine, slots, o->name)))
        return st;
    if (o->slots &&
        ((st = np_bucket_pool_grow(&engine->pool, slots)) || (st = np_queues_grow(&engine->queues, slots)) ||
         (st = np_flights_grow(&engine->flights, o->slots, slots))))
        return st;
    for (size_t i = slots; i-- > o->slots;)
        o->free[o->frees++] = (np_packet)i;
    o->slots = slots;
    return NP_OK;
}

/* Slots for all that enter. */
static np_status give_slots(open *o)
{
    size_t needs = 0;
    np_status st;
    for (unsigned w = 0; w < o->engine->options.workers; w++) {
        if (o->nursery[w].status)
            return NP_RAISE(o->nursery[w].status, "no memory for packets that are created");
        needs += o->nursery[w].fresh;
    }
    if (needs > o->frees && (st = grow(o, o->slots + o->slots / 2 + needs)))
        return st;
    o->frees -= needs;
    for (unsigned w = 0, at = 0; w < o->engine->options.workers; w++) {
        o->nursery[w].free = o->frees + at;
        at += (unsigned)o->nursery[w].fresh;
    }
    o->counts.created += needs;
    o->counts.injected += needs;
    return NP_OK;
}

/* By targets, of which there are `terminals`. The result is in order[0 .. count - 1]. */
static void sort_landed(open *o, size_t count)
{
    uint64_t *from = o->order, *to = o->order + o->order_room;
    for (unsigned shift = 32; (uint64_t)(o->terminals - 1) >> (shift - 32); shift += 8) {
        uint32_t begin[256] = {0};
        for (size_t i = 0; i < count; i++)
            begin[from[i] >> shift & 255]++;
        for (uint32_t d = 0, sum = 0, here; d < 256; d++, sum += here) {
            here = begin[d];
            begin[d] = sum;
        }
        for (size_t i = 0; i < count; i++)
            to[begin[from[i] >> shift & 255]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != o->order)
        memcpy(o->order, from, count * sizeof *from);
}

/* Those for their own nodes follow the slots. */
static const slot *packet_of(const open *o, uint32_t reference)
{
    size_t own = reference - o->slots;
    unsigned w = 0;
    if (reference < o->slots)
        return &o->slot[reference];
    for (; own >= o->nursery[w].owns; w++)
        own -= o->nursery[w].owns;
    return &o->nursery[w].own[own];
}

static bool before(const slot *a, const slot *b)
{
    return a->source != b->source ? a->source < b->source : a->number < b->number;
}

/* Lists who has landed, by targets; those of a target by their own names, which are the same for any workers. */
static np_status list_landed(open *o, size_t *count)
{
    size_t landed = 0, owns = 0;
    np_status st;
    for (unsigned w = 0; w < o->engine->options.workers; w++)
        landed += o->engine->shard[w].landings + o->nursery[w].owns;
    *count = landed;
    if (landed > o->order_room) {
        np_memory_free(o->order);
        o->order_room = 0;
        if ((st = np_memory_array(&o->order, 4 * landed, sizeof *o->order, "packets that have arrived")))
            return st;
        o->order_room = 2 * landed;
    }
    landed = 0;
    for (unsigned w = 0; w < o->engine->options.workers; w++) {
        const np_shard *shard = &o->engine->shard[w];
        const nursery *n = &o->nursery[w];
        for (size_t i = 0; i < shard->landings; i++)
            o->order[landed++] = (uint64_t)o->slot[shard->landed[i]].target << 32 | shard->landed[i];
        for (size_t i = 0; i < n->owns; i++, owns++)
            o->order[landed++] = (uint64_t)n->own[i].destination << 32 | (o->slots + owns);
    }
    sort_landed(o, landed);
    for (size_t i = 1; i < landed; i++)
        for (size_t j = i; j > 0 && o->order[j - 1] >> 32 == o->order[j] >> 32 &&
                           before(packet_of(o, (uint32_t)o->order[j]), packet_of(o, (uint32_t)o->order[j - 1]));
             j--) {
            uint64_t swap = o->order[j];
            o->order[j] = o->order[j - 1];
            o->order[j - 1] = swap;
        }
    return NP_OK;
}

/* Half-way: it enters again, at the end of its first route. */
static np_status enter_again(open *o, np_packet p)
{
    const np_engine *engine = o->engine;
    unsigned each = engine->blocks / engine->options.workers;
    nursery *n = &o->nursery[np_engine_block_of(engine, output(o, o->slot[p].target)) / each];
    np_status st = np_memory_room(&n->entrant, n->count, &n->room, sizeof *n->entrant, "packets that enter again");
    if (!st)
        n->entrant[n->count++].slot = p;
    return st;
}

static np_delivery arrive(open *o, uint32_t reference)
{
    const slot *s = packet_of(o, reference);
    bool own = reference >= o->slots;
    np_delivery d = {s->source, s->destination, s->number, s->created, o->counts.now, own ? 0 : s->hops - o->cables,
                     1 /* flit */};
    o->counts.hops += s->hops;
    o->counts.ejected++;
    o->counts.created += own;
    o->counts.injected += own;
    o->accepted[s->source]++;
    if (!own)
        o->free[o->frees++] = reference;
    return d;
}

/* Tells of those who have arrived at the instant reached. */
static np_status tell(open *o)
{
    np_delivery delivery[TOLD];
    size_t landed, count = 0;
    int stop = 0;
    np_status st = list_landed(o, &landed);
    for (size_t i = 0; i < landed && !st && !stop; i++) {
        uint32_t p = (uint32_t)o->order[i];
        if (p < o->slots && o->slot[p].target != o->slot[p].destination) {
            st = enter_again(o, p);
            continue;
        }
        delivery[count++] = arrive(o, p);
        if (count == TOLD) {
            stop = o->options.deliver(o->options.context, count, delivery);
            count = 0;
        }
    }
    if (!st && !stop && count)
        stop = o->options.deliver(o->options.context, count, delivery);
    for (unsigned w = 0; w < o->engine->options.workers; w++)
        o->nursery[w].owns = 0;
    return st ? st : stop ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled in cycle %lld", (long long)o->counts.now) : NP_OK;
}

static np_status advance(void *m, int64_t until)
{
    open *o = m;
    np_engine *engine = o->engine;
    np_status st;
    if (until >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "2^32 cycles");
    while (o->counts.now < until) {
        if (engine->book && o->counts.now == o->options.book->until && (st = end_observing(o)))
            return st;
        if (engine->book)
            observe_own(o);
        if (o->options.window && o->options.path->rule->chooser && (st = enter_pushed(o)))
            return st;
        if ((st = tell(o)) || (st = give_slots(o)))
            return st;
        if (o->plan.path->routes && !o->options.window && !o->stopped &&
            engine->step + 1 == o->ahead.first + o->ahead.cycles && (st = look_ahead(o, engine->step + 1)))
            return st;
        np_engine_pass(engine, o->moved, pass);
        engine->queues.step = ++engine->step;
        o->counts.now++;
        o->moved = 0;
        for (unsigned w = 0; w < engine->options.workers; w++)
            o->moved += engine->shard[w].moved;
        if (engine->book && (st = observe_pass(o)))
            return st;
    }
    return NP_OK;
}

/* ---- Life ---- */

static void free_open(void *m)
{
    open *o = m;
    if (!o)
        return;
    for (unsigned w = 0; o->engine && w < o->engine->options.workers; w++) {
        np_memory_free(o->engine->shard[w].landed);
        if (o->nursery) {
            np_memory_free(o->nursery[w].entrant);
            np_memory_free(o->nursery[w].own);
        }
    }
    np_engine_free(o->engine);
    np_ahead_free(&o->ahead);
    void *const owned[] = {o->terminal, o->due,  o->next,  o->made,     o->nursery, o->slot,
                           o->length,   o->free, o->order, o->accepted, o->crossed, o->name};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        np_memory_free(owned[i]);
    np_memory_free(o);
}

/* Of a closed loop: packets on their way; 0: packets over time. */
static uint64_t trips(const np_open_options *options)
{
    return (uint64_t)np_network_terminals(options->network) * options->window;
}

static np_engine_options engine_options(const np_open_options *options)
{
    /* As many slots as links at first: the arrays of a block's arrivals have room for no more packets than slots. */
    uint64_t links = np_network_link_numbers(options->network);
    links = links < trips(options) ? trips(options) : links;
    return (np_engine_options){.network = options->network,
                               .discipline = options->discipline ? options->discipline : &np_discipline_fifo,
                               .packets = links > 1 ? links : 1,
                               .workers = options->link_delays ? 1 : options->threads,
                               .delays = options->link_delays,
                               .path = options->path,
                               .observed = options->book,
                               .method = "stepping"};
}

/* Those who enter, who come from and go to one terminal, and who have landed, all in one cycle; and their routes. */
static uint64_t bytes_of_loop(const np_open_options *options)
{
    const uint64_t packets = trips(options),
                   half_way = options->via_random ? np_network_link_numbers(options->network) : 0;
    const np_path *path = options->path;
    return (packets + half_way) * sizeof(entrant) + packets * (sizeof(slot) + 4 * sizeof(uint64_t)) +
           (path->rule->chooser
                ? np_ahead_bytes(path, options->threads, packets, packets * (options->via_random ? 2 : 1))
                : 0);
}

static uint64_t bytes(const np_open_options *options)
{
    np_engine_options engine = engine_options(options);
    uint64_t terminal = 2 * sizeof(np_node) + sizeof(np_arrival) + 2 * sizeof(uint64_t) + sizeof(entrant),
             packet = sizeof(slot) + 2 * sizeof(uint32_t);
    if (options->book)
        packet += 2 * sizeof(np_packet);
    return np_engine_bytes(&engine) + np_network_terminals(options->network) * terminal + engine.packets * packet +
           np_network_link_numbers(options->network) *
               (sizeof(np_packet) + (2 + options->counts_links) * sizeof(uint64_t)) +
           (options->window ? bytes_of_loop(options) : 0);
}

/* By the nodes of their inputs, which ascend but where hosts have other numbers. */
static int by_input(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static np_status order_terminals(open *o)
{
    uint64_t *key;
    np_status st = np_memory_array(&key, o->terminals, sizeof *key, "terminals");
    if (st)
        return st;
    for (np_node t = 0; t < o->terminals; t++)
        key[t] = (uint64_t)input(o, t) << 32 | t;
    qsort(key, o->terminals, sizeof *key, by_input);
    for (np_node i = 0; i < o->terminals; i++)
        o->terminal[i] = (np_node)key[i];
    np_memory_free(key);
    return NP_OK;
}

/* Of a closed loop: room for all who may enter at an instant. `links`: over which others of two routes may come. */
static np_status reserve(const open *o, nursery *n, np_link links)
{
    size_t packets = (size_t)(n->last - n->first) * o->options.window;
    np_status st;
    n->room = packets + (o->options.via_random ? links : 0);
    n->own_room = packets;
    if ((st = np_memory_array(&n->entrant, n->room, sizeof *n->entrant, "packets that are created")))
        return st;
    return np_memory_array(&n->own, n->own_room, sizeof *n->own, "packets for their own nodes");
}

/* Each worker has the terminals of its nodes, and those of the first instant. */
static np_status begin_nurseries(open *o)
{
    const np_engine *engine = o->engine;
    np_node at = 0;
    for (np_node i = 0; i < o->terminals; i++)
        o->due[i] =
            np_arrivals_next(o->options.arrivals, o->terminal[i], 0, -1, &o->next[i]) ? o->next[i].time : NP_NONE;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        np_shard *shard = &engine->shard[w];
        const np_block *last = &engine->block[shard->last_block - 1];
        np_link first = engine->block[shard->first_block].first_link;
        np_status st = np_memory_array(&shard->landed, (size_t)(last->last_link - first) + 1, sizeof *shard->landed,
                                       "packets that have arrived");
        if (st)
            return st;
        o->nursery[w].first = at;
        while (at < o->terminals && input(o, o->terminal[at]) < last->last_node)
            at++;
        o->nursery[w].last = at;
        if (o->options.window && (st = reserve(o, &o->nursery[w], last->last_link - first)))
            return st;
    }
    np_status st = NP_OK;
    if (o->options.path->rule->chooser) {
        o->plan.path = &o->ahead.bound;
        if (!(st = np_ahead_init(&o->ahead, o->options.path, &o->options.draws, engine->options.workers,
                                 cycles_ahead(o), trips(&o->options))) &&
            !o->options.window)
            st = look_ahead(o, 0);
    }
    for (unsigned w = 0; w < engine->options.workers && !st; w++)
        scan(o, w, 0);
    return st;
}

static np_status begin(open *o)
{
    np_engine_options options = engine_options(&o->options);
    np_status st;
    if ((st = np_engine_create(&options, &o->engine)) ||
        (st = np_memory_array(&o->terminal, o->terminals, sizeof *o->terminal, "terminals")) ||
        (st = np_memory_array(&o->due, o->terminals, sizeof *o->due, "terminals")) ||
        (st = np_memory_zeroed(&o->next, o->terminals, sizeof *o->next, "terminals")) ||
        (st = np_memory_zeroed(&o->made, o->terminals, sizeof *o->made, "terminals")) ||
        (st = np_memory_zeroed(&o->accepted, o->terminals, sizeof *o->accepted, "terminals")) ||
        (st = np_memory_zeroed(&o->nursery, options.workers, sizeof *o->nursery, "terminals")) ||
        (st = order_terminals(o)) || (st = grow(o, options.packets)))
        return st;
    if (o->options.counts_links && (st = np_memory_zeroed(&o->crossed, np_network_link_numbers(o->options.network) + 1,
                                                          sizeof *o->crossed, "what links carry")))
        return st;
    o->engine->crossed = o->crossed;
    o->engine->open = o;
    o->engine->plan = &o->plan;
    o->engine->draws = o->options.draws;
    if ((st = np_engine_reserve_steps(o->engine)) ||
        (o->options.book && (st = np_engine_observe_open(o->engine, &o->options.book->feed, o->name))))
        return st;
    return begin_nurseries(o);
}

static np_status create(const np_open_options *options, void **out)
{
    open *o;
    np_status st = np_memory_zeroed(&o, 1, sizeof *o, "an engine");
    *out = NULL;
    if (st)
        return st;
    o->options = *options;
    o->plan = (np_engine_plan){.path = options->path, .phases = 1};
    o->terminals = np_network_terminals(options->network);
    o->cables = np_network_has_hosts(options->network) ? 2 : 0;
    st = trips(options) > NP_PACKETS_MAX ? NP_RAISE(NP_ERROR_LIMIT, "2^31 packets are on their way") : begin(o);
    if (st)
        free_open(o);
    else
        *out = o;
    return st;
}

static void stop(void *m)
{
    open *o = m;
    o->stopped = true;
    for (unsigned w = 0; w < o->engine->options.workers; w++) {
        nursery *n = &o->nursery[w];
        size_t kept = 0;
        for (size_t i = 0; i < n->count; i++)
            if (n->entrant[i].slot != NP_NONE)
                n->entrant[kept++] = n->entrant[i];
        n->count = kept;
        n->fresh = n->owns = 0;
    }
}

static void counts(void *m, np_open_counts *out)
{
    *out = ((open *)m)->counts;
    out->waiting = out->created - out->ejected;
}

static void accepted(void *m, uint64_t *flits)
{
    const open *o = m;
    memcpy(flits, o->accepted, o->terminals * sizeof *flits);
}

static np_status push(void *m, np_node source, uint64_t number, np_node destination)
{
    open *o = m;
    const slot s = {.number = number, .source = source, .destination = destination, .created = (np_step)o->counts.now};
    return o->options.path->rule->chooser ? list_packet(o, 0, s) : add(o, nursery_of(o, source), s);
}

static void links(void *m, uint64_t *flits)
{
    const open *o = m;
    memcpy(flits, o->crossed, np_network_link_numbers(o->options.network) * sizeof *flits);
}

const np_open_model np_open_steps = {
    .info = {"steps", "synchronous store-and-forward: a packet a link a step, unbounded queues",
             "Valiant & Brebner 1981, section 2", .parameters = ""},
    .bytes = bytes,
    .create = create,
    .advance = advance,
    .stop = stop,
    .counts = counts,
    .accepted = accepted,
    .links = links,
    .free = free_open,
    .push = push,
};
