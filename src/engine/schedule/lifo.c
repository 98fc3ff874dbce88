/* Last in, first out: a stack that hangs by its top. Packets that arrive in one step enter in link order. */
#include "engine/schedule/queues.h"

static uint32_t pop(np_queues *queues, np_busy *busy, size_t count, const np_link *link, np_packet *packet,
                    np_ticket *ticket)
{
    uint32_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        np_link l = link[i];
        uint32_t length = queues->length[l]--;
        longest = length > longest ? length : longest;
        packet[i] = queues->word[l];
        queues->word[l] = queues->packet[packet[i]].next;
        ticket[i] = queues->packet[packet[i]].ticket;
        if (length == 1)
            queues->word[l] = NP_QUEUE_IDLE;
        else
            np_busy_set(busy, l);
    }
    return longest;
}

static void push(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                 const np_ticket *ticket, const uint32_t *key)
{
    (void)key;
    for (size_t i = 0; i < count; i++) {
        np_link l = link[i];
        queues->packet[packet[i]].next = queues->word[l];
        queues->packet[packet[i]].entered = queues->entered[l]++;
        queues->packet[packet[i]].ticket = ticket[i];
        queues->word[l] = packet[i];
        queues->length[l]++;
        np_busy_set(busy, l);
    }
}

static const np_queue_structure structure = {.pop = pop, .push = push};

const np_discipline np_discipline_lifo = {
    .info = {"lifo", "last in, first out", "Valiant & Brebner 1981, section 2(d)"},
    .structure = &structure,
};
