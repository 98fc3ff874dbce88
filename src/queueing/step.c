/*
 * One step, the hot loop: a hop costs a pop, a choice of port and a push.
 * Both passes work on batches of ascending links; each batch passes through a
 * few simple loops, whose arrays stay in the first-level cache.
 */
#include <string.h>

#include "base/hot.h"
#include "queueing/inside.h"

enum { AHEAD = 16 }; /* items of prefetch distance: ours, measured */

NP_HOT static void leave(uint32_t *population, size_t count, const np_node *from)
{
    for (size_t i = 0; i < count; i++)
        population[from[i]]--;
}

/* A batch of packets on their way. Packets whose routes have ended are moved out of it. */
typedef struct np_hops {
    np_link link[NP_BATCH], onward[NP_BATCH];
    np_packet packet[NP_BATCH];
    np_node from[NP_BATCH], at[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    np_packet landed[NP_BATCH];
    np_node landed_at[NP_BATCH];
} np_hops;

/*
 * Moves packets that have landed out of the batch; returns how many travel on. It has no branch:
 * landings cannot be predicted.
 */
NP_HOT static size_t divide(np_hops *hops, size_t count)
{
    size_t onward = 0, landed = 0;
    for (size_t i = 0; i < count; i++) {
        np_link link = hops->onward[i];
        np_packet packet = hops->packet[i];
        np_node at = hops->at[i];
        hops->landed[landed] = packet;
        hops->landed_at[landed] = at;
        landed += link == NP_NONE;
        hops->onward[onward] = link;
        hops->packet[onward] = packet;
        hops->at[onward] = at;
        hops->ticket[onward] = hops->ticket[i];
        onward += link != NP_NONE;
    }
    return onward;
}

/* Hands all packets to the only worker: copies them, in as many pieces as there are chunks. */
static void hand_over_all(np_bucket_pool *pool, const np_hops *hops, size_t onward, size_t landed)
{
    size_t on = 0, down = 0;
    while (on < onward || down < landed) {
        np_chunk *chunk = np_bucket_room(pool, &pool->bucket[0]);
        size_t room = NP_CHUNK_ITEMS - chunk->count, part = onward - on < room ? onward - on : room;
        memcpy(chunk->packet + chunk->count, hops->packet + on, part * sizeof *hops->packet);
        memcpy(chunk->ticket + chunk->count, hops->ticket + on, part * sizeof *hops->ticket);
        memcpy(chunk->node + chunk->count, hops->at + on, part * sizeof *hops->at);
        memcpy(chunk->link + chunk->count, hops->onward + on, part * sizeof *hops->onward);
        chunk->count += (uint32_t)part;
        on += part;
        room = NP_CHUNK_ITEMS - chunk->landed;
        part = landed - down < room ? landed - down : room;
        memcpy(chunk->landed_node + chunk->landed, hops->landed_at + down, part * sizeof *hops->landed_at);
        chunk->landed += (uint32_t)part;
        down += part;
    }
}

/* Hands each packet to the bucket of its new node's owner. */
static void hand_over(np_engine *engine, unsigned from, const np_hops *hops, size_t onward, size_t landed)
{
    np_bucket *bucket = &engine->pool.bucket[from * engine->options.workers];
    if (engine->options.workers == 1) {
        hand_over_all(&engine->pool, hops, onward, landed);
        return;
    }
    for (size_t i = 0; i < onward; i++) {
        np_chunk *chunk = np_bucket_room(&engine->pool, &bucket[np_engine_owner(engine, hops->at[i])]);
        uint32_t place = chunk->count++;
        chunk->packet[place] = hops->packet[i];
        chunk->ticket[place] = hops->ticket[i];
        chunk->link[place] = hops->onward[i];
        chunk->node[place] = hops->at[i];
    }
    for (size_t i = 0; i < landed; i++) {
        np_chunk *chunk = np_bucket_room(&engine->pool, &bucket[np_engine_owner(engine, hops->landed_at[i])]);
        chunk->landed_node[chunk->landed++] = hops->landed_at[i];
    }
}

/*
 * A hash of (packet, where to, when). The sum over all arrivals is the same for any division of the
 * nodes over workers, and it differs as soon as two engines differ in one move.
 */
static uint64_t hash_arrival(np_step now, np_packet packet, np_link onward, np_node at)
{
    uint64_t where = (uint64_t)onward << 32 | at;
    return np_random_mix(np_random_mix(where) ^ ((uint64_t)packet << 32 | now));
}

static void land(np_engine *engine, np_shard *shard, const np_hops *hops, size_t landed)
{
    for (size_t i = 0; i < landed; i++)
        np_engine_land(engine, hops->landed[i], hops->landed_at[i], shard->now);
    if (engine->watch && engine->watch->hash)
        for (size_t i = 0; i < landed; i++)
            shard->hash += hash_arrival(shard->now, hops->landed[i], NP_NONE, hops->landed_at[i]);
}

void np_engine_send(np_engine *engine, unsigned from)
{
    np_shard *shard = &engine->shard[from];
    np_busy_walk walk = {0};
    np_hops hops;
    np_packet finished = shard->finished[engine->step & 1];
    np_bucket_empty(&engine->pool, from);
    shard->moved = 0;
    shard->now = engine->step + 1;
    for (size_t count; (count = np_busy_take(&shard->busy, &walk, NP_BATCH, hops.link));) {
        uint32_t longest =
            engine->queues.structure->pop(&engine->queues, &shard->busy, count, hops.link, hops.packet, hops.ticket);
        shard->queue_max = longest > shard->queue_max ? longest : shard->queue_max;
        shard->moved += (np_packet)count;
        np_path_hop(engine->plan->path, count, hops.link, hops.ticket, hops.from, hops.at, hops.onward);
        leave(engine->population, count, hops.from);
        if (engine->phase_of)
            np_engine_start_next(engine, shard, count, hops.packet, hops.at, hops.ticket, hops.onward);
        if (engine->book)
            np_engine_observe_hops(engine, shard->now, count, hops.packet, hops.link, hops.from, hops.at, hops.onward);
        size_t onward = divide(&hops, count), landed = count - onward;
        land(engine, shard, &hops, landed);
        finished += (np_packet)landed;
        hand_over(engine, from, &hops, onward, landed);
    }
    shard->finished[shard->now & 1] = finished;
    shard->made[shard->now & 1] = shard->made[engine->step & 1] + shard->moved;
}

/* Counts the arrivals at each node; returns the largest population made. */
NP_HOT static uint32_t arrive(uint32_t *population, size_t count, const np_node *node, bool far)
{
    uint32_t most = 0;
    size_t ahead = far ? AHEAD : count, i = 0;
    for (; i + ahead < count; i++) {
        __builtin_prefetch(&population[node[i + ahead]], 1);
        uint32_t here = ++population[node[i]];
        most = here > most ? here : most;
    }
    for (; i < count; i++) {
        uint32_t here = ++population[node[i]];
        most = here > most ? here : most;
    }
    return most;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void receive_chunk(np_engine *engine, np_shard *shard, const np_chunk *chunk)
{
    uint32_t keys[NP_CHUNK_ITEMS];
    bool far = engine->queues.far;
    const uint32_t *key = np_engine_keys(engine, chunk->count, chunk->packet, keys);
    engine->queues.structure->push(&engine->queues, &shard->busy, chunk->count, chunk->link, chunk->packet,
                                   chunk->ticket, key);
    if (engine->book)
        np_engine_observe_entry(engine, chunk->count, chunk->packet, chunk->link);
    uint32_t most = larger(arrive(engine->population, chunk->count, chunk->node, far),
                           arrive(engine->population, chunk->landed, chunk->landed_node, far));
    shard->population_max = larger(shard->population_max, most);
    if (engine->watch && engine->watch->hash)
        for (size_t k = 0; k < chunk->count; k++)
            shard->hash += hash_arrival(shard->now, chunk->packet[k], chunk->link[k], chunk->node[k]);
}

void np_engine_receive(np_engine *engine, unsigned to)
{
    const np_bucket_pool *pool = &engine->pool;
    unsigned workers = engine->options.workers;
    for (unsigned from = 0; from < workers; from++)
        for (uint32_t c = pool->bucket[from * workers + to].first; c != NP_NONE; c = pool->chunk[c].next)
            receive_chunk(engine, &engine->shard[to], &pool->chunk[c]);
}
