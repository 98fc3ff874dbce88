/*
 * One step, the hot loop, block by block. Packets that have arrived in a block
 * enter their queues, and one packet leaves each busy queue.
 *
 * Most queues are empty when a packet comes, and it leaves in the same pass. So
 * it does not enter at all: shard->place says, for each link of the block, where
 * among the arrivals its only packet is (place + 1; 0: there is none). A second
 * packet makes it enter the queue, before itself. What a queue of one packet
 * does is the same in all disciplines.
 *
 * All passes work on batches, each of which passes through a few simple loops,
 * whose arrays stay in the first-level cache.
 */
#include "base/hot.h"
#include "queueing/inside.h"

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

/* ---- packets that have arrived ---- */

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
    const uint32_t *key = np_engine_keys(engine, entering->count, entering->packet, keys);
    engine->queues.structure->push(&engine->queues, busy, entering->count, entering->link, entering->packet,
                                   entering->ticket, key);
    if (engine->book)
        np_engine_observe_entry(engine, entering->count, entering->packet, entering->link);
    entering->count = 0;
}

static inline void add_entering(np_engine *engine, np_entering *entering, const np_arrival *arrival)
{
    size_t i = entering->count++;
    entering->link[i] = arrival->link;
    entering->packet[i] = arrival->packet;
    entering->ticket[i] = arrival->ticket;
    if (engine->ahead)
        engine->ahead[arrival->packet] = arrival->ahead;
}

/*
 * Counts arrivals at their nodes, and finds each packet that travels on its place, if it is alone at its link; else it
 * enters the link's queue. Returns the largest population made.
 */
NP_HOT static uint32_t find_places(np_engine *engine, np_shard *shard, np_block *block, np_bucket_walk walk,
                                   uint32_t count, np_entering *entering)
{
    const np_arrival *arrivals = engine->pool[engine->step & 1].arrival;
    uint32_t *places = shard->place, *population = engine->population, most = 0;
    np_busy set = block->busy; /* a copy, so that no store below can alias it */
    np_link first = block->first_link;
    for (uint32_t place = walk.place; place < walk.place + count; place++) {
        np_link link = arrivals[place].link;
        uint32_t here = ++population[arrivals[place].node];
        most = here > most ? here : most;
        if (link == NP_NONE)
            continue;
        if (np_busy_add(&set, link)) {
            places[link - first] = place + 1;
            continue;
        }
        if (entering->count > NP_BATCH - 2)
            enter(engine, &block->busy, entering);
        if (places[link - first])
            add_entering(engine, entering, &arrivals[places[link - first] - 1]);
        places[link - first] = 0;
        add_entering(engine, entering, &arrivals[place]);
    }
    return most;
}

/* Counts arrivals at their nodes, and all that travel on enter their queues. Returns the largest population made. */
static uint32_t enter_all(np_engine *engine, np_block *block, const np_arrival *arrival, uint32_t count,
                          np_entering *entering)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        most = larger(most, ++engine->population[arrival[i].node]);
        if (entering->count == NP_BATCH)
            enter(engine, &block->busy, entering);
        if (arrival[i].link != NP_NONE)
            add_entering(engine, entering, &arrival[i]);
    }
    return most;
}

/* Packets that have arrived in the block enter; stay: all of them their queues, since no pass through the block follows. */
static void receive(np_engine *engine, np_shard *shard, unsigned number, bool stay)
{
    np_bucket_pool *pool = &engine->pool[engine->step & 1];
    np_block *block = &engine->block[number];
    np_bucket_walk walk = {.block = number};
    np_entering entering;
    entering.count = 0;
    for (uint32_t count; (count = np_bucket_next(pool, &walk));) {
        const np_arrival *arrival = pool->arrival + walk.place;
        if (engine->watch && engine->watch->hash)
            for (uint32_t i = 0; i < count; i++)
                shard->hash += hash_arrival(engine->step, arrival[i].packet, arrival[i].link, arrival[i].node);
        uint32_t most = stay ? enter_all(engine, block, arrival, count, &entering)
                             : find_places(engine, shard, block, walk, count, &entering);
        shard->population_max = larger(shard->population_max, most);
    }
    if (entering.count)
        enter(engine, &block->busy, &entering);
}

void np_engine_receive(np_engine *engine, unsigned worker)
{
    np_shard *shard = &engine->shard[worker];
    for (unsigned b = shard->first_block; b < shard->last_block; b++)
        receive(engine, shard, b, true);
}

/* They have stayed at their nodes: populations count them already. */
void np_engine_enter_released(np_engine *engine, unsigned to)
{
    np_bucket_pool *pool = &engine->pool[engine->step & 1];
    const np_shard *shard = &engine->shard[to];
    np_entering entering;
    entering.count = 0;
    for (unsigned b = shard->first_block; b < shard->last_block; b++) {
        np_bucket_walk walk = {.block = b};
        for (uint32_t count; (count = np_bucket_next(pool, &walk));)
            for (uint32_t i = 0; i < count; i++) {
                const np_arrival *arrival = &pool->arrival[walk.place + i];
                entering.link[entering.count] = arrival->link;
                entering.packet[entering.count] = arrival->packet;
                entering.ticket[entering.count++] = arrival->ticket;
                if (entering.count == NP_BATCH)
                    enter(engine, &engine->block[b].busy, &entering);
            }
        if (entering.count)
            enter(engine, &engine->block[b].busy, &entering);
    }
}

/* ---- packets that leave ---- */

/* A batch of packets on their way. */
typedef struct np_hops {
    np_link link[NP_BATCH], onward[NP_BATCH];
    np_packet packet[NP_BATCH];
    uint32_t ahead[NP_BATCH];
    np_node from[NP_BATCH], at[NP_BATCH];
    np_ticket ticket[NP_BATCH];
} np_hops;

/* Links of a batch whose packets are in queues, and their indices there. */
typedef struct np_queued {
    size_t count;
    uint16_t index[NP_BATCH];
    np_link link[NP_BATCH];
} np_queued;

/* Takes the packets that are in no queue, and lists the other links. */
NP_HOT static void take_places(np_engine *engine, np_shard *shard, np_link first, size_t count, np_hops *hops,
                               np_queued *queued)
{
    const np_arrival *arrivals = engine->pool[engine->step & 1].arrival;
    queued->count = 0;
    for (size_t i = 0; i < count; i++) {
        np_link link = hops->link[i];
        uint32_t *place = &shard->place[link - first];
        if (!*place) {
            queued->index[queued->count] = (uint16_t)i;
            queued->link[queued->count++] = link;
            continue;
        }
        const np_arrival *arrival = &arrivals[*place - 1];
        *place = 0;
        hops->packet[i] = arrival->packet;
        hops->ticket[i] = arrival->ticket;
        hops->ahead[i] = arrival->ahead;
        np_queues_pass(&engine->queues, link);
    }
}

/* Takes packets out of queues; returns the longest queue met. */
static uint32_t take_queued(np_engine *engine, np_busy *busy, np_hops *hops, const np_queued *queued)
{
    np_packet packet[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    uint32_t longest =
        engine->queues.structure->pop(&engine->queues, busy, queued->count, queued->link, packet, ticket);
    for (size_t k = 0; k < queued->count; k++) {
        size_t i = queued->index[k];
        hops->packet[i] = packet[k];
        hops->ticket[i] = ticket[k];
        hops->ahead[i] = engine->ahead ? engine->ahead[packet[k]] : 0;
    }
    return longest;
}

NP_HOT static void leave(uint32_t *population, size_t count, const np_node *from)
{
    for (size_t i = 0; i < count; i++)
        population[from[i]]--;
}

/*
 * Hands each packet to the bucket of its new node's block. Lists those whose routes have ended, by their places in the
 * batch; no branch: landings cannot be predicted. Returns how many these are.
 */
NP_HOT static size_t hand_over(np_engine *engine, unsigned from, const np_hops *hops, size_t count, uint16_t *landed)
{
    np_bucket_pool *pool = &engine->pool[(engine->step + 1) & 1];
    np_bucket *buckets = &pool->bucket[from * engine->blocks];
    np_arrival *arrivals = pool->arrival;
    np_divider by_block = engine->by_block;
    size_t landings = 0;
    for (size_t i = 0; i < count; i++) {
        np_node at = hops->at[i];
        uint32_t place = np_bucket_place(pool, &buckets[np_divide(at, by_block)]);
        arrivals[place] = (np_arrival){hops->ticket[i], hops->packet[i], hops->onward[i], at, hops->ahead[i] - 1};
        landed[landings] = (uint16_t)i;
        landings += hops->onward[i] == NP_NONE;
    }
    return landings;
}

/* Packets whose routes have ended land, or rest until the time of their next phase. Returns how many land. */
static np_packet end_routes(np_engine *engine, const np_hops *hops, size_t count, const uint16_t *index)
{
    np_packet landed = 0;
    for (size_t k = 0; k < count; k++) {
        np_packet packet = hops->packet[index[k]];
        np_node at = hops->at[index[k]];
        if (np_engine_rests(engine, packet)) {
            np_engine_park(engine, packet, at, engine->step + 1);
            continue;
        }
        np_engine_land(engine, packet, at, engine->step + 1);
        landed++;
    }
    return landed;
}

/* One packet leaves each busy queue of the block. Returns how many land. */
static np_packet send(np_engine *engine, unsigned from, np_block *block)
{
    np_shard *shard = &engine->shard[from];
    np_busy_walk walk = {0};
    np_hops hops;
    np_queued queued;
    uint16_t landing[NP_BATCH];
    np_packet landed = 0;
    for (size_t count; (count = np_busy_take(&block->busy, &walk, NP_BATCH, hops.link));) {
        take_places(engine, shard, block->first_link, count, &hops, &queued);
        uint32_t longest = queued.count ? take_queued(engine, &block->busy, &hops, &queued) : 1;
        shard->queue_max = larger(shard->queue_max, longest);
        shard->moved += (np_packet)count;
        np_path_hop(engine->plan->path, count, hops.link, hops.ticket, hops.from, hops.at, hops.onward);
        leave(engine->population, count, hops.from);
        if (engine->phase_of)
            np_engine_start_next(engine, shard, engine->step + 1, count, hops.packet, hops.at, hops.ticket, hops.onward,
                                 engine->ahead ? hops.ahead : NULL);
        if (engine->book)
            np_engine_observe_hops(engine, engine->step + 1, count, hops.packet, hops.link, hops.from, hops.at,
                                   hops.onward);
        if (engine->made)
            np_engine_note_hops(engine, count, hops.packet, hops.at);
        size_t landings = hand_over(engine, from, &hops, count, landing);
        landed += end_routes(engine, &hops, landings, landing);
    }
    return landed;
}

void np_engine_move(np_engine *engine, unsigned worker)
{
    np_shard *shard = &engine->shard[worker];
    np_step now = engine->step;
    np_packet finished = shard->finished[now & 1];
    shard->moved = 0;
    if (engine->book && engine->parked)
        np_engine_observe_rests(engine, now + 1);
    for (unsigned b = shard->first_block; b < shard->last_block; b++) {
        receive(engine, shard, b, false);
        finished += send(engine, worker, &engine->block[b]);
    }
    shard->finished[(now + 1) & 1] = finished;
    shard->made[(now + 1) & 1] = shard->made[now & 1] + shard->moved;
}
