/* Multiplication and subtraction as by hand, with digits of 32 bits. */
#include "base/natural.h"

void np_natural_multiply(np_natural *a, uint32_t by, uint32_t more)
{
    uint64_t carry = more;
    for (unsigned i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limb[i] * by;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        a->limb[a->count++] = (uint32_t)carry;
}

void np_natural_multiply_tens(np_natural *a, int64_t tens)
{
    for (; tens >= 9; tens -= 9)
        np_natural_multiply(a, 1000000000, 0);
    for (; tens > 0; tens--)
        np_natural_multiply(a, 10, 0);
}

np_natural np_natural_of(unsigned __int128 value, int64_t tens)
{
    np_natural a;
    a.count = 0;
    for (; value; value >>= 32)
        a.limb[a.count++] = (uint32_t)value;
    np_natural_multiply_tens(&a, tens);
    return a;
}

int np_natural_bits(const np_natural *a)
{
    return a->count ? (int)(32 * a->count) - __builtin_clz(a->limb[a->count - 1]) : 0;
}

void np_natural_shift(np_natural *a, int bits)
{
    for (; bits >= 31; bits -= 31)
        np_natural_multiply(a, UINT32_C(1) << 31, 0);
    np_natural_multiply(a, UINT32_C(1) << bits, 0);
}

bool np_natural_less(const np_natural *a, const np_natural *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    for (unsigned i = a->count; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i];
    return false;
}

void np_natural_add(np_natural *a, const np_natural *b)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < b->count || carry; i++) {
        if (i == a->count)
            a->limb[a->count++] = 0;
        carry += (uint64_t)a->limb[i] + (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void np_natural_subtract(np_natural *a, const np_natural *b)
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t take = (i < b->count ? b->limb[i] : 0) + borrow;
        borrow = a->limb[i] < take;
        a->limb[i] = (uint32_t)(a->limb[i] - take);
    }
    while (a->count && !a->limb[a->count - 1])
        a->count--;
}
