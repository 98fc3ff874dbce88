/*
 * The algebra of merging by columns: words of 32 bits, a block of rows at a
 * time, in loops without a branch that the compiler turns into vector code.
 * merge_columns.c and ranade_columns.c say what their words mean; in both, 0
 * is nothing and an odd word is a ghost.
 *
 * A condition is a mask: all ones, or 0.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    NP_COLUMN_BLOCK = 64
}; /* rows at once: ours; what the loops over a block share stays in the first-level cache */

#define NP_COLUMN_ALL UINT32_MAX
#define NP_COLUMN_INLINE static inline __attribute__((always_inline))

NP_COLUMN_INLINE uint32_t np_column_mask(bool condition) { return -(uint32_t)condition; }
NP_COLUMN_INLINE uint32_t np_column_choose(uint32_t by, uint32_t a, uint32_t b) { return (by & a) | (~by & b); }
NP_COLUMN_INLINE uint32_t np_column_larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
NP_COLUMN_INLINE uint32_t np_column_smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* np_column_cross for one cross, known to the compiler, so that it moves and permutes vectors. */
NP_COLUMN_INLINE void np_column_cross_by(uint32_t cross, const uint32_t *restrict from, uint32_t *restrict to)
{
    for (uint32_t i = 0; i < NP_COLUMN_BLOCK; i += 2 * cross)
        for (uint32_t j = i; j < i + cross; j++) {
            to[j] = from[j + cross];
            to[j + cross] = from[j];
        }
}

/* to[i] = from[i ^ cross] for a block; cross < NP_COLUMN_BLOCK, a power of two or 0. */
NP_COLUMN_INLINE void np_column_cross(uint32_t cross, const uint32_t *restrict from, uint32_t *restrict to)
{
    switch (cross) {
    case 0:
        memcpy(to, from, NP_COLUMN_BLOCK * sizeof *to);
        break;
    case 1:
        np_column_cross_by(1, from, to);
        break;
    case 2:
        np_column_cross_by(2, from, to);
        break;
    case 4:
        np_column_cross_by(4, from, to);
        break;
    case 8:
        for (uint32_t i = 0; i < NP_COLUMN_BLOCK; i += 8)
            memcpy(to + i, from + (i ^ cross), 8 * sizeof *to);
        break;
    default: /* as many words as a vector: the processor stalls where a load spans two stores */
        for (uint32_t i = 0; i < NP_COLUMN_BLOCK; i += 16)
            memcpy(to + i, from + (i ^ cross), 16 * sizeof *to);
        break;
    }
}

/* Is any of eight words not 0? */
NP_COLUMN_INLINE bool np_column_any_of_eight(const uint32_t *word)
{
    uint64_t pair[4];
    memcpy(pair, word, sizeof pair);
    return (pair[0] | pair[1] | pair[2] | pair[3]) != 0;
}

/* The rows of a block whose word is all ones, a bit each; the other words are 0. */
NP_COLUMN_INLINE uint64_t np_column_rows(const uint32_t *mask)
{
    uint32_t low = 0, high = 0;
#pragma omp simd reduction(| : low, high)
    for (uint32_t i = 0; i < 32; i++) {
        low |= mask[i] & UINT32_C(1) << i;
        high |= mask[32 + i] & UINT32_C(1) << i;
    }
    return low | (uint64_t)high << 32;
}

/* gone[i]: the word h selected in row i was the head of its initial queue and has left. */
NP_COLUMN_INLINE void np_column_heads_gone(const uint32_t *restrict went, const uint32_t *restrict head,
                                           const uint32_t *restrict least, uint32_t *restrict gone)
{
#pragma omp simd
    for (int i = 0; i < NP_COLUMN_BLOCK; i++)
        gone[i] = went[i] & np_column_mask(head[i] == least[i]);
}
