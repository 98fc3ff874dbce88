/*
 * One group of the level engine: its dimensions, one after another.
 *
 * Dimension j: list the packets that cross it and count them by node; those
 * alone in their queue leave when they came; queues of several are sorted by
 * (time, link came over), first packets in an order drawn from the seed, and
 * leave at max(time, one after the one before) (Valiant & Brebner 1981,
 * section 2(d), with FIFO queues).
 */
#include "engine/level_group.h"

#include <string.h>

#include "base/hot.h"
#include "base/memory.h"

enum {
    INSTANTS = NP_LEVEL_INSTANTS,
    FIRST = NP_LEVEL_FIRST,
    QUEUE_PLACED = 0x8000, /* in a count: the queue has its place */
    QUEUE_MOST = 0x7fff
};

uint64_t np_level_group_bytes(size_t room, unsigned dimensions) { return room * 16 + (UINT64_C(69) << dimensions); }

np_status np_level_group_init(np_level_group *group, size_t room, unsigned dimensions)
{
    size_t nodes = (size_t)1 << dimensions;
    np_status st;
    group->room = room;
    if ((st = np_memory_array(&group->packet, room, sizeof *group->packet, "a group")) ||
        (st = np_memory_array(&group->word, room, sizeof *group->word, "a group")) ||
        (st = np_memory_array(&group->crossing, room, sizeof *group->crossing, "a group")) ||
        (st = np_memory_array(&group->place, room, sizeof *group->place, "a group")) ||
        (st = np_memory_array(&group->count, nodes, sizeof *group->count, "a group")) ||
        (st = np_memory_array(&group->begin, nodes, sizeof *group->begin, "a group")) ||
        (st = np_memory_array(&group->after, nodes, 1, "a group")))
        return st;
    return np_memory_array(&group->row, nodes * INSTANTS, 1, "a group's populations");
}

void np_level_group_clear(np_level_group *group)
{
    np_memory_free(group->packet);
    np_memory_free(group->word);
    np_memory_free(group->crossing);
    np_memory_free(group->place);
    np_memory_free(group->count);
    np_memory_free(group->begin);
    np_memory_free(group->row);
    np_memory_free(group->after);
}

/* Entry i leaves its node at instant `leaves` across local dimension j. */
static inline void cross(np_level_group *group, const np_level_place *place, size_t i, unsigned j, unsigned leaves)
{
    uint32_t from = np_level_node(group->word[i]), to = from ^ 1u << j, instant = leaves + 1;
    group->row[from * INSTANTS + instant]--;
    group->row[to * INSTANTS + instant]++;
    group->word[i] = np_level_crossed(group->word[i], j, place->shift + j, instant);
    group->latest = instant > group->latest ? instant : group->latest;
}

/* The order in which packets enter a queue: time, then the link they came over; the first ones by number. */
static uint64_t entering_key(const np_level_group *group, const np_level_place *place, size_t i)
{
    np_level_word w = group->word[i];
    uint32_t came = np_level_last(w) == FIRST
                        ? group->packet[i]
                        : np_level_node_number(place, np_level_node(w)) ^ UINT32_C(1) << np_level_last(w);
    return (uint64_t)np_level_time(w) << 32 | came;
}

static void sort_queue(const np_level_group *group, const np_level_place *place, size_t length, uint16_t *queue)
{
    for (size_t a = 1; a < length; a++) {
        uint16_t moving = queue[a];
        uint64_t key = entering_key(group, place, moving);
        size_t b = a;
        for (; b > 0 && entering_key(group, place, queue[b - 1]) > key; b--)
            queue[b] = queue[b - 1];
        queue[b] = moving;
    }
}

/* As the stepping engine does for queues that are not empty at the start (begin.c). */
static void shuffle_first(const np_level_group *group, const np_level_place *place, unsigned j, size_t length,
                          uint16_t *queue)
{
    np_draws draws = np_draws_for(place->engine->draws, NP_RANDOM_ORDER);
    np_node x = np_level_node_number(place, np_level_node(group->word[queue[0]]));
    np_link link = x * place->n + (place->n - 1 - (place->shift + j));
    size_t first = 0;
    while (first < length && np_level_last(group->word[queue[first]]) == FIRST)
        first++;
    for (size_t i = first; i > 1; i--) {
        size_t k = np_engine_order_draw(&draws, link, i);
        uint16_t swap = queue[i - 1];
        queue[i - 1] = queue[k];
        queue[k] = swap;
    }
}

/* A queue that several packets enter, finished for all time. */
static void finish_queue(np_level_group *group, const np_level_place *place, unsigned j, size_t length, uint16_t *queue)
{
    unsigned leaves = 0;
    size_t entered = 0;
    sort_queue(group, place, length, queue);
    shuffle_first(group, place, j, length, queue);
    for (size_t q = 0; q < length; q++) {
        unsigned time = np_level_time(group->word[queue[q]]);
        leaves = q && leaves >= time ? leaves + 1 : time;
        if (leaves + 1 >= INSTANTS) {
            group->failed = true;
            return;
        }
        while (entered < length && (entered <= q || np_level_time(group->word[queue[entered]]) <= leaves))
            entered++;
        if (entered - q > group->queue_max)
            group->queue_max = (uint32_t)(entered - q);
        /* Times of those not yet crossed are still those of their arrival here. */
        cross(group, place, queue[q], j, leaves);
    }
}

/* Lists the packets that cross, and counts them by node. Without branches: half of all cross. */
NP_HOT static size_t list_crossing(np_level_group *group, size_t packets, unsigned j)
{
    const np_level_word *restrict word = group->word;
    uint16_t *restrict crossing = group->crossing, *restrict count = group->count;
    size_t listed = 0;
    for (size_t i = 0; i < packets; i++) {
        crossing[listed] = (uint16_t)i;
        listed += word[i] >> (NP_LEVEL_MASK_SHIFT + j) & 1;
    }
    for (size_t c = 0; c < listed; c++)
        count[np_level_node(word[crossing[c]])]++;
    return listed;
}

NP_HOT static uint32_t largest_count(const uint16_t *count, size_t nodes)
{
    uint32_t most = 0;
    for (size_t u = 0; u < nodes; u++)
        most = count[u] > most ? count[u] : most;
    return most;
}

/*
 * Moves the listed packets that are alone in their queues; lists the others
 * in place of them and returns how many those are.
 */
NP_HOT static size_t cross_alone(np_level_group *group, size_t listed, unsigned bit, unsigned j)
{
    const uint16_t *restrict count = group->count;
    np_level_word *restrict word = group->word;
    uint16_t *restrict crossing = group->crossing;
    uint8_t *restrict row = group->row;
    const np_level_word flip = (np_level_word)1 << j | (np_level_word)1 << (NP_LEVEL_MASK_SHIFT + j);
    const np_level_word keep = ~((np_level_word)0xff << NP_LEVEL_LAST_SHIFT);
    const np_level_word step = (np_level_word)1 << NP_LEVEL_TIME_SHIFT | (np_level_word)bit << NP_LEVEL_LAST_SHIFT;
    const uint32_t across = (uint32_t)INSTANTS << j;
    uint32_t latest = group->latest;
    size_t met = 0;
    for (size_t c = 0; c < listed; c++) {
        size_t i = crossing[c];
        np_level_word w = word[i];
        uint32_t alone = count[np_level_node(w)] == 1, instant = np_level_time(w) + 1;
        uint32_t at = np_level_node(w) * INSTANTS + instant;
        crossing[met] = (uint16_t)i;
        met += alone ^ 1;
        row[at] -= (uint8_t)alone;
        row[at ^ across] += (uint8_t)alone;
        word[i] = w ^ ((w ^ (((w ^ flip) & keep) + step)) & -(np_level_word)alone); /* as np_level_crossed() */
        latest = instant > latest ? instant : latest;
    }
    group->latest = latest; /* those that meet arrive no earlier than if they were alone */
    return met;
}

/* The common case of finish_queue: two packets, which did not both start here. */
static inline bool finish_pair(np_level_group *group, const np_level_place *place, unsigned j, const uint16_t *queue)
{
    np_level_word a = group->word[queue[0]], b = group->word[queue[1]];
    if (np_level_last(a) == FIRST && np_level_last(b) == FIRST)
        return false;
    /* Equal instants: by the link, that is the node, they came from; both are here and differ in one bit each. */
    np_node here = np_level_node_number(place, np_level_node(a));
    uint64_t key_a = (uint64_t)np_level_time(a) << 32 | (here ^ UINT32_C(1) << (np_level_last(a) & 31));
    uint64_t key_b = (uint64_t)np_level_time(b) << 32 | (here ^ UINT32_C(1) << (np_level_last(b) & 31));
    bool swapped = key_b < key_a;
    uint32_t first = swapped ? np_level_time(b) : np_level_time(a),
             second = swapped ? np_level_time(a) : np_level_time(b);
    uint32_t together = second == first, leaves = second + together, from = np_level_node(a), to = from ^ 1u << j;
    unsigned bit = place->shift + j;
    if (leaves + 1 >= INSTANTS)
        return false;
    group->row[from * INSTANTS + first + 1]--;
    group->row[to * INSTANTS + first + 1]++;
    group->row[from * INSTANTS + leaves + 1]--;
    group->row[to * INSTANTS + leaves + 1]++;
    group->word[queue[swapped]] = np_level_crossed(swapped ? b : a, j, bit, first + 1);
    group->word[queue[!swapped]] = np_level_crossed(swapped ? a : b, j, bit, leaves + 1);
    group->latest = leaves + 1 > group->latest ? leaves + 1 : group->latest;
    group->queue_max = 1 + together > group->queue_max ? 1 + together : group->queue_max;
    return true;
}

/*
 * Brings the packets that meet together, queue by queue, and finishes the
 * queues: pairs as soon as the second is found, larger ones from place[].
 */
NP_HOT static void cross_meeting(np_level_group *group, const np_level_place *place, size_t met, unsigned j)
{
    size_t used = 0;
    for (size_t m = 0; m < met; m++) {
        uint16_t i = group->crossing[m];
        uint32_t node = np_level_node(group->word[i]), length = group->count[node] & QUEUE_MOST;
        bool placed = group->count[node] & QUEUE_PLACED;
        if (length == 2 && placed) {
            uint16_t pair[2] = {group->begin[node], i};
            if (!finish_pair(group, place, j, pair))
                finish_queue(group, place, j, 2, pair);
            continue;
        }
        if (!placed) { /* the queue's first */
            group->count[node] |= QUEUE_PLACED;
            group->begin[node] = length == 2 ? i : (uint16_t)used;
            used += length == 2 ? 0 : length;
        }
        if (length != 2)
            group->place[group->begin[node]++] = i;
    }
    for (size_t begin = 0; begin < used && !group->failed;) {
        size_t length = group->count[np_level_node(group->word[group->place[begin]])] & QUEUE_MOST;
        finish_queue(group, place, j, length, group->place + begin);
        begin += length;
    }
}

unsigned np_level_group_finish(np_level_group *group, const np_level_place *place, size_t packets)
{
    size_t nodes = (size_t)1 << place->bits;
    unsigned arrivals = 0;
    for (unsigned j = place->bits; j-- > 0 && !group->failed;) {
        if (group->latest + 1 >= INSTANTS) {
            group->failed = true;
            break;
        }
        memset(group->count, 0, nodes * sizeof *group->count);
        size_t listed = list_crossing(group, packets, j);
        if (!listed)
            continue;
        uint32_t most = largest_count(group->count, nodes);
        if (most > QUEUE_MOST) {
            group->failed = true;
            break;
        }
        arrivals += most;
        if (most > group->congestion)
            group->congestion = most;
        if (!group->queue_max)
            group->queue_max = 1;
        size_t met = cross_alone(group, listed, place->shift + j, j);
        if (met)
            cross_meeting(group, place, met, j);
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

/* Lane t becomes the sum of lanes 0 .. t: in four rounds of adding the lanes 1, 2, 4 and 8 below. */
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
 * The nodes' populations: largest[t % 16] = the most at any node and instant
 * t; after[u] = node u's at the last instant.
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
