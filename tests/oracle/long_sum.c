/*
 * Bit i of a long number stands for 2^(i - 1074). What is above 0 is added up by itself, and what is below 0 by itself.
 */
#include "oracle/long_sum.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LOWEST = -1074, BITS = 1074 + 1024 + 64 };

typedef struct number {
    bool bit[BITS];
} number;

static void add(number *to, double value)
{
    int exponent, at;
    double fraction = frexp(value, &exponent); /* value = fraction 2^exponent, and fraction is from 1/2 to 1 */
    bool carry = false;
    for (at = exponent - 53; at < LOWEST; at++) /* bits that a small number does not have */
        fraction *= 0.5, exponent++;
    uint64_t digits = (uint64_t)ldexp(fraction, 53);
    for (at = exponent - 53 - LOWEST; digits || carry; at++, digits /= 2) {
        int sum = to->bit[at] + (int)(digits % 2) + carry;
        to->bit[at] = sum % 2;
        carry = sum / 2;
    }
}

static int compare(const number *a, const number *b)
{
    for (int i = BITS; i-- > 0;)
        if (a->bit[i] != b->bit[i])
            return a->bit[i] ? 1 : -1;
    return 0;
}

static void subtract(number *from, const number *b)
{
    bool borrow = false;
    for (int i = 0; i < BITS; i++) {
        int rest = from->bit[i] - b->bit[i] - borrow;
        borrow = rest < 0;
        from->bit[i] = rest & 1;
    }
}

static bool any_below(const number *a, int end)
{
    for (int i = 0; i < end; i++)
        if (a->bit[i])
            return true;
    return false;
}

/* a > 0 */
static double rounded(const number *a)
{
    int first = BITS - 1;
    while (!a->bit[first])
        first--;
    int last = first - 52 > 0 ? first - 52 : 0; /* the last bit that is kept */
    uint64_t kept = 0;
    for (int i = first; i >= last; i--)
        kept = 2 * kept + a->bit[i];
    if (last > 0 && a->bit[last - 1] && (kept % 2 || any_below(a, last - 1)))
        kept++;
    return ldexp((double)kept, last + LOWEST); /* exact, or infinite */
}

static double sum_of_numbers(const double *addend, size_t count)
{
    static number above, below;
    bool all_minus = count > 0;
    memset(&above, 0, sizeof above);
    memset(&below, 0, sizeof below);
    for (size_t i = 0; i < count; i++) {
        all_minus = all_minus && addend[i] == 0 && signbit(addend[i]);
        if (addend[i] != 0)
            add(addend[i] > 0 ? &above : &below, fabs(addend[i]));
    }
    int order = compare(&above, &below);
    if (!order)
        return all_minus ? -0.0 : 0.0;
    subtract(order > 0 ? &above : &below, order > 0 ? &below : &above);
    return order > 0 ? rounded(&above) : -rounded(&below);
}

double oracle_long_sum(const double *addend, size_t count)
{
    bool up = false, down = false;
    for (size_t i = 0; i < count; i++) {
        if (isnan(addend[i]))
            return NAN;
        up = up || (isinf(addend[i]) && addend[i] > 0);
        down = down || (isinf(addend[i]) && addend[i] < 0);
    }
    if (up || down)
        return up && down ? (double)NAN : up ? INFINITY : -INFINITY;
    return sum_of_numbers(addend, count);
}
