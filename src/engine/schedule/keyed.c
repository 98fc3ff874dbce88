/*
 * Disciplines that order a queue by a key: the packet with the smallest key goes
 * first, and of packets with equal keys the one that entered first. (Priority has
 * variants in which the one that entered last goes, or one drawn by lot. Ranade 1987a
 * leaves the choice open.)
 *
 * A queue is a pairing heap (Fredman, Sedgewick, Sleator & Tarjan 1986):
 * entering costs O(1), leaving O(log m) amortised, however long the queue.
 * The order (key, ordinal) is total, so the shape of the heap never shows.
 * `child` is the first child, `next` the next sibling.
 *
 * A hundred thousand packets in one queue are common (a hot spot), so no step here
 * recurses.
 */
#include "engine/schedule/queues.h"

static np_packet meld(np_queues *queues, np_packet a, np_packet b)
{
    if (queues->key[b] < queues->key[a]) {
        np_packet swap = a;
        a = b;
        b = swap;
    }
    queues->packet[b].next = queues->child[a];
    queues->child[a] = b;
    return a;
}

/* Melds the children of a removed root: first in pairs, from the first child on; then all pairs, from the last back. */
static np_packet combine(np_queues *queues, np_packet child)
{
    np_packet pairs = NP_NONE, root;
    while (child != NP_NONE) {
        np_packet a = child, b = queues->packet[a].next;
        child = NP_NONE;
        if (b != NP_NONE) {
            child = queues->packet[b].next;
            a = meld(queues, a, b);
        }
        queues->packet[a].next = pairs;
        pairs = a;
    }
    root = pairs;
    if (root != NP_NONE) {
        pairs = queues->packet[root].next;
        while (pairs != NP_NONE) {
            np_packet rest = queues->packet[pairs].next;
            root = meld(queues, root, pairs);
            pairs = rest;
        }
    }
    return root;
}

static uint32_t pop(np_queues *queues, np_busy *busy, size_t count, const np_link *link, np_packet *packet,
                    np_ticket *ticket)
{
    uint32_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        np_link l = link[i];
        uint32_t length = queues->length[l]--;
        longest = length > longest ? length : longest;
        packet[i] = queues->word[l];
        ticket[i] = queues->packet[packet[i]].ticket;
        queues->word[l] = combine(queues, queues->child[packet[i]]);
        if (length == 1)
            queues->word[l] = NP_QUEUE_IDLE;
        else
            np_busy_set(busy, l);
    }
    return longest;
}

/* The order among equal keys, for the low half. */
typedef uint32_t (*second_key)(const np_queues *queues, np_packet packet);

static uint32_t first_come(const np_queues *queues, np_packet packet) { return queues->packet[packet].entered; }
static uint32_t last_come(const np_queues *queues, np_packet packet) { return ~queues->packet[packet].entered; }

/* A packet enters at most one queue a step. Between equal lots the heap decides; it is made in one order only. */
static uint32_t by_lot(const np_queues *queues, np_packet packet)
{
    return (uint32_t)np_random_u64(&queues->draws, packet, queues->step);
}

static void push_with(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                      const np_ticket *ticket, const uint32_t *key, second_key second)
{
    for (size_t i = 0; i < count; i++) {
        np_link l = link[i];
        np_packet p = packet[i];
        queues->packet[p].entered = queues->entered[l]++;
        queues->packet[p].ticket = ticket[i];
        queues->key[p] = (uint64_t)key[i] << 32 | second(queues, p);
        queues->packet[p].next = queues->child[p] = NP_NONE;
        queues->word[l] = queues->length[l]++ ? meld(queues, queues->word[l], p) : p;
        np_busy_set(busy, l);
    }
}

static void push(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                 const np_ticket *ticket, const uint32_t *key)
{
    push_with(queues, busy, count, link, packet, ticket, key, first_come);
}

static void push_last(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                      const np_ticket *ticket, const uint32_t *key)
{
    push_with(queues, busy, count, link, packet, ticket, key, last_come);
}

static void push_lot(np_queues *queues, np_busy *busy, size_t count, const np_link *link, const np_packet *packet,
                     const np_ticket *ticket, const uint32_t *key)
{
    push_with(queues, busy, count, link, packet, ticket, key, by_lot);
}

const np_queue_structure np_queue_heap = {.tree = true, .made = true, .pop = pop, .push = push};
static const np_queue_structure heap_ahead = {.tree = true, .pop = pop, .push = push};
static const np_queue_structure heap_last = {.tree = true, .pop = pop, .push = push_last};
static const np_queue_structure heap_lot = {.tree = true, .pop = pop, .push = push_lot};

static void farthest_keys(size_t count, const np_key_inputs *inputs, uint32_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = UINT32_MAX - inputs->remaining[i];
}

static void nearest_origin_keys(size_t count, const np_key_inputs *inputs, uint32_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = inputs->made[i];
}

static void moved_keys(size_t count, const np_key_inputs *inputs, uint32_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = inputs->made_in_phase[i] == 0;
}

static void priority_keys(size_t count, const np_key_inputs *inputs, uint32_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = inputs->priority[i];
}

const np_discipline np_discipline_farthest_first = {
    .info = {"farthest-first", "the packet with the most hops left in its phase goes first",
             "Valiant & Brebner 1981, section 7(v); Sibeyn, lecture notes, using randomization"},
    .keys = farthest_keys,
    .structure = &heap_ahead,
};

const np_discipline np_discipline_nearest_origin_first = {
    .info = {"nearest-origin-first",
             "the packet with the fewest hops so far (in its phase, unless phases overlap) goes first", ""},
    .keys = nearest_origin_keys,
};

const np_discipline np_discipline_moved_first = {
    .info = {"moved-first", "packets that have moved in this phase go before those that have not",
             "Valiant & Brebner 1981, section 8"},
    .keys = moved_keys,
};

const np_discipline np_discipline_priority = {
    .info = {"priority", "the packet with the smallest priority number in the traffic goes first", "Ranade 1987a"},
    .keys = priority_keys,
    .structure = &heap_ahead,
};

const np_discipline np_discipline_priority_lifo = {
    .info = {"priority, lifo", "as priority, but of equals the one that entered last goes first",
             "Ranade 1987a, section 6"},
    .keys = priority_keys,
    .structure = &heap_last,
};

const np_discipline np_discipline_priority_random = {
    .info = {"priority, random", "as priority, but equals draw lots as they enter", "Ranade 1987a, section 6"},
    .keys = priority_keys,
    .structure = &heap_lot,
};
