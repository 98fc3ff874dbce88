/*
 * First in, first out: the discipline of every experiment of Valiant &
 * Brebner 1981, section 7, and the fastest structure here.
 *
 * A busy queue is a circular list that hangs by its last packet: last ->
 * first -> ... -> last. The ordinals with which packets entered give the
 * queue's length without a counter: last - first + 1. An idle queue's word
 * keeps the ordinal that comes next. Most queues hold one packet, and both
 * loops are written for this case. If the arrays exceed the cache, the loops
 * read them well ahead of use.
 */
#include "engine/schedule/queues.h"

#include "base/hot.h"

enum { AHEAD = 48, NEAR = 24 }; /* ours, measured: how many items ahead of use to prefetch */

static inline __attribute__((always_inline)) uint32_t pop_all(np_queues *queues, np_busy *busy, size_t count,
                                                              const np_link *link, np_packet *packet, np_ticket *ticket,
                                                              bool far)
{
    np_packet_record *record = queues->packet;
    uint32_t *word = queues->word, longest = count > 0;
    np_busy set = *busy; /* a copy, so that no store below can alias it */
    for (size_t i = 0; i < count; i++) {
        if (far && i + AHEAD < count)
            __builtin_prefetch(&word[link[i + AHEAD]], 1);
        if (far && i + NEAR < count)
            __builtin_prefetch(&record[word[link[i + NEAR]]], 1);
        np_link l = link[i];
        uint32_t last = word[l], entered = record[last].entered, first = record[last].next;
        packet[i] = first;
        ticket[i] = record[first].ticket;
        if (__builtin_expect(first == last, 1)) {
            word[l] = NP_QUEUE_IDLE | (entered + 1);
            continue;
        }
        uint32_t length = entered - record[first].entered + 1;
        longest = length > longest ? length : longest;
        record[last].next = record[first].next;
        np_busy_set(&set, l);
    }
    return longest;
}

NP_HOT static uint32_t pop(np_queues *queues, np_busy *busy, size_t count, const np_link *link, np_packet *packet,
                           np_ticket *ticket)
{
    return queues->far ? pop_all(queues, busy, count, link, packet, ticket, true)
                       : pop_all(queues, busy, count, link, packet, ticket, false);
}

static inline __attribute__((always_inline)) void push_all(np_queues *queues, np_busy *busy, size_t count,
                                                           const np_link *link, const np_packet *packet,
                                                           const np_ticket *ticket, bool far)
{
    np_packet_record *record = queues->packet;
    uint32_t *word = queues->word;
    np_busy set = *busy;
    for (size_t i = 0; i < count; i++) {
        if (far && i + AHEAD < count) {
            __builtin_prefetch(&word[link[i + AHEAD]], 1);
            __builtin_prefetch(&record[packet[i + AHEAD]], 1);
            __builtin_prefetch(&set.bits[(link[i + AHEAD] - set.first) >> 6], 1);
        }
        if (far && i + NEAR < count) {
            uint32_t soon = word[link[i + NEAR]];
            __builtin_prefetch(&record[soon & NP_QUEUE_IDLE ? packet[i + NEAR] : soon], 1);
        }
        np_link l = link[i];
        uint32_t old = word[l], p = packet[i], ordinal;
        if (__builtin_expect((old & NP_QUEUE_IDLE) != 0, 1)) {
            ordinal = old & ~NP_QUEUE_IDLE;
            record[p] = (np_packet_record){p, ordinal, ticket[i]};
        } else {
            ordinal = record[old].entered + 1;
            record[p] = (np_packet_record){record[old].next, ordinal, ticket[i]};
            record[old].next = p;
        }
        word[l] = p;
        np_busy_set(&set, l);
    }
}

NP_HOT static void push(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                        const np_ticket *ticket, const uint32_t *key)
{
    (void)key;
    if (queues->far)
        push_all(queues, busy, count, link, packet, ticket, true);
    else
        push_all(queues, busy, count, link, packet, ticket, false);
}

static const np_queue_structure structure = {.plain = true, .pop = pop, .push = push};

const np_discipline np_discipline_fifo = {
    .info = {"fifo", "first in, first out", "Valiant & Brebner 1981, section 7"},
    .structure = &structure,
};
