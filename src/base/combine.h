/* What several words become where they meet: at a cell of a PRAM, or in a switch. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* In the order of np_fetch_op, and of np_combine from NP_COMBINE_SUM on. */
typedef enum np_combination {
    NP_COMBINATION_SUM, /* wraps around */
    NP_COMBINATION_MIN,
    NP_COMBINATION_MAX,
    NP_COMBINATION_AND, /* bit by bit */
    NP_COMBINATION_OR,
    NP_COMBINATION_XOR
} np_combination;

/* less: is a less than b, as values of their type? */
static inline uint64_t np_combine_words(np_combination by, uint64_t a, uint64_t b, bool less)
{
    switch (by) {
    case NP_COMBINATION_SUM:
        return a + b;
    case NP_COMBINATION_MIN:
        return less ? a : b;
    case NP_COMBINATION_MAX:
        return less ? b : a;
    case NP_COMBINATION_AND:
        return a & b;
    case NP_COMBINATION_OR:
        return a | b;
    default:
        return a ^ b;
    }
}
