/* The lines of a mesh in bundles: neighbouring rows, or neighbouring columns. Submeshes are bundles of rows by bundles
   of columns. */
#ifndef NP_ROUTE_BUNDLES_H
#define NP_ROUTE_BUNDLES_H

#include "base/arena.h"

/* Bundle i is lines first[i] .. first[i+1]-1. */
typedef struct np_bundles {
    uint32_t lines, count;
    uint32_t *first; /* [count + 1] */
    uint32_t *of;    /* [lines] */
} np_bundles;

static inline void np_bundles_layout(np_bundles *b, np_arena *arena)
{
    np_arena_array(arena, &b->first, (size_t)b->count + 1, sizeof *b->first, "bundles of lines");
    np_arena_array(arena, &b->of, b->lines, sizeof *b->of, "bundles of lines");
}

/* Fills the arrays: sizes differ by one at most. */
static inline void np_bundles_make(np_bundles *b)
{
    for (uint32_t i = 0; i <= b->count; i++)
        b->first[i] = (uint32_t)((uint64_t)b->lines * i / b->count);
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t line = b->first[i]; line < b->first[i + 1]; line++)
            b->of[line] = i;
}

static inline uint32_t np_bundles_width(const np_bundles *b, uint32_t i) { return b->first[i + 1] - b->first[i]; }

#endif
