/*
 * Decimal numbers, read and written exactly and without the locale. No other file calls what reads or writes a real by
 * the locale (tests/cli/reals). A number is digits * 10^exponent. Its first 19 digits are a word; if other digits than
 * zeros follow, it is read once more, as a number of many words.
 */
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* digits[.digits]; moves *at past it. False if there is no digit. */
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

/* What a number is written as. */
typedef struct parts {
    np_decimal number;
    np_text_field mantissa; /* "12.5" */
    int64_t exponent;       /* behind the letter e */
} parts;

/* A sign may be before it, if it is this one. */
static bool read_parts(np_text_field field, char sign, parts *out)
{
    const char *at = field.at, *end = at + field.length;
    np_decimal power = {0, 0, false};
    *out = (parts){.exponent = 0};
    at += at < end && *at == sign;
    out->mantissa.at = at;
    if (!read_mantissa(&at, end, &out->number))
        return false;
    out->mantissa.length = (size_t)(at - out->mantissa.at);
    if (!read_exponent(at, end, &power))
        return false;
    out->exponent = power.exponent;
    out->number.exponent += power.exponent;
    strip(&out->number);
    return true;
}

bool np_decimal_read(np_text_field field, np_decimal *out)
{
    parts read;
    bool good = read_parts(field, '+', &read);
    *out = read.number;
    return good;
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

/*
 * No double lies between two neighbours of DIGITS digits, nor half way between two doubles, so one digit stands for all
 * that follow. Products are of 10^DIGITS and 10^1200 at most, and twice that.
 */
enum { DIGITS = 800, EXPONENT_MOST = 310, EXPONENT_LEAST = -400 };

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

/*
 * The double nearest to bits * 2^exponent, the even one of two; bits >= 2^63, and its last bit stands for all beyond.
 */
static double round_to_double(uint64_t bits, int exponent)
{
    int drop = exponent < -1074 - 11 ? -1074 - exponent : 11; /* doubles have 53 bits, and are multiples of 2^-1074 */
    for (; drop > 63; drop--, exponent++)
        bits = bits >> 1 | (bits & 1);
    uint64_t kept = bits >> drop, rest = bits << (64 - drop), half = UINT64_C(1) << 63;
    kept += rest > half || (rest == half && (kept & 1));
    return ldexp((double)kept, exponent + drop);
}

/* a * 10^exponent */
static double nearest(np_natural a, int64_t exponent)
{
    np_natural b = np_natural_of(1, -exponent);
    np_natural_multiply_tens(&a, exponent);
    int more = np_natural_bits(&a) - np_natural_bits(&b);
    np_natural_shift(more < 0 ? &a : &b, more < 0 ? -more : more);
    if (np_natural_less(&a, &b)) {
        np_natural_shift(&a, 1);
        more--;
    }
    return round_to_double(divide(&a, &b), more - 63);
}

/* All digits of the number, of which the last is not 0: one for those beyond DIGITS. *exponent goes with them. */
static np_natural all_digits(np_text_field mantissa, int64_t *exponent)
{
    np_natural a = {.count = 0};
    unsigned kept = 0;
    bool point = false, more = false;
    int64_t shift = 0;
    for (const char *at = mantissa.at; at < mantissa.at + mantissa.length; at++) {
        point |= *at == '.';
        if (*at == '.' || (*at == '0' && !kept)) {
            shift -= point && *at == '0';
            continue;
        }
        if (kept == DIGITS) {
            more |= *at != '0';
            shift += !point;
            continue;
        }
        np_natural_multiply(&a, 10, (uint32_t)(*at - '0'));
        shift -= point;
        kept++;
    }
    np_natural_multiply(&a, 10, more);
    *exponent += shift - 1;
    return a;
}

double np_decimal_nearest(np_decimal number)
{
    int64_t exponent = number.exponent;
    if (!number.digits || exponent < EXPONENT_LEAST)
        return 0;
    if (exponent > EXPONENT_MOST)
        return HUGE_VAL;
    if (number.digits >> 53 || exponent < -22 || exponent > 22)
        return nearest(np_natural_of(number.digits, 0), exponent);
    double digits = (double)number.digits, power = 1; /* 10^22 and all below are doubles: one operation rounds */
    for (int64_t i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10;
    return exponent < 0 ? digits / power : digits * power;
}

static double value_of(const parts *read)
{
    int64_t exponent = read->exponent;
    if (!read->number.rounded || read->number.exponent < EXPONENT_LEAST || read->number.exponent > EXPONENT_MOST)
        return np_decimal_nearest(read->number);
    const np_natural all = all_digits(read->mantissa, &exponent);
    return nearest(all, exponent);
}

static bool read_scaled(np_text_field field, int tens, double *out)
{
    parts read;
    bool minus = field.length && *field.at == '-';
    if (!read_parts(field, minus ? '-' : '+', &read))
        return false;
    read.number.exponent += read.number.digits ? tens : 0;
    read.exponent += tens;
    *out = value_of(&read);
    *out = minus ? -*out : *out;
    return isfinite(*out);
}

bool np_decimal_signed(np_text_field field, double *out) { return read_scaled(field, 0, out); }

bool np_decimal_scaled(np_text_field field, int tens, double *out)
{
    return field.length && *field.at != '-' && read_scaled(field, tens, out) && *out < 1e300;
}

bool np_decimal_real(np_text_field field, double *out) { return np_decimal_scaled(field, 0, out); }

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
    return np_decimal_nearest((np_decimal){digits, number->exponent - number->digits + 1, false}) == fabs(value);
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

/* A point for what is between the digits: it depends on the locale, and may have several bytes. */
static void put_point(char *text)
{
    char *radix = text + (*text == '-');
    radix += strspn(radix, "0123456789");
    char *rest = radix + strcspn(radix, "0123456789e");
    if (rest == radix || !*rest)
        return; /* a whole number, inf, nan */
    *radix = '.';
    memmove(radix + 1, rest, strlen(rest) + 1);
}

np_decimal_text np_decimal_general(double value, int digits)
{
    np_decimal_text out;
    snprintf(out.text, sizeof out.text, "%.*g", digits, value);
    put_point(out.text);
    return out;
}

np_decimal_text np_decimal_fixed(double value, int decimals)
{
    np_decimal_text out;
    if (!(fabs(value) < 1e20))
        return np_decimal_general(value, 17);
    snprintf(out.text, sizeof out.text, "%.*f", decimals, value);
    put_point(out.text);
    return out;
}

np_decimal_text np_decimal_exact(double value)
{
    np_decimal_text out;
    np_decimal_write(value, out.text);
    return out;
}
