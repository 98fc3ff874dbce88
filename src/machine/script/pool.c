/* Pools: blocks of memory, each larger than what is asked of it. */
#include <string.h>

#include "base/memory.h"
#include "machine/script/pool.h"

enum { ALIGNED = 16 };

struct np_pool_block {
    struct np_pool_block *before;
    size_t size;
    _Alignas(ALIGNED) unsigned char bytes[];
};

static np_status add_block(np_pool *pool, size_t size)
{
    struct np_pool_block *block;
    size_t bytes = size > NP_POOL_BLOCK ? size : NP_POOL_BLOCK;
    np_status st = np_memory_zeroed(&block, 1, sizeof *block + bytes, "the text of a program");
    if (st)
        return st;
    block->before = pool->block;
    block->size = bytes;
    pool->block = block;
    pool->used = 0;
    pool->taken += bytes;
    return NP_OK;
}

np_status np_pool_take(np_pool *pool, void *out, size_t size)
{
    size_t rounded = (size + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (!pool->block || rounded > pool->block->size - pool->used) {
        np_status st = add_block(pool, rounded);
        if (st)
            return st;
    }
    void *piece = pool->block->bytes + pool->used;
    pool->used += rounded;
    memcpy(out, &piece, sizeof piece); /* out points to a pointer of some type */
    return NP_OK;
}

np_status np_pool_text(np_pool *pool, const char *text, size_t length, const char **out)
{
    char *copy;
    np_status st = np_pool_take(pool, &copy, length + 1);
    if (st)
        return st;
    memcpy(copy, text, length);
    *out = copy;
    return NP_OK;
}

np_status np_pool_room(np_pool *pool, void *array, size_t count, size_t size)
{
    void *old, *grown;
    if (count & (count - 1)) /* the room is the power of two at or above count */
        return NP_OK;
    np_status st = np_pool_take(pool, &grown, (count ? 2 * count : 1) * size);
    if (st)
        return st;
    memcpy(&old, array, sizeof old);
    if (count)
        memcpy(grown, old, count * size);
    memcpy(array, &grown, sizeof grown);
    return NP_OK;
}

void np_pool_clear(np_pool *pool)
{
    while (pool->block) {
        struct np_pool_block *before = pool->block->before;
        np_memory_free(pool->block);
        pool->block = before;
    }
    *pool = (np_pool){0};
}
