/*
 * Numbers with a unit. The prefix moves the point before the number is rounded, so 0.3 ms is what 0.0003 s is.
 *
 * Of amounts a prefix alone is a power of 1024, as that of --memory; before a B or a byte it is what the standards say
 * (IEC 80000-13): kB, MB and GB are powers of ten, KiB, MiB and GiB of 1024. KB is used for both, and is refused.
 */
#include "base/quantity.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"

static const struct {
    const char *text, *unit;
    bool bytes;
} units[] = {
    {"", "", false},           {"bps", "bit/s", false},    {"b/s", "bit/s", false},
    {"bit/s", "bit/s", false}, {"bits/s", "bit/s", false}, {"Bps", "bit/s", true},
    {"B/s", "bit/s", true},    {"byte/s", "bit/s", true},  {"bytes/s", "bit/s", true},
    {"s", "s", false},         {"sec", "s", false},        {"m", "m", false},
};

static const struct {
    const char *text;
    int tens;
} prefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"k", 3},
                {"K", 3},   {"M", 6},  {"G", 9},  {"T", 12},        {"P", 15},        {"E", 18}};

/* The place in `units` of the text; their count if it is none. */
static size_t unit_of(const char *at, size_t length)
{
    size_t i = 0;
    while (i < sizeof units / sizeof *units && (strlen(units[i].text) != length || memcmp(units[i].text, at, length)))
        i++;
    return i;
}

/* What stands behind the number: *tens and the place in `units`. False: it is no unit. */
static bool read_unit(const char *at, size_t length, int *tens, size_t *unit)
{
    *tens = 0;
    if ((*unit = unit_of(at, length)) < sizeof units / sizeof *units)
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t prefix = strlen(prefixes[i].text);
        if (length < prefix || memcmp(at, prefixes[i].text, prefix))
            continue;
        *tens = prefixes[i].tens;
        if ((*unit = unit_of(at + prefix, length - prefix)) < sizeof units / sizeof *units)
            return true;
    }
    return false;
}

/* How long the number at the beginning of the field is: [+-]digits[.digits][e[+-]digits] */
static size_t number_length(np_text_field field)
{
    static const char digits[] = "0123456789";
    size_t i = 0, exponent;
    while (i < field.length && (memchr("+-.", field.at[i], 3) || memchr(digits, field.at[i], 10)))
        i++;
    if (i == field.length || (field.at[i] != 'e' && field.at[i] != 'E'))
        return i;
    exponent = i + 1;
    exponent += exponent < field.length && memchr("+-", field.at[exponent], 2);
    if (exponent == field.length || !memchr(digits, field.at[exponent], 10))
        return i;
    while (exponent < field.length && memchr(digits, field.at[exponent], 10))
        exponent++;
    return exponent;
}

bool np_quantity_read(np_text_field field, np_quantity *out)
{
    size_t length = number_length(field), space = length, unit;
    int tens;
    while (space < field.length && field.at[space] == ' ')
        space++;
    if (!read_unit(field.at + space, field.length - space, &tens, &unit))
        return false;
    bool minus = length && *field.at == '-';
    if (!np_decimal_scaled((np_text_field){field.at + minus, length - minus}, tens, &out->value) ||
        (minus && length > 1 && field.at[1] == '+'))
        return false;
    out->value *= (minus ? -1 : 1) * (units[unit].bytes ? 8 : 1);
    out->unit = units[unit].unit;
    out->scaled = tens || *out->unit;
    return true;
}

/* ---- Amounts ---- */

static const char no_size[] = "give an amount of data, such as 1G (2^30), 1GB (10^9) or 64KiB";

static np_text_field without_spaces(const char *at, size_t length)
{
    while (length && at[length - 1] == ' ')
        length--;
    return (np_text_field){at, length};
}

/* "64 Ki", of a number of bytes. */
static bool read_binary(np_text_field field, double *out)
{
    static const char letters[] = "KMGTP";
    const char *letter = field.length > 1 ? memchr(letters, field.at[field.length - 2], sizeof letters - 1) : NULL;
    bool good = letter && np_decimal_real(without_spaces(field.at, field.length - 2), out);
    if (good)
        *out = ldexp(*out, 10 * (int)(letter - letters + 1));
    return good;
}

/* Takes "B", "byte" or "bytes" off the end, and spaces before it. */
static bool take_bytes(np_text_field *field)
{
    static const char *const words[] = {"bytes", "byte", "B"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (field->length <= length || memcmp(field->at + field->length - length, words[i], length) != 0)
            continue;
        *field = without_spaces(field->at, field->length - length);
        return true;
    }
    return false;
}

const char *np_size_read(np_text_field field, double *out, bool *bytes)
{
    static const char ends[] = "0123456789.kMGTP";
    np_quantity q;
    *bytes = take_bytes(&field);
    char last = field.length ? field.at[field.length - 1] : 0;
    if (!*bytes || last == 'i')
        return (*bytes ? read_binary : np_decimal_size)(field, out) ? NULL : no_size;
    if (last == 'K')
        return "KB has two meanings: write kB (1000 bytes) or KiB (1024)";
    if (!memchr(ends, last, sizeof ends - 1) || !np_quantity_read(field, &q) || *q.unit || !(q.value >= 0))
        return no_size;
    *out = q.value;
    return NULL;
}

np_status np_size_set_bytes(void *object, const np_field *field, const char *text, bool *bytes)
{
    double value;
    const char *wrong = np_size_read((np_text_field){text, strlen(text)}, &value, bytes);
    if (wrong)
        return NP_RAISE(NP_ERROR_INPUT, "%s", wrong);
    if (!(value >= field->least && value <= 1e15))
        return NP_RAISE(NP_ERROR_INPUT, "must be a number in %s..1e15", NP_REAL(field->least, 6));
    *(double *)((char *)object + field->at) = value;
    return NP_OK;
}

np_status np_size_set(void *object, const np_field *field, const char *text)
{
    bool bytes;
    return np_size_set_bytes(object, field, text, &bytes);
}

/* ---- Rates ---- */

np_status np_rate_read(const char *text, double *out)
{
    np_quantity q;
    bool number = np_quantity_read((np_text_field){text, strlen(text)}, &q);
    if (number && !*q.unit)
        return NP_RAISE(NP_ERROR_INPUT, "a rate needs its unit: bits are '%.80sbit/s', bytes '%.80sB/s'", text, text);
    if (!number || strcmp(q.unit, "bit/s") != 0)
        return NP_RAISE(NP_ERROR_INPUT, "give a rate with its unit, such as 100Gbit/s or 50GB/s");
    if (!(q.value >= 1 && q.value <= 1e15))
        return NP_RAISE(NP_ERROR_INPUT, "must be a rate from 1 bit/s to 1 Pbit/s");
    *out = q.value;
    return NP_OK;
}

np_status np_rate_set(void *object, const np_field *field, const char *text)
{
    return np_rate_read(text, (double *)((char *)object + field->at));
}
