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
 * By way of a random terminal (Valiant) a packet has two routes, and where the first one ends it enters again like a
 * new one. A packet for its own node has no route: it has arrived when it is created.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "engine/queueing/open.h"
#include "model/traffic/traffic.h"

/* ---- Entering ---- */

typedef struct entering {
    np_block *block;
    size_t count;
    np_packet slot[NP_BATCH], number[NP_BATCH];
    np_node at[NP_BATCH], to[NP_BATCH];
    uint16_t epoch; /* what is beside their numbers in draws: their high halves, and which route begins */
} entering;

/* Gives those of the batch their routes, whose links begin. */
static void start(const np_open *o, entering *e, np_ticket *ticket, np_link *link)
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
static void flush(const np_open *o, entering *e)
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

static void enter(const np_open *o, unsigned worker)
{
    np_nursery *n = &o->nursery[worker];
    size_t taken = n->free;
    entering e = {.block = NULL};
    for (size_t i = 0; i < n->count; i++) {
        bool fresh = n->entrant[i].slot == NP_NONE;
        np_packet p = fresh ? o->free[taken++] : n->entrant[i].slot;
        np_open_packet *s = &o->slot[p];
        if (fresh)
            *s = n->entrant[i].packet;
        if (fresh && o->engine->book)
            o->name[p] = np_open_book_create(o->options.book, o->counts.now, np_open_input(o, s->source),
                                             np_open_output(o, s->destination), 0);
        np_node at = fresh ? np_open_input(o, s->source) : np_open_output(o, s->target);
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
        e.to[e.count++] = np_open_output(o, s->target);
    }
    flush(o, &e);
    n->count = n->fresh = 0;
}

/* ---- Observing: one worker ---- */

/* Packets for their own nodes are there when they are created. */
static void observe_own(np_open *o)
{
    for (size_t i = 0; i < o->nursery->owns; i++) {
        const np_open_packet *s = &o->nursery->own[i];
        np_node at = np_open_output(o, s->destination);
        np_packet name = np_open_book_create(o->options.book, o->counts.now, at, at, 0);
        np_event_feed_put(&o->options.book->feed, np_event_landed((np_step)o->counts.now, name, at));
    }
}

/* After a pass: who has landed. */
static np_status observe_pass(np_open *o)
{
    np_open_book *book = o->options.book;
    const np_shard *shard = o->engine->shard;
    for (size_t i = 0; i < shard->landings; i++) {
        const np_open_packet *s = &o->slot[shard->landed[i]];
        if (s->target == s->destination)
            np_event_feed_put(&book->feed, np_event_landed((np_step)o->counts.now, o->name[shard->landed[i]],
                                                           np_open_output(o, s->destination)));
    }
    book->hops += o->moved;
    return np_open_book_step(book);
}

static np_status end_observing(np_open *o)
{
    o->engine->book = NULL;
    return np_open_book_end(o->options.book, o->counts.now);
}

static void pass(np_engine *engine, unsigned shard)
{
    np_open *o = engine->open;
    engine->shard[shard].landings = 0;
    enter(o, shard);
    if (engine->book) /* it knows the packets of queues: all are in them */
        np_engine_receive(engine, shard);
    np_engine_move(engine, shard);
    np_open_scan(o, shard, engine->step + 1);
}

/* ---- Between two passes ---- */

static np_status grow(np_open *o, size_t slots)
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
static np_status give_slots(np_open *o)
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

static np_status advance(void *m, int64_t until)
{
    np_open *o = m;
    np_engine *engine = o->engine;
    np_status st;
    if (until >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "2^32 cycles");
    while (o->counts.now < until) {
        if (engine->book && o->counts.now == o->options.book->until && (st = end_observing(o)))
            return st;
        if (engine->book)
            observe_own(o);
        if ((st = np_open_enter_pushed(o)) || (st = np_open_tell(o)) || (st = give_slots(o)) ||
            (st = np_open_look_ahead(o)))
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
    np_open *o = m;
    if (!o)
        return;
    for (unsigned w = 0; o->engine && w < o->engine->options.workers; w++) {
        np_memory_free(o->engine->shard[w].landed);
        if (o->nursery) {
            NP_MEMORY_FREE(o->nursery[w].entrant, o->nursery[w].own);
        }
    }
    np_engine_free(o->engine);
    np_ahead_free(&o->ahead);
    NP_MEMORY_FREE(o->terminal, o->due, o->next, o->made, o->nursery, o->slot, o->length, o->free, o->order,
                   o->accepted, o->crossed, o->name, o);
}

/* By the nodes of their inputs, which ascend but where hosts have other numbers. */
static np_status order_terminals(np_open *o)
{
    uint64_t *key;
    np_status st = np_memory_array(&key, o->terminals, sizeof *key, "terminals");
    if (st)
        return st;
    for (np_node t = 0; t < o->terminals; t++)
        key[t] = (uint64_t)np_open_input(o, t) << 32 | t;
    qsort(key, o->terminals, sizeof *key, np_order_words);
    for (np_node i = 0; i < o->terminals; i++)
        o->terminal[i] = (np_node)key[i];
    np_memory_free(key);
    return NP_OK;
}

/* Each worker has the terminals of its nodes, and those of the first instant. */
static np_status begin_nurseries(np_open *o)
{
    const np_engine *engine = o->engine;
    np_node at = 0;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        np_shard *shard = &engine->shard[w];
        const np_block *last = &engine->block[shard->last_block - 1];
        np_link first = engine->block[shard->first_block].first_link;
        np_status st = np_memory_array(&shard->landed, (size_t)(last->last_link - first) + 1, sizeof *shard->landed,
                                       "packets that have arrived");
        if (st)
            return st;
        o->nursery[w].first = at;
        while (at < o->terminals && np_open_input(o, o->terminal[at]) < last->last_node)
            at++;
        o->nursery[w].last = at;
        if (o->options.window && (st = np_open_reserve(o, &o->nursery[w], last->last_link - first)))
            return st;
    }
    return np_open_begin_arrivals(o);
}

static np_status begin(np_open *o)
{
    np_engine_options options = np_open_engine_options(&o->options);
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
    np_open *o;
    np_status st = np_memory_zeroed(&o, 1, sizeof *o, "an engine");
    *out = NULL;
    if (st)
        return st;
    o->options = *options;
    o->plan = (np_engine_plan){.path = options->path, .phases = 1};
    o->terminals = np_network_terminals(options->network);
    o->cables = np_network_has_hosts(options->network) ? 2 : 0;
    st = np_open_trips(options) > NP_PACKETS_MAX ? NP_RAISE(NP_ERROR_LIMIT, "2^31 packets are on their way") : begin(o);
    if (st)
        free_open(o);
    else
        *out = o;
    return st;
}

static void stop(void *m)
{
    np_open *o = m;
    o->stopped = true;
    for (unsigned w = 0; w < o->engine->options.workers; w++) {
        np_nursery *n = &o->nursery[w];
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
    *out = ((np_open *)m)->counts;
    out->waiting = out->created - out->ejected;
}

static void accepted(void *m, uint64_t *flits)
{
    const np_open *o = m;
    memcpy(flits, o->accepted, o->terminals * sizeof *flits);
}

static void links(void *m, uint64_t *flits)
{
    const np_open *o = m;
    memcpy(flits, o->crossed, np_network_link_numbers(o->options.network) * sizeof *flits);
}

const np_open_model np_open_steps = {
    .info = {"steps", "synchronous store-and-forward: a packet a link a step, unbounded queues",
             "Valiant & Brebner 1981, section 2", .parameters = ""},
    .bytes = np_open_bytes,
    .create = create,
    .advance = advance,
    .stop = stop,
    .counts = counts,
    .accepted = accepted,
    .links = links,
    .free = free_open,
    .push = np_open_push,
};
