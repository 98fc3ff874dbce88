/*
 * The keys of disciplines that order a queue. A key is computed from the packet's own route when
 * the packet enters the queue, at the start of a phase (begin.c) or in a step (step.c).
 */
#include "queueing/inside.h"

const uint32_t *np_engine_keys(const np_engine *engine, size_t count, const np_packet *packet, uint32_t *key)
{
    const np_discipline *discipline = engine->queues.discipline;
    const uint32_t *priorities = np_traffic_priorities(engine->traffic);
    uint32_t remaining[NP_BATCH], made[NP_BATCH], in_phase[NP_BATCH], priority[NP_BATCH];
    if (!discipline->keys)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        remaining[i] = engine->ahead[packet[i]];
        priority[i] = priorities ? priorities[packet[i]] : 0;
    }
    /* Lengths are in other cache lines: they are read only where keys need them. */
    for (size_t i = 0; i < count && engine->queues.structure->made; i++) {
        made[i] = engine->length[packet[i]] - remaining[i];
        in_phase[i] = engine->phase_length[packet[i]] - remaining[i];
    }
    np_key_inputs inputs = {remaining, made, in_phase, priority};
    discipline->keys(count, &inputs, key);
    return key;
}
