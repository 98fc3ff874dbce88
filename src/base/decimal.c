/* Decimal numbers, read exactly and without the locale. */
#include "base/decimal.h"

#include <math.h>
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

/* value * 10^exponent. The steps are the same on every machine. */
static double scaled(double value, int64_t exponent)
{
    for (; exponent >= 22 && value < 1e300; exponent -= 22)
        value *= 1e22;
    for (; exponent <= -22 && value > 0; exponent += 22)
        value /= 1e22;
    double power = 1;
    for (int64_t i = exponent < 0 ? -exponent : exponent; i > 0 && i < 400; i--)
        power *= 10;
    return exponent < 0 ? value / power : value * power;
}

bool np_decimal_real(np_text_field field, double *out)
{
    const char *at = field.at, *end = at + field.length;
    decimal number = {0, 0, false};
    if (at < end && *at == '+')
        at++;
    if (!read_mantissa(&at, end, &number) || !read_exponent(at, end, &number))
        return false;
    *out = number.digits ? scaled((double)number.digits, number.exponent) : 0;
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
