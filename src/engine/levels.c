/*
 * The level engine.
 *
 * The problem: at 2^20 nodes a step of the stepping engine touches several
 * cold cache lines for every hop, and pays for passes and barriers besides.
 *
 * The method: on ascending routes a packet that crosses dimension i comes
 * from dimensions before i only, so all that ever enters a queue of dimension
 * i is known, with times, once the dimensions before it are done. The queue
 * of link (x, i) is then finished for all time: its packets in entering order
 * (time, then the link they came over; the first ones in an order drawn from
 * the seed) leave at max(time, one after the one before). A packet alone in
 * its queue just leaves when it comes, and most are alone: one pass counts,
 * a second moves those, and the few that meet others are sorted.
 *
 * Locality: dimensions are done in two halves. While the high half is done
 * packets stay among the 2^high nodes that share their low bits, so each such
 * group is done alone, in cache; then packets are dealt out by their high
 * bits, and each group of 2^low nodes does the low half.
 *
 * Population: node x keeps a row of differences, +1 at the instant a packet
 * comes, -1 at the instant after it goes; prefix sums give its population at
 * every instant. A row has INSTANTS bytes: a phase that takes longer, or a
 * population that might pass 255, is left to the stepping engine.
 *
 * Source: Valiant & Brebner 1981, sections 2 and 4; the idea of finishing a
 * level at a time is the leveled networks' of Leighton, Maggs, Ranade & Rao
 * 1994. Nothing here depends on the order of entries in a group, nor on the
 * number of workers.
 */
#include "engine/levels.h"

#include <omp.h>
#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "engine/inside.h"

enum {
    INSTANTS = 64,      /* of a row: one cache line */
    POPULATION_MOST = 255,
    ONE_HALF_UP_TO = 11, /* dimensions done in one group: ours, 2^11 rows fit the second-level cache */
    QUEUE_PLACED = 0x8000, /* in a count: the queue has its place */
    QUEUE_MOST = 0x7fff,
    FIRST = 0xff,       /* instead of the dimension last crossed: in its queue from the start */
    SPARE = 4           /* a group has room for SPARE times the mean and as much again as ROOM_LEAST */
};
#define ROOM_LEAST 1024

/* A packet between the halves. state: dimensions left; after the first half also time << 16 and last bit << 24. */
typedef struct np_level_entry {
    np_packet packet;
    np_node node;
    uint32_t state;
} np_level_entry;

/*
 * A packet within a group, in one word so that a hop loads and stores once:
 * bits 0-15 its node there, 16-31 the dimensions of this half left, 32-39 the
 * instant of its arrival at the node, 40-47 the bit of the dimension last
 * crossed or FIRST, 48-63 the dimensions of the other half left.
 */
typedef uint64_t np_level_word;

enum { MASK_SHIFT = 16, TIME_SHIFT = 32, LAST_SHIFT = 40, REST_SHIFT = 48 };

static inline uint32_t node_of(np_level_word w) { return (uint16_t)w; }
static inline uint32_t time_of(np_level_word w) { return (uint8_t)(w >> TIME_SHIFT); }
static inline uint32_t last_of(np_level_word w) { return (uint8_t)(w >> LAST_SHIFT); }

/* The word after crossing local dimension j, which is bit `bit` of the node's number, to arrive at `instant`. */
static inline np_level_word crossed(np_level_word w, unsigned j, unsigned bit, unsigned instant)
{
    np_level_word flip = (np_level_word)1 << j | (np_level_word)1 << (MASK_SHIFT + j);
    np_level_word kept = (w ^ flip) & ~((np_level_word)0xffff << TIME_SHIFT);
    return kept | (np_level_word)instant << TIME_SHIFT | (np_level_word)bit << LAST_SHIFT;
}

/* A group's packets, and its nodes' tables; one a worker. */
typedef struct np_level_group {
    size_t room;
    np_packet *packet;  /* [room] */
    np_level_word *word; /* [room] */
    uint16_t *crossing; /* [room] entries that cross the dimension; then those that meet others in a queue */
    uint16_t *place;    /* [room] the latter, those of a queue together */
    uint16_t *count;    /* [nodes of a group] packets that cross the dimension from there */
    uint16_t *begin;    /* [nodes of a group] where the queue's entries begin in place[] */
    uint8_t *row;       /* [nodes of a group * INSTANTS] */
    uint8_t *after;     /* [nodes of a group] populations at the end */
    uint32_t latest;    /* instant of any arrival so far */
    uint32_t queue_max, congestion, population_max;
    np_step steps;
    unsigned bound_high, bound_low; /* on arrivals at one node in each half */
    bool failed;
} np_level_group;

struct np_levels {
    unsigned n, high, low; /* dimensions; high + low = n */
    unsigned workers;
    size_t packets;
    np_level_entry *entry[2]; /* [packets] by low bits; by high bits */
    uint32_t *deal_low;       /* [workers * 2^low] cursors into entry[0], a worker's together */
    uint32_t *deal_high;      /* [workers * 2^high] cursors into entry[1] */
    uint32_t *end_low, *end_high; /* [groups + 1] where groups begin */
    uint8_t *rows;            /* [2^n * INSTANTS] between the halves, at low bits << high | high bits */
    uint32_t *population;     /* [2^n] after the phase */
    np_level_group *group;    /* [workers] */
};

bool np_levels_apply(const np_engine_options *options)
{
    return options->path && options->path->rule->ascending_dimensions && options->discipline->plain &&
           !options->overlap && !options->watched && np_network_nodes(options->network) > 2;
}

static void halves(const np_network *network, unsigned *high, unsigned *low)
{
    unsigned n = network->dimensions;
    *high = n <= ONE_HALF_UP_TO ? n : (n + 1) / 2;
    *low = n - *high;
}

static size_t room_of(size_t packets, unsigned low)
{
    size_t room = SPARE * (packets >> low) + ROOM_LEAST;
    return room < 65535 ? room : 65535; /* places have 16 bits */
}

static uint64_t group_bytes(size_t room, unsigned high) { return room * 16 + (UINT64_C(69) << high); }

uint64_t np_levels_bytes(const np_engine_options *options)
{
    unsigned high, low;
    halves(options->network, &high, &low);
    uint64_t nodes = np_network_nodes(options->network), packets = options->packets;
    uint64_t tables = ((uint64_t)options->workers + 1) * 4 * ((UINT64_C(1) << high) + (UINT64_C(1) << low));
    return 2 * packets * sizeof(np_level_entry) + nodes * (4 + (low ? INSTANTS : 0)) + tables +
           options->workers * group_bytes(room_of(packets, low), high);
}

static np_status create_group(np_level_group *group, size_t room, unsigned high)
{
    size_t nodes = (size_t)1 << high;
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

static np_status create_parts(np_levels *levels, const np_engine_options *options)
{
    size_t nodes = (size_t)1 << levels->n, groups_low = (size_t)1 << levels->low, groups_high = (size_t)1 << levels->high;
    size_t packets = options->packets;
    np_status st;
    for (int i = 0; i < 2; i++)
        if ((st = np_memory_array(&levels->entry[i], packets, sizeof *levels->entry[i], "packets by group")))
            return st;
    if ((st = np_memory_array(&levels->deal_low, levels->workers * groups_low, sizeof *levels->deal_low, "groups")) ||
        (st = np_memory_array(&levels->deal_high, levels->workers * groups_high, sizeof *levels->deal_high, "groups")) ||
        (st = np_memory_array(&levels->end_low, groups_low + 1, sizeof *levels->end_low, "groups")) ||
        (st = np_memory_array(&levels->end_high, groups_high + 1, sizeof *levels->end_high, "groups")) ||
        (st = np_memory_array(&levels->population, nodes, sizeof *levels->population, "populations")) ||
        (st = np_memory_array(&levels->rows, levels->low ? nodes * INSTANTS : 0, 1, "populations by instant")) ||
        (st = np_memory_zeroed(&levels->group, levels->workers, sizeof *levels->group, "groups")))
        return st;
    for (unsigned w = 0; w < levels->workers; w++)
        if ((st = create_group(&levels->group[w], room_of(packets, levels->low), levels->high)))
            return st;
    return NP_OK;
}

np_status np_levels_create(const np_engine_options *options, np_levels **out)
{
    np_levels *levels;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&levels, 1, sizeof *levels, "the level engine")))
        return st;
    levels->n = options->network->dimensions;
    levels->workers = options->workers;
    halves(options->network, &levels->high, &levels->low);
    if ((st = create_parts(levels, options))) {
        np_levels_free(levels);
        return st;
    }
    *out = levels;
    return NP_OK;
}

static void clear_group(np_level_group *group)
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

void np_levels_free(np_levels *levels)
{
    if (!levels)
        return;
    for (unsigned w = 0; levels->group && w < levels->workers; w++)
        clear_group(&levels->group[w]);
    np_memory_free(levels->group);
    np_memory_free(levels->entry[0]);
    np_memory_free(levels->entry[1]);
    np_memory_free(levels->deal_low);
    np_memory_free(levels->deal_high);
    np_memory_free(levels->end_low);
    np_memory_free(levels->end_high);
    np_memory_free(levels->rows);
    np_memory_free(levels->population);
    np_memory_free(levels);
}

/* ---- one dimension of one group ---- */

/* What a group's levels need to know of where they are. */
typedef struct np_level_place {
    const np_engine *engine;
    unsigned n, bits, shift;  /* dimensions; those of this half; the lowest one's bit in the node's number */
    np_node base;             /* the group's bits outside this half */
} np_level_place;

static inline np_node node_number(const np_level_place *place, uint32_t node)
{
    return place->base | (np_node)node << place->shift;
}

/* Entry i leaves its node at instant `leaves` across local dimension j. */
static inline void cross(np_level_group *group, const np_level_place *place, size_t i, unsigned j, unsigned leaves)
{
    uint32_t from = node_of(group->word[i]), to = from ^ 1u << j, instant = leaves + 1;
    group->row[from * INSTANTS + instant]--;
    group->row[to * INSTANTS + instant]++;
    group->word[i] = crossed(group->word[i], j, place->shift + j, instant);
    group->latest = instant > group->latest ? instant : group->latest;
}

/* The order in which packets enter a queue: time, then the link they came over; the first ones by number. */
static uint64_t entering_key(const np_level_group *group, const np_level_place *place, size_t i)
{
    np_level_word w = group->word[i];
    uint32_t came = last_of(w) == FIRST ? group->packet[i]
                                        : node_number(place, node_of(w)) ^ UINT32_C(1) << last_of(w);
    return (uint64_t)time_of(w) << 32 | came;
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
    np_node x = node_number(place, node_of(group->word[queue[0]]));
    np_link link = x * place->n + (place->n - 1 - (place->shift + j));
    size_t first = 0;
    while (first < length && last_of(group->word[queue[first]]) == FIRST)
        first++;
    for (size_t i = first; i > 1; i--) {
        size_t k = np_random_below(&draws, link, (uint32_t)i, (uint32_t)i);
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
        unsigned time = time_of(group->word[queue[q]]);
        leaves = q && leaves >= time ? leaves + 1 : time;
        if (leaves + 1 >= INSTANTS) {
            group->failed = true;
            return;
        }
        while (entered < length && (entered <= q || time_of(group->word[queue[entered]]) <= leaves))
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
        listed += word[i] >> (MASK_SHIFT + j) & 1;
    }
    for (size_t c = 0; c < listed; c++)
        count[node_of(word[crossing[c]])]++;
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
    const np_level_word flip = (np_level_word)1 << j | (np_level_word)1 << (MASK_SHIFT + j);
    const np_level_word keep = ~((np_level_word)0xff << LAST_SHIFT);
    const np_level_word step = (np_level_word)1 << TIME_SHIFT | (np_level_word)bit << LAST_SHIFT;
    const uint32_t across = (uint32_t)INSTANTS << j;
    uint32_t latest = group->latest;
    size_t met = 0;
    for (size_t c = 0; c < listed; c++) {
        size_t i = crossing[c];
        np_level_word w = word[i];
        uint32_t alone = count[node_of(w)] == 1, instant = time_of(w) + 1;
        uint32_t at = node_of(w) * INSTANTS + instant;
        crossing[met] = (uint16_t)i;
        met += alone ^ 1;
        row[at] -= (uint8_t)alone;
        row[at ^ across] += (uint8_t)alone;
        word[i] = w ^ ((w ^ (((w ^ flip) & keep) + step)) & -(np_level_word)alone); /* as crossed() */
        latest = instant > latest ? instant : latest;
    }
    group->latest = latest; /* those that meet arrive no earlier than if they were alone */
    return met;
}

/* The common case of finish_queue: two packets, which did not both start here. */
static inline bool finish_pair(np_level_group *group, const np_level_place *place, unsigned j, const uint16_t *queue)
{
    np_level_word a = group->word[queue[0]], b = group->word[queue[1]];
    if (last_of(a) == FIRST && last_of(b) == FIRST)
        return false;
    /* Equal instants: by the link, that is the node, they came from; both are here and differ in one bit each. */
    np_node here = node_number(place, node_of(a));
    uint64_t key_a = (uint64_t)time_of(a) << 32 | (here ^ UINT32_C(1) << (last_of(a) & 31));
    uint64_t key_b = (uint64_t)time_of(b) << 32 | (here ^ UINT32_C(1) << (last_of(b) & 31));
    bool swapped = key_b < key_a;
    uint32_t first = swapped ? time_of(b) : time_of(a), second = swapped ? time_of(a) : time_of(b);
    uint32_t together = second == first, leaves = second + together, from = node_of(a), to = from ^ 1u << j;
    unsigned bit = place->shift + j;
    if (leaves + 1 >= INSTANTS)
        return false;
    group->row[from * INSTANTS + first + 1]--;
    group->row[to * INSTANTS + first + 1]++;
    group->row[from * INSTANTS + leaves + 1]--;
    group->row[to * INSTANTS + leaves + 1]++;
    group->word[queue[swapped]] = crossed(swapped ? b : a, j, bit, first + 1);
    group->word[queue[!swapped]] = crossed(swapped ? a : b, j, bit, leaves + 1);
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
        uint32_t node = node_of(group->word[i]), length = group->count[node] & QUEUE_MOST;
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
        size_t length = group->count[node_of(group->word[group->place[begin]])] & QUEUE_MOST;
        finish_queue(group, place, j, length, group->place + begin);
        begin += length;
    }
}

/* All dimensions of the half, high to low. Returns a bound on the arrivals at one node. */
static unsigned finish_levels(np_level_group *group, const np_level_place *place, size_t packets)
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

/* ---- a group of either half ---- */

/* Sixteen instants of a row at once. */
typedef uint8_t np_level_lanes __attribute__((vector_size(16)));

/* Lane t becomes the sum of lanes 0 .. t: in four rounds of adding the lanes 1, 2, 4 and 8 below. */
static inline np_level_lanes prefix_sums(np_level_lanes v)
{
    const np_level_lanes zero = {0};
    /* Index 16 .. 31 takes from v, 0 from zero. */
    v += __builtin_shuffle(zero, v, (np_level_lanes){0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30});
    v += __builtin_shuffle(zero, v, (np_level_lanes){0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29});
    v += __builtin_shuffle(zero, v, (np_level_lanes){0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27});
    v += __builtin_shuffle(zero, v, (np_level_lanes){0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23});
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

static void settle_rows(np_levels *levels, np_level_group *group, const np_level_place *place)
{
    size_t nodes = (size_t)1 << place->bits;
    np_level_lanes largest = {0};
    sum_rows(group->row, nodes, group->latest + (size_t)1, &largest, group->after);
    for (int t = 0; t < 16; t++)
        if (largest[t] > group->population_max)
            group->population_max = largest[t];
    for (uint32_t u = 0; u < nodes; u++)
        levels->population[node_number(place, u)] = group->after[u];
}

/* What dealt the packets out has left for each: all dimensions for the high half; the rest and times for the low. */
static void load_entries(np_level_group *group, const np_level_place *place, size_t packets, const np_level_entry *entry,
                         bool high_half)
{
    uint32_t nodes = (UINT32_C(1) << place->bits) - 1, low = place->shift, rest = (UINT32_C(1) << low) - 1;
    uint32_t most = 0;
    for (size_t i = 0; i < packets; i++) {
        np_level_word state = entry[i].state, w = entry[i].node >> place->shift & nodes;
        if (high_half)
            w |= state >> low << MASK_SHIFT | (np_level_word)FIRST << LAST_SHIFT | (state & rest) << REST_SHIFT;
        else
            w |= (state & 0xffff) << MASK_SHIFT | state >> 16 << TIME_SHIFT;
        group->packet[i] = entry[i].packet;
        group->word[i] = w;
        most = time_of(w) > most ? time_of(w) : most;
    }
    group->latest = most;
}

/* The group's results go to the second half, or, after the last one, back to where they were. */
static void store_entries(const np_level_group *group, const np_level_place *place, size_t packets, np_level_entry *entry,
                          uint32_t *deal)
{
    for (size_t i = 0; i < packets; i++) {
        np_level_word w = group->word[i];
        uint32_t to = deal ? deal[node_of(w)]++ : (uint32_t)i;
        uint32_t state = (uint32_t)(w >> REST_SHIFT) | (uint32_t)(w >> TIME_SHIFT) << 16;
        entry[to] = (np_level_entry){group->packet[i], node_number(place, node_of(w)), state};
    }
}

static void first_rows(const np_engine *engine, np_level_group *group, const np_level_place *place)
{
    size_t nodes = (size_t)1 << place->bits;
    memset(group->row, 0, nodes * INSTANTS);
    for (uint32_t u = 0; u < nodes; u++)
        group->row[(size_t)u * INSTANTS] = (uint8_t)engine->population[node_number(place, u)];
}

static void high_half(np_levels *levels, np_engine *engine, unsigned worker, uint32_t low_bits)
{
    np_level_group *group = &levels->group[worker];
    np_level_place place = {engine, levels->n, levels->high, levels->low, low_bits};
    np_level_entry *entry = levels->entry[0] + levels->end_low[low_bits];
    size_t packets = levels->end_low[low_bits + 1] - levels->end_low[low_bits];
    unsigned bound;
    if (packets > group->room) {
        group->failed = true;
        return;
    }
    load_entries(group, &place, packets, entry, true);
    first_rows(engine, group, &place);
    bound = finish_levels(group, &place, packets);
    if (group->failed)
        return;
    group->bound_high = bound > group->bound_high ? bound : group->bound_high;
    if (levels->low) {
        store_entries(group, &place, packets, levels->entry[1], levels->deal_high + ((size_t)worker << levels->high));
        memcpy(levels->rows + ((size_t)low_bits << levels->high) * INSTANTS, group->row, (size_t)INSTANTS << levels->high);
    } else {
        settle_rows(levels, group, &place);
        store_entries(group, &place, packets, levels->entry[1], NULL);
    }
}

static void low_half(np_levels *levels, np_engine *engine, unsigned worker, uint32_t high_bits)
{
    np_level_group *group = &levels->group[worker];
    np_level_place place = {engine, levels->n, levels->low, 0, high_bits << levels->low};
    np_level_entry *entry = levels->entry[1] + levels->end_high[high_bits];
    size_t packets = levels->end_high[high_bits + 1] - levels->end_high[high_bits];
    unsigned bound;
    if (packets > group->room) {
        group->failed = true;
        return;
    }
    load_entries(group, &place, packets, entry, false);
    for (size_t u = 0; u < (size_t)1 << levels->low; u++)
        memcpy(group->row + u * INSTANTS, levels->rows + ((u << levels->high) + high_bits) * INSTANTS, INSTANTS);
    bound = finish_levels(group, &place, packets);
    if (group->failed)
        return;
    group->bound_low = bound > group->bound_low ? bound : group->bound_low;
    settle_rows(levels, group, &place);
    store_entries(group, &place, packets, entry, NULL);
}

/* ---- a phase ---- */

static void slice(uint64_t items, unsigned worker, unsigned workers, size_t *first, size_t *last)
{
    *first = (size_t)(items * worker / workers);
    *last = (size_t)(items * (worker + 1) / workers);
}

/* The ticket has been advanced past the first hop: that dimension is left as well. */
static uint32_t all_left(const np_levels *levels, np_node at, np_ticket ticket, np_link onward)
{
    if (onward == NP_NONE)
        return 0;
    return (uint32_t)ticket | UINT32_C(1) << (levels->n - 1 - (onward - at * levels->n));
}

/* Tickets: entries of the slice's packets, by number in entry[1] for now; counts how many go to each group. */
static void make_entries(np_levels *levels, np_engine *engine, unsigned worker)
{
    uint32_t *count = levels->deal_low + ((size_t)worker << levels->low);
    uint32_t low_mask = (UINT32_C(1) << levels->low) - 1;
    size_t first, last;
    np_packet packet[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    np_link onward[NP_BATCH];
    memset(count, 0, sizeof *count << levels->low);
    slice(engine->packets, worker, levels->workers, &first, &last);
    for (size_t base = first; base < last; base += NP_BATCH) {
        size_t some = last - base < NP_BATCH ? last - base : NP_BATCH;
        const np_node *at = engine->location + base;
        for (size_t i = 0; i < some; i++)
            packet[i] = (np_packet)(base + i);
        np_engine_start(engine, &engine->shard[worker], engine->phase, some, packet, at, ticket, onward);
        for (size_t i = 0; i < some; i++) {
            levels->entry[1][base + i] = (np_level_entry){packet[i], at[i], all_left(levels, at[i], ticket[i], onward[i])};
            count[at[i] & low_mask]++;
        }
    }
}

/* From counts [workers][groups] to cursors: groups in order, and in each the workers in order. */
static void counts_to_cursors(uint32_t *table, unsigned workers, size_t groups, uint32_t *end)
{
    uint32_t at = 0;
    for (size_t g = 0; g < groups; g++) {
        end[g] = at;
        for (unsigned w = 0; w < workers; w++) {
            uint32_t count = table[w * groups + g];
            table[w * groups + g] = at;
            at += count;
        }
    }
    end[groups] = at;
}

static void deal_by_low_bits(np_levels *levels, np_engine *engine, unsigned worker)
{
    uint32_t *cursor = levels->deal_low + ((size_t)worker << levels->low);
    uint32_t low_mask = (UINT32_C(1) << levels->low) - 1;
    size_t first, last;
    slice(engine->packets, worker, levels->workers, &first, &last);
    for (size_t i = first; i < last; i++)
        levels->entry[0][cursor[levels->entry[1][i].node & low_mask]++] = levels->entry[1][i];
}

/* How many of the worker's packets end the first half with each choice of high bits. */
static void count_high_bits(np_levels *levels, np_engine *engine, unsigned worker)
{
    uint32_t *count = levels->deal_high + ((size_t)worker << levels->high);
    size_t first, last;
    (void)engine;
    memset(count, 0, sizeof *count << levels->high);
    slice((uint64_t)1 << levels->low, worker, levels->workers, &first, &last);
    for (size_t i = levels->end_low[first]; i < levels->end_low[last]; i++)
        count[(levels->entry[0][i].node ^ levels->entry[0][i].state) >> levels->low]++;
}

static void high_halves(np_levels *levels, np_engine *engine, unsigned worker)
{
    size_t first, last;
    slice((uint64_t)1 << levels->low, worker, levels->workers, &first, &last);
    for (size_t g = first; g < last && !levels->group[worker].failed; g++)
        high_half(levels, engine, worker, (uint32_t)g);
}

static void low_halves(np_levels *levels, np_engine *engine, unsigned worker)
{
    size_t first, last;
    slice((uint64_t)1 << levels->high, worker, levels->workers, &first, &last);
    for (size_t g = first; g < last && !levels->group[worker].failed; g++)
        low_half(levels, engine, worker, (uint32_t)g);
}

/* Where each packet is, and its delay. */
static void land_all(np_levels *levels, np_engine *engine, unsigned worker)
{
    np_step steps = 0;
    size_t first, last;
    slice(engine->packets, worker, levels->workers, &first, &last);
    for (size_t i = first; i < last; i++) {
        const np_level_entry *entry = &levels->entry[1][i];
        np_step time = entry->state >> 16 & 0xff;
        np_engine_land(engine, entry->packet, entry->node, time);
        steps = time > steps ? time : steps;
    }
    levels->group[worker].steps = steps;
}

static void each_worker(np_levels *levels, np_engine *engine,
                        void (*pass)(np_levels *levels, np_engine *engine, unsigned worker))
{
    if (levels->workers == 1) {
        pass(levels, engine, 0); /* not even a team of one: the caller may be in a team */
        return;
    }
#pragma omp parallel for schedule(static, 1) num_threads((int)levels->workers)
    for (unsigned w = 0; w < levels->workers; w++)
        pass(levels, engine, w);
}

static void reset_groups(np_levels *levels)
{
    for (unsigned w = 0; w < levels->workers; w++) {
        np_level_group *group = &levels->group[w];
        group->queue_max = group->congestion = group->population_max = 0;
        group->bound_high = group->bound_low = 0;
        group->steps = 0;
        group->failed = false;
    }
}

/* What all groups came to, as one; failed if any did or a population may have passed what a byte holds. */
static np_level_group sum_groups(const np_levels *levels, uint32_t first_population)
{
    np_level_group sum = {0};
    for (unsigned w = 0; w < levels->workers; w++) {
        const np_level_group *group = &levels->group[w];
        sum.failed |= group->failed;
        sum.queue_max = group->queue_max > sum.queue_max ? group->queue_max : sum.queue_max;
        sum.congestion = group->congestion > sum.congestion ? group->congestion : sum.congestion;
        sum.population_max = group->population_max > sum.population_max ? group->population_max : sum.population_max;
        sum.bound_high = group->bound_high > sum.bound_high ? group->bound_high : sum.bound_high;
        sum.bound_low = group->bound_low > sum.bound_low ? group->bound_low : sum.bound_low;
        sum.steps = group->steps > sum.steps ? group->steps : sum.steps;
    }
    sum.failed |= (uint64_t)first_population + sum.bound_high + sum.bound_low > POPULATION_MOST;
    return sum;
}

static uint32_t largest_population(const np_engine *engine)
{
    uint32_t most = 0;
    for (np_node u = 0; u < np_network_nodes(engine->network); u++)
        most = engine->population[u] > most ? engine->population[u] : most;
    return most;
}

bool np_levels_run(np_levels *levels, np_engine *engine)
{
    size_t groups_low = (size_t)1 << levels->low, groups_high = (size_t)1 << levels->high;
    uint32_t first_population = largest_population(engine);
    if (first_population > POPULATION_MOST)
        return false;
    reset_groups(levels);
    each_worker(levels, engine, make_entries);
    counts_to_cursors(levels->deal_low, levels->workers, groups_low, levels->end_low);
    each_worker(levels, engine, deal_by_low_bits);
    each_worker(levels, engine, count_high_bits);
    counts_to_cursors(levels->deal_high, levels->workers, groups_high, levels->end_high);
    each_worker(levels, engine, high_halves);
    np_level_group sum = sum_groups(levels, first_population);
    if (!sum.failed && levels->low) {
        each_worker(levels, engine, low_halves);
        sum = sum_groups(levels, first_population);
    }
    if (sum.failed)
        return false;
    each_worker(levels, engine, land_all);
    uint32_t *population = engine->population;
    engine->population = levels->population;
    levels->population = population;
    engine->step = sum_groups(levels, first_population).steps;
    engine->shard[0].queue_max = sum.queue_max;
    engine->shard[0].congestion = sum.congestion;
    engine->shard[0].population_max = sum.population_max;
    return true;
}
