/*
 * The keys of disciplines that order a queue. A key is computed from the packet's own route when
 * the packet enters the queue, at the start of a phase (begin.c) or in a step (step.c).
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
    /* The ticket is already past the hop for which the packet queues: ask from the head of this hop. */
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
