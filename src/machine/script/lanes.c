/* Masks, and the lanes of a pardo. */
#include <string.h>

#include "machine/script/lanes.h"

/* ---- Cells of arrays that end with their block ---- */

enum { ZEROS = 4096, REGION_LEAST = 1024 };

/* A new region is at least as large as all before it. */
static uint64_t region_size(const np_heap *heap, uint64_t count)
{
    uint64_t all = REGION_LEAST;
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

/* ---- A stack of memory in blocks that double ---- */

enum { BLOCK_LEAST = 1 << 16, ALIGNED = 64 };

/* Twice the last block; if there is no memory for that, no more than must be. */
static np_status add_block(np_stack *stack, size_t bytes)
{
    static const char what[] = "the registers of a program";
    np_stack_block *block = &stack->block[stack->blocks];
    size_t twice = stack->blocks ? 2 * block[-1].size : BLOCK_LEAST;
    if (stack->blocks == NP_STACK_BLOCKS)
        return NP_RAISE(NP_ERROR_LIMIT, "%s need more than %d blocks", what, NP_STACK_BLOCKS);
    block->size = bytes > twice ? bytes : twice;
    np_status st = np_memory_array(&block->bytes, block->size, 1, what);
    if (st && bytes < block->size)
        st = np_memory_array(&block->bytes, block->size = bytes, 1, what);
    stack->blocks += !st;
    return st;
}

np_status np_stack_take(np_stack *stack, void *out, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - ALIGNED)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu words of registers: too many", count);
    bytes = (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    while (stack->present < stack->blocks && bytes > stack->block[stack->present].size - stack->used) {
        stack->present++;
        stack->used = 0;
    }
    if (stack->present == stack->blocks) {
        np_status st = add_block(stack, bytes);
        if (st)
            return st;
    }
    void *piece = stack->block[stack->present].bytes + stack->used;
    stack->used += bytes;
    memcpy(out, &piece, sizeof piece); /* out points to a pointer of some type */
    return NP_OK;
}

void np_stack_clear(np_stack *stack)
{
    while (stack->blocks)
        np_memory_free(stack->block[--stack->blocks].bytes);
    stack->present = 0;
    stack->used = 0;
}

/* A mask that is made: those of `before` (NULL: all) whose word in `condition` is or is not 0 as `wanted` says. */
typedef struct narrowing {
    const uint8_t *before, *returned; /* returned: NULL, or in the place of the condition: those that have not */
    const np_word *condition;
    bool wanted;
    size_t count;
    uint8_t *on;
    _Atomic size_t active;
} narrowing;

static void narrow_part(void *context, np_part part)
{
    narrowing *n = context;
    const np_range mine = np_part_of(part, n->count);
    const uint8_t *before = n->before, *returned = n->returned;
    const np_word *condition = n->condition;
    const bool wanted = n->wanted;
    uint8_t *on = n->on;
    size_t active = 0;
    if (returned)
        for (size_t i = mine.begin; i < mine.end; i++)
            active += on[i] = (!before || before[i]) && !returned[i];
    else
        for (size_t i = mine.begin; i < mine.end; i++)
            active += on[i] = (!before || before[i]) && (condition[i] != 0) == wanted;
    n->active += active;
}

np_status np_lanes_sum(np_execution *x, const np_lanes *lanes, uint64_t own, uint64_t *all, uint64_t *before)
{
    np_division *d = x->pram->division;
    *all = own;
    *before = 0;
    if (!lanes->divided)
        return NP_OK;
    np_status st = np_division_meet(d, NP_OK, NULL, own);
    if (st)
        return st;
    *all = np_division_sum(d, d->job->size);
    *before = np_division_sum(d, d->job->rank);
    return NP_OK;
}

/* The mask is open. */
static void narrow(np_execution *x, const np_lanes *lanes, narrowing n, np_mask *out)
{
    n.count = lanes->count;
    np_team_each(&x->pram->team, n.count, narrow_part, &n);
    *out = (np_mask){n.active == lanes->count ? NULL : n.on, n.active, true};
}

np_status np_mask_close(np_execution *x, const np_frame *frame, np_mask *mask)
{
    uint64_t all, before;
    np_status st = np_lanes_sum(x, &frame->lanes, mask->active, &all, &before);
    mask->active = (size_t)all;
    mask->open = false;
    return st;
}

np_status np_mask_narrow(np_execution *x, const np_frame *frame, const np_mask *mask, uint32_t condition, bool wanted,
                         bool open, uint8_t *on, np_mask *out)
{
    narrow(x, &frame->lanes,
           (narrowing){.before = mask->on, .condition = frame->vector[condition], .wanted = wanted, .on = on}, out);
    return open ? NP_OK : np_mask_close(x, frame, out);
}

np_status np_mask_stay(np_execution *x, const np_frame *frame, const np_mask *mask, const np_activation *activation,
                       uint8_t *on, np_mask *out)
{
    narrow(x, &frame->lanes, (narrowing){.before = mask->on, .returned = activation->returned, .on = on}, out);
    return np_mask_close(x, frame, out);
}

/* How many processors a lane's range has. */
static uint64_t range_of(const np_frame *outer, const np_instruction *node, const np_mask *mask, size_t lane)
{
    np_word low = node->count ? 0 : outer->vector[node->a][lane], high = outer->vector[node->b][lane];
    if (!np_is_on(mask, lane) || high < low)
        return 0;
    uint64_t span = (uint64_t)high - (uint64_t)low;
    return span == UINT64_MAX ? span : span + 1;
}

/* The processors that a pardo has in the lanes that this rank has; UINT32_MAX: as many or more. */
static uint64_t count_inner(const np_instruction *node, const np_frame *outer, const np_mask *mask)
{
    uint64_t all = 0;
    for (size_t i = 0; i < outer->lanes.count && all < UINT32_MAX; i++) {
        uint64_t more = range_of(outer, node, mask, i);
        all = more > UINT32_MAX - all ? UINT32_MAX : all + more;
    }
    return all;
}

/*
 * Over ranks: processors of a pardo stay with the lanes that they come from, where these are divided. Else each rank
 * takes a range of them. Few ones that go on to other pardos are not divided, so that these can be.
 */
static void divide(const np_execution *x, const np_instruction *node, const np_lanes *outer, np_lanes *lanes)
{
    enum { FEW = 32 }; /* a rank (ours) */
    const np_division *d = x->pram->division;
    if (!d || d->job->size == 1 || outer->divided || (node->nests && lanes->all < FEW * (size_t)d->job->size))
        return;
    const np_range mine = np_division_range(d, lanes->all);
    lanes->divided = true;
    lanes->before = mine.begin;
    lanes->count = mine.end - mine.begin;
}

/* Fills in which lane each processor comes from, and its index: of processors from `skip` on. */
static void fill_lanes(const np_instruction *node, const np_frame *outer, const np_mask *mask, size_t skip,
                       size_t count, uint32_t *parent, np_word *index)
{
    size_t at = 0, past = 0;
    for (size_t i = 0; i < outer->lanes.count && at < count; i++) {
        const uint64_t range = range_of(outer, node, mask, i);
        const uint64_t step = node->count ? (uint64_t)outer->vector[node->to][i] : 1;
        for (uint64_t k = skip > past ? skip - past : 0; k < range && at < count; k++, at++) {
            parent[at] = (uint32_t)i;
            index[at] = (np_word)((uint64_t)outer->vector[node->a][i] + k * step);
        }
        past += range;
    }
}

np_status np_make_lanes(np_execution *x, const np_instruction *node, const np_frame *outer, const np_mask *mask,
                        np_lanes *lanes)
{
    const uint64_t own = count_inner(node, outer, mask);
    uint64_t all, before;
    np_status st = np_lanes_sum(x, &outer->lanes, own, &all, &before);
    if (st)
        return st;
    if (all >= UINT32_MAX)
        return NP_SITE_RAISE(x, node->site, NP_ERROR_LIMIT, "a pardo of more than %u processors", UINT32_MAX - 1);
    *lanes =
        (np_lanes){.count = (size_t)own, .all = (size_t)all, .before = (size_t)before, .divided = outer->lanes.divided};
    divide(x, node, &outer->lanes, lanes);
    const size_t skip = outer->lanes.divided ? 0 : lanes->before;
    if (outer->lanes.count)
        lanes->first = (np_word)((uint64_t)outer->vector[node->a][0] + skip);
    if (outer->lanes.count == 1 && !node->count)
        return NP_OK;
    uint32_t *parent;
    np_word *index;
    if ((st = np_stack_take(&x->stack, &parent, lanes->count, sizeof *parent)) ||
        (st = np_stack_take(&x->stack, &index, lanes->count, sizeof *index)))
        return st;
    fill_lanes(node, outer, mask, skip, lanes->count, parent, index);
    lanes->parent = parent;
    lanes->index = index;
    return NP_OK;
}
