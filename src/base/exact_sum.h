/*
 * The exact sum of reals, rounded once: to the nearest double, ties to even. The order of the addends changes no bit.
 *
 * The sum is one integer of units of 2^-1074, the least double above 0, in two's complement: the "long accumulator" of
 * Kulisch 2013 (Computer Arithmetic and Validity, chapter 8), called small superaccumulator in Neal 2015 (Fast exact
 * summation using small and large superaccumulators, arXiv:1505.05571); we carry at once instead of later. All
 * arithmetic is of integers, so the modes of the processor do not matter. 2^63 addends of any size fit.
 *
 * What is no number: with a NaN, or with both infinities, the sum is NaN (the quiet one, 0x7ff8000000000000); with one
 * of them, it is that one. A sum beyond the largest double is infinite, and with other addends may be finite again.
 * A sum of 0 is 0.0; it is -0.0 if there are addends and all of them are -0.0.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    NP_EXACT_SUM_LIMBS = 34
}; /* 1074 + 1024 bits for one double, 63 for their number, 1 for the sign: 2162 of 2176 */

typedef struct np_exact_sum {
    uint64_t limb[NP_EXACT_SUM_LIMBS]; /* the least first */
    bool nan, infinite, minus_infinite;
    bool zeros; /* there are addends, and all are -0.0 */
    bool other; /* one is not */
} np_exact_sum;

void np_exact_sum_clear(np_exact_sum *sum);
void np_exact_sum_add(np_exact_sum *sum, double addend);
double np_exact_sum_round(const np_exact_sum *sum);
