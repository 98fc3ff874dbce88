/*
 * Most quotients fit into 128 bits. For the others, whose size is bounded by the numbers of digits first, np_natural
 * divides by hand, bit by bit.
 */
#include "base/exact.h"

#include <math.h>
#include <string.h>

#include "base/natural.h"

typedef unsigned __int128 wide;

/* ---- Quotients ---- */

static bool shift_decimal(wide *number, int64_t tens)
{
    for (; tens > 0; tens--)
        if (__builtin_mul_overflow(*number, (wide)10, number))
            return false;
    return true;
}

/* a * b * 10^tens / by, rounded up, if all fits into 128 bits. */
static bool divide_short(wide a, wide b, wide by, int64_t tens, wide *out)
{
    wide product;
    if (__builtin_mul_overflow(a, b, &product) || !shift_decimal(tens < 0 ? &by : &product, tens < 0 ? -tens : tens))
        return false;
    *out = product / by + (product % by != 0);
    return true;
}

static int64_t count_digits(wide number)
{
    int64_t digits = 0;
    for (; number; number /= 10)
        digits++;
    return digits;
}

/* a * b; b has at most 128 bits. */
static np_natural product_of(np_natural a, wide b)
{
    np_natural sum = {.count = 0};
    for (int bit = 127; bit >= 0; bit--) {
        np_natural_shift(&sum, 1);
        if (b >> bit & 1)
            np_natural_add(&sum, &a);
    }
    return sum;
}

/* a / by rounded up, at most 64 bits: false if it has more. */
static bool divide_long(np_natural a, const np_natural *by, uint64_t *out)
{
    uint64_t quotient = 0;
    for (int bit = 64; bit >= 0; bit--) {
        np_natural part = *by;
        np_natural_shift(&part, bit);
        if (np_natural_less(&a, &part))
            continue;
        if (bit == 64)
            return false;
        np_natural_subtract(&a, &part);
        quotient |= UINT64_C(1) << bit;
    }
    return !__builtin_add_overflow(quotient, (uint64_t)(a.count > 0), out);
}

bool np_exact_quotient(const np_decimal *a, const np_decimal *b, const np_decimal *by, uint64_t most, uint64_t *out)
{
    int64_t tens = a->exponent + b->exponent - by->exponent;
    wide quotient;
    *out = 0;
    if (!a->digits || !b->digits)
        return true;
    /* It is above 10^low, and at most 10^(low + 3). */
    int64_t low = count_digits(a->digits) + count_digits(b->digits) - count_digits(by->digits) + tens - 2;
    if (low >= 20)
        return false;
    if (low + 3 <= 0)
        *out = 1;
    else if (divide_short(a->digits, b->digits, by->digits, tens, &quotient)) {
        *out = (uint64_t)quotient;
        return quotient <= most;
    } else {
        np_natural dividend = product_of(np_natural_of(a->digits, tens), b->digits);
        np_natural divisor = np_natural_of(by->digits, -tens);
        if (!divide_long(dividend, &divisor, out))
            return false;
    }
    return *out <= most;
}

/* ---- Doubles ---- */

/* Rounds to an IEEE number of so many bits. */
static double round_to(double x, unsigned bits)
{
    if (bits == 64)
        return x;
    if (bits == 32)
        return (double)(float)x;
    int exponent = x > 0 ? ilogb(x) : 0;
    double unit = ldexp(1, (exponent < -14 ? -14 : exponent) - 10);
    return rint(x / unit) * unit;
}

/* x > 0 with so many digits, rounded. */
static np_decimal print(double x, int digits)
{
    const np_decimal_text text = np_decimal_general(x, digits);
    np_decimal number = {0};
    (void)np_decimal_read((np_text_field){text.text, strlen(text.text)}, &number);
    return number;
}

static np_decimal strip(np_decimal number)
{
    for (; number.digits && number.digits % 10 == 0; number.exponent++)
        number.digits /= 10;
    return number;
}

np_decimal np_exact_whole(uint64_t number) { return strip((np_decimal){number, 0, false}); }

/*
 * A number of up to 15 digits (6, 3) comes back from its double (float, half) with as many; 17 (9, 5) always suffice.
 */
np_decimal np_exact_of(double x, unsigned bits)
{
    np_decimal number = {0, 0, false};
    if (x == floor(x) && x < 0x1p63)
        return np_exact_whole((uint64_t)x);
    for (int digits = bits == 64 ? 15 : bits == 32 ? 6 : 3; digits <= 17; digits++) {
        number = print(x, digits);
        if (round_to(np_decimal_nearest(number), bits) == x)
            break;
    }
    return strip(number);
}

void np_exact_unprint(np_decimal *number)
{
    int64_t digits = count_digits(number->digits);
    double x = digits >= 17 && !number->rounded ? np_decimal_nearest(*number) : 0;
    if (!(x > 0 && x < HUGE_VAL))
        return;
    np_decimal printed = print(x, (int)digits);
    if (printed.digits == number->digits && printed.exponent == number->exponent)
        *number = np_exact_of(x, 64);
}

double np_exact_ratio(np_wide top, np_wide bottom, bool up)
{
    enum { BITS = 53 }; /* of a double */
    np_wide quotient = top / bottom, rest = top % bottom;
    int exponent = 0;
    bool inexact = false;
    if (!top)
        return 0;
    for (; quotient >> BITS; exponent++) {
        inexact |= quotient & 1;
        quotient >>= 1;
    }
    for (; !(quotient >> (BITS - 1)) && exponent <= 0; exponent--) { /* long division */
        rest <<= 1;
        quotient = quotient << 1 | (rest >= bottom);
        rest -= rest >= bottom ? bottom : 0;
    }
    return ldexp((double)(uint64_t)(quotient + (up && (inexact || rest))), exponent);
}
