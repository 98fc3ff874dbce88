/*
 * Hand-over between blocks of nodes. In a step worker s writes the packets that cross into block b
 * into bucket (s, b); after a barrier the owner of the block drains the buckets (0, b), (1, b), ... in that order.
 * Workers own ascending ranges of blocks and walk their links in order, so a queue is entered in ascending
 * order of the links over which packets came, for any number of workers and blocks.
 *
 * A bucket is a list of chunks from a common pool. Which chunk is taken
 * depends on timing; what a bucket contains, and in what order, does not.
 * The chunks of a block that has been drained are taken again first: they are
 * still in the cache of the worker, which takes them for the next instant.
 *
 * Where ranks share the nodes, packets for nodes of another rank go into the bucket (s, blocks + rank). In place of a
 * sender, row 0 has what comes from ranks before this one, in any order, and the last row what comes from ranks after
 * it; the workers are in between.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

enum { NP_CHUNK_ITEMS = 128 }; /* ours: 3 KB, so that the last chunks of all buckets are few bytes */

/* Packets that have reached nodes. */
typedef struct np_chunk {
    np_ticket ticket[NP_CHUNK_ITEMS];
    np_packet packet[NP_CHUNK_ITEMS];
    np_node node[NP_CHUNK_ITEMS];
    uint32_t
        onward[NP_CHUNK_ITEMS];   /* the port by which it goes on; NP_NONE: its route ends. arrive.c puts a link here */
    np_link over[NP_CHUNK_ITEMS]; /* the link that it came over; those who begin: 0 */
} np_chunk;

/* All chunks but the last are full. */
typedef struct np_bucket {
    np_chunk *last;
    uint32_t first; /* of the pool's chunks; NP_NONE: the bucket is empty */
    uint32_t count; /* items of the last chunk; NP_CHUNK_ITEMS if the bucket is empty */
} np_bucket;

/* Chunks that nobody uses. In the low half the first one, NP_NONE: none; in the high half how often it has changed. */
typedef struct np_chunk_stack {
    _Atomic uint64_t head;
    uint64_t apart[7]; /* those of two workers are not in one line of the cache */
} np_chunk_stack;

typedef struct np_bucket_pool {
    np_chunk *chunk;
    atomic_uint *next; /* [chunks] the bucket's or stack's next chunk; of a bucket's last one: undefined */
    atomic_uint taken; /* so many chunks have been taken at least once */
    unsigned workers, blocks, ranks; /* ranks: 0: this process has all nodes */
    unsigned rows, columns;          /* of buckets: the workers and the blocks, and those of other ranks */
    np_bucket *bucket[2];            /* [rows * columns], (from, block) at from * columns + block; by parity of the
                                        instant */
    np_chunk_stack *free;            /* [workers] chunks that have been given back by the worker */
    size_t packets;                  /* for which there is room */
    void *block;                     /* the arrays above */
} np_bucket_pool;

np_status np_bucket_pool_init(np_bucket_pool *pool, size_t packets, unsigned workers, unsigned blocks,
                              unsigned ranks) NP_CHECKED;
void np_bucket_pool_clear(np_bucket_pool *pool);
uint64_t np_bucket_pool_bytes(uint64_t packets, unsigned workers, unsigned blocks, unsigned ranks);

/* Makes room for more packets, while the workers rest. After an error nothing has changed. */
np_status np_bucket_pool_grow(np_bucket_pool *pool, size_t packets) NP_CHECKED;

/* All chunks go back, and all buckets are empty. */
void np_bucket_pool_reset(np_bucket_pool *pool);

/* The buckets of a worker at an instant. */
static inline np_bucket *np_bucket_row(const np_bucket_pool *pool, unsigned worker, unsigned parity)
{
    return &pool->bucket[parity & 1][(size_t)(worker + (pool->ranks > 0)) * pool->columns];
}

/* Those that other ranks fill: of ranks before this one, or after it. */
static inline np_bucket *np_bucket_row_of_ranks(const np_bucket_pool *pool, bool after, unsigned parity)
{
    return &pool->bucket[parity & 1][after ? (size_t)(pool->rows - 1) * pool->columns : 0];
}

/* A new chunk at the end of a worker's bucket. */
void np_bucket_extend(np_bucket_pool *pool, unsigned worker, np_bucket *bucket);

/* Room for one more item at the end of a worker's bucket: its place in bucket->last. */
static inline uint32_t np_bucket_place(np_bucket_pool *pool, unsigned worker, np_bucket *bucket)
{
    if (__builtin_expect(bucket->count == NP_CHUNK_ITEMS, 0))
        np_bucket_extend(pool, worker, bucket);
    return bucket->count++;
}

/* A walk through the items of one block, in the order of their senders. Starts as {.block = the block, .parity}. */
typedef struct np_bucket_walk {
    unsigned block, parity;
    unsigned ahead; /* what comes next is fetched to the cache, of blocks before this one; 0: none is */
    bool begun;     /* has a bucket been begun? */
    unsigned from;  /* the sender of the present bucket */
    uint32_t chunk; /* the present chunk; NP_NONE: the bucket has no more */
} np_bucket_walk;

/* Goes to the next chunk of the block; returns how many items it has; 0 at the end. */
uint32_t np_bucket_next(const np_bucket_pool *pool, np_bucket_walk *walk);

/* The worker empties the buckets of the block. */
void np_bucket_empty(np_bucket_pool *pool, unsigned worker, unsigned block, unsigned parity);

/* The first chunk of a bucket that is not empty, with *count items; gives it back to the worker, and then it may be
 * taken again. NULL: the bucket is empty. */
const np_chunk *np_bucket_shift(np_bucket_pool *pool, unsigned worker, np_bucket *bucket, uint32_t *count);
