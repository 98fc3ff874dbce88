/* The arrays that all queues share. */
#include "engine/schedule/queues.h"

#include <string.h>

#include "base/hot.h"
#include "base/memory.h"

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

static void layout(void *object, np_arena *arena)
{
    np_queues *q = object;
    np_arena_array(arena, &q->packet, q->packets, sizeof *q->packet, "the packets");
    np_arena_array(arena, &q->word, q->links, sizeof *q->word, "the links");
    if (!q->structure->plain) {
        np_arena_array(arena, &q->length, q->links, sizeof *q->length, "the queues' lengths");
        np_arena_array(arena, &q->entered, q->links, sizeof *q->entered, "the queues' counts");
    }
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
    return np_arena_bytes(&queues, 0, layout);
}

np_status np_queues_init(np_queues *queues, const np_discipline *discipline, size_t links, size_t packets)
{
    *queues = of_size(discipline, links, packets);
    queues->far = np_queues_bytes(discipline, links, packets) > FAR_BYTES;
    return np_arena_place(queues, layout, "the queues", &queues->block);
}

void np_queues_clear(np_queues *queues)
{
    np_memory_free(queues->block);
    *queues = (np_queues){0};
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
