/*
 * See bucket.h. Room: a step moves at most `packets` items, and each bucket
 * that has any leaves at most one chunk partly filled.
 */
#include "queueing/bucket.h"

#include "base/arena.h"
#include "base/memory.h"

static void layout(void *object, np_arena *arena)
{
    np_bucket_pool *pool = object;
    size_t buckets = (size_t)pool->workers * pool->blocks;
    size_t chunks = pool->packets / NP_CHUNK_ITEMS + (buckets < pool->packets ? buckets : pool->packets);
    np_arena_array(arena, &pool->arrival, chunks * NP_CHUNK_ITEMS, sizeof *pool->arrival, "packets in flight");
    np_arena_array(arena, &pool->next, chunks, sizeof *pool->next, "lists of packets in flight");
    np_arena_zeroed(arena, &pool->bucket, buckets, sizeof *pool->bucket, "the buckets");
}

uint64_t np_bucket_pool_bytes(uint64_t packets, unsigned workers, unsigned blocks)
{
    np_bucket_pool pool = {.workers = workers, .blocks = blocks, .packets = packets};
    return np_arena_bytes(&pool, 0, layout);
}

np_status np_bucket_pool_init(np_bucket_pool *pool, size_t packets, unsigned workers, unsigned blocks)
{
    *pool = (np_bucket_pool){.workers = workers, .blocks = blocks, .packets = packets};
    return np_arena_place(pool, layout, "packets in flight", &pool->block);
}

void np_bucket_pool_clear(np_bucket_pool *pool)
{
    np_memory_free(pool->block);
    *pool = (np_bucket_pool){.arrival = NULL};
}

void np_bucket_pool_reset(np_bucket_pool *pool) { atomic_store_explicit(&pool->taken, 0, memory_order_relaxed); }

void np_bucket_extend(np_bucket_pool *pool, np_bucket *bucket)
{
    uint32_t chunk = atomic_fetch_add_explicit(&pool->taken, 1, memory_order_relaxed);
    if (bucket->limit)
        pool->next[bucket->limit / NP_CHUNK_ITEMS - 1] = chunk;
    else
        bucket->first = chunk;
    bucket->end = chunk * NP_CHUNK_ITEMS;
    bucket->limit = bucket->end + NP_CHUNK_ITEMS;
}

/* Begins the next bucket of the block that has items; false: there is none. */
static bool begin_bucket(np_bucket_pool *pool, np_bucket_walk *walk)
{
    for (; walk->from < pool->workers; walk->from++) {
        np_bucket *bucket = &pool->bucket[walk->from * pool->blocks + walk->block];
        if (!bucket->limit)
            continue;
        walk->place = bucket->first * NP_CHUNK_ITEMS;
        walk->end = bucket->end;
        walk->limit = bucket->limit;
        *bucket = (np_bucket){0};
        walk->from++;
        return true;
    }
    return false;
}

uint32_t np_bucket_next(np_bucket_pool *pool, np_bucket_walk *walk)
{
    if (walk->limit && walk->place + NP_CHUNK_ITEMS != walk->limit)
        walk->place = pool->next[walk->place / NP_CHUNK_ITEMS] * NP_CHUNK_ITEMS;
    else if (!begin_bucket(pool, walk))
        return 0;
    return walk->place + NP_CHUNK_ITEMS == walk->limit ? walk->end - walk->place : NP_CHUNK_ITEMS;
}
