/*
 * What observers see of stepping. The queues of a discipline have no common form that could be listed. So an observed
 * run keeps a book: the packets of each queue, in the order in which they entered. When a packet leaves, all others of
 * the queue have waited behind it. Without an observer that needs to know who waits, the book has lengths alone.
 *
 * An observed run has one worker, which walks the links in ascending order. So events come in the order of steps, then
 * links; of one link: the packet that moved, whether it landed, and those that waited.
 */
#include "engine/queueing/inside.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "engine/queueing/events.h"

struct np_engine_book {
    size_t links, packets;
    uint32_t *length; /* [links] packets in the queue */
    /* The queues as lists. */
    np_packet *first, *last; /* [links] of queues that are not empty */
    np_packet *next;         /* [packets] */
    bool lists;              /* somebody needs to know who waits */
    const np_packet *name;   /* open.c: [packets] their numbers; NULL: their places in the arrays */
    np_packet *more;         /* open.c: what `next` is when there are more packets than at first */
    np_event_feed *feed, own;
};

static void layout(void *object, np_arena *arena)
{
    np_engine_book *book = object;
    np_arena_zeroed(arena, &book->length, book->links, sizeof *book->length, "lengths of queues");
    NP_ARENA_WORDS(arena, book->links, "lists of queues", &book->first, &book->last);
    np_arena_array(arena, &book->next, book->packets, sizeof *book->next, "lists of queues");
}

static np_engine_book sizes(const np_engine_options *options)
{
    return (np_engine_book){.links = np_network_link_numbers(options->network), .packets = options->packets};
}

uint64_t np_engine_observing_bytes(const np_engine_options *options)
{
    np_engine_book book = sizes(options);
    return np_arena_bytes(&book, sizeof book, layout);
}

void np_engine_book_free(np_engine_book *book)
{
    if (book)
        np_memory_free(book->more);
    np_memory_free(book);
}

static inline np_packet name_of(const np_engine_book *book, np_packet packet)
{
    return book->name ? book->name[packet] : packet;
}

static np_status open_book(np_engine *engine)
{
    np_engine_book book = sizes(&engine->options);
    np_status st = NP_OK;
    if (!engine->held)
        st = np_arena_create(&book, sizeof book, layout, "an observed run", &engine->held);
    engine->book = engine->held;
    return st;
}

static void inject(np_engine *engine)
{
    const np_node *destination = np_traffic_destinations(engine->traffic);
    bool last = engine->options.overlap || (engine->phase + 1 == engine->plan->phases && !engine->plan->stop);
    for (np_packet p = 0; p < engine->packets; p++)
        np_event_feed_put(engine->book->feed,
                          np_event_injected(p, engine->location[p], last ? destination[p] : NP_NONE));
}

np_status np_engine_observe_begin(np_engine *engine)
{
    const np_engine_watch *watch = engine->watch;
    np_status st;
    engine->book = NULL;
    if (!watch || !watch->observer)
        return NP_OK;
    assert(engine->options.workers == 1);
    if ((st = open_book(engine)))
        return st;
    engine->book->feed = &engine->book->own;
    np_event_phase phase = {.run = engine->draws.run,
                            .phase = engine->phase,
                            .name = watch->phase ? watch->phase : "",
                            .network = engine->network,
                            .packets = engine->packets,
                            .time = engine->plan->stop,
                            .runs = watch->runs,
                            .phases = watch->phases};
    if ((st = np_event_feed_begin(engine->book->feed, watch->observer, &phase)))
        return st;
    engine->book->lists = np_event_feed_needs(engine->book->feed, NP_EVENT_WAITED);
    memset(engine->book->length, 0,
           engine->book->links * sizeof *engine->book->length); /* a cancelled run leaves some */
    inject(engine);
    return NP_OK;
}

np_status np_engine_observe_open(np_engine *engine, np_event_feed *feed, const np_packet *name)
{
    np_status st = open_book(engine);
    if (st)
        return st;
    engine->book->feed = feed;
    engine->book->name = name;
    engine->book->lists = np_event_feed_needs(feed, NP_EVENT_WAITED);
    return NP_OK;
}

np_status np_engine_observe_more(np_engine *engine, size_t packets, const np_packet *name)
{
    np_engine_book *book = engine->book;
    bool first = !book->more;
    np_status st =
        np_memory_grow(&book->more, first ? 0 : book->packets, packets, sizeof *book->more, "lists of queues");
    if (st)
        return st;
    if (first)
        memcpy(book->more, book->next, book->packets * sizeof *book->next);
    book->next = book->more;
    book->packets = packets;
    book->name = name;
    return NP_OK;
}

np_status np_engine_observe_end(np_engine *engine, const np_phase_run *run)
{
    return engine->book ? np_event_feed_end(engine->book->feed, run) : NP_OK;
}

void np_engine_observe_entry(np_engine *engine, size_t count, const np_packet *packet, const np_link *link)
{
    np_engine_book *book = engine->book;
    for (size_t i = 0; i < count; i++) {
        if (book->lists) {
            np_packet *before = book->length[link[i]] ? &book->next[book->last[link[i]]] : &book->first[link[i]];
            *before = book->last[link[i]] = packet[i];
        }
        book->length[link[i]]++;
    }
}

/* Takes the packet out of the list of its queue. All others have waited behind it. */
static void leave(np_engine_book *book, np_step step, np_packet packet, np_link link, np_node at)
{
    uint32_t queue = book->length[link];
    np_packet other = book->first[link], before = NP_NONE;
    for (uint32_t i = 0; i < queue; i++, other = book->next[other]) {
        if (other != packet) {
            np_event_feed_put(book->feed, np_event_waited(step, name_of(book, other), at, link, queue, NP_EVENT_BEHIND,
                                                          name_of(book, packet)));
            before = other;
            continue;
        }
        if (i == 0)
            book->first[link] = book->next[packet];
        else
            book->next[before] = book->next[packet];
        if (i + 1 == queue)
            book->last[link] = before;
    }
}

void np_engine_observe_hops(np_engine *engine, np_step step, size_t count, const np_packet *packet, const np_link *link,
                            const np_node *from, const np_node *to, const np_port *port)
{
    np_engine_book *book = engine->book;
    for (size_t i = 0; i < count; i++) {
        np_event_feed_put(
            book->feed, np_event_moved(step, name_of(book, packet[i]), from[i], to[i], link[i], book->length[link[i]]));
        if (port[i] == NP_NONE && !engine->open && !np_engine_rests(engine, packet[i]))
            np_event_feed_put(book->feed, np_event_landed(step, packet[i], to[i]));
        if (book->lists)
            leave(book, step, packet[i], link[i], from[i]);
        book->length[link[i]]--;
    }
}

void np_engine_observe_landing(np_engine *engine, np_step step, np_packet packet, np_node at)
{
    np_event_feed_put(engine->book->feed, np_event_landed(step, packet, at));
}

void np_engine_observe_rests(np_engine *engine, np_step step)
{
    for (np_packet p = 0; p < engine->packets && engine->book->lists; p++)
        if (engine->parked[p])
            np_event_feed_put(engine->book->feed,
                              np_event_waited(step, p, engine->location[p], NP_NONE, 0, NP_EVENT_PHASE, NP_NONE));
}

bool np_engine_observe_step(np_engine *engine) { return np_event_feed_flush(engine->book->feed); }
