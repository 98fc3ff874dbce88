/* See slowest.h. */
#include "pram/slowest.h"

#include <string.h>

#include "base/memory.h"

void np_slowest_clear(np_slowest *slowest)
{
    np_memory_free(slowest->key);
    np_memory_free(slowest->module);
    np_memory_free(slowest->begin);
    np_memory_free(slowest->processor);
    *slowest = (np_slowest){0};
}

static np_status make_room(np_slowest *s, size_t groups, size_t count)
{
    np_status st;
    if (groups > s->groups_room) {
        if ((st = np_memory_grow(&s->key, s->groups, groups, sizeof *s->key, "the slowest batch")) ||
            (st = np_memory_grow(&s->module, s->groups, groups, sizeof *s->module, "the slowest batch")) ||
            (st = np_memory_grow(&s->begin, s->steps ? s->groups + 1 : 0, groups + 1, sizeof *s->begin,
                                 "the slowest batch")))
            return st;
        s->groups_room = groups;
    }
    if (count > s->room) {
        size_t kept = s->steps ? s->begin[s->groups] : 0;
        if ((st = np_memory_grow(&s->processor, kept, count, sizeof *s->processor, "the slowest batch")))
            return st;
        s->room = count;
    }
    return NP_OK;
}

np_status np_slowest_note(np_slowest *s, const np_tags *tags, uint64_t steps)
{
    size_t groups = tags->groups, count = tags->begin[groups];
    if (steps <= s->steps)
        return NP_OK;
    np_status st = make_room(s, groups, count);
    if (st)
        return st;
    for (size_t k = 0; k < groups; k++)
        s->key[k] = tags->item[tags->begin[k]].key;
    memcpy(s->module, tags->module, groups * sizeof *s->module);
    memcpy(s->begin, tags->begin, (groups + 1) * sizeof *s->begin);
    memcpy(s->processor, tags->processor, count * sizeof *s->processor);
    s->groups = (uint32_t)groups;
    s->steps = steps;
    return NP_OK;
}
