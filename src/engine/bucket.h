/*
 * Hand-over between workers. In a step worker s writes the packets that cross
 * into worker t's nodes into bucket (s, t); after a barrier t drains the
 * buckets (0, t), (1, t), ... in that order. Workers own ascending ranges of
 * links and walk them in order, so a queue is entered in ascending order of
 * the link that packets came over, for any number of workers.
 *
 * A bucket is a list of chunks from a common pool. Which chunk is taken
 * depends on timing; what a bucket contains, and in what order, does not.
 */
#ifndef NP_ENGINE_BUCKET_H
#define NP_ENGINE_BUCKET_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/status.h"
#include "netpram/types.h"

enum { NP_CHUNK_ITEMS = 1024 }; /* ours: three arrays of 4 KB */

typedef struct np_chunk {
    uint32_t count;
    uint32_t next; /* chunk index, NP_NONE at the end */
    np_packet packet[NP_CHUNK_ITEMS];
    np_link link[NP_CHUNK_ITEMS]; /* the queue to enter; NP_NONE: the packet's route ends at node */
    np_node node[NP_CHUNK_ITEMS]; /* where it has arrived */
} np_chunk;

typedef struct np_bucket {
    uint32_t first, last; /* chunks; NP_NONE if empty */
} np_bucket;

typedef struct np_bucket_pool {
    np_chunk *chunk;
    atomic_uint taken;
    unsigned workers;
    np_bucket *bucket; /* [workers * workers], (from, to) at from * workers + to */
} np_bucket_pool;

np_status np_bucket_pool_init(np_bucket_pool *pool, size_t packets, unsigned workers) NP_CHECKED;
void np_bucket_pool_clear(np_bucket_pool *pool);
uint64_t np_bucket_pool_bytes(uint64_t packets, unsigned workers);

/* All chunks go back; the workers' own buckets must be emptied by each before use. */
void np_bucket_pool_reset(np_bucket_pool *pool);
void np_bucket_empty(np_bucket_pool *pool, unsigned from);

/* The chunk of the bucket that has room for one more item. */
np_chunk *np_bucket_extend(np_bucket_pool *pool, np_bucket *bucket);

static inline np_chunk *np_bucket_room(np_bucket_pool *pool, np_bucket *bucket)
{
    if (bucket->last != NP_NONE && pool->chunk[bucket->last].count < NP_CHUNK_ITEMS)
        return &pool->chunk[bucket->last];
    return np_bucket_extend(pool, bucket);
}

#endif
