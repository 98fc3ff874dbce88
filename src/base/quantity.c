/* Numbers with a unit. The prefix moves the point before the number is rounded, so 0.3 ms is what 0.0003 s is. */
#include "base/quantity.h"

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
