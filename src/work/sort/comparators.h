/*
 * How many comparators the networks of the textbooks have (Batcher 1968; Knuth, The Art of Computer Programming 3,
 * section 5.3.4). Sorters lay them on the networks of machines.
 */
#pragma once

#include "base/log2.h"

/* n merges of 1, 2, .. n stages, each of half the wires; a power of two of wires, n = log2 of them. */
static inline uint64_t np_comparators_bitonic(uint32_t wires)
{
    uint64_t n = np_log2_up(wires);
    return n * (n + 1) / 2 * wires / 2;
}

/* Merge k has (k-1) 2^(k-1) + 1 comparators in each of 2^(n-k) runs: (n^2 - n + 4) 2^(n-2) - 1 in all. */
static inline uint64_t np_comparators_odd_even_merge(uint32_t wires)
{
    uint64_t n = np_log2_up(wires);
    return (n * n - n + 4) * wires / 4 - 1; /* 1 wire: 4/4 - 1; 2: 8/4 - 1 */
}

/* N odd: (N-1)/2 in each of the N stages; N even: N/2 and N/2 - 1 in turn. */
static inline uint64_t np_comparators_transposition(uint32_t wires) { return (uint64_t)wires * (wires - 1) / 2; }
