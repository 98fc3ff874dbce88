/* The arrays that all queues share. */
#include "schedule/queues.h"

#include <string.h>

#include "base/hot.h"
#include "base/memory.h"

enum { FAR_BYTES = 2 << 20 /* ours: about the second-level cache */ };

np_status np_discipline_find(const char *name, const np_discipline **out)
{
    return np_registry_find(&np_disciplines, name, out);
}

uint64_t np_queues_bytes(const np_discipline *discipline, uint64_t links, uint64_t packets)
{
    uint64_t bytes = links * sizeof(uint32_t) + packets * sizeof(np_packet_record);
    if (!discipline->plain)
        bytes += links * 2 * sizeof(uint32_t);
    if (discipline->tree)
        bytes += packets * sizeof(uint32_t);
    if (discipline->keys)
        bytes += packets * sizeof(uint64_t);
    return bytes;
}

np_status np_queues_init(np_queues *queues, const np_discipline *discipline, size_t links, size_t packets)
{
    np_status st;
    *queues = (np_queues){.discipline = discipline};
    queues->far = np_queues_bytes(discipline, links, packets) > FAR_BYTES;
    if ((st = np_memory_array(&queues->packet, packets, sizeof *queues->packet, "the packets")) ||
        (st = np_memory_array(&queues->word, links, sizeof *queues->word, "the queues")))
        return st;
    if (!discipline->plain &&
        ((st = np_memory_array(&queues->length, links, sizeof *queues->length, "the queues' lengths")) ||
         (st = np_memory_array(&queues->entered, links, sizeof *queues->entered, "the queues' counts"))))
        return st;
    if (discipline->tree && (st = np_memory_array(&queues->child, packets, sizeof *queues->child, "the heaps")))
        return st;
    if (discipline->keys && (st = np_memory_array(&queues->key, packets, sizeof *queues->key, "the heaps' keys")))
        return st;
    return NP_OK;
}

void np_queues_clear(np_queues *queues)
{
    np_memory_free(queues->packet);
    np_memory_free(queues->word);
    np_memory_free(queues->length);
    np_memory_free(queues->entered);
    np_memory_free(queues->child);
    np_memory_free(queues->key);
    *queues = (np_queues){0};
}

NP_HOT uint32_t np_queues_congestion(const np_queues *queues, np_link first, np_link last)
{
    /* The idle bit is set in every word of FIFO's, so the largest word has the largest count. */
    const uint32_t *entered = queues->discipline->plain ? queues->word : queues->entered;
    uint32_t most = 0;
    for (size_t l = first; l < last; l++)
        most = entered[l] > most ? entered[l] : most;
    return most & ~NP_QUEUE_IDLE;
}

NP_HOT void np_queues_reset(np_queues *queues, np_link first, np_link last)
{
    for (size_t l = first; l < last; l++)
        queues->word[l] = NP_QUEUE_IDLE;
    if (queues->length) {
        memset(queues->length + first, 0, (last - first) * sizeof *queues->length);
        memset(queues->entered + first, 0, (last - first) * sizeof *queues->entered);
    }
}
