/*
 * Division by a number that is fixed in advance, without the divide
 * instruction. With m = ceil(2^64 / d), floor(x m / 2^64) = floor(x / d) for
 * all 32-bit x and d >= 2: the error x (m d - 2^64) / (d 2^64) is below 1/d,
 * because x d < 2^64. m = 0 marks the case d = 1.
 */
#pragma once

#include <stdint.h>

typedef struct np_divider {
    uint64_t multiplier;
    uint32_t divisor;
} np_divider;

static inline np_divider np_divider_of(uint32_t divisor)
{
    np_divider d = {divisor > 1 ? UINT64_MAX / divisor + 1 : 0, divisor};
    return d;
}

static inline uint32_t np_divide(uint32_t x, np_divider d)
{
    if (!d.multiplier)
        return x;
    return (uint32_t)(((unsigned __int128)x * d.multiplier) >> 64);
}

static inline uint32_t np_modulo(uint32_t x, np_divider d) { return x - np_divide(x, d) * d.divisor; }
