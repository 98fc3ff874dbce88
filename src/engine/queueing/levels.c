/*
 * The accelerator `levels`: routes that cross the dimensions of the n-cube in
 * ascending order, with unbounded FIFO queues, finished dimension by dimension.
 *
 * The problem: at 2^20 nodes a step of the stepping engine touches several
 * cold cache lines for every hop, and pays for passes and barriers besides.
 *
 * The method: on ascending routes a packet that crosses dimension i comes from dimensions before i
 * only. So all packets that ever enter a queue of dimension i are known, with times, once the
 * dimensions before i are done. The queue of link (x, i) is then finished for all time: its packets
 * in entering order (by time, then by the link over which they came; the first packets in an order
 * drawn from the seed) leave at max(time, one after the packet before). level_group.c does this for
 * all queues of a dimension without going from queue to queue.
 *
 * Locality: dimensions are done in two halves. While the high half is done,
 * packets stay among the 2^high nodes that share their low bits. So each such
 * group is done alone, in cache. Then packets are dealt out by their high bits,
 * and each group of 2^low nodes does the low half.
 *
 * Population: node x keeps a row of differences, +1 at the instant at which a
 * packet comes, -1 at the instant after it goes; prefix sums give its population
 * at every instant. A row has INSTANTS bytes, of which KEPT are kept between the
 * halves. A phase that takes longer, or a population that might pass 255, is
 * left to stepping.
 *
 * Source: Valiant & Brebner 1981, sections 2 and 4. The idea to finish a level
 * at a time comes from the leveled networks of Leighton, Maggs, Ranade & Rao
 * 1994. Nothing here depends on the order of entries in a group, nor on the
 * number of workers.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "engine/queueing/levels.h"
#include "model/traffic/traffic.h"

enum {
    INSTANTS = NP_LEVEL_INSTANTS,
    KEPT = NP_LEVELS_KEPT,
    POPULATION_MOST = 255,
    ONE_HALF_UP_TO = 11, /* dimensions done in one group: ours, 2^11 rows fit the second-level cache */
    SPARE = 4,           /* a group has room for SPARE times the mean, plus ROOM_LEAST */
    BATCHES = 16         /* ours: ranks exchange rows after so many parts of the first half, to hold few at once */
};
#define ROOM_LEAST 1024

static bool applies(const np_engine_options *options)
{
    return options->path && options->path->rule->ascending_dimensions &&
           np_discipline_structure(options->discipline)->plain && !options->overlap &&
           np_network_nodes(options->network) > 2 &&
           !(options->job && options->network->dimensions <= ONE_HALF_UP_TO); /* a single group has no parts */
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

static void layout(void *object, np_arena *arena)
{
    np_levels *levels = object;
    size_t nodes = (size_t)1 << levels->n, groups_low = (size_t)1 << levels->low,
           groups_high = (size_t)1 << levels->high, rows = (size_t)np_share_items(&levels->of_low) << levels->low;
    for (int i = 0; i < 2; i++)
        np_arena_array(arena, &levels->entry[i], levels->packets, sizeof *levels->entry[i], "packets by group");
    np_arena_array(arena, &levels->deal_low, levels->workers * groups_low, sizeof *levels->deal_low, "groups");
    np_arena_array(arena, &levels->deal_high, levels->workers * groups_high, sizeof *levels->deal_high, "groups");
    np_arena_array(arena, &levels->end_low, groups_low + 1, sizeof *levels->end_low, "groups");
    np_arena_array(arena, &levels->end_high, groups_high + 1, sizeof *levels->end_high, "groups");
    if (!levels->job)
        np_arena_array(arena, &levels->population, nodes, sizeof *levels->population, "populations");
    np_arena_array(arena, &levels->rows, levels->low ? rows * KEPT : 0, 1, "populations by instant");
    if (levels->job)
        np_levels_share_layout(levels, arena);
    np_arena_zeroed(arena, &levels->group, levels->workers, sizeof *levels->group, "groups");
    for (unsigned w = 0; w < levels->workers; w++) {
        np_level_group counted = {0}, *group = levels->group ? &levels->group[w] : &counted;
        group->room = levels->room;
        group->dimensions = levels->high;
        np_level_group_layout(group, arena);
    }
}

static np_levels levels_of(const np_engine_options *options)
{
    np_levels levels = {.packets = np_engine_slots(options),
                        .n = options->network->dimensions,
                        .workers = options->workers,
                        .job = options->job,
                        .ranks = options->job ? options->job->size : 1};
    halves(options->network, &levels.high, &levels.low);
    levels.room = room_of(options->packets, levels.low);
    levels.of_high = np_share_of(options->job, UINT32_C(1) << levels.low);
    levels.of_low = np_share_of(options->job, UINT32_C(1) << levels.high);
    levels.leaving_groups = levels.of_high.each.divisor / (levels.workers * BATCHES) + 2;
    return levels;
}

static uint64_t bytes(const np_engine_options *options)
{
    np_levels levels = levels_of(options);
    return sizeof levels + np_arena_bytes(&levels, 0, layout);
}

static uint64_t bytes_at_rest(const np_engine_options *options)
{
    (void)options;
    return sizeof(np_levels);
}

static np_status create(np_engine *engine, void **out)
{
    np_levels *levels;
    np_status st = np_memory_zeroed(&levels, 1, sizeof *levels, "the level engine");
    if (!st)
        *levels = levels_of(&engine->options);
    *out = levels;
    return st;
}

static void rest(void *method)
{
    np_levels *levels = method;
    np_memory_free(levels->block);
    levels->block = NULL;
}

static void free_levels(void *method)
{
    if (method)
        rest(method);
    np_memory_free(method);
}

/* ---- a group of either half ---- */

static void settle_populations(np_levels *levels, np_level_group *group, const np_level_place *place)
{
    /* The first half may have changed any instant that is kept, by packets that are no longer in this group. */
    size_t instants = levels->low && group->latest < KEPT ? KEPT : group->latest + (size_t)1;
    np_level_group_sum_rows(group, place->bits, instants);
    for (uint32_t u = 0; levels->population && u < UINT32_C(1) << place->bits; u++)
        levels->population[np_level_node_number(place, u)] = group->after[u];
}

/*
 * Loads a group from its entries. For the high half they have all dimensions; for the low half the
 * rest and the times.
 */
static void load_entries(np_level_group *group, const np_level_place *place, size_t packets,
                         const np_level_entry *entry, bool high_half)
{
    uint32_t nodes = (UINT32_C(1) << place->bits) - 1, low = place->shift, rest = (UINT32_C(1) << low) - 1;
    uint32_t most = 0;
    for (size_t i = 0; i < packets; i++) {
        np_level_word state = entry[i].state, w = entry[i].node >> place->shift & nodes;
        if (high_half)
            w |= state >> low << NP_LEVEL_MASK_SHIFT | (state & rest) << NP_LEVEL_REST_SHIFT;
        else
            w |= (state & 0xffff) << NP_LEVEL_MASK_SHIFT | state >> 16 << NP_LEVEL_TIME_SHIFT;
        group->packet[i].number = entry[i].packet;
        group->packet[i].word = w;
        most = np_level_time(w) > most ? np_level_time(w) : most;
    }
    group->latest = most;
}

/*
 * Stores the group's results: as entries of the second half, or after the last half in the same
 * places (deal == NULL).
 */
static void store_entries(const np_level_group *group, const np_level_place *place, size_t packets,
                          np_level_entry *entry, uint32_t *deal)
{
    for (size_t i = 0; i < packets; i++) {
        np_level_word w = group->packet[i].word;
        uint32_t to = deal ? deal[np_level_node(w)]++ : (uint32_t)i;
        uint32_t state = (uint32_t)(w >> NP_LEVEL_REST_SHIFT) | np_level_time(w) << 16 |
                         (deal ? np_level_last(w, place->shift, 0) << 24 : 0);
        entry[to] = (np_level_entry){group->packet[i].number, np_level_node_number(place, np_level_node(w)), state};
    }
}

/* The packets at each node at the beginning: all have entries. */
static void first_rows(np_level_group *group, const np_level_place *place, size_t packets)
{
    memset(group->row, 0, (size_t)INSTANTS << place->bits);
    for (size_t i = 0; i < packets; i++) {
        uint8_t *here = &group->row[(size_t)np_level_node(group->packet[i].word) * INSTANTS];
        group->failed |= *here == POPULATION_MOST;
        ++*here;
        group->first_most = *here > group->first_most ? *here : group->first_most;
    }
}

/* Those for the groups that other ranks do leave. */
static void keep_rows(np_levels *levels, const np_level_group *group, uint32_t low_bits, size_t leaving)
{
    const np_share *own = &levels->of_low;
    uint8_t *kept = levels->rows + (size_t)low_bits * np_share_items(own) * KEPT;
    for (uint32_t u = 0; u < UINT32_C(1) << levels->high; u++)
        memcpy(np_share_has(own, u) ? kept + (size_t)(u - own->first) * KEPT
                                    : levels->leaving + ((leaving << levels->high) + u) * KEPT,
               group->row + (size_t)u * INSTANTS, KEPT);
    if (levels->job)
        levels->leaving_group[leaving] = low_bits;
}

static void fetch_rows(const np_levels *levels, np_level_group *group, uint32_t high_bits)
{
    const np_share *own = &levels->of_low;
    const uint8_t *kept = levels->rows + (size_t)(high_bits - own->first) * KEPT;
    memset(group->row, 0, (size_t)INSTANTS << levels->low);
    for (size_t u = 0; u < (size_t)1 << levels->low; u++)
        memcpy(group->row + u * INSTANTS, kept + u * np_share_items(own) * KEPT, KEPT);
}

/* leaving: where the rows for other ranks go. */
static void high_half(np_levels *levels, np_engine *engine, unsigned worker, uint32_t low_bits, size_t leaving)
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
    first_rows(group, &place, packets);
    if (group->failed)
        return;
    bound = np_level_group_finish(group, &place, packets);
    group->failed |= levels->low && group->latest >= KEPT;
    if (group->failed)
        return;
    group->bound_high = bound > group->bound_high ? bound : group->bound_high;
    if (levels->low) {
        store_entries(group, &place, packets, levels->entry[1], levels->deal_high + ((size_t)worker << levels->high));
        keep_rows(levels, group, low_bits, leaving);
    } else {
        settle_populations(levels, group, &place);
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
    fetch_rows(levels, group, high_bits);
    bound = np_level_group_finish(group, &place, packets);
    if (group->failed)
        return;
    group->bound_low = bound > group->bound_low ? bound : group->bound_low;
    settle_populations(levels, group, &place);
    store_entries(group, &place, packets, entry, NULL);
}

/* ---- a phase ---- */

static void slice(uint64_t items, unsigned worker, unsigned workers, size_t *first, size_t *last)
{
    *first = (size_t)(items * worker / workers);
    *last = (size_t)(items * (worker + 1) / workers);
}

/* The same of a range of groups. */
static void slice_of(const np_share *groups, unsigned part, unsigned parts, size_t *first, size_t *last)
{
    slice(np_share_items(groups), part, parts, first, last);
    *first += groups->first;
    *last += groups->first;
}

/*
 * Makes entries from the tickets of the slice's packets, by number, in entry[1] for now; counts how
 * many go to each group.
 */
static void make_entries(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    uint32_t *count = levels->deal_low + ((size_t)worker << levels->low);
    uint32_t low_mask = (UINT32_C(1) << levels->low) - 1;
    size_t first, last;
    np_packet packet[NP_BATCH], number = np_traffic_part(engine->traffic).first;
    np_ticket ticket[NP_BATCH];
    memset(count, 0, sizeof *count << levels->low);
    slice(engine->packets, worker, levels->workers, &first, &last);
    for (size_t base = first; base < last; base += NP_BATCH) {
        size_t some = last - base < NP_BATCH ? last - base : NP_BATCH;
        const np_node *at = engine->location + base;
        for (size_t i = 0; i < some; i++)
            packet[i] = (np_packet)(base + i);
        np_engine_prepare(engine, &engine->shard[worker], engine->phase, some, packet, at, ticket);
        for (size_t i = 0; i < some; i++) {
            levels->entry[1][base + i] = (np_level_entry){number + packet[i], at[i], (uint32_t)ticket[i]};
            count[at[i] & low_mask]++;
        }
    }
}

/* Turns counts [workers][groups] into cursors: groups in order, and in each group the workers in order. */
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

static void deal_by_low_bits(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    uint32_t *cursor = levels->deal_low + ((size_t)worker << levels->low);
    uint32_t low_mask = (UINT32_C(1) << levels->low) - 1;
    size_t first, last;
    (void)engine;
    slice(levels->count, worker, levels->workers, &first, &last);
    for (size_t i = first; i < last; i++)
        levels->entry[0][cursor[levels->entry[1][i].node & low_mask]++] = levels->entry[1][i];
}

/* Of entries that have come from other ranks, too: how many are of each group of the first half, or of the second. */
static void count_low_groups(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    uint32_t *count = levels->deal_low + ((size_t)worker << levels->low);
    uint32_t low_mask = (UINT32_C(1) << levels->low) - 1;
    size_t first, last;
    (void)engine;
    memset(count, 0, sizeof *count << levels->low);
    slice(levels->count, worker, levels->workers, &first, &last);
    for (size_t i = first; i < last; i++)
        count[levels->entry[1][i].node & low_mask]++;
}

static void count_high_groups(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    uint32_t *count = levels->deal_high + ((size_t)worker << levels->high);
    size_t first, last;
    (void)engine;
    memset(count, 0, sizeof *count << levels->high);
    slice(levels->count, worker, levels->workers, &first, &last);
    for (size_t i = first; i < last; i++)
        count[levels->entry[0][i].node >> levels->low]++;
}

static void deal_by_high_bits(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    uint32_t *cursor = levels->deal_high + ((size_t)worker << levels->high);
    size_t first, last;
    (void)engine;
    slice(levels->count, worker, levels->workers, &first, &last);
    for (size_t i = first; i < last; i++)
        levels->entry[1][cursor[levels->entry[0][i].node >> levels->low]++] = levels->entry[0][i];
}

/* Counts how many of the worker's packets end the first half with each value of the high bits. */
static void count_high_bits(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    uint32_t *count = levels->deal_high + ((size_t)worker << levels->high);
    size_t first, last;
    (void)engine;
    memset(count, 0, sizeof *count << levels->high);
    slice_of(&levels->of_high, worker, levels->workers, &first, &last);
    for (size_t i = levels->end_low[first]; i < levels->end_low[last]; i++)
        count[(levels->entry[0][i].node ^ levels->entry[0][i].state) >> levels->low]++;
}

/*
 * Tells the progress of the calling thread, which is the first worker; the other workers are about as far. Returns
 * false if the worker is to end: the watch wants it, or the worker's groups do not hold.
 */
static bool goes_on(np_levels *levels, const np_engine *engine, unsigned worker, unsigned half, size_t done, size_t of)
{
    double share = (double)done / (double)of;
    if (worker == 0 && engine->watch) {
        levels->status = np_watch_share(&engine->watch->progress, NULL, levels->low ? (half + share) / 2 : share);
        atomic_store_explicit(&levels->stop, levels->status != NP_OK, memory_order_relaxed);
    }
    return !levels->group[worker].failed && !atomic_load_explicit(&levels->stop, memory_order_relaxed);
}

/* The batch of the worker's groups; all of them, unless ranks share the groups. */
static void high_halves(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    size_t first, last, begin, end, leaving = worker * levels->leaving_groups;
    slice_of(&levels->of_high, worker, levels->workers, &first, &last);
    slice(last - first, levels->batch, levels->job ? BATCHES : 1, &begin, &end);
    if (levels->group[worker].failed || atomic_load_explicit(&levels->stop, memory_order_relaxed))
        return; /* a batch before this one ended */
    for (size_t g = first + begin; g < first + end; g++) {
        high_half(levels, engine, worker, (uint32_t)g, leaving++);
        if (!goes_on(levels, engine, worker, 0, g + 1 - first, last - first))
            return;
    }
}

static void low_halves(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    size_t first, last;
    slice_of(&levels->of_low, worker, levels->workers, &first, &last);
    for (size_t g = first; g < last; g++) {
        low_half(levels, engine, worker, (uint32_t)g);
        if (!goes_on(levels, engine, worker, 1, g + 1 - first, last - first))
            return;
    }
}

/* Stores where each packet is, and its delay. */
static void land_all(void *method, np_engine *engine, unsigned worker)
{
    np_levels *levels = method;
    np_step steps = 0;
    size_t first, last;
    slice(levels->count, worker, levels->workers, &first, &last);
    for (size_t i = first; i < last; i++) {
        const np_level_entry *entry = &levels->entry[1][i];
        np_step time = np_level_entry_time(entry);
        if (!levels->job)
            np_engine_land(engine, entry->packet, entry->node, time);
        steps = time > steps ? time : steps;
    }
    levels->group[worker].steps = steps;
}

static void reset_groups(np_levels *levels)
{
    levels->status = NP_OK;
    atomic_store_explicit(&levels->stop, false, memory_order_relaxed);
    for (unsigned w = 0; w < levels->workers; w++) {
        np_level_group *group = &levels->group[w];
        group->queue_max = group->congestion = group->population_max = 0;
        group->bound_high = group->bound_low = group->first_most = 0;
        group->steps = 0;
        group->failed = false;
    }
}

/*
 * The status of all ranks after a half; *hold: all groups have fitted their tables, and all populations a byte, on all
 * ranks.
 */
static np_status check_groups(const np_levels *levels, bool *hold)
{
    uint64_t most[4] = {0, 0, 0, 0}; /* did any fail? how many were, and came, at one node? */
    np_status st = np_job_agree(levels->job, levels->status);
    for (unsigned w = 0; w < levels->workers; w++) {
        const np_level_group *group = &levels->group[w];
        const uint64_t own[4] = {group->failed, group->first_most, group->bound_high, group->bound_low};
        for (size_t i = 0; i < 4; i++)
            most[i] = own[i] > most[i] ? own[i] : most[i];
    }
    if (!st && levels->job)
        st = np_job_most(levels->job, 4, most);
    *hold = !most[0] && most[1] + most[2] + most[3] <= POPULATION_MOST;
    return st;
}

/* Stores the results of the groups in the engine. */
static np_status settle(np_levels *levels, np_engine *engine)
{
    uint64_t steps = engine->step;
    np_status st = NP_OK;
    for (unsigned w = 0; w < levels->workers; w++) {
        const np_level_group *group = &levels->group[w];
        engine->shard[w].queue_max = group->queue_max;
        engine->shard[w].congestion = group->congestion;
        engine->shard[w].population_max = group->population_max;
        steps = group->steps > steps ? group->steps : steps;
    }
    if (levels->job) {
        engine->share->finished = (np_packet)np_engine_all(engine);
        engine->share->placed = false; /* populations are counted when they are needed */
        st = np_job_most(levels->job, 1, &steps);
    } else
        memcpy(engine->population, levels->population, sizeof *levels->population << levels->n);
    engine->step = (np_step)steps;
    return st;
}

/* The packets' entries, by low bits in entry[0]. */
static np_status deal_low(np_levels *levels, np_engine *engine)
{
    size_t groups = (size_t)1 << levels->low;
    np_status st;
    levels->count = engine->packets;
    np_engine_each_worker(engine, make_entries, levels);
    counts_to_cursors(levels->deal_low, levels->workers, groups, levels->end_low);
    np_engine_each_worker(engine, deal_by_low_bits, levels);
    if (!levels->job)
        return NP_OK;
    if ((st = np_levels_share_entries(levels, &levels->of_high, levels->end_low, levels->entry[0], levels->entry[1])))
        return st;
    np_engine_each_worker(engine, count_low_groups, levels);
    counts_to_cursors(levels->deal_low, levels->workers, groups, levels->end_low);
    np_engine_each_worker(engine, deal_by_low_bits, levels);
    return NP_OK;
}

/* The first half, whose entries are then by high bits in entry[1]. */
static np_status do_high(np_levels *levels, np_engine *engine)
{
    size_t groups = (size_t)1 << levels->high;
    np_status st = NP_OK;
    np_engine_each_worker(engine, count_high_bits, levels);
    counts_to_cursors(levels->deal_high, levels->workers, groups, levels->end_high);
    levels->batch = 0;
    if (!levels->job)
        np_engine_each_worker(engine, high_halves, levels);
    for (; levels->job && levels->batch < BATCHES && !st; levels->batch++) {
        memset(levels->leaving_group, 0xff, levels->workers * levels->leaving_groups * sizeof *levels->leaving_group);
        np_engine_each_worker(engine, high_halves, levels);
        st = np_levels_share_rows(levels);
    }
    return st;
}

static np_status do_low(np_levels *levels, np_engine *engine)
{
    np_status st;
    if (levels->job) {
        if ((st = np_levels_share_entries(levels, &levels->of_low, levels->end_high, levels->entry[1],
                                          levels->entry[0])))
            return st;
        np_engine_each_worker(engine, count_high_groups, levels);
        counts_to_cursors(levels->deal_high, levels->workers, (size_t)1 << levels->high, levels->end_high);
        np_engine_each_worker(engine, deal_by_high_bits, levels);
    }
    np_engine_each_worker(engine, low_halves, levels);
    return NP_OK;
}

static np_status run(void *method, np_engine *engine, bool *done)
{
    np_levels *levels = method;
    bool hold;
    np_status st = NP_OK;
    *done = false;
    if (!levels->block)
        st = np_arena_place(levels, layout, "the level engine", &levels->block);
    if ((st = np_job_agree(levels->job, st)))
        return st;
    reset_groups(levels);
    if ((st = deal_low(levels, engine)) || (st = do_high(levels, engine)) || (st = check_groups(levels, &hold)))
        return st;
    if (hold && levels->low && ((st = do_low(levels, engine)) || (st = check_groups(levels, &hold))))
        return st;
    if (!hold)
        return NP_OK;
    np_engine_each_worker(engine, land_all, levels);
    if (levels->job && (st = np_levels_share_home(levels, engine, levels->entry[1], levels->entry[0])))
        return st;
    *done = true;
    return settle(levels, engine);
}

const np_engine_method np_engine_levels = {
    .name = "levels",
    .divides = true,
    .applies = applies,
    .bytes = bytes,
    .bytes_at_rest = bytes_at_rest,
    .create = create,
    .run = run,
    .rest = rest,
    .free = free_levels,
};
