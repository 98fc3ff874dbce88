/* Heaps: records in an array, of which that at place 0 comes before all others. Copy a record before it is moved. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/hot.h"

/* Is record a to come before record b? */
typedef bool np_before(const void *a, const void *b);

/* Puts a record among `count` others, behind which there is room. */
NP_INLINE void np_heap_put(void *heap, size_t count, size_t size, const void *record, np_before *before)
{
    char *at = heap;
    size_t i = count;
    for (; i && before(record, at + (i - 1) / 2 * size); i = (i - 1) / 2)
        memcpy(at + i * size, at + (i - 1) / 2 * size, size);
    memcpy(at + i * size, record, size);
}

/* Puts a record at place i or below, instead of the one that is there. Below i all is in order. */
NP_INLINE void np_heap_sink(void *heap, size_t count, size_t size, size_t i, const void *record, np_before *before)
{
    char *at = heap;
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        child += child + 1 < count && before(at + (child + 1) * size, at + child * size);
        if (!before(at + child * size, record))
            break;
        memcpy(at + i * size, at + child * size, size);
    }
    memcpy(at + i * size, record, size);
}
