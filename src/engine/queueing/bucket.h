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
 */
#ifndef NP_QUEUEING_BUCKET_H
#define NP_QUEUEING_BUCKET_H

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
    unsigned workers, blocks;
    np_bucket *bucket[2]; /* [workers * blocks], (from, block) at from * blocks + block; by parity of the instant */
    np_chunk_stack *free; /* [workers] chunks that have been given back by the worker */
    size_t packets;       /* for which there is room */
    void *block;          /* the arrays above */
} np_bucket_pool;

np_status np_bucket_pool_init(np_bucket_pool *pool, size_t packets, unsigned workers, unsigned blocks) NP_CHECKED;
void np_bucket_pool_clear(np_bucket_pool *pool);
uint64_t np_bucket_pool_bytes(uint64_t packets, unsigned workers, unsigned blocks);

/* All chunks go back, and all buckets are empty. */
void np_bucket_pool_reset(np_bucket_pool *pool);

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

#endif
