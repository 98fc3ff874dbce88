/*
 * One step, the hot loop: a hop costs a pop, a choice of port and a push.
 * Both passes work on batches of ascending links; each batch passes through a
 * few simple loops, whose arrays stay in the first-level cache.
 */
#include "engine/inside.h"

enum { AHEAD = 16 }; /* items of prefetch distance: ours, measured */

static void leave(np_engine *engine, size_t count, const np_link *link, np_node *from)
{
    np_network_tails(engine->network, count, link, from);
    for (size_t i = 0; i < count; i++)
        engine->population[from[i]]--;
}

static void choose(np_engine *engine, size_t count, const np_packet *packet, const np_node *node, np_ticket *ticket,
                   np_port *port)
{
    const np_path *path = engine->plan->path;
    for (size_t i = 0; i < count; i++)
        ticket[i] = engine->queues.packet[packet[i]].ticket;
    path->rule->next(path, count, node, ticket, port);
}

/* Each packet to the bucket of its new node's owner. */
static void hand_over(np_engine *engine, unsigned from, size_t count, const np_packet *packet, const np_node *node,
                      const np_link *link)
{
    np_bucket *bucket = &engine->pool.bucket[from * engine->options.workers];
    for (size_t i = 0; i < count; i++) {
        unsigned owner = engine->options.workers == 1 ? 0 : np_engine_owner(engine, node[i]);
        np_chunk *chunk = np_bucket_room(&engine->pool, &bucket[owner]);
        uint32_t place = chunk->count++;
        chunk->packet[place] = packet[i];
        chunk->link[place] = link[i];
        chunk->node[place] = node[i];
    }
}

void np_engine_send(np_engine *engine, unsigned from)
{
    np_shard *shard = &engine->shard[from];
    const np_engine_watch *watch = engine->watch;
    np_busy_walk walk = {0};
    np_link link[NP_BATCH], out[NP_BATCH];
    np_packet packet[NP_BATCH];
    np_node node[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    np_port port[NP_BATCH];
    np_step now = engine->step + 1;
    np_packet finished = shard->finished[engine->step & 1];
    np_bucket_empty(&engine->pool, from);
    shard->moved = 0;
    shard->now = now;
    for (size_t count; (count = np_busy_next(&shard->busy, &walk, NP_BATCH, link));) {
        uint32_t longest = engine->queues.discipline->pop(&engine->queues, &shard->busy, count, link, packet);
        shard->queue_max = longest > shard->queue_max ? longest : shard->queue_max;
        shard->moved += (np_packet)count;
        if (watch && watch->on_hops)
            watch->on_hops(watch->context, now, count, packet, link);
        leave(engine, count, link, node);
        np_network_heads(engine->network, count, link, node);
        choose(engine, count, packet, node, ticket, port);
        np_engine_land(engine, shard, now, count, packet, node, ticket, port, &finished);
        for (size_t i = 0; i < count; i++)
            engine->queues.packet[packet[i]].ticket = ticket[i];
        np_network_link_numbers_of(engine->network, count, node, port, out);
        hand_over(engine, from, count, packet, node, out);
    }
    shard->finished[now & 1] = finished;
}

const uint32_t *np_engine_keys(const np_engine *engine, size_t count, const np_packet *packet, const np_link *link,
                               uint32_t *key)
{
    const np_discipline *discipline = engine->queues.discipline;
    const np_path *path = engine->plan->path;
    const uint32_t *priorities = np_traffic_priorities(engine->traffic);
    np_node head[NP_CHUNK_ITEMS];
    np_ticket ticket[NP_CHUNK_ITEMS];
    uint32_t remaining[NP_CHUNK_ITEMS], made[NP_CHUNK_ITEMS], in_phase[NP_CHUNK_ITEMS], priority[NP_CHUNK_ITEMS];
    if (!discipline->keys)
        return NULL;
    for (size_t i = 0; i < count; i++)
        ticket[i] = engine->queues.packet[packet[i]].ticket;
    /* The ticket is already past the hop that the packet queues for: ask from that hop's head. */
    np_network_heads(engine->network, count, link, head);
    path->rule->remaining(path, count, head, ticket, remaining);
    for (size_t i = 0; i < count; i++) {
        remaining[i]++;
        made[i] = engine->length[packet[i]] - remaining[i];
        in_phase[i] = engine->phase_length[packet[i]] - remaining[i];
        priority[i] = priorities ? priorities[packet[i]] : 0;
    }
    np_key_inputs inputs = {remaining, made, in_phase, priority};
    discipline->keys(count, &inputs, key);
    return key;
}

/* Everything in the chunk arrives; what travels on is copied to packet[] and link[]. Returns how many. */
static size_t arrive(np_engine *engine, np_shard *shard, const np_chunk *chunk, np_packet *packet, np_link *link)
{
    uint32_t *population = engine->population, most = shard->population_max;
    size_t onward = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        if (i + AHEAD < chunk->count)
            __builtin_prefetch(&population[chunk->node[i + AHEAD]], 1);
        uint32_t here = ++population[chunk->node[i]];
        most = here > most ? here : most;
        packet[onward] = chunk->packet[i];
        link[onward] = chunk->link[i];
        onward += chunk->link[i] != NP_NONE;
    }
    shard->population_max = most;
    return onward;
}

/*
 * A sum over arrivals of a hash of (packet, where to, when): the same for any
 * division of the nodes over workers, and different as soon as two engines
 * differ in one move.
 */
static uint64_t hash_arrivals(np_step now, const np_chunk *chunk)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        uint64_t where = (uint64_t)chunk->link[i] << 32 | chunk->node[i];
        sum += np_random_mix(np_random_mix(where) ^ ((uint64_t)chunk->packet[i] << 32 | now));
    }
    return sum;
}

void np_engine_receive(np_engine *engine, unsigned to)
{
    np_shard *shard = &engine->shard[to];
    const np_discipline *discipline = engine->queues.discipline;
    unsigned workers = engine->options.workers;
    np_packet packet[NP_CHUNK_ITEMS];
    np_link link[NP_CHUNK_ITEMS];
    uint32_t key[NP_CHUNK_ITEMS];
    for (unsigned from = 0; from < workers; from++)
        for (uint32_t c = engine->pool.bucket[from * workers + to].first; c != NP_NONE; c = engine->pool.chunk[c].next) {
            const np_chunk *chunk = &engine->pool.chunk[c];
            size_t count = arrive(engine, shard, chunk, packet, link);
            uint32_t most = discipline->push(&engine->queues, &shard->busy, count, link, packet,
                                             np_engine_keys(engine, count, packet, link, key));
            shard->congestion = most > shard->congestion ? most : shard->congestion;
            if (engine->watch && engine->watch->hash)
                shard->hash += hash_arrivals(shard->now, chunk);
        }
}
