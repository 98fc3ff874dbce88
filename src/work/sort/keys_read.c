/*
 * Keys from a file, one a line. The form of all lines decides the kind of the keys, before any line is read as a
 * number. So a line 2^64 among integers is an error: it is too large. It does not turn the other lines into
 * floating-point numbers, which would make different integers equal.
 *
 * Words. Signed integers compare as unsigned words if their sign bit is flipped. Floating-point numbers (IEEE 754,
 * binary64) do so too if the sign bit of positive numbers and all bits of negative numbers are flipped: -0 comes just
 * below 0. Lines of text get the number of their place among all different lines.
 *
 * A line ends in LF or CRLF. The CR is not a part of the key, but is written back with it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/text.h"
#include "work/sort/keys.h"

static const uint64_t sign_bit = UINT64_C(1) << 63;

/* What is being read. */
typedef struct reading {
    np_text text; /* for its messages: name and line */
    np_keys *keys;
    bool skips;           /* lines of spaces */
    bool chosen;          /* the kind is that of all lines together, and nobody said it */
    bool negative, large; /* integers below 0, and past 2^63 - 1, were seen */
} reading;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The line without spaces at both ends. */
static np_keys_line trim(np_keys_line line)
{
    while (line.length && np_text_is_blank(line.at[line.length - 1]))
        line.length--;
    while (line.length && np_text_is_blank(*line.at)) {
        line.at++;
        line.length--;
    }
    return line;
}

static size_t digits_at(const char *at, const char *end)
{
    size_t count = 0;
    while (at + count < end && is_digit(at[count]))
        count++;
    return count;
}

/* nan, inf or infinity, in any case of letters. */
static bool is_special(const char *at, const char *end)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    size_t length = (size_t)(end - at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !strncasecmp(at, words[i], length))
            return true;
    return false;
}

/* What the form of a line, trimmed and not empty, allows: integers, else floats, else text. */
static np_key_kind kind_of(np_keys_line line)
{
    const char *at = line.at, *end = line.at + line.length;
    at += *at == '-' || *at == '+';
    size_t whole = digits_at(at, end), fraction = 0;
    if (whole && at + whole == end)
        return NP_KEYS_INTEGERS;
    if (is_special(at, end))
        return NP_KEYS_FLOATS;
    at += whole;
    if (at < end && *at == '.')
        at += 1 + (fraction = digits_at(at + 1, end));
    if (!whole && !fraction)
        return NP_KEYS_TEXT;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '-' || *at == '+');
        size_t exponent = digits_at(at, end);
        if (!exponent)
            return NP_KEYS_TEXT;
        at += exponent;
    }
    return at == end ? NP_KEYS_FLOATS : NP_KEYS_TEXT;
}

/* The next line of *at .. end, without its end. */
static np_keys_line take_line(const char **at, const char *end)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    np_keys_line line = {*at, (size_t)((newline ? newline : end) - *at)};
    *at = newline ? newline + 1 : end;
    return line;
}

static np_status refuse(reading *r, np_keys_line line, const char *why)
{
    r->text.field[0] = (np_text_field){line.at, line.length};
    return np_text_raise(&r->text, NP_ERROR_INPUT, "'%s' %s", np_text_show(&r->text, 0).text, why);
}

/*
 * Counts the lines, and the lines that have more than spaces. Returns the most special kind that fits all the latter.
 */
static np_key_kind survey(const reading *r, size_t *lines, size_t *filled)
{
    np_key_kind kind = NP_KEYS_INTEGERS;
    *lines = *filled = 0;
    for (const char *at = r->text.at; at < r->text.end; ++*lines) {
        np_keys_line line = trim(take_line(&at, r->text.end));
        if (!line.length)
            continue;
        np_key_kind own = kind < NP_KEYS_TEXT ? kind_of(line) : NP_KEYS_TEXT;
        kind = own > kind ? own : kind;
        ++*filled;
    }
    return *filled ? kind : NP_KEYS_TEXT;
}

static np_status integer(reading *r, np_keys_line line, uint64_t *out)
{
    bool minus = *line.at == '-';
    uint64_t value = 0;
    if (kind_of(line) != NP_KEYS_INTEGERS)
        return refuse(r, line, "is not an integer");
    for (size_t i = minus || *line.at == '+'; i < line.length; i++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(line.at[i] - '0'), &value))
            return refuse(r, line, "is not in -2^63..2^64-1: sort as floats, which round it, or as text");
    if (minus && value > sign_bit)
        return refuse(r, line, "is not in -2^63..2^64-1: sort as floats, which round it, or as text");
    minus = minus && value;
    r->negative = r->negative || minus;
    r->large = r->large || (!minus && value >= sign_bit);
    if (r->negative && r->large)
        return refuse(r, line,
                      "and a number before it are not in one range: all in -2^63..2^63-1, or all in 0..2^64-1");
    *out = minus ? 0 - value : value;
    return NP_OK;
}

/* Is the integer of the line no floating-point number? `value` is next to it. One of 2^64 or more counts as none. */
static bool is_rounded(np_keys_line line, double value)
{
    uint64_t whole = 0;
    if (fabs(value) >= 0x1p64)
        return true;
    for (size_t i = *line.at == '-' || *line.at == '+'; i < line.length; i++)
        whole = whole * 10 + (uint64_t)(line.at[i] - '0');
    return (uint64_t)fabs(value) != whole;
}

static np_status floating(reading *r, np_keys_line line, uint64_t *out)
{
    if (kind_of(line) == NP_KEYS_TEXT)
        return refuse(r, line, "is not a decimal number");
    bool minus = *line.at == '-', special = is_special(line.at + (minus || *line.at == '+'), line.at + line.length);
    double value = minus ? -HUGE_VAL : HUGE_VAL;
    if (special && (line.at[line.length - 1] | 32) == 'n')
        return refuse(r, line, "has no place in an order");
    if (!special && !np_decimal_signed((np_text_field){line.at, line.length}, &value))
        return refuse(r, line, "is too large for a floating-point number");
    if (r->chosen && kind_of(line) == NP_KEYS_INTEGERS && is_rounded(line, value))
        return refuse(r, line,
                      "would be rounded: other lines are no integers; sort as floats all the same, or as text");
    memcpy(out, &value, sizeof value);
    *out = *out & sign_bit ? ~*out : *out | sign_bit;
    return NP_OK;
}

/* ---- Lines of text ---- */

/* The lines are sorted by their bytes, and each line gets the number of different lines before it. The first eight
   bytes decide most comparisons; they are kept as a number. */
typedef struct numbered {
    uint64_t prefix; /* the first 8 bytes, most significant first; zeros past the end */
    np_keys_line line;
    size_t origin;
} numbered;

static int compare_lines(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    if (x->prefix != y->prefix)
        return x->prefix < y->prefix ? -1 : 1;
    size_t shorter = x->line.length < y->line.length ? x->line.length : y->line.length;
    int order = shorter ? memcmp(x->line.at, y->line.at, shorter) : 0;
    return order ? order : (x->line.length > y->line.length) - (x->line.length < y->line.length);
}

static uint64_t prefix_of(np_keys_line line)
{
    uint64_t prefix = 0;
    for (size_t i = 0; i < 8; i++)
        prefix = prefix << 8 | (i < line.length ? (unsigned char)line.at[i] : 0);
    return prefix;
}

/* The words of lines of text, in the order of the lines' bytes. Equal lines have equal words. */
static np_status number_lines(size_t count, const np_keys_line *line, uint64_t *word)
{
    numbered *sorted;
    np_status st = np_memory_array(&sorted, count, sizeof *sorted, "the order of lines");
    if (st)
        return st;
    for (size_t i = 0; i < count; i++) {
        np_keys_line key = line[i];
        key.length -= key.length && key.at[key.length - 1] == '\r'; /* of CRLF: not a part of the key */
        sorted[i] = (numbered){prefix_of(key), key, i};
    }
    qsort(sorted, count, sizeof *sorted, compare_lines);
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        number += i && compare_lines(&sorted[i - 1], &sorted[i]);
        word[sorted[i].origin] = number;
    }
    np_memory_free(sorted);
    return NP_OK;
}

/* The keys' lines, and the words of numbers. */
static np_status read_lines(reading *r)
{
    np_keys *keys = r->keys;
    np_status st = NP_OK;
    for (const char *at = r->text.at; at < r->text.end && !st;) {
        np_keys_line line = take_line(&at, r->text.end), trimmed = trim(line);
        r->text.line++;
        if (r->skips && !trimmed.length)
            continue;
        if (keys->kind == NP_KEYS_INTEGERS)
            st = integer(r, trimmed, &keys->word[keys->count]);
        else if (keys->kind == NP_KEYS_FLOATS)
            st = floating(r, trimmed, &keys->word[keys->count]);
        keys->line[keys->count++] = line;
    }
    return st;
}

static np_status read_keys(reading *r, np_key_kind kind)
{
    np_keys *keys = r->keys;
    size_t lines, filled;
    np_status st;
    np_key_kind seen = survey(r, &lines, &filled);
    r->chosen = kind == NP_KEYS_AUTO;
    keys->kind = r->chosen ? seen : kind;
    r->skips = keys->kind != NP_KEYS_TEXT;
    size_t count = r->skips ? filled : lines;
    if (!count)
        return NP_RAISE(NP_ERROR_INPUT, "%s has no keys: a line each", r->text.name);
    if ((st = np_memory_array(&keys->line, count, sizeof *keys->line, "the keys' lines")) ||
        (st = np_memory_array(&keys->word, count, sizeof *keys->word, "the keys")) || (st = read_lines(r)))
        return st;
    if (keys->kind == NP_KEYS_TEXT)
        return number_lines(count, keys->line, keys->word);
    keys->negative = keys->kind == NP_KEYS_INTEGERS && r->negative;
    for (size_t i = 0; i < count && r->negative; i++)
        keys->word[i] ^= sign_bit;
    return NP_OK;
}

np_status np_keys_parse(const char *name, char *data, size_t length, np_key_kind kind, np_keys **out)
{
    reading r = {.negative = false};
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&r.keys, 1, sizeof *r.keys, "keys"))) {
        np_memory_free(data);
        return st;
    }
    r.keys->data = data;
    if (!(st = np_text_open(&r.text, name, data, length)))
        st = read_keys(&r, kind);
    if (st)
        np_keys_free(r.keys);
    else
        *out = r.keys;
    return st;
}

np_status np_keys_read(const char *path, np_key_kind kind, np_keys **out)
{
    char *data;
    size_t length;
    *out = NULL;
    np_status st = np_text_read(path, &data, &length); /* which leaves room for a byte: it read until there was none */
    return st ? st : np_keys_parse(path, data, length, kind, out);
}
