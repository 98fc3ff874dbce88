/*
 * A packet of the queue uniformly at random at every step.
 *
 * A queue of m packets is a complete binary tree; place i (1 .. m) is reached
 * from the root by the bits of i below its leading one, 0 left and 1 right.
 * The packet to go is the one in a random place; the packet in place m then
 * takes this place. Both cost O(log m), and which packet goes depends only on the draw
 * of (link, step) and the order in which packets entered. `child` is the left
 * child, `next` the right one.
 */
#include "engine/schedule/queues.h"

/* The word that points to place `place` of the link's tree. */
static uint32_t *place_of(np_queues *queues, np_link link, uint32_t place)
{
    uint32_t *at = &queues->word[link];
    for (uint32_t bit = (UINT32_C(1) << (31 - __builtin_clz(place))) >> 1; bit; bit >>= 1)
        at = place & bit ? &queues->packet[*at].next : &queues->child[*at];
    return at;
}

static np_packet take(np_queues *queues, np_link link)
{
    uint32_t length = queues->length[link];
    uint32_t place = 1 + np_random_below(&queues->draws, link, queues->step, length);
    uint32_t *last_at = place_of(queues, link, length);
    np_packet last = *last_at;
    *last_at = NP_NONE; /* before the other place is looked up: the two may be parent and child */
    if (place == length)
        return last;
    uint32_t *at = place_of(queues, link, place);
    np_packet chosen = *at;
    queues->packet[last].next = queues->packet[chosen].next;
    queues->child[last] = queues->child[chosen];
    *at = last;
    return chosen;
}

static uint32_t pop(np_queues *queues, np_busy *busy, size_t count, const np_link *link, np_packet *packet,
                    np_ticket *ticket)
{
    uint32_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t length = queues->length[link[i]];
        longest = length > longest ? length : longest;
        packet[i] = take(queues, link[i]);
        ticket[i] = queues->packet[packet[i]].ticket;
        if (--queues->length[link[i]] == 0)
            queues->word[link[i]] = NP_QUEUE_IDLE;
        else
            np_busy_set(busy, link[i]);
    }
    return longest;
}

static void push(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                 const np_ticket *ticket, const uint32_t *key)
{
    (void)key;
    for (size_t i = 0; i < count; i++) {
        np_link l = link[i];
        *place_of(queues, l, ++queues->length[l]) = packet[i];
        queues->packet[packet[i]].next = queues->child[packet[i]] = NP_NONE;
        queues->packet[packet[i]].entered = queues->entered[l]++;
        queues->packet[packet[i]].ticket = ticket[i];
        np_busy_set(busy, l);
    }
}

static const np_queue_structure structure = {.tree = true, .pop = pop, .push = push};

const np_discipline np_discipline_random = {
    .info = {"random", "a packet of the queue uniformly at random, drawn anew at every step",
             "Valiant & Brebner 1981, section 2(d)"},
    .structure = &structure,
};
