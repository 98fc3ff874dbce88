/*
 * Hand-over between blocks of nodes. In a step worker s writes the packets that cross into block b
 * into bucket (s, b); after a barrier the owner of the block drains the buckets (0, b), (1, b), ... in that order.
 * Workers own ascending ranges of blocks and walk their links in order, so a queue is entered in ascending
 * order of the links over which packets came, for any number of workers and blocks.
 *
 * A bucket is a list of chunks from a common pool. Which chunk is taken
 * depends on timing; what a bucket contains, and in what order, does not.
 */
#ifndef NP_QUEUEING_BUCKET_H
#define NP_QUEUEING_BUCKET_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/status.h"
#include "netpram/base.h"

enum { NP_CHUNK_ITEMS = 256 }; /* ours: 6 KB, so that the last chunks of all buckets are few bytes */

/* A packet that has reached a node. */
typedef struct np_arrival {
    np_ticket ticket;
    np_packet packet;
    np_link link; /* the queue that it enters there; NP_NONE: its route ends */
    np_node node;
    uint32_t ahead; /* hops that it has yet to queue for in its phase, if keys need them */
} np_arrival;

/* Zeroed: empty. Places are those of items in pool->arrival. */
typedef struct np_bucket {
    uint32_t first; /* chunk */
    uint32_t end;   /* the place after the last item */
    uint32_t limit; /* the end of the last chunk; 0: the bucket is empty */
} np_bucket;

typedef struct np_bucket_pool {
    np_arrival *arrival; /* [chunks * NP_CHUNK_ITEMS] */
    uint32_t *next;      /* [chunks] the bucket's next chunk; of the last one: undefined */
    atomic_uint taken;
    unsigned workers, blocks;
    np_bucket *bucket; /* [workers * blocks], (from, block) at from * blocks + block */
    size_t packets;    /* for which there is room */
    void *block;       /* the arrays above */
} np_bucket_pool;

np_status np_bucket_pool_init(np_bucket_pool *pool, size_t packets, unsigned workers, unsigned blocks) NP_CHECKED;
void np_bucket_pool_clear(np_bucket_pool *pool);
uint64_t np_bucket_pool_bytes(uint64_t packets, unsigned workers, unsigned blocks);

/* All chunks go back; the buckets are empty or will be emptied by those who drain them. */
void np_bucket_pool_reset(np_bucket_pool *pool);

/* A new chunk at the bucket's end. */
void np_bucket_extend(np_bucket_pool *pool, np_bucket *bucket);

/* The place of one more item at the bucket's end. */
static inline uint32_t np_bucket_place(np_bucket_pool *pool, np_bucket *bucket)
{
    if (__builtin_expect(bucket->end == bucket->limit, 0))
        np_bucket_extend(pool, bucket);
    return bucket->end++;
}

/* A walk through the items of one block, in the order of their senders. Starts as {.block = the block}. */
typedef struct np_bucket_walk {
    unsigned block, from; /* from: the sender of the next bucket */
    uint32_t place;       /* of the first item of the present chunk */
    uint32_t end, limit;  /* of the present bucket; limit 0: there is none */
} np_bucket_walk;

/*
 * Goes to the next chunk of the block; returns how many items it has, from place walk->place on; 0 at the end. Empties
 * the buckets; the items stay where they are until the pool is reset.
 */
uint32_t np_bucket_next(np_bucket_pool *pool, np_bucket_walk *walk);

#endif
