/* A stack of memory in blocks that double. */
#include <string.h>

#include "base/memory.h"
#include "script/stack.h"

enum { LEAST = 1 << 16, ALIGNED = 64 };

/* Twice the last block; if there is no memory for that, no more than must be. */
static np_status add_block(np_stack *stack, size_t bytes)
{
    static const char what[] = "the registers of a program";
    np_stack_block *block = &stack->block[stack->blocks];
    size_t twice = stack->blocks ? 2 * block[-1].size : LEAST;
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
