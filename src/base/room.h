/* Arrays to which items are added one by one. */
#ifndef NP_BASE_ROOM_H
#define NP_BASE_ROOM_H

#include <string.h>

#include "base/memory.h"

/*
 * Makes room for one item more in *array (from np_memory_array or NULL), of whose *room items `used` are used. If it is
 * full, it grows to more than twice its size.
 */
static inline np_status np_memory_room(void *array, size_t used, size_t *room, size_t size, const char *what)
{
    size_t grown = 2 * *room + 64;
    if (used < *room)
        return NP_OK;
    np_status st = np_memory_grow(array, used, grown, size, what);
    if (!st)
        *room = grown;
    return st;
}

/* Makes room for item `index` in *array, whose new items are zero. */
static inline np_status np_memory_reach(void *array, size_t index, size_t *room, size_t size, const char *what)
{
    size_t before = *room, grown = 2 * index + 64;
    if (index < before)
        return NP_OK;
    np_status st = np_memory_grow(array, before, grown, size, what);
    if (st)
        return st;
    memset(*(char **)array + before * size, 0, (grown - before) * size);
    *room = grown;
    return NP_OK;
}

#endif
