/* Orders for qsort: from the least up. */
#ifndef NP_BASE_ORDER_H
#define NP_BASE_ORDER_H

#include <stdint.h>

/* Below 0, 0 or above 0, as a is less than b, equal or greater. */
static inline int np_order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* The first keys of a and b decide, and of equal ones the second. */
static inline int np_order_pair(uint64_t a, uint64_t b, uint64_t a_then, uint64_t b_then)
{
    return a != b ? np_order(a, b) : np_order(a_then, b_then);
}

/* Of uint32_t, uint64_t and double. */
static inline int np_order_numbers(const void *a, const void *b)
{
    return np_order(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline int np_order_words(const void *a, const void *b)
{
    return np_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

static inline int np_order_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
