/*
 * A pool: many small pieces of memory that are freed together. The trees of programs live in pools.
 */
#pragma once

#include "base/export.h"
#include "base/status.h"

enum { NP_POOL_BLOCK = 1 << 16 }; /* bytes of a block, at least */

typedef struct np_pool {
    struct np_pool_block *block; /* the newest; NULL: none yet */
    size_t used;                 /* of it */
    size_t taken;                /* bytes of all blocks */
} np_pool;

/* *out = size bytes, zeroed. NP_ERROR_MEMORY. */
NP_FOR_REPORT np_status np_pool_take(np_pool *pool, void *out, size_t size) NP_CHECKED;

/* *out = a copy of the `length` bytes of the text, and '\0'. NP_ERROR_MEMORY. */
NP_FOR_REPORT np_status np_pool_text(np_pool *pool, const char *text, size_t length, const char **out) NP_CHECKED;

/*
 * Makes room for one item more behind `count` items of *array: an array that grows by doubling, at 1, 2, 4, ... items.
 * What it was before stays in the pool. NP_ERROR_MEMORY.
 */
NP_FOR_REPORT np_status np_pool_room(np_pool *pool, void *array, size_t count, size_t size) NP_CHECKED;

NP_FOR_REPORT void np_pool_clear(np_pool *pool);
