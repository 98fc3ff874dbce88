/* Cells of arrays that end with their block. */
#include "base/status.h"
#include "script/heap.h"

enum { ZEROS = 4096, LEAST = 1024 };

/* A new region is at least as large as all before it. */
static uint64_t region_size(const np_heap *heap, uint64_t count)
{
    uint64_t all = LEAST;
    for (unsigned i = 0; i < heap->regions; i++)
        all += heap->region[i].count;
    return count > all ? count : all;
}

static np_status add_region(np_heap *heap, np_pram *pram, uint64_t count)
{
    np_region *region = &heap->region[heap->regions];
    *region = (np_region){.count = region_size(heap, count)};
    np_status st = heap->regions == NP_HEAP_REGIONS
                       ? NP_RAISE(NP_ERROR_LIMIT, "arrays within blocks need more than %d regions", NP_HEAP_REGIONS)
                       : np_pram_allocate_typed(pram, region->count, "local arrays", heap->type, &region->base);
    heap->regions += !st;
    return st;
}

/* Cells that were used before are cleared, for free: as a fresh array is. */
static np_status clear(np_pram *pram, np_region *region, uint64_t from, uint64_t count)
{
    static const np_word zero[ZEROS];
    np_status st = NP_OK;
    uint64_t end = from + count < region->dirty ? from + count : region->dirty;
    for (uint64_t at = from; at < end && !st; at += ZEROS)
        st = np_pram_put(pram, region->base + at, end - at < ZEROS ? end - at : ZEROS, zero);
    if (region->dirty < from + count)
        region->dirty = from + count;
    return st;
}

np_status np_heap_take(np_heap *heap, np_pram *pram, uint64_t count, np_address *base)
{
    while (heap->present < heap->regions && count > heap->region[heap->present].count - heap->used) {
        heap->present++;
        heap->used = 0;
    }
    if (heap->present == heap->regions) {
        np_status st = add_region(heap, pram, count);
        if (st)
            return st;
    }
    np_region *region = &heap->region[heap->present];
    *base = region->base + heap->used;
    heap->used += count;
    return clear(pram, region, heap->used - count, count);
}
