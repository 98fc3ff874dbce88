/* Decimal numbers, read and written exactly and without the locale. */
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number: digits * 10^exponent. */
typedef struct decimal {
    uint64_t digits;
    int64_t exponent;
    bool overflow;
} decimal;

static void push_digit(decimal *number, char digit, bool after_point)
{
    uint64_t value;
    if (__builtin_mul_overflow(number->digits, (uint64_t)10, &value) ||
        __builtin_add_overflow(value, (uint64_t)(digit - '0'), &value)) {
        /* More than 19 digits: a zero shifts the exponent, anything else is lost. */
        number->overflow |= digit != '0';
        number->exponent += !after_point;
        return;
    }
    number->digits = value;
    number->exponent -= after_point;
}

/* [+-]digits[.digits]; moves *at past it. False if there is no digit. */
static bool read_mantissa(const char **at, const char *end, decimal *number)
{
    bool point = false, any = false;
    for (; *at < end; ++*at) {
        char c = **at;
        if (c == '.' && !point)
            point = true;
        else if (c >= '0' && c <= '9')
            any = true, push_digit(number, c, point);
        else
            break;
    }
    return any;
}

/* [eE][+-]digits up to the end. */
static bool read_exponent(const char *at, const char *end, decimal *number)
{
    int64_t exponent = 0;
    bool minus;
    if (at == end)
        return true;
    if (*at != 'e' && *at != 'E')
        return false;
    at++;
    minus = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end)
        return false;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        exponent = exponent < 1000000 ? exponent * 10 + (*at - '0') : exponent;
    }
    number->exponent += minus ? -exponent : exponent;
    return true;
}

/* "3", "3.0", "3e2", "+300.00E-2" are whole; "2.5", "-1", "1e99", "nan" are not counts. */
bool np_decimal_whole(np_text_field field, uint64_t *out)
{
    const char *at = field.at, *end = at + field.length;
    decimal number = {0, 0, false};
    if (at < end && *at == '+')
        at++;
    if (!read_mantissa(&at, end, &number) || !read_exponent(at, end, &number) || number.overflow)
        return false;
    for (; number.digits && number.exponent > 0; number.exponent--)
        if (__builtin_mul_overflow(number.digits, (uint64_t)10, &number.digits))
            return false;
    for (; number.digits && number.exponent < 0; number.exponent++) {
        if (number.digits % 10)
            return false;
        number.digits /= 10;
    }
    *out = number.digits;
    return true;
}

/* ---- Exact reals: digits * 10^exponent, rounded once ---- */

/* Products of 64 bits and 10^400 at most, and twice that. Low limbs first; limbs beyond the count are not set. */
enum { LIMBS = 48, EXPONENT_MOST = 310, EXPONENT_LEAST = -400 };

typedef struct large {
    uint32_t limb[LIMBS];
    unsigned count;
} large;

static void multiply(large *a, uint32_t by)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limb[i] * by;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        a->limb[a->count++] = (uint32_t)carry;
}

static large large_of(uint64_t value, int64_t tens)
{
    large a = {.limb = {(uint32_t)value, (uint32_t)(value >> 32)}, .count = value >> 32 ? 2 : 1};
    for (; tens >= 9; tens -= 9)
        multiply(&a, 1000000000);
    for (; tens > 0; tens--)
        multiply(&a, 10);
    return a;
}

static int bits_of(const large *a)
{
    return a->count ? (int)(32 * a->count) - __builtin_clz(a->limb[a->count - 1]) : 0;
}

static void shift_left(large *a, int bits)
{
    for (; bits >= 31; bits -= 31)
        multiply(a, UINT32_C(1) << 31);
    multiply(a, UINT32_C(1) << bits);
}

static bool is_less(const large *a, const large *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    for (unsigned i = a->count; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i];
    return false;
}

/* a -= b, which is no larger. */
static void subtract(large *a, const large *b)
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

/* a / b from 1 to 2: its first 64 bits. The last one is set, too, if others follow. */
static uint64_t divide(large *a, const large *b)
{
    uint64_t quotient = 0;
    for (unsigned i = 0; i < 64; i++, shift_left(a, 1)) {
        bool one = !is_less(a, b);
        quotient = quotient << 1 | one;
        if (one)
            subtract(a, b);
    }
    return quotient | (a->count > 0);
}

/* The double nearest to bits * 2^exponent, the even one of two; bits >= 2^63, and its last bit stands for all beyond. */
static double round_to_double(uint64_t bits, int exponent)
{
    int drop = exponent < -1074 - 11 ? -1074 - exponent : 11; /* doubles have 53 bits, and are multiples of 2^-1074 */
    for (; drop > 63; drop--, exponent++)
        bits = bits >> 1 | (bits & 1);
    uint64_t kept = bits >> drop, rest = bits << (64 - drop), half = UINT64_C(1) << 63;
    kept += rest > half || (rest == half && (kept & 1));
    return ldexp((double)kept, exponent + drop);
}

static double nearest(uint64_t digits, int64_t exponent)
{
    large a = large_of(digits, exponent), b = large_of(1, -exponent);
    int more = bits_of(&a) - bits_of(&b);
    shift_left(more < 0 ? &a : &b, more < 0 ? -more : more);
    if (is_less(&a, &b)) {
        shift_left(&a, 1);
        more--;
    }
    return round_to_double(divide(&a, &b), more - 63);
}

/* digits * 10^exponent, rounded once. The steps are the same on every machine. */
static double scaled(uint64_t digits, int64_t exponent)
{
    if (!digits || exponent < EXPONENT_LEAST)
        return 0;
    if (exponent > EXPONENT_MOST)
        return HUGE_VAL;
    if (digits >> 53 || exponent < -22 || exponent > 22)
        return nearest(digits, exponent);
    double power = 1; /* 10^22 and all below are doubles: one operation rounds */
    for (int64_t i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10;
    return exponent < 0 ? (double)digits / power : (double)digits * power;
}

bool np_decimal_real(np_text_field field, double *out)
{
    const char *at = field.at, *end = at + field.length;
    decimal number = {0, 0, false};
    if (at < end && *at == '+')
        at++;
    if (!read_mantissa(&at, end, &number) || !read_exponent(at, end, &number))
        return false;
    *out = scaled(number.digits, number.exponent);
    return *out < 1e300;
}

bool np_decimal_size(np_text_field field, double *out)
{
    static const char letters[] = "KMGT";
    size_t number = field.length;
    int power = 0;
    number -= number > 1 && field.at[number - 1] == 'i';
    const char *letter = number ? memchr(letters, field.at[number - 1], sizeof letters - 1) : NULL;
    if (letter) {
        field.length = number - 1;
        power = 10 * (int)(letter - letters + 1);
    }
    bool good = np_decimal_real(field, out);
    *out = good ? ldexp(*out, power) : 0;
    return good;
}

/* ---- Written ---- */

/* A number d.ddd * 10^exponent; the last digit is no zero. */
typedef struct shown {
    char digit[24];
    int digits, exponent;
    bool negative;
} shown;

/* The nearest number of so many digits. printf is asked for digits alone: its point is the locale's. */
static shown round_to(double value, int digits)
{
    shown number = {.negative = signbit(value)};
    char text[48];
    snprintf(text, sizeof text, "%.*e", digits - 1, fabs(value));
    const char *at = text;
    for (; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9')
            number.digit[number.digits++] = *at;
    number.exponent = atoi(at + 1);
    while (number.digits > 1 && number.digit[number.digits - 1] == '0')
        number.digits--;
    return number;
}

static bool reads_as(const shown *number, double value)
{
    uint64_t digits = 0;
    for (int i = 0; i < number->digits; i++)
        digits = digits * 10 + (uint64_t)(number->digit[i] - '0');
    return scaled(digits, number->exponent - number->digits + 1) == fabs(value);
}

/* A double tells all numbers of 15 digits apart, if it is no subnormal one; 17 digits tell all doubles apart. */
static shown shortest(double value)
{
    int digits = fabs(value) < 0x1p-1022 ? 1 : 15;
    shown number = round_to(value, digits);
    while (digits < 17 && !reads_as(&number, value))
        number = round_to(value, ++digits);
    return number;
}

/* Zeros and a point where they are few, else an exponent. */
static void lay_out(const shown *number, char *text)
{
    int point = number->exponent + 1; /* digits before it */
    bool plain = point > -4 && point <= 16;
    char *at = text;
    if (number->negative)
        *at++ = '-';
    if (!plain)
        point = 1;
    if (point <= 0)
        at += snprintf(at, NP_DECIMAL_ROOM - 1, "0.%.*s", -point, "0000");
    for (int i = 0; i < number->digits || i < point; i++) {
        if (i && i == point)
            *at++ = '.';
        *at++ = i < number->digits ? number->digit[i] : '0';
    }
    *at = '\0';
    if (!plain)
        snprintf(at, 8, "e%+03d", number->exponent);
}

const char *np_decimal_write(double value, char text[NP_DECIMAL_ROOM])
{
    if (isfinite(value)) {
        const shown number = shortest(value);
        lay_out(&number, text);
    } else {
        snprintf(text, NP_DECIMAL_ROOM, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    }
    return text;
}
