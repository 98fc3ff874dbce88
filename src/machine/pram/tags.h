/*
 * Tags give the order in which messages go through the network (Ranade 1987b, section 3.2);
 * messages with equal tags combine. A tag is <module, address, kind>, or <hash of the address,
 * address, kind>: requests of different kinds for one cell do not combine.
 */
#pragma once

#include "machine/pram/request.h"

enum { NP_TAG_ADDRESS_BITS = 32, NP_TAG_MODULE_BITS = 30 };

typedef struct np_tag_item {
    uint64_t key;   /* the tag */
    uint32_t index; /* whose tag it is */
} np_tag_item;

/* A batch, sorted: equal tags, in order of index, make one group. */
typedef struct np_tags {
    np_tag_item *item, *spare; /* [count] */
    uint32_t *begin;           /* [groups + 1] in item[] */
    uint32_t *module;          /* [groups] for the caller to fill */
    uint32_t *processor;       /* [count] for the caller to fill */
    uint32_t groups;
    size_t room;
    void *block;        /* the arrays */
    size_t block_bytes; /* its bytes */
} np_tags;

static inline uint64_t np_tag_of(np_request_order order, uint64_t module, np_address address, unsigned kind)
{
    uint64_t high = order == NP_ORDER_HASH ? np_random_mix(address) >> (64 - NP_TAG_MODULE_BITS) : module;
    return high << (NP_TAG_ADDRESS_BITS + 2) | address << 2 | kind;
}

/* Room for count items. NP_ERROR_MEMORY, NP_ERROR_LIMIT from 2^30 items on. */
np_status np_tags_reserve(np_tags *tags, size_t count) NP_CHECKED;
/* Sorts item[0 .. count-1], which must be in order of index, and sets groups and begin. */
void np_tags_sort(np_tags *tags, size_t count);
void np_tags_clear(np_tags *tags);

/*
 * Memory serves each group as one request: the combination of its requests in order of index; but those of a sum of
 * reals one by one. Every reply depends on the requests of the group to the left of its own. item[].index are places in
 * request[] and reply[].
 */
void np_tags_serve(const np_tags *tags, np_store *store, np_access_rule rule, const np_request *request,
                   np_word *reply);
