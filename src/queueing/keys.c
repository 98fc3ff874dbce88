/*
 * The keys of disciplines that order a queue: what a packet's own route says when
 * the packet enters, at a phase's start (begin.c) as in a step (step.c).
 */
#include "queueing/inside.h"

const uint32_t *np_engine_keys(const np_engine *engine, size_t count, const np_packet *packet, const np_link *link,
                               const np_ticket *ticket, uint32_t *key)
{
    const np_discipline *discipline = engine->queues.discipline;
    const np_path *path = engine->plan->path;
    const uint32_t *priorities = np_traffic_priorities(engine->traffic);
    np_node head[NP_CHUNK_ITEMS];
    uint32_t remaining[NP_CHUNK_ITEMS], made[NP_CHUNK_ITEMS], in_phase[NP_CHUNK_ITEMS], priority[NP_CHUNK_ITEMS];
    if (!discipline->keys)
        return NULL;
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
