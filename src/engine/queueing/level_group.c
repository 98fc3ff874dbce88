/*
 * One group of the accelerator `levels`: its dimensions, one after another.
 *
 * Dimension j: list the packets that cross it. Each in turn takes the first instant from its
 * arrival on at which its link is still free. There are 64 instants, so a queue is one word, and
 * the instant is the lowest zero bit from the arrival on. The set of instants taken does not depend
 * on the order in which packets take theirs (as with cars that park). So this set is the set of the
 * queue, and all counts and populations are right, without a branch. If nobody has to wait in a
 * queue, it is also right which packet takes which instant. Queues in which somebody waits are put
 * in order afterwards, by (time, link over which the packet came), the first packets in an order
 * drawn from the seed: each packet leaves at max(time, one after the packet before) (Valiant &
 * Brebner 1981, section 2(d), with FIFO queues).
 */
#include "engine/queueing/level_group.h"

#include <string.h>

#include "base/hot.h"

enum { INSTANTS = NP_LEVEL_INSTANTS };

void np_level_group_layout(np_level_group *group, np_arena *arena)
{
    size_t room = group->room, nodes = (size_t)1 << group->dimensions;
    np_arena_array(arena, &group->packet, room, sizeof *group->packet, "a group");
    np_arena_array(arena, &group->count, nodes, sizeof *group->count, "a group");
    np_arena_array(arena, &group->crossing, room, sizeof *group->crossing, "a group");
    np_arena_array(arena, &group->queue, nodes, sizeof *group->queue, "a group");
    np_arena_array(arena, &group->after, nodes, 1, "a group");
    np_arena_array(arena, &group->row, nodes * INSTANTS, 1, "a group's populations");
}

/* Lists the packets that cross, without branches: half of all packets cross, so a branch cannot be predicted. */
NP_HOT static size_t list_crossing(np_level_group *group, size_t packets, unsigned j)
{
    np_level_packet **restrict crossing = group->crossing, *end = group->packet + packets;
    size_t listed = 0;
    for (np_level_packet *p = group->packet; p < end; p++) {
        crossing[listed] = p;
        listed += p->word >> (NP_LEVEL_MASK_SHIFT + j) & 1;
    }
    return listed;
}

/*
 * Moves the listed packets, each at the first instant from its arrival on at which the link is
 * still free. The set of instants taken is right for any order of the list. In queues in which
 * nobody has to wait, it is also right which packet takes which instant. Replaces the list by the
 * packets that have to wait, and returns their number.
 */
NP_HOT static size_t cross(np_level_group *group, size_t listed, unsigned j)
{
    np_level_packet **restrict crossing = group->crossing;
    np_level_queue *restrict queue = group->queue;
    uint16_t *restrict count = group->count;
    uint8_t *restrict row = group->row + 1; /* byte t: instant t + 1, at which a packet that left at t is across */
    const np_level_word flip = (np_level_word)1 << j;
    const size_t across = (size_t)INSTANTS << j;
    uint64_t taken = 0;
    size_t waiting = 0;
    for (size_t c = 0; c < listed; c++) {
        np_level_packet *p = crossing[c];
        np_level_word w = p->word;
        size_t node = np_level_node(w), time = np_level_time(w), at = node * INSTANTS;
        np_level_queue *q = &queue[node];
        size_t wait = (size_t)__builtin_ctzll(~(q->taken >> time)), leaves = time + wait;
        if (leaves >= INSTANTS - 1) { /* the packet would be across after the last instant of a row */
            group->failed = true;
            return 0;
        }
        q->taken |= UINT64_C(1) << leaves;
        taken |= q->taken;
        p->before = q->last;
        q->last = p;
        count[node]++;
        p->was = w;
        p->word = (w ^ flip) + ((np_level_word)(wait + 1) << NP_LEVEL_TIME_SHIFT);
        crossing[waiting] = p;
        waiting += wait != 0;
        row[leaves + at]--;
        row[leaves + (at ^ across)]++;
    }
    group->taken = taken;
    return waiting;
}

NP_HOT static uint32_t largest_count(const uint16_t *count, size_t nodes)
{
    uint16_t most = 0;
    for (size_t u = 0; u < nodes; u++)
        most = count[u] > most ? count[u] : most;
    return most;
}

/*
 * The order in which packets enter a queue: by time, then by the link over which they came; the
 * first packets by number.
 */
static inline uint64_t entering_key(const np_level_packet *packet, const np_level_place *place, np_node here,
                                    unsigned j)
{
    uint32_t time = np_level_time(packet->was);
    uint32_t came = time ? here ^ UINT32_C(1) << np_level_last(packet->was, place->shift, j + 1) : packet->number;
    return (uint64_t)time << 32 | came;
}

/* Lists a queue's packets in the order in which they enter; returns how many. */
static size_t gather_queue(np_level_packet *last, const np_level_place *place, np_node here, unsigned j,
                           np_level_packet **queue)
{
    uint64_t key[INSTANTS];
    size_t length = 0;
    for (np_level_packet *p = last; p; p = p->before) {
        uint64_t mine = entering_key(p, place, here, j);
        size_t b = length++;
        for (; b > 0 && key[b - 1] > mine; b--) {
            queue[b] = queue[b - 1];
            key[b] = key[b - 1];
        }
        queue[b] = p;
        key[b] = mine;
    }
    return length;
}

/* Shuffles the first packets, as the stepping engine does for queues that are not empty at the start (begin.c). */
static void shuffle_first(const np_level_place *place, np_node here, unsigned j, size_t length, np_level_packet **queue)
{
    np_draws draws = np_draws_for(place->engine->draws, NP_RANDOM_ORDER);
    np_link link = here * place->n + (place->n - 1 - (place->shift + j));
    size_t first = 0;
    while (first < length && np_level_time(queue[first]->was) == 0)
        first++;
    for (size_t i = first; i > 1; i--) {
        size_t k = np_engine_order_draw(&draws, link, i);
        np_level_packet *swap = queue[i - 1];
        queue[i - 1] = queue[k];
        queue[k] = swap;
    }
}

/* Finds when packets leave a queue in which somebody waits: at max(time, one after the packet before). */
static void finish_queue(np_level_group *group, const np_level_place *place, uint32_t node, unsigned j)
{
    np_level_packet *queue[INSTANTS]; /* all packets leave within these instants */
    np_node here = np_level_node_number(place, node);
    size_t length = gather_queue(group->queue[node].last, place, here, j, queue);
    uint32_t leaves = 0, free = 0;
    shuffle_first(place, here, j, length, queue);
    for (size_t q = 0; q < length; q++, free = leaves + 1) {
        uint32_t time = np_level_time(queue[q]->was);
        leaves = time > free ? time : free;
        queue[q]->word &= ~((np_level_word)0xff << NP_LEVEL_TIME_SHIFT);
        queue[q]->word |= (np_level_word)(leaves + 1) << NP_LEVEL_TIME_SHIFT;
        /* It finds the packets before it that leave at its time or later. */
        group->queue_max = leaves - time + 1 > group->queue_max ? leaves - time + 1 : group->queue_max;
    }
}

/* Finishes each queue in which somebody waits, once. */
static void finish_waiting(np_level_group *group, const np_level_place *place, size_t waiting, unsigned j)
{
    for (size_t m = 0; m < waiting; m++) {
        uint32_t node = np_level_node(group->crossing[m]->was);
        if (group->queue[node].last)
            finish_queue(group, place, node, j);
        group->queue[node].last = NULL;
    }
}

unsigned np_level_group_finish(np_level_group *group, const np_level_place *place, size_t packets)
{
    size_t nodes = (size_t)1 << place->bits;
    unsigned arrivals = 0;
    for (unsigned j = place->bits; j-- > 0;) {
        size_t listed = list_crossing(group, packets, j);
        if (!listed)
            continue;
        memset(group->queue, 0, nodes * sizeof *group->queue);
        memset(group->count, 0, nodes * sizeof *group->count);
        size_t waiting = cross(group, listed, j);
        if (group->failed)
            break;
        uint32_t most = largest_count(group->count, nodes), latest = INSTANTS - (unsigned)__builtin_clzll(group->taken);
        arrivals += most;
        group->congestion = most > group->congestion ? most : group->congestion;
        group->latest = latest > group->latest ? latest : group->latest;
        group->queue_max = group->queue_max ? group->queue_max : 1;
        finish_waiting(group, place, waiting, j);
    }
    return arrivals;
}

/* Sixteen instants of a row at once. */
typedef uint8_t np_level_lanes __attribute__((vector_size(16)));

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define NP_LEVEL_SHUFFLE 1
#endif
#endif

/* Lane t becomes the sum of lanes 0 .. t: four rounds add the lanes 1, 2, 4 and 8 below. */
static inline np_level_lanes prefix_sums(np_level_lanes v)
{
#ifdef NP_LEVEL_SHUFFLE
    const np_level_lanes zero = {0};
    /* Index 16 .. 31 takes from v, 0 from zero. */
    v += __builtin_shufflevector(zero, v, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    v += __builtin_shufflevector(zero, v, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
    v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23);
#else
    for (int t = 1; t < 16; t++)
        v[t] = (uint8_t)(v[t] + v[t - 1]);
#endif
    return v;
}

/*
 * The nodes' populations: largest[t % 16] = the most at any node at instant t; after[u] = the
 * population of node u at the last instant.
 */
NP_HOT static void sum_rows(const uint8_t *rows, size_t nodes, size_t instants, np_level_lanes *largest, uint8_t *after)
{
    np_level_lanes most = *largest;
    for (size_t u = 0; u < nodes; u++) {
        uint8_t here = 0;
        for (size_t t = 0; t < instants; t += 16) {
            np_level_lanes v;
            memcpy(&v, rows + u * INSTANTS + t, sizeof v);
            v = prefix_sums(v) + here; /* to every lane */
            np_level_lanes larger = (np_level_lanes)(v > most);
            most = (v & larger) | (most & ~larger);
            here = v[15];
        }
        after[u] = here;
    }
    *largest = most;
}

void np_level_group_sum_rows(np_level_group *group, unsigned dimensions, size_t instants)
{
    size_t nodes = (size_t)1 << dimensions;
    np_level_lanes largest = {0};
    sum_rows(group->row, nodes, instants, &largest, group->after);
    for (int t = 0; t < 16; t++)
        if (largest[t] > group->population_max)
            group->population_max = largest[t];
}
