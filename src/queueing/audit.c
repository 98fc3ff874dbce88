/*
 * What must hold at every integral instant (Valiant & Brebner 1981, section
 * 2(c)-(e)): every packet is at one node, and either in one queue there, at
 * rest before a phase, or finished; a link is in the set of busy ones exactly if its queue is not
 * empty. Debug builds audit every step of the stepping engine.
 */
#include "queueing/inside.h"

/* The length of a queue; 0: it is empty. */
static uint32_t queue_length(const np_queues *queues, np_link link)
{
    uint32_t word = queues->word[link];
    if (word & NP_QUEUE_IDLE)
        return 0;
    if (!queues->structure->plain)
        return queues->length[link];
    return queues->packet[word].entered - queues->packet[queues->packet[word].next].entered + 1;
}

const char *np_engine_audit(const np_engine *engine)
{
    uint64_t waiting = 0, finished = np_engine_finished(engine), resting = 0, somewhere = 0;
    for (unsigned b = 0; b < engine->blocks; b++) {
        const np_block *block = &engine->block[b];
        for (np_link link = block->first_link; link < block->last_link; link++) {
            uint32_t length = queue_length(&engine->queues, link);
            waiting += length;
            if (np_busy_has(&block->busy, link) != (length > 0))
                return "a link is busy without packets, or idle with some";
        }
        for (np_node node = block->first_node; node < block->last_node; node++)
            somewhere += engine->population[node];
    }
    for (np_packet p = 0; p < engine->packets && engine->parked; p++)
        resting += engine->parked[p];
    if (waiting + finished + resting != engine->packets)
        return "packets waiting, at rest and finished are not all there are";
    if (somewhere != engine->packets)
        return "the nodes' populations do not add up to the packets";
    return NULL;
}
