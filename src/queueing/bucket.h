/*
 * Hand-over between workers. In a step worker s writes the packets that cross into worker t's nodes
 * into bucket (s, t); after a barrier t drains the buckets (0, t), (1, t), ... in that order.
 * Workers own ascending ranges of links and walk them in order, so a queue is entered in ascending
 * order of the links over which packets came, for any number of workers.
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

enum { NP_CHUNK_ITEMS = 1024 }; /* ours: arrays of 4 and 8 KB */

typedef struct np_chunk {
    uint32_t count;  /* packets that travel on */
    uint32_t landed; /* packets whose routes end here */
    uint32_t next;   /* chunk index, NP_NONE at the end */
    np_ticket ticket[NP_CHUNK_ITEMS];
    np_packet packet[NP_CHUNK_ITEMS];
    np_link link[NP_CHUNK_ITEMS]; /* the queue to enter */
    np_node node[NP_CHUNK_ITEMS]; /* where the packet has arrived */
    np_node landed_node[NP_CHUNK_ITEMS];
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

/* A new chunk at the bucket's end. */
np_chunk *np_bucket_extend(np_bucket_pool *pool, np_bucket *bucket);

/* The bucket's last chunk, if it has room for one more of either kind; else a new one. */
static inline np_chunk *np_bucket_room(np_bucket_pool *pool, np_bucket *bucket)
{
    if (bucket->last != NP_NONE) {
        np_chunk *chunk = &pool->chunk[bucket->last];
        if (chunk->count < NP_CHUNK_ITEMS && chunk->landed < NP_CHUNK_ITEMS)
            return chunk;
    }
    return np_bucket_extend(pool, bucket);
}

#endif
