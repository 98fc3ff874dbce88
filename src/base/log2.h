/* Logarithms of whole numbers. */
#pragma once

#include <stdint.h>

/* The least n with 2^n >= x, but at most 63. */
static inline uint32_t np_log2_up(uint64_t x)
{
    uint32_t n = 0;
    while (n < 63 && UINT64_C(1) << n < x)
        n++;
    return n;
}
