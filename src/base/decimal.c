/* Decimal numbers, read exactly and without the locale. */
#include "base/decimal.h"

#include <math.h>
#include <string.h>

#include "base/natural.h"

static void push_digit(np_decimal *number, char digit, bool after_point)
{
    unsigned __int128 value = number->digits * 10 + (unsigned)(digit - '0');
    if (number->digits >= NP_DECIMAL_DIGITS_END / 10 || number->rounded) {
        /* A zero shifts the exponent, anything else is lost. */
        number->rounded |= digit != '0';
        number->exponent += !after_point;
        return;
    }
    number->digits = value;
    number->exponent -= after_point;
}

/* [+-]digits[.digits]; moves *at past it. False if there is no digit. */
static bool read_mantissa(const char **at, const char *end, np_decimal *number)
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
static bool read_exponent(const char *at, const char *end, np_decimal *number)
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

/* Without zeros at the end. */
static void strip(np_decimal *number)
{
    if (!number->digits)
        number->exponent = 0;
    for (; number->digits && number->digits % 10 == 0; number->exponent++)
        number->digits /= 10;
}

bool np_decimal_read(np_text_field field, np_decimal *out)
{
    const char *at = field.at, *end = at + field.length;
    *out = (np_decimal){0, 0, false};
    if (at < end && *at == '+')
        at++;
    if (!read_mantissa(&at, end, out) || !read_exponent(at, end, out))
        return false;
    strip(out);
    return true;
}

/* "3", "3.0", "3e2", "+300.00E-2" are whole; "2.5", "-1", "1e99", "nan" are not counts. */
bool np_decimal_whole(np_text_field field, uint64_t *out)
{
    np_decimal number;
    if (!np_decimal_read(field, &number) || number.rounded || number.exponent < 0 || number.digits > UINT64_MAX)
        return false;
    *out = (uint64_t)number.digits;
    for (; number.exponent > 0; number.exponent--)
        if (__builtin_mul_overflow(*out, (uint64_t)10, out))
            return false;
    return true;
}

/* ---- Exact reals: digits * 10^exponent, rounded once ---- */

enum { EXPONENT_MOST = 310, EXPONENT_LEAST = -400 };

/* a / b from 1 to 2: its first 64 bits. The last one is set, too, if others follow. */
static uint64_t divide(np_natural *a, const np_natural *b)
{
    uint64_t quotient = 0;
    for (unsigned i = 0; i < 64; i++, np_natural_shift(a, 1)) {
        bool one = !np_natural_less(a, b);
        quotient = quotient << 1 | one;
        if (one)
            np_natural_subtract(a, b);
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
    np_natural a = np_natural_of(digits, exponent), b = np_natural_of(1, -exponent);
    int more = np_natural_bits(&a) - np_natural_bits(&b);
    np_natural_shift(more < 0 ? &a : &b, more < 0 ? -more : more);
    if (np_natural_less(&a, &b)) {
        np_natural_shift(&a, 1);
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

double np_decimal_nearest(np_decimal number)
{
    for (; number.digits > UINT64_MAX; number.exponent++)
        number.digits /= 10;
    return scaled((uint64_t)number.digits, number.exponent);
}

bool np_decimal_real(np_text_field field, double *out)
{
    np_decimal number;
    if (!np_decimal_read(field, &number))
        return false;
    *out = np_decimal_nearest(number);
    return *out < 1e300;
}

/* Takes K, M, G or T, or Ki and so on, off the end of the field: the power of two that it stands for. */
static int take_letter(np_text_field *field)
{
    static const char letters[] = "KMGT";
    size_t number = field->length;
    number -= number > 1 && field->at[number - 1] == 'i';
    const char *letter = number ? memchr(letters, field->at[number - 1], sizeof letters - 1) : NULL;
    if (!letter)
        return 0;
    field->length = number - 1;
    return 10 * (int)(letter - letters + 1);
}

bool np_decimal_size(np_text_field field, double *out)
{
    int power = take_letter(&field);
    bool good = np_decimal_real(field, out);
    *out = good ? ldexp(*out, power) : 0;
    return good;
}

bool np_decimal_read_size(np_text_field field, np_decimal *out)
{
    int power = take_letter(&field);
    if (!np_decimal_read(field, out) || out->digits >> (127 - power))
        return false;
    out->digits <<= power;
    strip(out);
    return true;
}
