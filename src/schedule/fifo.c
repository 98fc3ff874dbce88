/*
 * First in, first out: the discipline of every experiment of Valiant &
 * Brebner 1981, section 7, and the fastest structure here.
 *
 * A busy queue is a circular list that hangs by its last packet: last ->
 * first -> ... -> last. The ordinals with which packets entered give the
 * queue's length without a counter: last - first + 1. An idle queue's word
 * keeps the ordinal that comes next. Most queues hold one packet, so both
 * loops read the tables well ahead of use and choose without branches.
 */
#include "schedule/queues.h"

enum { AHEAD = 24, NEAR = 12 }; /* items of prefetch distance: ours, measured */

static uint32_t pop(np_queues *queues, np_busy *busy, size_t count, const np_link *link, np_packet *packet)
{
    np_packet_record *record = queues->packet;
    uint32_t *word = queues->word, longest = 0;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            __builtin_prefetch(&record[word[link[i + AHEAD]]], 1);
        if (i + NEAR < count)
            __builtin_prefetch(&record[record[word[link[i + NEAR]]].next], 1);
        uint32_t last = word[link[i]];
        uint32_t first = record[last].next;
        uint32_t length = record[last].entered - record[first].entered + 1;
        longest = length > longest ? length : longest;
        record[last].next = record[first].next;
        if (first == last) {
            word[link[i]] = NP_QUEUE_IDLE | (record[last].entered + 1);
            np_busy_unset(busy, link[i]);
        }
        packet[i] = first;
    }
    return longest;
}

static uint32_t push(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                     const uint32_t *key)
{
    np_packet_record *record = queues->packet;
    uint32_t *word = queues->word, most = 0;
    (void)key;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            __builtin_prefetch(&word[link[i + AHEAD]], 1);
            __builtin_prefetch(&record[packet[i + AHEAD]], 1);
            __builtin_prefetch(&busy->bits[(link[i + AHEAD] - busy->first) >> 6], 1);
        }
        if (i + NEAR < count) {
            uint32_t soon = word[link[i + NEAR]];
            __builtin_prefetch(&record[soon & NP_QUEUE_IDLE ? packet[i + NEAR] : soon], 1);
        }
        uint32_t old = word[link[i]], p = packet[i];
        uint32_t idle = old & NP_QUEUE_IDLE;
        /* An idle queue is as if p itself had been its last packet. */
        uint32_t last = idle ? p : old;
        record[p].next = p;
        uint32_t ordinal = idle ? old & ~NP_QUEUE_IDLE : record[last].entered + 1;
        uint32_t first = record[last].next;
        record[last].next = p;
        record[p].next = first;
        record[p].entered = ordinal;
        word[link[i]] = p;
        most = ordinal >= most ? ordinal + 1 : most;
        np_busy_set(busy, link[i]);
    }
    return most;
}

const np_discipline np_discipline_fifo = {
    .info = {"fifo", "first in, first out", "Valiant & Brebner 1981, section 7"},
    .plain = true,
    .pop = pop,
    .push = push,
};
