/* See exact_sum.h. A double is m 2^(e - 1075), where m has 53 bits and e is from 1 to 2046. */
#include "base/exact_sum.h"

#include <math.h>
#include <string.h>

enum { LIMB = 64, FRACTION = 52, EXPONENT_MAX = 2047 };

void np_exact_sum_clear(np_exact_sum *sum) { memset(sum, 0, sizeof *sum); }

static void add_at(uint64_t *limb, unsigned at, uint64_t low, uint64_t high)
{
    bool carry = __builtin_add_overflow(limb[at], low, &limb[at]);
    high += carry; /* which has 53 bits at most: no overflow */
    carry = __builtin_add_overflow(limb[at + 1], high, &limb[at + 1]);
    for (unsigned i = at + 2; carry && i < NP_EXACT_SUM_LIMBS; i++)
        carry = !++limb[i];
}

static void subtract_at(uint64_t *limb, unsigned at, uint64_t low, uint64_t high)
{
    bool borrow = __builtin_sub_overflow(limb[at], low, &limb[at]);
    high += borrow;
    borrow = __builtin_sub_overflow(limb[at + 1], high, &limb[at + 1]);
    for (unsigned i = at + 2; borrow && i < NP_EXACT_SUM_LIMBS; i++)
        borrow = !limb[i]--;
}

static void add_number(np_exact_sum *sum, uint64_t fraction, unsigned exponent, bool minus)
{
    uint64_t m = exponent ? fraction | UINT64_C(1) << FRACTION : fraction;
    unsigned place = exponent ? exponent - 1 : 0, at = place / LIMB, shift = place % LIMB;
    uint64_t low = m << shift, high = shift ? m >> (LIMB - shift) : 0;
    (minus ? subtract_at : add_at)(sum->limb, at, low, high);
}

void np_exact_sum_add(np_exact_sum *sum, double addend)
{
    uint64_t bits;
    memcpy(&bits, &addend, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << FRACTION) - 1);
    const unsigned exponent = bits >> FRACTION & EXPONENT_MAX;
    const bool minus = bits >> 63;
    if (bits == UINT64_C(1) << 63) {
        sum->zeros = true;
        return;
    }
    sum->other = true;
    if (exponent < EXPONENT_MAX)
        add_number(sum, fraction, exponent, minus);
    else if (fraction)
        sum->nan = true;
    else
        *(minus ? &sum->minus_infinite : &sum->infinite) = true;
}

/* The bits of the double nearest to magnitude > 0, without its sign. */
static uint64_t nearest(const uint64_t *limb)
{
    int top = NP_EXACT_SUM_LIMBS - 1;
    while (!limb[top])
        top--;
    const int last = top * LIMB + 63 - __builtin_clzll(limb[top]); /* the place of the first bit that is set */
    if (last <= FRACTION)                                          /* a multiple of the least double: its own bits */
        return limb[0];
    const int unit = last - FRACTION, at = unit / LIMB, shift = unit % LIMB;
    uint64_t m = limb[at] >> shift;
    if (shift && at + 1 < NP_EXACT_SUM_LIMBS)
        m |= limb[at + 1] << (LIMB - shift);
    const int half = unit - 1; /* the place of the bit behind */
    bool above = limb[half / LIMB] << (63 - half % LIMB) << 1;
    for (int i = half / LIMB - 1; i >= 0 && !above; i--)
        above = limb[i];
    if ((limb[half / LIMB] >> half % LIMB & 1) && (above || (m & 1)))
        m++; /* if it becomes 2^53, the addition below makes the next power of 2 of it */
    const uint64_t bits = ((uint64_t)unit << FRACTION) + m, infinite = (uint64_t)EXPONENT_MAX << FRACTION;
    return bits < infinite ? bits : infinite;
}

static double round_number(const np_exact_sum *sum)
{
    const bool minus = sum->limb[NP_EXACT_SUM_LIMBS - 1] >> 63;
    uint64_t limb[NP_EXACT_SUM_LIMBS], any = 0, carry = minus;
    for (unsigned i = 0; i < NP_EXACT_SUM_LIMBS; i++) {
        limb[i] = (minus ? ~sum->limb[i] : sum->limb[i]) + carry;
        carry = carry && !limb[i];
        any |= limb[i];
    }
    uint64_t bits = any ? nearest(limb) | (uint64_t)minus << 63 : (uint64_t)(sum->zeros && !sum->other) << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double np_exact_sum_round(const np_exact_sum *sum)
{
    if (sum->nan || (sum->infinite && sum->minus_infinite))
        return NAN;
    if (sum->infinite || sum->minus_infinite)
        return sum->infinite ? INFINITY : -INFINITY;
    return round_number(sum);
}
