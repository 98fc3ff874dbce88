/* Arrays to which items are added one by one. */
#pragma once

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

/*
 * Makes room for `needs` items in *array, of which the first `used` are kept: by halves at least, so that growing bit
 * by bit stays linear. If none is kept the old array is freed first, and after an error there is none.
 */
static inline np_status np_memory_need(void *array, size_t used, size_t needs, size_t *room, size_t size,
                                       const char *what)
{
    void *old, *none = NULL;
    size_t half = *room + *room / 2, grown = half > needs ? half : needs;
    if (needs <= *room)
        return NP_OK;
    if (!used) {
        memcpy(&old, array, sizeof old);
        memcpy(array, &none, sizeof none);
        np_memory_free(old);
        *room = 0;
    }
    np_status st = np_memory_grow(array, used, grown, size, what);
    if (!st)
        *room = grown;
    return st;
}

/* Makes room for item `index` in *array, whose new items are zero. */
static inline np_status np_memory_reach(void *array, size_t index, size_t *room, size_t size, const char *what)
{
    size_t before = *room;
    np_status st = np_memory_need(array, before, index + 1, room, size, what);
    if (!st)
        memset(*(char **)array + before * size, 0, (*room - before) * size);
    return st;
}
