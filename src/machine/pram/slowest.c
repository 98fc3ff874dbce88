/* See machine.h. */
#include "machine/pram/machine.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static void layout(void *object, np_arena *arena)
{
    np_slowest *s = object;
    np_arena_array(arena, &s->key, s->groups, sizeof *s->key, "the slowest batch");
    np_arena_array(arena, &s->module, s->groups, sizeof *s->module, "the slowest batch");
    np_arena_array(arena, &s->begin, (size_t)s->groups + 1, sizeof *s->begin, "the slowest batch");
    np_arena_array(arena, &s->processor, s->count, sizeof *s->processor, "the slowest batch");
}

void np_slowest_clear(np_slowest *slowest)
{
    np_memory_free(slowest->block);
    *slowest = (np_slowest){0};
}

np_status np_slowest_note(np_slowest *s, const np_tags *tags, uint64_t steps)
{
    size_t groups = tags->groups, count = tags->begin[groups];
    if (steps <= s->steps)
        return NP_OK;
    s->steps = 0;
    s->groups = (uint32_t)groups;
    s->count = count;
    np_status st = np_arena_renew(s, layout, "the slowest batch", &s->block, &s->block_bytes);
    if (st)
        return st;
    for (size_t k = 0; k < groups; k++)
        s->key[k] = tags->item[tags->begin[k]].key;
    memcpy(s->module, tags->module, groups * sizeof *s->module);
    memcpy(s->begin, tags->begin, (groups + 1) * sizeof *s->begin);
    memcpy(s->processor, tags->processor, count * sizeof *s->processor);
    s->steps = steps;
    return NP_OK;
}
