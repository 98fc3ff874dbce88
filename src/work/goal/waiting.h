/*
 * Items that wait for what is taken, each crowd in the order of its orders: pairing heaps (Fredman et al. 1986) within
 * arrays over all items, of which each is in one crowd at most.
 */
#pragma once

#include "netpram/base.h"
#include "netpram/network.h"

typedef struct np_waiting {
    uint64_t *order; /* [items] the caller's, while they wait all different */
    uint32_t *child; /* [items] the first one; NP_NONE */
    uint32_t *next;  /* [items] of the same parent; NP_NONE */
} np_waiting;

/* NP_ERROR_MEMORY; clear it in any case. */
np_status np_waiting_init(np_waiting *waiting, size_t items) NP_CHECKED;
void np_waiting_clear(np_waiting *waiting);
/* A crowd is its first item, NP_NONE if it is empty. */
void np_waiting_put(np_waiting *waiting, uint32_t *crowd, uint32_t item);
/* Takes the first one of a crowd that is not empty. */
uint32_t np_waiting_take(np_waiting *waiting, uint32_t *crowd);
