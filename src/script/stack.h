/*
 * Memory that is taken and given back like a stack: the registers of frames. Blocks once taken stay, so that loops take
 * none.
 */
#ifndef NP_SCRIPT_STACK_H
#define NP_SCRIPT_STACK_H

#include <stdint.h>

#include "base/status.h"

typedef struct np_stack_block {
    unsigned char *bytes;
    size_t size;
} np_stack_block;

enum { NP_STACK_BLOCKS = 48 }; /* each is at least twice as large as the one before */

typedef struct np_stack {
    np_stack_block block[NP_STACK_BLOCKS];
    unsigned blocks, present; /* present: where the next piece comes from */
    size_t used;              /* of that block */
} np_stack;

typedef struct np_stack_mark {
    unsigned present;
    size_t used;
} np_stack_mark;

/* *out = count items of size bytes, with any contents, aligned to 64 bytes. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_stack_take(np_stack *stack, void *out, size_t count, size_t size) NP_CHECKED;

static inline np_stack_mark np_stack_now(const np_stack *stack) { return (np_stack_mark){stack->present, stack->used}; }

/* Gives back all that was taken since then. */
static inline void np_stack_back(np_stack *stack, np_stack_mark mark)
{
    stack->present = mark.present;
    stack->used = mark.used;
}

void np_stack_clear(np_stack *stack);

#endif
