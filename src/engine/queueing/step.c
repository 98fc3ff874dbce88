/*
 * One step, the hot loop, block by block. Packets that have arrived in a block
 * leave at once or enter their queues (arrive.c), and one packet leaves each
 * busy queue.
 *
 * All passes work on batches, each of which passes through a few simple loops,
 * whose arrays stay in the first-level cache.
 */
#include "base/hot.h"
#include "engine/queueing/inside.h"

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

NP_HOT static void leave(uint32_t *population, size_t count, const np_node *from)
{
    for (size_t i = 0; i < count; i++)
        population[from[i]]--;
}

/*
 * Which block each node is in. In doubles the division vectorises: (node + 1/2) / n is at least 1 / (2 n) away from a
 * whole number, and the product's relative error of 2^-51 moves a quotient below 2^32 / n by less.
 */
static inline void blocks_of(uint32_t nodes, size_t count, const np_node *node, uint32_t *restrict block)
{
    double inverse = 1.0 / nodes;
    for (size_t i = 0; i < count; i++)
        block[i] = (uint32_t)(((double)node[i] + 0.5) * inverse);
}

/* The same where ranks share the nodes: what is for another rank is in a column behind those of the blocks. */
static void columns_of(const np_engine *engine, size_t count, const np_node *node, uint32_t *restrict column)
{
    np_node first = engine->nodes.first, nodes = engine->nodes.last - first, own[NP_BATCH];
    uint32_t rank[NP_BATCH], block[NP_BATCH];
    for (size_t i = 0; i < count; i++)
        own[i] = node[i] - first;
    blocks_of(engine->by_block.divisor, count, own, block);
    blocks_of(engine->nodes.each.divisor, count, node, rank);
    for (size_t i = 0; i < count; i++)
        column[i] = own[i] < nodes ? block[i] : engine->blocks + rank[i];
}

static inline void put(np_chunk *chunk, uint32_t place, const np_hops *hops, size_t i)
{
    chunk->ticket[place] = hops->ticket[i];
    chunk->packet[place] = hops->packet[i];
    chunk->node[place] = hops->at[i];
    chunk->onward[place] = hops->port[i];
    chunk->over[place] = hops->link[i];
}

/*
 * Puts four packets into the buckets. The counts of all are read before any is written: packet after packet would wait
 * for the count of the one before, since most go to the same bucket.
 */
static inline void put_four(np_bucket_pool *pool, unsigned worker, np_bucket *const b[4], const np_hops *hops, size_t i)
{
    uint32_t place[4];
    place[0] = b[0]->count;
    place[1] = b[1]->count + (b[1] == b[0]);
    place[2] = b[2]->count + (b[2] == b[0]) + (b[2] == b[1]);
    place[3] = b[3]->count + (b[3] == b[0]) + (b[3] == b[1]) + (b[3] == b[2]);
    if (__builtin_expect((place[0] | place[1] | place[2] | place[3]) >= NP_CHUNK_ITEMS, 0)) {
        for (size_t k = 0; k < 4; k++) {
            uint32_t end = np_bucket_place(pool, worker, b[k]);
            put(b[k]->last, end, hops, i + k);
        }
        return;
    }
    for (size_t k = 0; k < 4; k++)
        b[k]->count = place[k] + 1;
    for (size_t k = 0; k < 4; k++)
        put(b[k]->last, place[k], hops, i + k);
}

/* Hands each packet to the bucket of its new node's block. */
NP_HOT static void hand_over(np_engine *engine, unsigned worker, const np_hops *hops)
{
    np_bucket_pool *pool = &engine->pool;
    np_bucket *buckets = np_bucket_row(pool, worker, engine->step + 1);
    size_t count = hops->count, i = 0;
    uint32_t block[NP_BATCH];
    if (engine->share)
        columns_of(engine, count, hops->at, block);
    else
        blocks_of(engine->by_block.divisor, count, hops->at, block);
    for (; i + 4 <= count; i += 4) {
        np_bucket *const four[] = {&buckets[block[i]], &buckets[block[i + 1]], &buckets[block[i + 2]],
                                   &buckets[block[i + 3]]};
        put_four(pool, worker, four, hops, i);
    }
    for (; i < count; i++) {
        np_bucket *bucket = &buckets[block[i]];
        uint32_t place = np_bucket_place(pool, worker, bucket);
        put(bucket->last, place, hops, i);
    }
}

/*
 * Lists the packets whose routes have ended, by their places in the batch; no branch: landings cannot be predicted.
 * Returns how many these are.
 */
NP_HOT static size_t list_ended(size_t count, const np_port *port, uint16_t *ended)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        ended[found] = (uint16_t)i;
        found += port[i] == NP_NONE;
    }
    return found;
}

/* Packets whose routes have ended land, or rest until the time of their next phase. Returns how many land. */
static np_packet end_routes(np_engine *engine, np_shard *shard, const np_hops *hops, size_t count,
                            const uint16_t *index)
{
    np_packet landed = 0;
    for (size_t k = 0; k < count; k++) {
        np_packet packet = hops->packet[index[k]];
        np_node at = hops->at[index[k]];
        if (engine->open) {
            shard->landed[shard->landings++] = packet;
            landed++;
            continue;
        }
        if (np_engine_rests(engine, packet)) {
            np_engine_park(engine, packet, at, engine->step + 1);
            continue;
        }
        landed++;
        if (!engine->share)
            np_engine_land(engine, packet, at, engine->step + 1);
        else if (np_share_has(&engine->nodes, at))
            np_engine_share_land(engine, packet, at, engine->step + 1);
    }
    return landed;
}

/* A link is the worker's who has its tail. */
static void count_links(uint64_t *crossed, size_t count, const np_link *link)
{
    for (size_t i = 0; i < count; i++)
        crossed[link[i]]++;
}

/* Packets that will be at the heads of their links at the next instant go to the buckets there. */
static void arrive_next(np_engine *engine, unsigned worker, np_hops *hops)
{
    np_shard *shard = &engine->shard[worker];
    uint16_t ended[NP_BATCH];
    size_t count = hops->count;
    np_step then = engine->step + 1;
    if (engine->phase_of)
        np_engine_start_next(engine, shard, then, count, hops->packet, hops->at, hops->ticket, hops->port);
    if (engine->book)
        np_engine_observe_hops(engine, then, count, hops->packet, hops->link, hops->from, hops->at, hops->port);
    if (engine->made)
        np_engine_note_hops(engine, count, hops->packet, hops->at);
    hand_over(engine, worker, hops);
    size_t ends = list_ended(count, hops->port, ended);
    shard->finished[then & 1] += end_routes(engine, shard, hops, ends, ended);
}

/* What a packet is on a link beyond a step is no delay. */
static void count_flights(np_engine *engine, const np_hops *hops)
{
    for (size_t i = 0; i < hops->count && !engine->open; i++)
        engine->rested[hops->packet[i]] += engine->flights.delay[hops->link[i]] - 1U;
}

void np_engine_send(np_engine *engine, unsigned worker, np_hops *hops)
{
    size_t count = hops->count;
    engine->shard[worker].moved += (np_packet)count;
    np_path_hop(engine->plan->path, count, hops->link, hops->ticket, hops->at, hops->port);
    leave(engine->population, count, hops->from);
    if (engine->crossed)
        count_links(engine->crossed, count, hops->link);
    if (!engine->flights.delay)
        arrive_next(engine, worker, hops);
    else {
        count_flights(engine, hops);
        np_flights_depart(&engine->flights, engine->step, hops);
    }
    hops->count = 0;
}

/* Those whose flights end at the next instant. */
static void end_flights(np_engine *engine, unsigned worker, np_hops *hops)
{
    if (!engine->flights.delay)
        return;
    np_flights_land(&engine->flights, engine->step + 1);
    while (np_flights_take(&engine->flights, hops))
        arrive_next(engine, worker, hops);
}

/* One packet leaves each queue of the block that is busy. */
static void send_queued(np_engine *engine, unsigned worker, np_block *block, np_hops *hops)
{
    np_shard *shard = &engine->shard[worker];
    const np_queue_structure *structure = engine->queues.structure;
    np_busy_walk walk = {0};
    while ((hops->count = np_busy_take(&block->busy, &walk, NP_BATCH, hops->link))) {
        uint32_t longest =
            structure->pop(&engine->queues, &block->busy, hops->count, hops->link, hops->packet, hops->ticket);
        shard->queue_max = larger(shard->queue_max, longest);
        np_network_tails(engine->network, hops->count, hops->link, hops->from);
        np_engine_send(engine, worker, hops);
    }
}

void np_engine_move(np_engine *engine, unsigned worker)
{
    np_shard *shard = &engine->shard[worker];
    np_step now = engine->step;
    np_hops hops;
    shard->moved = 0;
    shard->finished[(now + 1) & 1] = shard->finished[now & 1];
    if (engine->book && engine->parked)
        np_engine_observe_rests(engine, now + 1);
    for (unsigned b = shard->first_block; b < shard->last_block; b++) {
        hops.count = 0;
        np_engine_arrive(engine, worker, &engine->block[b], &hops);
        if (hops.count)
            np_engine_send(engine, worker, &hops);
        send_queued(engine, worker, &engine->block[b], &hops);
    }
    end_flights(engine, worker, &hops);
    if (shard->moved)
        shard->queue_max = larger(shard->queue_max, 1); /* those who spare their queues count as queues of one */
    shard->made[(now + 1) & 1] = shard->made[now & 1] + shard->moved;
}

/*
 * * Phases that stop at a fixed time (Valiant & Brebner 1981, Theorem 4: "each
 * Phase given n + K n^(3/4) time"): packets that are on their way stay at the
 * nodes where they are. A packet that leaves a queue does not say where it is, so each hop is noted.
 */

void np_engine_note_hops(np_engine *engine, size_t count, const np_packet *packet, const np_node *at)
{
    for (size_t i = 0; i < count; i++) {
        engine->made[packet[i]]++;
        engine->location[packet[i]] = at[i];
    }
}

void np_engine_empty_queues(np_engine *engine, unsigned worker)
{
    const np_shard *shard = &engine->shard[worker];
    np_link link[NP_BATCH];
    np_packet packet[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    for (unsigned b = shard->first_block; b < shard->last_block; b++) {
        np_busy *busy = &engine->block[b].busy;
        for (bool some = true; some;) {
            np_busy_walk walk = {0};
            some = false;
            for (size_t count; (count = np_busy_take(busy, &walk, NP_BATCH, link)); some = true)
                engine->queues.structure->pop(&engine->queues, busy, count, link, packet, ticket);
        }
    }
}

void np_engine_stop(np_engine *engine)
{
    np_shard *shard = &engine->shard[0];
    for (np_packet p = 0; p < engine->packets; p++) {
        if (engine->made[p] == NP_NONE)
            continue;
        shard->hops -= engine->length[p] - engine->made[p]; /* the sum over all shards is what counts */
        engine->length[p] = engine->step - engine->made[p];
        shard->late++;
        if (engine->book)
            np_engine_observe_landing(engine, engine->step, p, engine->location[p]);
    }
}
