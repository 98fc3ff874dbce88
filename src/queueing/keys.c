/*
 * The keys of disciplines that order a queue. A key is computed from the packet's own route when
 * the packet enters the queue, at the start of a phase (begin.c) or in a step (step.c).
 */
#include "queueing/inside.h"

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
    const uint32_t *priorities = np_traffic_priorities(engine->traffic);
    uint32_t remaining[NP_BATCH], made[NP_BATCH], in_phase[NP_BATCH], priority[NP_BATCH];
    if (!discipline->keys)
        return NULL;
    count_hops_left(engine, count, link, ticket, remaining);
    for (size_t i = 0; i < count; i++)
        priority[i] = priorities ? priorities[packet[i]] : 0;
    /* Lengths are in other cache lines: they are read only where keys need them. */
    for (size_t i = 0; i < count && engine->queues.structure->made; i++) {
        made[i] = engine->length[packet[i]] - remaining[i];
        in_phase[i] = engine->phase_length[packet[i]] - remaining[i];
    }
    np_key_inputs inputs = {remaining, made, in_phase, priority};
    discipline->keys(count, &inputs, key);
    return key;
}
