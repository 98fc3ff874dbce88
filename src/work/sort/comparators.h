/*
 * Oblivious comparator networks (Batcher 1968; Knuth, The Art of Computer Programming 3, section 5.3.4): wires and
 * stages of disjoint comparators. Each comparator puts the lesser of two items on its low wire. Comparator networks do
 * not depend on a machine; sorters lay them on the networks of machines.
 */
#ifndef NP_SORT_COMPARATORS_H
#define NP_SORT_COMPARATORS_H

#include <stdint.h>

/* A family of comparator networks. Stages are made one at a time, as all stages of a network may not fit in memory. */
typedef struct np_comparators {
    const char *name, *source;
    /* NULL if there is one for so many wires, else the reason why not ("it needs a power of two of wires"). */
    const char *(*refuses)(uint32_t wires);
    uint32_t (*stages)(uint32_t wires);
    uint64_t (*count)(uint32_t wires); /* comparators in all, by formula */
    /* The comparators of stage s: low[i] is the wire that gets the lesser item. Returns how many; low and high have
       room for wires / 2. */
    uint32_t (*stage)(uint32_t wires, uint32_t s, uint32_t *low, uint32_t *high);
} np_comparators;

extern const np_comparators np_comparators_bitonic;        /* log N (log N + 1) / 2 stages of N/2 */
extern const np_comparators np_comparators_odd_even_merge; /* as many stages, (n^2 - n + 4) 2^(n-2) - 1 comparators */
extern const np_comparators np_comparators_transposition;  /* N stages of neighbours */

#endif
