/*
 * Cells for arrays that a procedure or a block declares: they are free again at its end. Like a stack, in regions of the
 * PRAM's memory, which never shrinks. A heap has cells of one type.
 */
#ifndef NP_SCRIPT_HEAP_H
#define NP_SCRIPT_HEAP_H

#include "netpram/pram.h"

enum { NP_HEAP_REGIONS = 48 }; /* each is at least as large as all before it */

typedef struct np_region {
    np_address base;
    uint64_t count, dirty; /* the first `dirty` cells have been used */
} np_region;

typedef struct np_heap {
    np_cell_type type;
    np_region region[NP_HEAP_REGIONS];
    unsigned regions, present;
    uint64_t used; /* of the present region */
} np_heap;

typedef struct np_heap_mark {
    unsigned present;
    uint64_t used;
} np_heap_mark;

/* *base = the first of `count` cells, all 0. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_heap_take(np_heap *heap, np_pram *pram, uint64_t count, np_address *base) NP_CHECKED;

static inline np_heap_mark np_heap_now(const np_heap *heap) { return (np_heap_mark){heap->present, heap->used}; }

static inline void np_heap_back(np_heap *heap, np_heap_mark mark)
{
    heap->present = mark.present;
    heap->used = mark.used;
}

#endif
