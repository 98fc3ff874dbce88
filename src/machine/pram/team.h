/*
 * The threads of a PRAM. What is done for each item of a long array is divided among them statically: reads and
 * exclusive writes by processors; what must come in order at each cell by cells, in blocks, so that one thread does all
 * that a step does to a cell. Nothing depends on the number of threads.
 */
#pragma once

#include "base/threads.h"
#include "netpram/pram.h"

typedef struct np_team {
    unsigned threads; /* at most; 0: not chosen yet, one a processor */
} np_team;

/* Takes the number asked for; 0: it is chosen when work is long enough. NP_ERROR_LIMIT: the system starts fewer. */
np_status np_team_init(np_team *team, unsigned asked) NP_CHECKED;

/* How many threads there are at most. */
unsigned np_team_threads(np_team *team);

/* How many threads shall work on `count` items. team NULL: 1. */
unsigned np_team_for(np_team *team, size_t count);

/* Clears `bytes` bytes, by parts: so each thread mostly is the first to touch its own. */
void np_team_clear(np_team *team, void *memory, size_t bytes);
/* from NULL: zeros. */
void np_team_copy(np_team *team, void *to, const void *from, size_t bytes);

/* A part of the work: that of one thread, but any may do it. */
typedef struct np_part {
    unsigned thread, threads;
} np_part;

/* Does work(context, part) for each part of `count` items, as many parts as threads shall work on them. */
void np_team_each(np_team *team, size_t count, void (*work)(void *context, np_part part), void *context);

/* Where the part of count items begins and ends. */
typedef struct np_range {
    size_t begin, end;
} np_range;

static inline np_range np_part_of(np_part part, size_t count)
{
    size_t each = (count + part.threads - 1) / part.threads;
    size_t begin = each * part.thread < count ? each * part.thread : count;
    return (np_range){begin, count - begin < each ? count : begin + each};
}

enum {
    NP_PART_CELLS = 6, /* log2 of the cells of a block; ours: so two threads seldom share a line */
    NP_PART_PICKS = 512
};

/* Is the cell the part's? Blocks are dealt out by a hash, because addresses often have a stride. */
static inline bool np_part_has(np_part part, np_address address)
{
    uint32_t hash = (uint32_t)(address >> NP_PART_CELLS) * UINT32_C(0x9e3779b9);
    return ((uint64_t)hash * part.threads) >> 32 == part.thread;
}

/* Lists the active ones of the processors begin .. end-1, NP_PART_PICKS at most, in order. Returns how many. */
static inline size_t np_part_active(const uint8_t *active, size_t begin, size_t end, uint32_t *processor)
{
    size_t picked = 0;
    for (size_t i = begin; i < end; i++) {
        processor[picked] = (uint32_t)i;
        picked += !active || active[i];
    }
    return picked;
}

/* The same, but only those whose cells are the part's. */
static inline size_t np_part_pick(np_part part, const np_pram_step *step, size_t begin, size_t end, uint32_t *processor)
{
    size_t listed = np_part_active(step->active, begin, end, processor), picked = 0;
    if (part.threads == 1)
        return listed;
    for (size_t k = 0; k < listed; k++) {
        uint32_t i = processor[k];
        processor[picked] = i;
        picked += np_part_has(part, step->address[i]);
    }
    return picked;
}

/* Where the block of processors from `begin` on ends. */
static inline size_t np_part_block(size_t begin, size_t end)
{
    return end - begin < NP_PART_PICKS ? end : begin + NP_PART_PICKS;
}
