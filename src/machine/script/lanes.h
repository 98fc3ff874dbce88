/* Lanes, frames and masks: what execute.c, lanes.c and strip.c share. */
#pragma once

#include "machine/pram/division.h"
#include "machine/script/code.h"
#include "machine/script/diagnose.h"

/*
 * Cells for arrays that a procedure or a block declares: they are free again at its end. Like a stack, in regions of
 * the PRAM's memory, which never shrinks. A heap has cells of one type.
 */

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

/*
 * Memory that is taken and given back like a stack: the registers of frames. Blocks once taken stay, so that loops take
 * none.
 */

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

/*
 * The processors of a level. Over ranks (pram/division.h) a rank has a range of them if they are divided, and all if
 * not, as those of the program's own frame.
 */
typedef struct np_lanes {
    size_t count;
    size_t all, before; /* of all ranks; of the ranks below this one, if they are divided */
    bool divided;
    const uint32_t *parent; /* [count] the lane of the level outside that each belongs to; NULL: lane 0 */
    const np_word *index;   /* [count] of the pardo; NULL: first, first + step, ... */
    np_word first;
    uint64_t step;
} np_lanes;

/* The index of the pardo that a lane has. */
static inline np_word np_lanes_index(const np_lanes *lanes, size_t lane)
{
    return lanes->index ? lanes->index[lane] : (np_word)((uint64_t)lanes->first + lane * lanes->step);
}

/* The registers of a level of a procedure that is being carried out. */
typedef struct np_frame {
    np_lanes lanes;
    np_word **vector;       /* [registers] of [lanes.count] words */
    struct np_frame *outer; /* the level outside, in the same procedure; NULL: there is none */
} np_frame;

/*
 * The lanes that are on. Over ranks a mask is open until one has asked the others how many theirs are: the next access
 * tells, so that a branch that begins with one costs no meeting of its own.
 */
typedef struct np_mask {
    const uint8_t *on; /* [count]; NULL: all */
    size_t active;     /* of all ranks; open: of this one */
    bool open;
} np_mask;

/* A procedure that is being carried out. */
typedef struct np_activation {
    uint8_t *returned; /* [count] of its level 0: the lanes that have returned; NULL: it has no return */
    bool any;          /* one of them has */
} np_activation;

/* A call that is not over. */
typedef struct np_pending_call {
    uint32_t procedure, site;
    const np_frame *caller; /* whose registers from `given` on are the arguments */
    uint32_t given;
    size_t lane;                         /* the first one that calls */
    const struct np_pending_call *outer; /* NULL: the program called */
} np_pending_call;

typedef struct np_execution {
    const np_syntax *syntax;
    const np_program_code *code;
    const np_script_options *options;
    np_pram *pram;
    np_stack stack;
    np_heap heap[NP_TYPE_BOOL + 1]; /* for arrays of each type */
    np_frame *program;              /* the program's own registers, of one lane */
    np_word *constant;              /* [constants * NP_STRIP] each of them NP_STRIP times */
    np_draws draws;
    uint32_t *drawn;           /* [draws] how often each random() of the text has been carried out */
    uint64_t turns;            /* of loops, and calls */
    uint32_t depth;            /* of np_execute_code */
    np_given *given;           /* [inputs] for the judge; NULL: nobody judges */
    np_workspace *kept;        /* [inputs] what they live in */
    np_script_line_cost *line; /* [lines] costs, line i at i - 1 */
    uint32_t lines;
    const np_pending_call *call; /* the innermost; NULL: none */
    np_pool *pool;               /* of the result */
    const char **note;           /* [notes] what was made of the inputs */
    uint32_t notes;
    size_t wheres; /* violations of which it is noted where they are */
} np_execution;

static inline bool np_is_on(const np_mask *mask, size_t i) { return !mask->on || mask->on[i]; }

/*
 * *out = the lanes of `mask` where register `condition` is `wanted`, marked in `on`, which may be the mask's own. open:
 * they are not counted over ranks.
 */
np_status np_mask_narrow(np_execution *x, const np_frame *frame, const np_mask *mask, uint32_t condition, bool wanted,
                         bool open, uint8_t *on, np_mask *out) NP_CHECKED;

/* Counts the lanes of an open mask over ranks. */
np_status np_mask_close(np_execution *x, const np_frame *frame, np_mask *mask) NP_CHECKED;

/* *out = those that have not returned. */
np_status np_mask_stay(np_execution *x, const np_frame *frame, const np_mask *mask, const np_activation *activation,
                       uint8_t *on, np_mask *out) NP_CHECKED;

/* *all = the sum over all ranks, if the lanes are divided; *before: over those below this one. UINT64_MAX: too much. */
np_status np_lanes_sum(np_execution *x, const np_lanes *lanes, uint64_t own, uint64_t *all,
                       uint64_t *before) NP_CHECKED;

/* Where in the present moment one process would come to the lane. */
static inline uint64_t np_lanes_at(const np_lanes *lanes, size_t lane) { return lanes->before + lane; }

/* The processors of a pardo, in the order of the lanes outside. NP_ERROR_LIMIT: too many, or too much memory. */
np_status np_make_lanes(np_execution *x, const np_instruction *node, const np_frame *outer, const np_mask *mask,
                        np_lanes *lanes) NP_CHECKED;

/* Carries out a strip in all lanes. NP_ERROR_INPUT: an index out of range, an operation that is not defined. */
np_status np_execute_strip(np_execution *x, const np_instruction *node, const np_frame *frame,
                           const np_mask *mask) NP_CHECKED;

/* Raises an error about a site. */
#define NP_SITE_RAISE(x, number, status, ...)                                                                          \
    np_script_raise((x)->syntax, (x)->code->site[number].place, (status), __VA_ARGS__)
