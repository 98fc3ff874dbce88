/*
 * The queueing engine's share of a run that several ranks carry out together (base/share.h). Each rank has a range of
 * the nodes, with their links and blocks, and a range of the packets' numbers, its own packets. Its arrays are as large
 * as its share.
 *
 * Hand-over between ranks is hand-over between blocks: what crosses to a node of another rank is in a bucket for this
 * rank, is sent after the step, and is put into the buckets of the receiver's blocks. There it stands before what
 * comes from the receiver's own blocks if the sender has smaller nodes, else behind it, so a queue is entered in
 * ascending order of links as ever (arrive.c).
 *
 * On its way a packet is known by a place in the arrays of the rank where it is; the rank that it leaves takes this
 * place back, and the next one gives it another. When it lands, its last place keeps where and when, until the phase is
 * over and its own rank is told.
 */
#include <string.h>

#include "base/memory.h"
#include "engine/queueing/inside.h"
#include "model/traffic/traffic.h"

enum { SPARE = 1024 }; /* ours: places beside an equal share, besides a part in 32 of it */

/* What is sent of a packet on its way. */
typedef struct traveller {
    np_ticket ticket;
    np_packet number;
    np_node node;
    uint32_t onward;
    np_link over;
    np_carried carried; /* only where disciplines have keys */
} traveller;

/* What is sent of a packet that has landed. */
typedef struct landing {
    np_packet number;
    np_node at;
    np_step when;
} landing;

_Static_assert(NP_CHUNK_ITEMS * sizeof(traveller) <= NP_JOB_ROOM, "a chunk is sent at once");

static size_t traveller_bytes(const np_engine_share *share)
{
    return share->carried ? sizeof(traveller) : offsetof(traveller, carried);
}

/* ---- Life ---- */

size_t np_engine_slots(const np_engine_options *options)
{
    size_t each = np_share_of(options->job, (uint32_t)options->packets).each.divisor;
    return options->job ? each + each / 32 + SPARE : options->packets;
}

uint64_t np_engine_share_bytes(const np_engine_options *options)
{
    size_t slots = np_engine_slots(options);
    if (!options->job)
        return 0;
    return np_memory_taken(sizeof(np_engine_share)) + np_memory_taken(slots * sizeof(np_packet)) +
           (options->discipline->keys ? np_memory_taken(slots * sizeof(np_carried)) : 0) +
           np_memory_taken(options->job->size * sizeof(np_packet));
}

/* Links from other ranks into each block, where they need not be as many as lead out of it. */
static void count_from_ranks(np_engine *engine)
{
    const np_network *network = engine->network;
    for (np_node u = 0; network->row && u < network->nodes; u++)
        for (np_link link = network->row[u]; link < network->row[u + 1] && !np_share_has(&engine->nodes, u); link++)
            if (np_share_has(&engine->nodes, network->head[link]))
                engine->block[np_engine_block_of(engine, network->head[link])].from_ranks++;
}

np_status np_engine_share_create(np_engine *engine)
{
    const np_job *job = engine->options.job;
    np_engine_share *share;
    np_status st;
    if (!job)
        return NP_OK;
    if ((st = np_memory_zeroed(&share, 1, sizeof *share, "a share")))
        return st;
    engine->share = share;
    share->job = job;
    count_from_ranks(engine);
    return np_memory_array(&share->landed, job->size, sizeof *share->landed, "packets by rank");
}

void np_engine_share_free(np_engine_share *share)
{
    if (!share)
        return;
    NP_MEMORY_FREE(share->number, share->carried, share->landed, share);
}

void np_engine_share_place(np_engine *engine)
{
    engine->share->packets = np_share_of(engine->share->job, np_traffic_packets(engine->traffic));
    engine->share->placed = false;
}

/* Places for as many packets as the queues have room for. */
static np_status reserve_places(np_engine *engine)
{
    np_engine_share *share = engine->share;
    size_t slots = engine->queues.packets, kept = share->room;
    np_status st;
    share->slots = (np_packet)slots;
    if (slots <= kept)
        return NP_OK;
    if ((st = np_memory_grow(&share->number, kept, slots, sizeof *share->number, "packets of other ranks")))
        return st;
    if (engine->queues.discipline->keys &&
        (st = np_memory_grow(&share->carried, kept, slots, sizeof *share->carried, "packets of other ranks")))
        return st;
    share->room = slots;
    return NP_OK;
}

np_status np_engine_share_reserve(np_engine *engine, np_status own)
{
    np_engine_share *share = engine->share;
    if (!share)
        return own;
    share->taken = engine->packets;
    share->given_back = NP_NONE;
    share->finished = 0;
    share->status = NP_OK;
    np_status st = np_job_agree(share->job, own ? own : reserve_places(engine));
    if (!st && !share->placed) {
        memset(engine->population + engine->nodes.first, 0,
               np_share_items(&engine->nodes) * sizeof *engine->population);
        st = np_share_count(&engine->nodes, share->job, engine->packets, engine->location,
                            engine->population + engine->nodes.first);
    }
    share->placed = true;
    return st;
}

/* Room for a quarter more. */
static np_status grow(np_engine *engine)
{
    size_t slots = engine->share->slots, more = slots + slots / 4 + SPARE;
    np_status st;
    if (more > NP_PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "more than %d packets at the nodes of one rank", NP_PACKETS_MAX);
    if ((st = np_bucket_pool_grow(&engine->pool, more)) || (st = np_queues_grow(&engine->queues, more)))
        return st;
    return reserve_places(engine);
}

/* ---- Packets on their way ---- */

void np_engine_share_begin(np_engine *engine, np_packet packet, uint32_t hops)
{
    np_engine_share *share = engine->share;
    const uint32_t *priority = np_traffic_priorities(engine->traffic);
    if (!engine->can_step) /* the method needs no places */
        return;
    share->number[packet] = share->packets.first + packet;
    if (share->carried)
        share->carried[packet] = (np_carried){hops, priority ? priority[packet] : 0};
}

void np_engine_share_land(np_engine *engine, np_packet packet, np_node at, np_step now)
{
    np_engine_share *share = engine->share;
    np_packet number = share->number[packet];
    if (np_share_has(&share->packets, number)) {
        np_engine_land(engine, number - share->packets.first, at, now);
        share->number[packet] = NP_NONE;
    } else
        engine->queues.packet[packet].ticket = (np_ticket)now << 32 | at;
}

static void give_back(np_engine *engine, np_packet packet)
{
    np_engine_share *share = engine->share;
    engine->queues.packet[packet].next = share->given_back;
    share->given_back = packet;
    share->number[packet] = NP_NONE;
}

/* A place for a packet that has come; NP_NONE: there is no memory. */
static np_packet find_place(np_engine *engine)
{
    np_engine_share *share = engine->share;
    np_packet place = share->given_back;
    if (place != NP_NONE) {
        share->given_back = engine->queues.packet[place].next;
        return place;
    }
    if (share->taken == share->slots && !share->status)
        share->status = grow(engine);
    return share->status ? NP_NONE : share->taken++;
}

static void pack(np_engine *engine, const np_chunk *chunk, uint32_t count, char *data)
{
    const np_engine_share *share = engine->share;
    size_t bytes = traveller_bytes(share);
    for (uint32_t i = 0; i < count; i++) {
        np_packet packet = chunk->packet[i];
        traveller t = {.ticket = chunk->ticket[i],
                       .number = share->number[packet],
                       .node = chunk->node[i],
                       .onward = chunk->onward[i],
                       .over = chunk->over[i]};
        if (share->carried)
            t.carried = share->carried[packet];
        memcpy(data + i * bytes, &t, bytes);
        give_back(engine, packet);
    }
}

/* As many chunks as have room. */
static size_t fill_travellers(void *object, unsigned to, void *data, size_t room)
{
    np_engine *engine = object;
    size_t bytes = traveller_bytes(engine->share), filled = 0;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        np_bucket *bucket = np_bucket_row(&engine->pool, w, engine->step) + engine->blocks + to;
        while (room - filled >= NP_CHUNK_ITEMS * bytes) {
            uint32_t count;
            const np_chunk *chunk = np_bucket_shift(&engine->pool, w, bucket, &count);
            if (!chunk)
                break;
            pack(engine, chunk, count, (char *)data + filled);
            filled += count * bytes;
        }
    }
    return filled;
}

/* Puts a packet that has come into the bucket of its block. */
static void put(np_engine *engine, const traveller *t, np_packet packet, bool after)
{
    np_bucket *bucket =
        np_bucket_row_of_ranks(&engine->pool, after, engine->step) + np_engine_block_of(engine, t->node);
    uint32_t place = np_bucket_place(&engine->pool, 0, bucket);
    bucket->last->ticket[place] = t->ticket;
    bucket->last->packet[place] = packet;
    bucket->last->node[place] = t->node;
    bucket->last->onward[place] = t->onward;
    bucket->last->over[place] = t->over;
}

static void take_travellers(void *object, unsigned from, const void *data, size_t bytes)
{
    np_engine *engine = object;
    np_engine_share *share = engine->share;
    size_t each = traveller_bytes(share);
    for (size_t i = 0; i < bytes / each; i++) {
        traveller t;
        np_packet packet = find_place(engine);
        if (packet == NP_NONE)
            return;
        memcpy(&t, (const char *)data + i * each, each);
        share->number[packet] = t.number;
        if (share->carried)
            share->carried[packet] = t.carried;
        if (t.onward == NP_NONE)
            np_engine_share_land(engine, packet, t.node, engine->step);
        put(engine, &t, packet, from > share->job->rank);
    }
}

np_status np_engine_share_exchange(np_engine *engine, np_status own)
{
    np_engine_share *share = engine->share;
    np_status st = own ? own : share ? share->status : NP_OK;
    if (!share)
        return own;
    const np_job_stream stream = {engine, fill_travellers, take_travellers};
    uint64_t sum[2] = {0, st != NP_OK};
    for (unsigned w = 0; w < engine->options.workers; w++)
        sum[0] += engine->shard[w].finished[engine->step & 1];
    np_status exchanged = np_job_stream_all(share->job, &stream, 2, sum);
    if (exchanged)
        return exchanged;
    share->finished = (np_packet)sum[0];
    return sum[1] ? np_job_agree(share->job, st) : NP_OK;
}

/* ---- The end of a phase ---- */

static size_t fill_landings(void *object, unsigned to, void *data, size_t room)
{
    const np_engine *engine = object;
    const np_engine_share *share = engine->share;
    np_packet *next = &share->landed[to];
    size_t filled = 0;
    for (; *next != NP_NONE && room - filled >= sizeof(landing); filled += sizeof(landing)) {
        const np_packet_record *record = &engine->queues.packet[*next];
        landing l = {share->number[*next], (np_node)record->ticket, (np_step)(record->ticket >> 32)};
        memcpy((char *)data + filled, &l, sizeof l);
        *next = record->next;
    }
    return filled;
}

static void take_landings(void *object, unsigned from, const void *data, size_t bytes)
{
    np_engine *engine = object;
    (void)from;
    for (size_t i = 0; i < bytes / sizeof(landing); i++) {
        landing l;
        memcpy(&l, (const char *)data + i * sizeof l, sizeof l);
        np_engine_land(engine, l.number - engine->share->packets.first, l.at, l.when);
    }
}

np_status np_engine_share_home(np_engine *engine)
{
    np_engine_share *share = engine->share;
    if (!share)
        return NP_OK;
    for (unsigned r = 0; r < share->job->size; r++)
        share->landed[r] = NP_NONE;
    for (np_packet p = 0; p < share->taken; p++) {
        if (share->number[p] == NP_NONE)
            continue;
        np_packet *first = &share->landed[np_share_owner(&share->packets, share->number[p])];
        engine->queues.packet[p].next = *first;
        *first = p;
    }
    const np_job_stream stream = {engine, fill_landings, take_landings};
    return np_job_stream_all(share->job, &stream, 0, NULL);
}

np_status np_engine_share_collect(const np_engine *engine, np_phase_run *out)
{
    const np_job *job = engine->share->job;
    uint64_t sum[] = {out->hops, out->late, out->delay_sum};
    uint64_t most[] = {out->queue_max, out->population_max, out->congestion, out->delay_max};
    np_status st;
    if ((st = np_job_sum(job, sizeof sum / sizeof *sum, sum)) ||
        (st = np_job_most(job, sizeof most / sizeof *most, most)))
        return st;
    out->hops = sum[0];
    out->late = (uint32_t)sum[1];
    out->delay_sum = sum[2];
    out->queue_max = (uint32_t)most[0];
    out->population_max = (uint32_t)most[1];
    out->congestion = (uint32_t)most[2];
    out->delay_max = (np_step)most[3];
    return NP_OK;
}
