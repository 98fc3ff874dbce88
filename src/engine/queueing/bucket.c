/*
 * See bucket.h. Room: the packets of one instant are at most `packets` items, and each bucket that has any leaves at
 * most one chunk partly filled. While those of an instant are written, those of the one before are still there. So a
 * worker that needs a chunk finds one: in its stack, among those never taken, or in the stack of another.
 */
#include "engine/queueing/bucket.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static size_t chunks_of(const np_bucket_pool *pool)
{
    size_t buckets = (size_t)pool->rows * pool->columns;
    return 2 * (pool->packets / NP_CHUNK_ITEMS + (buckets < pool->packets ? buckets : pool->packets));
}

static void layout(void *object, np_arena *arena)
{
    np_bucket_pool *pool = object;
    size_t buckets = (size_t)pool->rows * pool->columns, chunks = chunks_of(pool);
    np_arena_array(arena, &pool->chunk, chunks, sizeof *pool->chunk, "packets in flight");
    np_arena_array(arena, &pool->next, chunks, sizeof *pool->next, "lists of packets in flight");
    np_arena_array(arena, &pool->bucket[0], buckets, sizeof *pool->bucket[0], "the buckets");
    np_arena_array(arena, &pool->bucket[1], buckets, sizeof *pool->bucket[1], "the buckets");
    np_arena_array(arena, &pool->free, pool->workers, sizeof *pool->free, "the buckets");
}

static np_bucket_pool of_size(size_t packets, unsigned workers, unsigned blocks, unsigned ranks)
{
    return (np_bucket_pool){.workers = workers,
                            .blocks = blocks,
                            .ranks = ranks,
                            .rows = workers + (ranks ? 2 : 0),
                            .columns = blocks + ranks,
                            .packets = packets};
}

uint64_t np_bucket_pool_bytes(uint64_t packets, unsigned workers, unsigned blocks, unsigned ranks)
{
    np_bucket_pool pool = of_size(packets, workers, blocks, ranks);
    return np_arena_bytes(&pool, 0, layout);
}

np_status np_bucket_pool_init(np_bucket_pool *pool, size_t packets, unsigned workers, unsigned blocks, unsigned ranks)
{
    *pool = of_size(packets, workers, blocks, ranks);
    return np_arena_place(pool, layout, "packets in flight", &pool->block);
}

void np_bucket_pool_clear(np_bucket_pool *pool)
{
    np_memory_free(pool->block);
    *pool = (np_bucket_pool){.workers = 0};
}

static const np_bucket empty = {.first = NP_NONE, .count = NP_CHUNK_ITEMS};

void np_bucket_pool_reset(np_bucket_pool *pool)
{
    for (size_t i = 0; i < (size_t)pool->rows * pool->columns; i++)
        pool->bucket[0][i] = pool->bucket[1][i] = empty;
    atomic_init(&pool->taken, 0);
    for (unsigned w = 0; w < pool->workers; w++)
        atomic_init(&pool->free[w].head, NP_NONE);
}

/* Takes a chunk from the stack; NP_NONE: it is empty. The count of changes tells a head that has come back. */
static uint32_t pop(np_bucket_pool *pool, np_chunk_stack *stack)
{
    uint64_t head = atomic_load_explicit(&stack->head, memory_order_acquire), after;
    do {
        if ((uint32_t)head == NP_NONE)
            return NP_NONE;
        uint32_t next = atomic_load_explicit(&pool->next[(uint32_t)head], memory_order_relaxed);
        after = ((head >> 32) + 1) << 32 | next;
    } while (
        !atomic_compare_exchange_weak_explicit(&stack->head, &head, after, memory_order_acquire, memory_order_acquire));
    return (uint32_t)head;
}

/* Puts a list of chunks, first to last, on the stack. */
static void push(np_bucket_pool *pool, np_chunk_stack *stack, uint32_t first, uint32_t last)
{
    uint64_t head = atomic_load_explicit(&stack->head, memory_order_relaxed), after;
    do {
        atomic_store_explicit(&pool->next[last], (uint32_t)head, memory_order_relaxed);
        after = ((head >> 32) + 1) << 32 | first;
    } while (
        !atomic_compare_exchange_weak_explicit(&stack->head, &head, after, memory_order_release, memory_order_relaxed));
}

static uint32_t take(np_bucket_pool *pool, unsigned worker)
{
    uint32_t chunk = pop(pool, &pool->free[worker]);
    if (chunk == NP_NONE && atomic_load_explicit(&pool->taken, memory_order_relaxed) < chunks_of(pool)) {
        chunk = atomic_fetch_add_explicit(&pool->taken, 1, memory_order_relaxed);
        chunk = chunk < chunks_of(pool) ? chunk : NP_NONE;
    }
    for (unsigned w = 0; chunk == NP_NONE; w = (w + 1) % pool->workers)
        chunk = pop(pool, &pool->free[w]);
    return chunk;
}

static uint32_t number_of(const np_bucket_pool *pool, const np_chunk *chunk) { return (uint32_t)(chunk - pool->chunk); }

void np_bucket_extend(np_bucket_pool *pool, unsigned worker, np_bucket *bucket)
{
    uint32_t chunk = take(pool, worker);
    if (bucket->last)
        atomic_store_explicit(&pool->next[number_of(pool, bucket->last)], chunk, memory_order_relaxed);
    else
        bucket->first = chunk;
    bucket->last = &pool->chunk[chunk];
    bucket->count = 0;
}

static const np_bucket *bucket_of(const np_bucket_pool *pool, const np_bucket_walk *walk, unsigned from)
{
    return &pool->bucket[walk->parity][from * pool->columns + walk->block];
}

/* The chunk after the present one; NP_NONE: it is the last. */
static uint32_t next_of(const np_bucket_pool *pool, const np_bucket_walk *walk)
{
    const np_bucket *bucket = bucket_of(pool, walk, walk->from);
    if (number_of(pool, bucket->last) == walk->chunk)
        return NP_NONE;
    return atomic_load_explicit(&pool->next[walk->chunk], memory_order_relaxed);
}

/* Asks the memory for what is read of the chunk that comes after this one, of the next block if there is no other. */
static void fetch_ahead(const np_bucket_pool *pool, const np_bucket_walk *walk)
{
    uint32_t next = next_of(pool, walk);
    if (next == NP_NONE && walk->block + 1 < walk->ahead)
        next = pool->bucket[walk->parity][walk->block + 1].first;
    if (next == NP_NONE)
        return;
    const char *bytes = (const char *)&pool->chunk[next];
    for (size_t i = 0; i < offsetof(np_chunk, over); i += 64)
        __builtin_prefetch(bytes + i);
}

uint32_t np_bucket_next(const np_bucket_pool *pool, np_bucket_walk *walk)
{
    uint32_t chunk = walk->begun ? next_of(pool, walk) : NP_NONE;
    unsigned from = walk->begun ? walk->from + 1 : 0;
    while (chunk == NP_NONE && from < pool->rows) {
        chunk = bucket_of(pool, walk, from)->first;
        walk->from = from++;
        walk->begun = true;
    }
    if ((walk->chunk = chunk) == NP_NONE)
        return 0;
    if (walk->ahead)
        fetch_ahead(pool, walk);
    const np_bucket *bucket = bucket_of(pool, walk, walk->from);
    return number_of(pool, bucket->last) == chunk ? bucket->count : NP_CHUNK_ITEMS;
}

void np_bucket_empty(np_bucket_pool *pool, unsigned worker, unsigned block, unsigned parity)
{
    for (unsigned from = 0; from < pool->rows; from++) {
        np_bucket *bucket = &pool->bucket[parity][from * pool->columns + block];
        if (bucket->last)
            push(pool, &pool->free[worker], bucket->first, number_of(pool, bucket->last));
        *bucket = empty;
    }
}

const np_chunk *np_bucket_shift(np_bucket_pool *pool, unsigned worker, np_bucket *bucket, uint32_t *count)
{
    uint32_t chunk = bucket->first;
    if (chunk == NP_NONE)
        return NULL;
    bool last = number_of(pool, bucket->last) == chunk;
    *count = last ? bucket->count : NP_CHUNK_ITEMS;
    uint32_t next = atomic_load_explicit(&pool->next[chunk], memory_order_relaxed);
    push(pool, &pool->free[worker], chunk, chunk);
    if (last)
        *bucket = empty;
    else
        bucket->first = next;
    return &pool->chunk[chunk];
}

/* The same bucket, of the chunks of another pool. */
static np_bucket moved(const np_bucket_pool *from, const np_bucket_pool *to, np_bucket bucket)
{
    if (bucket.last)
        bucket.last = &to->chunk[number_of(from, bucket.last)];
    return bucket;
}

np_status np_bucket_pool_grow(np_bucket_pool *pool, size_t packets)
{
    np_bucket_pool grown = *pool;
    size_t chunks = chunks_of(pool), buckets = (size_t)pool->rows * pool->columns;
    unsigned taken = atomic_load(&pool->taken);
    np_status st;
    grown.packets = packets;
    if ((st = np_arena_place(&grown, layout, "packets in flight", &grown.block)))
        return st;
    taken = taken < chunks ? taken : (unsigned)chunks; /* it counts those who have found none, too */
    atomic_init(&grown.taken, taken);
    memcpy(grown.chunk, pool->chunk, taken * sizeof *pool->chunk);
    for (size_t i = 0; i < taken; i++)
        atomic_init(&grown.next[i], atomic_load_explicit(&pool->next[i], memory_order_relaxed));
    for (size_t i = 0; i < 2 * buckets; i++)
        grown.bucket[i / buckets][i % buckets] = moved(pool, &grown, pool->bucket[i / buckets][i % buckets]);
    for (unsigned w = 0; w < pool->workers; w++)
        atomic_init(&grown.free[w].head, atomic_load(&pool->free[w].head));
    np_memory_free(pool->block);
    *pool = grown;
    return NP_OK;
}
