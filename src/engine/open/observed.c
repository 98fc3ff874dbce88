/* See observed.h. */
#include "engine/open/observed.h"

#include "model/traffic/traffic.h"

/* Packets that are created in so many cycles: they are drawn once more. */
static np_status count_packets(const np_open_options *o, int64_t cycles, np_packet *out)
{
    uint64_t count = 0;
    for (np_node t = 0; t < np_network_terminals(o->network); t++) {
        np_arrival next = {.time = 0};
        int64_t before = -1;
        for (uint64_t k = 0; np_arrivals_next(o->arrivals, t, k, before, &next) && next.time < cycles; k++, count++)
            before = next.time;
    }
    *out = (np_packet)count;
    return count > NP_PACKETS_MAX
               ? NP_RAISE(NP_ERROR_LIMIT, "trace-cycles: 2^31 packets are created in %lld cycles", (long long)cycles)
               : NP_OK;
}

np_status np_open_book_begin(np_open_book *book, const np_observer *observer, const np_open_options *o, bool flits,
                             uint32_t cycles)
{
    np_event_phase phase = {
        .name = "load", .network = o->network, .time = cycles, .runs = 1, .phases = 1, .open = true};
    np_status st = count_packets(o, cycles, &phase.packets);
    if (st)
        return st;
    if (flits) {
        phase.channels = o->channels;
        phase.buffer_flits = o->buffer_flits;
        phase.credit_delay = o->link_delays ? 0 : o->switch_delay + o->credit_delay;
    }
    book->until = cycles;
    book->packets = phase.packets;
    book->created = 0;
    book->hops = 0;
    book->over = false;
    return np_event_feed_begin(&book->feed, observer, &phase);
}

np_packet np_open_book_create(np_open_book *book, int64_t now, np_node at, np_node end, uint32_t flits)
{
    np_event event = np_event_injected(book->created, at, end);
    event.step = (np_step)now;
    event.length = flits;
    np_event_feed_put(&book->feed, event);
    return book->created++;
}

np_status np_open_book_step(np_open_book *book)
{
    return np_event_feed_flush(&book->feed) ? NP_OK : NP_RAISE(NP_ERROR_CANCELLED, "cancelled by an observer");
}

np_status np_open_book_end(np_open_book *book, int64_t cycles)
{
    np_phase_run run = {.packets = book->created, .steps = (np_step)cycles, .hops = book->hops};
    if (book->over)
        return NP_OK;
    book->over = true;
    return np_event_feed_end(&book->feed, &run);
}
