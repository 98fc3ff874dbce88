/* Keeps the batch that took the most network steps so far, as it was sent: it can be sent again and explained. */
#ifndef NP_PRAM_SLOWEST_H
#define NP_PRAM_SLOWEST_H

#include "pram/tags.h"

typedef struct np_slowest {
    uint32_t n, queue_size;
    uint64_t steps; /* 0: none yet */
    uint32_t groups;
    uint64_t *key;       /* [groups] tags */
    uint32_t *module;    /* [groups] */
    uint32_t *begin;     /* [groups + 1] */
    uint32_t *processor; /* [begin[groups]] */
    size_t count;        /* begin[groups] */
    void *block;         /* the arrays */
    size_t block_bytes;  /* its bytes */
} np_slowest;

/* Notes that a batch took `steps` steps, and copies the batch if it is the slowest. NP_ERROR_MEMORY: then no batch is kept. */
np_status np_slowest_note(np_slowest *slowest, const np_tags *tags, uint64_t steps) NP_CHECKED;
void np_slowest_clear(np_slowest *slowest);
/* The most bytes that a batch of `count` requests takes. */
uint64_t np_slowest_bytes(size_t count);

#endif
