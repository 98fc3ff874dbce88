/*
 * The start of a phase that is stepped: tickets, and the first queues.
 *
 * Valiant & Brebner 1981, section 7: "The order of packets in each queue that
 * was nonempty when Phase B was about to start, was always randomized". Here
 * every phase does so: a queue's packets are first listed by number, then
 * shuffled by draws of (seed, run, phase, link).
 */
#include "engine/queueing/inside.h"
#include "model/traffic/traffic.h"

#include <string.h>

#include "base/memory.h"

/*
 * * The keys of disciplines that order a queue. A key is computed from the packet's own route when
 * the packet enters the queue, at the start of a phase (begin.c) or in a step (step.c).
 */

/* Hops that a packet has yet to queue for in its phase, that over its link included. */
static void count_hops_left(const np_engine *engine, size_t count, const np_link *link, const np_ticket *ticket,
                            uint32_t *left)
{
    const np_path *path = engine->plan->path;
    np_node head[NP_BATCH];
    np_network_heads(engine->network, count, link, head);
    path->rule->remaining(path, count, head, ticket, left);
    for (size_t i = 0; i < count; i++)
        left[i]++;
}

const uint32_t *np_engine_keys(const np_engine *engine, size_t count, const np_packet *packet, const np_link *link,
                               const np_ticket *ticket, uint32_t *key)
{
    const np_discipline *discipline = engine->queues.discipline;
    const uint32_t *priorities = engine->open ? NULL : np_traffic_priorities(engine->traffic);
    uint32_t remaining[NP_BATCH], made[NP_BATCH], in_phase[NP_BATCH], priority[NP_BATCH];
    if (!discipline->keys)
        return NULL;
    count_hops_left(engine, count, link, ticket, remaining);
    for (size_t i = 0; i < count; i++)
        priority[i] = priorities && !engine->share ? priorities[packet[i]] : 0;
    /* Lengths are in other cache lines: they are read only where keys need them. */
    for (size_t i = 0; i < count && engine->queues.structure->made && !engine->share; i++) {
        made[i] = engine->length[packet[i]] - remaining[i];
        in_phase[i] = engine->phase_length[packet[i]] - remaining[i];
    }
    for (size_t i = 0; i < count && engine->share; i++) {
        const np_carried *carried = &engine->share->carried[packet[i]];
        made[i] = in_phase[i] = carried->length - remaining[i];
        priority[i] = carried->priority;
    }
    np_key_inputs inputs = {remaining, made, in_phase, priority};
    discipline->keys(count, &inputs, key);
    return key;
}

extern const np_discipline np_discipline_fifo;

void np_engine_prepare(np_engine *engine, np_shard *shard, unsigned phase, size_t count, const np_packet *packet,
                       const np_node *at, np_ticket *ticket)
{
    const np_engine_plan *plan = engine->plan;
    const np_path *path = plan->path;
    const np_node *destinations = np_traffic_destinations(engine->traffic);
    np_packet first = np_traffic_part(engine->traffic).first, number[NP_BATCH];
    np_draws draws = engine->draws;
    np_node destination[NP_BATCH], target[NP_BATCH], *to = destination;
    uint32_t hops[NP_BATCH];
    draws.phase = (uint16_t)phase;
    for (size_t i = 0; i < count; i++) {
        destination[i] = destinations[packet[i]];
        number[i] = first + packet[i];
    }
    np_draws target_draws = np_draws_for(draws, NP_RANDOM_TARGET), ticket_draws = np_draws_for(draws, NP_RANDOM_TICKET);
    if (plan->targets) {
        np_aim aim = {engine->network,
                      plan->tables,
                      phase,
                      &target_draws,
                      count,
                      number,
                      at,
                      destination,
                      np_array_from(np_traffic_sources(engine->traffic), first, sizeof *at),
                      plan->via};
        plan->targets(&aim, to = target);
    }
    path->rule->start(path, &ticket_draws, count, number, at, to, ticket);
    path->rule->remaining(path, count, at, ticket, hops);
    for (size_t i = 0; i < count; i++) {
        shard->hops += hops[i];
        if (engine->phase_of) {
            engine->length[packet[i]] += hops[i];
            engine->phase_of[packet[i]] = (uint8_t)phase;
        }
        engine->phase_length[packet[i]] = hops[i];
        if (engine->share)
            np_engine_share_begin(engine, packet[i], hops[i]);
    }
}

/* Prepares the packets and takes each past its first hop. port: its first one; NP_NONE: it is at its target. */
static void start(np_engine *engine, np_shard *shard, unsigned phase, size_t count, const np_packet *packet,
                  const np_node *at, np_ticket *ticket, np_port *port)
{
    const np_path *path = engine->plan->path;
    np_engine_prepare(engine, shard, phase, count, packet, at, ticket);
    path->rule->next(path, count, at, ticket, port);
}

/* Lists the packets that have ended phase `phase`, by their places in the batch. */
static size_t ended_phase(const np_engine *engine, unsigned phase, size_t count, const np_packet *packet,
                          const np_port *port, uint16_t *index)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (port[i] == NP_NONE && engine->phase_of[packet[i]] == phase)
            index[found++] = (uint16_t)i;
    return found;
}

void np_engine_start_next(np_engine *engine, np_shard *shard, np_step now, size_t count, const np_packet *packet,
                          const np_node *at, np_ticket *ticket, np_port *port)
{
    uint16_t index[NP_BATCH];
    np_packet some_packet[NP_BATCH];
    np_node some_at[NP_BATCH];
    np_ticket some_ticket[NP_BATCH];
    np_port some_port[NP_BATCH];
    /* Phases in order: a route of no hops lets a packet pass through several at once. */
    for (unsigned phase = engine->phase; phase + 1 < engine->plan->phases; phase++) {
        if (now < np_engine_start_of(engine, phase + 1))
            break; /* later phases start later still */
        size_t found = ended_phase(engine, phase, count, packet, port, index);
        if (engine->parked && now > np_engine_start_of(engine, phase + 1))
            shard->late += (uint32_t)found;
        for (size_t i = 0; i < found; i++) {
            some_packet[i] = packet[index[i]];
            some_at[i] = at[index[i]];
        }
        start(engine, shard, phase + 1, found, some_packet, some_at, some_ticket, some_port);
        for (size_t i = 0; i < found; i++) {
            ticket[index[i]] = some_ticket[i];
            port[index[i]] = some_port[i];
        }
    }
}

void np_engine_hand_out(np_engine *engine, unsigned from, np_step now, size_t count, const np_packet *packet,
                        const np_node *at, const np_ticket *ticket, const np_port *port)
{
    np_bucket_pool *pool = &engine->pool;
    for (size_t i = 0; i < count; i++) {
        if (port[i] == NP_NONE && np_engine_rests(engine, packet[i])) {
            np_engine_park(engine, packet[i], at[i], now);
            continue;
        }
        if (port[i] == NP_NONE) {
            np_engine_land(engine, packet[i], at[i], now);
            if (engine->share)
                engine->share->number[packet[i]] = NP_NONE;
            if (engine->book)
                np_engine_observe_landing(engine, now, packet[i], at[i]);
            engine->shard[from].finished[now & 1]++;
            continue;
        }
        np_bucket *bucket = np_bucket_row(pool, from, now) + np_engine_block_of(engine, at[i]);
        uint32_t place = np_bucket_place(pool, from, bucket);
        bucket->last->ticket[place] = ticket[i];
        bucket->last->packet[place] = packet[i];
        bucket->last->node[place] = at[i];
        bucket->last->onward[place] = port[i];
        bucket->last->over[place] = 0;
    }
}

void np_engine_ticket(np_engine *engine, unsigned from)
{
    np_shard *shard = &engine->shard[from];
    uint64_t packets = engine->packets, workers = engine->options.workers;
    np_packet first = (np_packet)(packets * from / workers), last = (np_packet)(packets * (from + 1) / workers);
    np_packet packet[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    np_port port[NP_BATCH];
    for (np_packet base = first; base < last;) {
        size_t count = last - base < NP_BATCH ? last - base : NP_BATCH;
        const np_node *at = engine->location + base;
        for (size_t i = 0; i < count; i++) {
            packet[i] = base + (np_packet)i;
            engine->length[packet[i]] = 0;
            if (engine->made)
                engine->made[packet[i]] = 0;
            if (engine->parked)
                engine->parked[packet[i]] = 0;
            if (engine->rested)
                engine->rested[packet[i]] = 0;
        }
        start(engine, shard, engine->phase, count, packet, at, ticket, port);
        if (engine->phase_of)
            np_engine_start_next(engine, shard, 0, count, packet, at, ticket, port);
        np_engine_hand_out(engine, from, 0, count, packet, at, ticket, port);
        base += (np_packet)count;
    }
}

/* Copies the packets of a circular list, first to last, into shard->order. */
static size_t list_queue(np_engine *engine, np_shard *shard, np_link link)
{
    const np_packet_record *record = engine->queues.packet;
    np_packet last = engine->queues.word[link], p = last;
    size_t length = record[last].entered + 1; /* nothing has left, so the last ordinal gives the length */
    if (shard->status)
        return 0; /* the run ends before its first step: an earlier queue found no memory */
    if (length > shard->order_room) {
        shard->status = np_memory_grow(&shard->order, 0, length * 2, sizeof *shard->order, "a queue's first order");
        if (shard->status)
            return 0;
        shard->order_room = length * 2;
    }
    for (size_t i = 0; i < length; i++)
        shard->order[i] = p = record[p].next;
    return length;
}

static void swap(np_packet *order, size_t i, size_t j)
{
    np_packet moved = order[i];
    order[i] = order[j];
    order[j] = moved;
}

/* Makes a heap of order[at .. end-1] whose parts below order[at] are heaps: the largest number comes first. */
static void sift(const np_packet *number, np_packet *order, size_t at, size_t end)
{
    for (size_t child; (child = 2 * at + 1) < end; at = child) {
        if (child + 1 < end && number[order[child]] < number[order[child + 1]])
            child++;
        if (number[order[at]] >= number[order[child]])
            return;
        swap(order, at, child);
    }
}

/* What comes from other ranks comes in any order. */
static void sort_by_number(const np_engine *engine, size_t length, np_packet *order)
{
    const np_packet *number = engine->share ? engine->share->number : NULL;
    if (!number)
        return;
    for (size_t at = length / 2; at-- > 0;)
        sift(number, order, at, length);
    for (size_t end = length; end-- > 1;) {
        swap(order, 0, end);
        sift(number, order, 0, end);
    }
}

static void shuffle(const np_draws *draws, np_link link, size_t length, np_packet *order)
{
    for (size_t i = length; i > 1; i--)
        swap(order, i - 1, np_engine_order_draw(draws, link, i));
}

/* Takes the queue apart and enters its packets again, in random order and by the discipline's own rule. */
static void enter_again(np_engine *engine, np_shard *shard, np_busy *busy, const np_draws *draws, np_link link)
{
    size_t length = list_queue(engine, shard, link);
    np_link same[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    uint32_t key[NP_BATCH];
    sort_by_number(engine, length, shard->order);
    shuffle(draws, link, length, shard->order);
    engine->queues.word[link] = NP_QUEUE_IDLE;
    for (size_t i = 0; i < NP_BATCH && i < length; i++)
        same[i] = link;
    for (size_t base = 0; base < length; base += NP_BATCH) {
        size_t count = length - base < NP_BATCH ? length - base : NP_BATCH;
        const np_packet *packet = shard->order + base;
        for (size_t i = 0; i < count; i++)
            ticket[i] = engine->queues.packet[packet[i]].ticket;
        engine->queues.structure->push(&engine->queues, busy, count, same, packet, ticket,
                                       np_engine_keys(engine, count, packet, same, ticket, key));
    }
}

/* The links of a chunk's packets. */
static void links_of(const np_engine *engine, uint32_t count, const np_chunk *chunk, np_link *link)
{
    np_network_link_numbers_of(engine->network, count, chunk->node, chunk->onward, link);
}

/* Marks links in shard->once, and in shard->twice those that are marked already. */
static void mark_links(np_shard *shard, np_link first, uint32_t count, const np_link *link)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t word = (link[i] - first) >> 6;
        uint64_t bit = UINT64_C(1) << (link[i] & 63);
        shard->twice[word] |= shard->once[word] & bit;
        shard->once[word] |= bit;
    }
}

/*
 * The packets of a chunk that are not alone at their links enter the queues by number. They are taken out of the
 * bucket: there their routes end. all: those who are alone, too.
 */
static void list_chunk(np_engine *engine, const np_shard *shard, np_block *block, uint32_t count, np_chunk *chunk,
                       bool all)
{
    np_link link[NP_CHUNK_ITEMS];
    np_packet packet[NP_CHUNK_ITEMS];
    np_ticket ticket[NP_CHUNK_ITEMS];
    size_t listed = 0;
    links_of(engine, count, chunk, link);
    for (uint32_t i = 0; i < count; i++) {
        np_link bit = link[i] - block->busy.first;
        if (!all && !(shard->twice[bit >> 6] >> (bit & 63) & 1))
            continue;
        link[listed] = link[i];
        packet[listed] = chunk->packet[i];
        ticket[listed++] = chunk->ticket[i];
        chunk->onward[i] = NP_NONE;
    }
    np_discipline_fifo.structure->push(&engine->queues, &block->busy, listed, link, packet, ticket, NULL);
    if (engine->book)
        np_engine_observe_entry(engine, listed, packet, link);
}

/*
 * Slices of senders ascend and each bucket keeps its order: every queue lists its packets by number, but for those that
 * have come from other ranks.
 */
static void list_packets(np_engine *engine, np_shard *shard, np_block *block, bool all)
{
    np_bucket_pool *pool = &engine->pool;
    np_bucket_walk walk = {.block = (unsigned)(block - engine->block)}, again = walk;
    np_link link[NP_CHUNK_ITEMS];
    memset(shard->once, 0, block->busy.words * sizeof *shard->once);
    memset(shard->twice, 0, block->busy.words * sizeof *shard->twice);
    for (uint32_t count; !all && (count = np_bucket_next(pool, &walk));) {
        links_of(engine, count, &pool->chunk[walk.chunk], link);
        mark_links(shard, block->busy.first, count, link);
    }
    for (uint32_t count; (count = np_bucket_next(pool, &again));)
        list_chunk(engine, shard, block, count, &pool->chunk[again.chunk], all);
    if (all)
        np_bucket_empty(pool, (unsigned)(shard - engine->shard), again.block, 0);
}

void np_engine_fill(np_engine *engine, unsigned to)
{
    np_shard *shard = &engine->shard[to];
    const np_queues *queues = &engine->queues;
    np_draws draws = np_draws_for(engine->draws, NP_RANDOM_ORDER);
    np_link link[NP_BATCH];
    for (unsigned b = shard->first_block; b < shard->last_block; b++) {
        np_busy *busy = &engine->block[b].busy;
        np_busy_walk walk = {0};
        list_packets(engine, shard, &engine->block[b], np_engine_is_told(engine));
        for (size_t count; (count = np_busy_take(busy, &walk, NP_BATCH, link));)
            for (size_t i = 0; i < count; i++)
                if (!queues->structure->plain || queues->packet[queues->word[link[i]]].entered)
                    enter_again(engine, shard, busy, &draws, link[i]);
                else
                    np_busy_set(busy, link[i]);
    }
}
