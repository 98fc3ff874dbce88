/*
 * Phases that stop at a fixed time (Valiant & Brebner 1981, Theorem 4: "each
 * Phase given n + K n^(3/4) time"): packets that are on their way stay at the
 * nodes where they are. A packet that leaves a queue does not say where it is, so each hop is noted.
 */
#include "queueing/inside.h"

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
