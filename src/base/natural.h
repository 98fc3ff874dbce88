/*
 * Natural numbers of up to 4,096 bits, for decimal arithmetic that rounds once. Nothing checks that results fit:
 * callers bound the exponents of their numbers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { NP_NATURAL_LIMBS = 128 }; /* numbers of 800 digits, 10^1200, and twice that */

/* Low limbs first; limbs beyond the count are not set. */
typedef struct np_natural {
    uint32_t limb[NP_NATURAL_LIMBS];
    unsigned count;
} np_natural;

/* value * 10^tens; tens below 0 count as 0. */
np_natural np_natural_of(unsigned __int128 value, int64_t tens);

/* a * by + more; a * 10^tens, as above; a * 2^bits; a + b. */
void np_natural_multiply(np_natural *a, uint32_t by, uint32_t more);
void np_natural_multiply_tens(np_natural *a, int64_t tens);
void np_natural_shift(np_natural *a, int bits);
void np_natural_add(np_natural *a, const np_natural *b);

/* a -= b, which is no larger. */
void np_natural_subtract(np_natural *a, const np_natural *b);

bool np_natural_less(const np_natural *a, const np_natural *b);

/* The number of its binary digits. */
int np_natural_bits(const np_natural *a);
