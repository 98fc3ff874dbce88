/*
 * What must hold at every integral instant (Valiant & Brebner 1981, section
 * 2(c)-(e)): every packet is at one node, and either in one queue there or
 * finished; a link is in the set of busy ones exactly if its queue is not
 * empty. Debug builds audit every step of the stepping engine.
 */
#include "queueing/inside.h"

static bool is_busy(const np_busy *busy, np_link link)
{
    return busy->bits[(link >> 6) - (busy->first >> 6)] >> (link & 63) & 1;
}

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
    uint64_t waiting = 0, finished = 0, somewhere = 0;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        const np_shard *shard = &engine->shard[w];
        finished += shard->finished[engine->step & 1];
        for (np_link link = shard->first_link; link < shard->last_link; link++) {
            uint32_t length = queue_length(&engine->queues, link);
            waiting += length;
            if (is_busy(&shard->busy, link) != (length > 0))
                return "a link is busy without packets, or idle with some";
        }
        for (np_node node = shard->first_node; node < shard->last_node; node++)
            somewhere += engine->population[node];
    }
    if (waiting + finished != engine->packets)
        return "packets waiting and finished are not all there are";
    if (somewhere != engine->packets)
        return "the nodes' populations do not add up to the packets";
    return NULL;
}
