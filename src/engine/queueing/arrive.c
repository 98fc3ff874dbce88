/*
 * Packets that have arrived in a block of nodes. Most find the queue of their
 * link empty and are alone at it: they leave in the same pass, and spare the
 * queue. What a queue of one packet does is the same in all disciplines. The
 * others enter their queues.
 *
 * Two bitmaps over the links of the block tell them apart. A first walk through
 * the arrivals marks in `once` each link that a packet goes to, and in `twice`
 * those that are busy or marked already. A second one lets those go whose link
 * is not in `twice`. Neither has a branch that depends on a packet.
 *
 * Packets enter a queue in ascending order of the links over which they came.
 * The arrivals are in the order of the blocks from which they came
 * (bucket.h), and no two came over the same link. So of those who enter, the run
 * that came from one block is sorted, and then enters. What came from ranks before
 * this one is a run, and what came from ranks after it.
 */
#include "base/hot.h"
#include "base/order.h"
#include "engine/queueing/inside.h"

#include <string.h>

enum { SORT_FEW = 24 }; /* ours: so few keys are sorted one by one */

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/*
 * A hash of (packet, where to, when). The sum over all arrivals is the same for any division of the
 * nodes over workers, and it differs as soon as two engines differ in one move.
 */
static uint64_t hash_arrival(np_step now, np_packet packet, np_link onward, np_node at)
{
    uint64_t where = (uint64_t)onward << 32 | at;
    return np_random_mix(np_random_mix(where) ^ ((uint64_t)packet << 32 | now));
}

/* ---- packets that enter queues ---- */

/* Packets that enter queues, in the order in which they do. */
typedef struct np_entering {
    size_t count;
    np_link link[NP_BATCH];
    np_packet packet[NP_BATCH];
    np_ticket ticket[NP_BATCH];
} np_entering;

static void enter(np_engine *engine, np_busy *busy, np_entering *entering)
{
    uint32_t keys[NP_BATCH];
    const uint32_t *key =
        np_engine_keys(engine, entering->count, entering->packet, entering->link, entering->ticket, keys);
    engine->queues.structure->push(&engine->queues, busy, entering->count, entering->link, entering->packet,
                                   entering->ticket, key);
    if (engine->book)
        np_engine_observe_entry(engine, entering->count, entering->packet, entering->link);
    entering->count = 0;
}

/* Where a run came from: from ranks before this one, from one of the worker's blocks, from ranks after this one. */
typedef enum np_run_from { FROM_BEFORE, FROM_BLOCK, FROM_AFTER } np_run_from;

/* Those of a block who enter queues; the run of them that came from one block, or from other ranks: 2^32 link + place
 * among the arrivals. */
typedef struct np_runs {
    uint64_t *key, *room;
    size_t count;
    np_run_from from;
    unsigned from_block;
    np_entering entering;
} np_runs;

static void sort_few(size_t count, uint64_t *key)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t moved = key[i];
        size_t j = i;
        for (; j > 0 && key[j - 1] > moved; j--)
            key[j] = key[j - 1];
        key[j] = moved;
    }
}

/* Sorts the run by links, which are less than `range` apart. */
static void sort_run(np_runs *runs, uint32_t range)
{
    if (runs->count < SORT_FEW) {
        sort_few(runs->count, runs->key);
        return;
    }
    for (unsigned shift = 32; shift < 64 && range; shift += 8, range >>= 8) {
        np_order_by_digit(runs->count, runs->key, runs->room, shift);
        uint64_t *swap = runs->key;
        runs->key = runs->room;
        runs->room = swap;
    }
}

/* The run enters. */
static void end_run(np_engine *engine, np_block *block, np_runs *runs)
{
    const np_block *from = &engine->block[runs->from_block];
    np_entering *entering = &runs->entering;
    sort_run(runs, runs->from == FROM_BLOCK ? from->last_link - from->first_link : NP_NONE);
    for (size_t k = 0; k < runs->count; k++) {
        uint32_t place = (uint32_t)runs->key[k] % NP_CHUNK_ITEMS;
        const np_chunk *chunk = &engine->pool.chunk[(uint32_t)runs->key[k] / NP_CHUNK_ITEMS];
        size_t i = entering->count++;
        entering->link[i] = block->busy.first + chunk->onward[place];
        entering->packet[i] = chunk->packet[place];
        entering->ticket[i] = chunk->ticket[place];
        if (entering->count == NP_BATCH)
            enter(engine, &block->busy, entering);
    }
    runs->count = 0;
}

/* The packets of these places in the chunk enter. Those whose routes have ended do not: their link is `none`. */
static void add_to_runs(np_engine *engine, np_block *block, const np_chunk *chunk, size_t count, const uint32_t *place,
                        np_runs *runs)
{
    uint32_t none = (uint32_t)(block->busy.words << 6), first = (uint32_t)(chunk - engine->pool.chunk) * NP_CHUNK_ITEMS;
    for (size_t k = 0; k < count; k++) {
        if (chunk->onward[place[k]] == none)
            continue;
        np_link over = chunk->over[place[k]];
        if (runs->from == FROM_BLOCK) {
            if (over >= engine->block[runs->from_block].last_link) {
                end_run(engine, block, runs);
                while (over >= engine->block[runs->from_block].last_link)
                    runs->from_block++;
            }
            over -= engine->block[runs->from_block].first_link;
        }
        runs->key[runs->count++] = (uint64_t)over << 32 | (first + place[k]);
    }
}

/* Where the chunk of the walk came from. */
static np_run_from from_of(const np_bucket_pool *pool, const np_bucket_walk *walk)
{
    if (!pool->ranks || (walk->from > 0 && walk->from + 1 < pool->rows))
        return FROM_BLOCK;
    return walk->from ? FROM_AFTER : FROM_BEFORE;
}

/* ---- the two walks ---- */

/*
 * Before the first one: counts packets at their nodes, and puts the link in the place of the port: from the busy set's
 * first one on; `none` for those whose routes have ended. moved: 0 if the packets begin, and are counted already;
 * else 1.
 */
NP_INLINE void reach_by(const np_block *block, uint32_t *restrict population, uint32_t count,
                        const np_node *restrict node, uint32_t *restrict onward, uint32_t moved, const np_link *row,
                        uint32_t ports)
{
    np_link first = block->busy.first;
    uint32_t none = (uint32_t)(block->busy.words << 6);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t link = (row ? row[node[i]] : node[i] * ports) - first + onward[i];
        onward[i] = onward[i] == NP_NONE ? none : link;
    }
    for (uint32_t i = 0; i < count; i++)
        population[node[i]] += moved;
}

NP_HOT static void reach(const np_engine *engine, const np_block *block, uint32_t count, np_chunk *chunk)
{
    const np_network *network = engine->network;
    uint32_t moved = engine->step > 0;
    if (network->row)
        reach_by(block, engine->population, count, chunk->node, chunk->onward, moved, network->row, 0);
    else
        reach_by(block, engine->population, count, chunk->node, chunk->onward, moved, NULL, network->ports);
}

/* The first one: marks links. Busy ones are in `once` already. */
NP_HOT static void mark(uint64_t *restrict once, uint64_t *restrict twice, uint32_t count, const uint32_t *onward)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = UINT64_C(1) << (onward[i] & 63), old = once[onward[i] >> 6];
        twice[onward[i] >> 6] |= old & bit;
        once[onward[i] >> 6] = old | bit;
    }
}

/* Puts the marks of busy links where the packets of a chunk go to. */
static void mark_busy(const np_shard *shard, const np_block *block, uint32_t count, const uint32_t *onward)
{
    for (uint32_t i = 0; i < count; i++) {
        shard->once[onward[i] >> 6] = block->busy.bits[onward[i] >> 6];
        shard->twice[onward[i] >> 6] = 0;
    }
}

/* The same for all links of the block. */
static void mark_all_busy(const np_shard *shard, const np_block *block)
{
    size_t bytes = (block->busy.words + 1) * sizeof *shard->once;
    memcpy(shard->once, block->busy.bits, bytes);
    memset(shard->twice, 0, bytes);
}

NP_HOT static uint32_t most_of(const uint32_t *population, size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = population[i] > most ? population[i] : most;
    return most;
}

static uint32_t most_at(const uint32_t *population, uint32_t count, const np_node *node)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = larger(most, population[node[i]]);
    return most;
}

/* The second one: those who are alone at their links leave; the places of the others are listed. Returns how many. */
NP_HOT static size_t part(const uint64_t *twice, np_link first, const np_chunk *chunk, uint32_t count, np_hops *hops,
                          uint32_t *others)
{
    size_t leave = hops->count, stay = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t link = chunk->onward[i];
        size_t meets = twice[link >> 6] >> (link & 63) & 1;
        hops->link[leave] = first + link;
        hops->packet[leave] = chunk->packet[i];
        hops->from[leave] = chunk->node[i];
        hops->ticket[leave] = chunk->ticket[i];
        others[stay] = i;
        leave += !meets;
        stay += meets;
    }
    hops->count = leave;
    return stay;
}

/* Lets those of a chunk leave who can; returns how many others there are, and lists their places. */
static size_t let_leave(np_engine *engine, np_shard *shard, np_block *block, const np_chunk *chunk, uint32_t count,
                        np_hops *hops, uint32_t *others)
{
    if (!hops) {
        for (uint32_t i = 0; i < count; i++)
            others[i] = i;
        return count;
    }
    if (hops->count + count > NP_BATCH)
        np_engine_send(engine, (unsigned)(shard - engine->shard), hops);
    return part(shard->twice, block->busy.first, chunk, count, hops, others);
}

/* Hashes packets, after the first walk. */
static void hash(np_engine *engine, np_shard *shard, const np_block *block, uint32_t count, const np_chunk *chunk)
{
    uint32_t none = (uint32_t)(block->busy.words << 6);
    for (uint32_t i = 0; i < count; i++) {
        np_link link = chunk->onward[i] == none ? NP_NONE : block->busy.first + chunk->onward[i];
        shard->hash += hash_arrival(engine->step, chunk->packet[i], link, chunk->node[i]);
    }
}

/* Counts those who leave at the links that the arrivals go to. */
static void count_few(np_engine *engine, np_shard *shard, np_block *block, uint32_t count, const uint32_t *onward)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t word = onward[i] >> 6;
        if (word < block->busy.words)
            np_passed_add(&block->passed, &engine->queues, word,
                          shard->once[word] & ~(shard->twice[word] | block->busy.bits[word]));
        shard->once[word] = 0; /* they have been counted */
    }
}

/* Asks the memory for what the next block needs. */
static void fetch_block(const np_engine *engine, const np_block *block)
{
    for (size_t node = block->first_node; node < block->last_node; node += 16)
        __builtin_prefetch(&engine->population[node], 1);
    for (size_t word = 0; word < block->busy.words; word += 8)
        __builtin_prefetch(&block->busy.bits[word], 1);
}

/* The first walk. Returns whether there are so few arrivals that the rest of the block is not looked at. */
static bool receive(np_engine *engine, np_shard *shard, np_block *block, np_bucket_walk walk, uint32_t count)
{
    np_chunk *chunk = &engine->pool.chunk[walk.chunk];
    np_bucket_walk second = walk;
    bool few = count < block->busy.words / 4 && !np_bucket_next(&engine->pool, &second);
    if (!few)
        mark_all_busy(shard, block);
    walk.ahead = shard->last_block;
    do {
        chunk = &engine->pool.chunk[walk.chunk];
        reach(engine, block, count, chunk);
        if (few) {
            mark_busy(shard, block, count, chunk->onward);
            shard->population_max = larger(shard->population_max, most_at(engine->population, count, chunk->node));
        }
        mark(shard->once, shard->twice, count, chunk->onward);
        if (engine->watch && engine->watch->hash)
            hash(engine, shard, block, count, chunk);
    } while ((count = np_bucket_next(&engine->pool, &walk)));
    if (!few)
        shard->population_max = larger(shard->population_max, most_of(engine->population + block->first_node,
                                                                      block->last_node - block->first_node));
    return few;
}

void np_engine_arrive(np_engine *engine, unsigned worker, np_block *block, np_hops *hops)
{
    np_shard *shard = &engine->shard[worker];
    np_bucket_pool *pool = &engine->pool;
    unsigned number = (unsigned)(block - engine->block);
    np_bucket_walk walk = {.block = number, .parity = engine->step & 1};
    uint32_t count = np_bucket_next(pool, &walk), first_count = count, others[NP_CHUNK_ITEMS];
    np_runs runs;
    if (!count)
        return;
    uint32_t first_chunk = walk.chunk;
    bool few = receive(engine, shard, block, walk, count);
    if (!few && number + 1 < shard->last_block)
        fetch_block(engine, block + 1);
    runs.key = shard->run;
    runs.room = shard->run_room;
    runs.count = runs.from_block = 0;
    runs.from = FROM_BEFORE;
    runs.entering.count = 0;
    shard->twice[block->busy.words] = 1; /* those whose routes have ended do not leave */
    for (; count; count = np_bucket_next(pool, &walk)) {
        const np_chunk *chunk = &pool->chunk[walk.chunk];
        size_t stay = let_leave(engine, shard, block, chunk, count, hops, others);
        if (runs.from != from_of(pool, &walk)) {
            end_run(engine, block, &runs);
            runs.from = from_of(pool, &walk);
        }
        add_to_runs(engine, block, chunk, stay, others, &runs);
    }
    end_run(engine, block, &runs);
    if (runs.entering.count)
        enter(engine, &block->busy, &runs.entering);
    if (hops && few)
        count_few(engine, shard, block, first_count, pool->chunk[first_chunk].onward);
    else if (hops)
        np_passed_add_all(&block->passed, &engine->queues, shard->once, shard->twice, block->busy.bits);
    np_bucket_empty(pool, worker, number, engine->step & 1);
}

void np_engine_receive(np_engine *engine, unsigned worker)
{
    np_shard *shard = &engine->shard[worker];
    for (unsigned b = shard->first_block; b < shard->last_block; b++)
        np_engine_arrive(engine, worker, &engine->block[b], NULL);
}

/* They have stayed at their nodes: populations count them already. Their list is in the order in which they enter. */
void np_engine_enter_released(np_engine *engine, unsigned to)
{
    np_bucket_pool *pool = &engine->pool;
    const np_shard *shard = &engine->shard[to];
    np_entering entering;
    entering.count = 0;
    for (unsigned b = shard->first_block; b < shard->last_block; b++) {
        np_bucket_walk walk = {.block = b, .parity = engine->step & 1};
        for (uint32_t count; (count = np_bucket_next(pool, &walk));)
            for (uint32_t i = 0; i < count; i++) {
                const np_chunk *chunk = &pool->chunk[walk.chunk];
                entering.link[entering.count] =
                    np_network_first_link(engine->network, chunk->node[i]) + chunk->onward[i];
                entering.packet[entering.count] = chunk->packet[i];
                entering.ticket[entering.count++] = chunk->ticket[i];
                if (entering.count == NP_BATCH)
                    enter(engine, &engine->block[b].busy, &entering);
            }
        if (entering.count)
            enter(engine, &engine->block[b].busy, &entering);
        np_bucket_empty(pool, to, b, engine->step & 1);
    }
}
