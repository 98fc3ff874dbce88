/*
 * See bucket.h. Room: a step moves at most `packets` items, and each of the
 * workers^2 buckets leaves at most one chunk partly filled.
 */
#include "queueing/bucket.h"

#include "base/memory.h"

static uint64_t chunks_for(uint64_t packets, unsigned workers)
{
    return packets / NP_CHUNK_ITEMS + (uint64_t)workers * workers;
}

uint64_t np_bucket_pool_bytes(uint64_t packets, unsigned workers)
{
    return np_memory_taken(chunks_for(packets, workers) * sizeof(np_chunk)) +
           (uint64_t)workers * workers * sizeof(np_bucket);
}

np_status np_bucket_pool_init(np_bucket_pool *pool, size_t packets, unsigned workers)
{
    np_status st;
    *pool = (np_bucket_pool){.workers = workers};
    if ((st = np_memory_array(&pool->chunk, chunks_for(packets, workers), sizeof *pool->chunk, "packets in flight")))
        return st;
    return np_memory_array(&pool->bucket, (size_t)workers * workers, sizeof *pool->bucket, "the buckets");
}

void np_bucket_pool_clear(np_bucket_pool *pool)
{
    np_memory_free(pool->chunk);
    np_memory_free(pool->bucket);
    pool->chunk = NULL;
    pool->bucket = NULL;
}

void np_bucket_pool_reset(np_bucket_pool *pool) { atomic_store_explicit(&pool->taken, 0, memory_order_relaxed); }

void np_bucket_empty(np_bucket_pool *pool, unsigned from)
{
    for (unsigned to = 0; to < pool->workers; to++)
        pool->bucket[from * pool->workers + to] = (np_bucket){NP_NONE, NP_NONE};
}

np_chunk *np_bucket_extend(np_bucket_pool *pool, np_bucket *bucket)
{
    uint32_t index = atomic_fetch_add_explicit(&pool->taken, 1, memory_order_relaxed);
    np_chunk *chunk = &pool->chunk[index];
    chunk->count = chunk->landed = 0;
    chunk->next = NP_NONE;
    if (bucket->last == NP_NONE)
        bucket->first = index;
    else
        pool->chunk[bucket->last].next = index;
    bucket->last = index;
    return chunk;
}
