/* A stack of memory in blocks that double. */
#include <string.h>

#include "base/memory.h"
#include "script/stack.h"

enum { LEAST = 1 << 16, ALIGNED = 64 };

static np_status add_block(np_stack *stack, size_t bytes)
{
    size_t twice = stack->blocks ? 2 * stack->block[stack->blocks - 1].size : LEAST;
    size_t size = bytes > twice ? bytes : twice;
    if (stack->limit && stack->taken + np_memory_taken(size) > stack->limit)
        size = bytes; /* not more than must be */
    uint64_t taken = stack->taken + np_memory_taken(size);
    np_status st = np_memory_allow(stack->limit, taken, "fewer processors", "the registers of a program");
    if (!st && stack->blocks == NP_STACK_BLOCKS)
        st = NP_RAISE(NP_ERROR_LIMIT, "the registers of a program need more than %d blocks", NP_STACK_BLOCKS);
    if (st || (st = np_memory_array(&stack->block[stack->blocks].bytes, size, 1, "the registers of a program")))
        return st;
    stack->block[stack->blocks++].size = size;
    stack->taken = taken;
    return NP_OK;
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
