/* The arrays that all queues share. */
#include "engine/schedule/queues.h"

#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "base/share.h"

enum { FAR_BYTES = 2 << 20 /* ours: about the second-level cache */ };

np_status np_discipline_find(const char *name, const np_discipline **out)
{
    return np_registry_find(&np_disciplines, name, out);
}

np_status np_discipline_register(const np_discipline *discipline)
{
    const np_member members[] = {
        {"keys", NP_REQUIRED, discipline->keys}, {"structure", NP_RESERVED, discipline->structure}, {NULL}};
    return np_registry_add(&np_disciplines, &discipline->info, members);
}

const np_queue_structure *np_discipline_structure(const np_discipline *discipline)
{
    return discipline->structure ? discipline->structure : &np_queue_heap;
}

static void layout_links(void *object, np_arena *arena)
{
    np_queues *q = object;
    np_arena_array(arena, &q->word, q->links, sizeof *q->word, "the links");
    if (!q->structure->plain) {
        np_arena_array(arena, &q->length, q->links, sizeof *q->length, "the queues' lengths");
        np_arena_array(arena, &q->entered, q->links, sizeof *q->entered, "the queues' counts");
    }
}

static void layout_packets(void *object, np_arena *arena)
{
    np_queues *q = object;
    np_arena_array(arena, &q->packet, q->packets, sizeof *q->packet, "the packets");
    if (q->structure->tree)
        np_arena_array(arena, &q->child, q->packets, sizeof *q->child, "the heaps");
    if (q->discipline->keys)
        np_arena_array(arena, &q->key, q->packets, sizeof *q->key, "the heaps' keys");
}

static np_queues of_size(const np_discipline *discipline, size_t links, size_t packets)
{
    return (np_queues){
        .discipline = discipline, .structure = np_discipline_structure(discipline), .links = links, .packets = packets};
}

uint64_t np_queues_bytes(const np_discipline *discipline, uint64_t links, uint64_t packets)
{
    np_queues queues = of_size(discipline, links, packets);
    return np_arena_bytes(&queues, 0, layout_links) + np_arena_bytes(&queues, 0, layout_packets);
}

np_status np_queues_init(np_queues *queues, const np_discipline *discipline, np_link first, size_t links,
                         size_t packets)
{
    np_status st;
    *queues = of_size(discipline, links, packets);
    queues->far = np_queues_bytes(discipline, links, packets) > FAR_BYTES;
    if ((st = np_arena_place(queues, layout_links, "the queues", &queues->block[0])) ||
        (st = np_arena_place(queues, layout_packets, "the queues", &queues->block[1])))
        return st;
    queues->first = first;
    queues->word = np_array_from(queues->word, first, sizeof *queues->word);
    if (!queues->structure->plain) {
        queues->length = np_array_from(queues->length, first, sizeof *queues->length);
        queues->entered = np_array_from(queues->entered, first, sizeof *queues->entered);
    }
    return NP_OK;
}

void np_queues_clear(np_queues *queues)
{
    NP_MEMORY_FREE(queues->block[0], queues->block[1]);
    *queues = (np_queues){0};
}

np_status np_queues_grow(np_queues *queues, size_t packets)
{
    np_queues grown = *queues;
    np_status st;
    grown.packets = packets;
    if ((st = np_arena_place(&grown, layout_packets, "the queues", &grown.block[1])))
        return st;
    memcpy(grown.packet, queues->packet, queues->packets * sizeof *queues->packet);
    if (grown.structure->tree)
        memcpy(grown.child, queues->child, queues->packets * sizeof *queues->child);
    if (grown.discipline->keys)
        memcpy(grown.key, queues->key, queues->packets * sizeof *queues->key);
    np_memory_free(queues->block[1]);
    *queues = grown;
    return NP_OK;
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
