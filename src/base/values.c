/* Numbers from files. Text is gone through twice: to count, and to read. */
#include "base/values.h"

#include <inttypes.h>
#include <string.h>

#include "base/decimal.h"

/* ---- Text ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static np_text_field trim(np_text_field field)
{
    while (field.length && is_blank(*field.at)) {
        field.at++;
        field.length--;
    }
    while (field.length && is_blank(field.at[field.length - 1]))
        field.length--;
    return field;
}

/* Takes a minus away. */
static bool take_sign(np_text_field *field)
{
    bool negative = field->length > 1 && *field->at == '-';
    field->at += negative;
    field->length -= negative;
    return negative;
}

static bool is_number(np_text_field field)
{
    double value;
    field = trim(field);
    take_sign(&field);
    return np_decimal_real(field, &value);
}

/* The present line has no number: it names columns. */
static bool has_names(const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    while (np_text_field_next(text, &at, &field))
        if (is_number(field))
            return false;
    return true;
}

static bool is_csv(const char *path)
{
    size_t length = strlen(path);
    const char *end = length < 4 ? "" : path + length - 4;
    return end[0] == '.' && (end[1] | 32) == 'c' && (end[2] | 32) == 's' && (end[3] | 32) == 'v';
}

static char separator_of(const np_text *text)
{
    np_text first = *text;
    if (!np_text_next(&first))
        return 0;
    return memchr(first.whole.at, ',', first.whole.length)   ? ','
           : memchr(first.whole.at, ';', first.whole.length) ? ';'
                                                             : 0;
}

static void count_text(np_values *v)
{
    np_text line = v->text;
    while (np_text_next(&line)) {
        v->count += line.fields;
        v->columns = v->rows ? v->columns : line.fields;
        if (line.fields != v->columns && !v->ragged)
            v->ragged = line.line;
        v->rows++;
    }
    v->columns = v->ragged ? 0 : v->columns;
}

static np_status open_text(np_values *v)
{
    np_status st = np_text_open(&v->text, v->path, v->data, v->length);
    if (st)
        return st;
    v->text.separator = separator_of(&v->text);
    np_text first = v->text;
    if (is_csv(v->path) && np_text_next(&first) && has_names(&first))
        v->text = first;
    count_text(v);
    return v->count ? NP_OK : np_text_raise(&v->text, NP_ERROR_INPUT, "no numbers: write one a line");
}

np_status np_values_field(const np_text *line, np_text_field field, bool as_real, int64_t *out)
{
    field = trim(field);
    const np_text_field whole = field;
    bool negative = take_sign(&field);
    double real;
    uint64_t value;
    if (!as_real) {
        if (!np_text_whole(field, &value) || value > (uint64_t)INT64_MAX + negative)
            return np_text_raise(line, NP_ERROR_INPUT,
                                 "number '%s' is not a whole number: write one in %" PRId64 "..%" PRId64,
                                 np_text_show_field(whole).text, INT64_MIN, INT64_MAX);
        *out = (int64_t)(negative ? 0 - value : value);
        return NP_OK;
    }
    if (!np_decimal_real(field, &real))
        return np_text_raise(line, NP_ERROR_INPUT, "'%s' is no number below 1e300: write 1.5 or 2e-3",
                             np_text_show_field(whole).text);
    real = negative ? -real : real;
    memcpy(out, &real, sizeof real);
    return NP_OK;
}

static np_status take_text(np_values *v, int64_t *word)
{
    np_text line = v->text;
    while (np_text_next(&line)) {
        const char *at = NULL;
        np_text_field field;
        while (np_text_field_next(&line, &at, &field)) {
            np_status st = np_values_field(&line, field, v->real, word++);
            if (st)
                return st;
        }
    }
    return NP_OK;
}

/* ---- NumPy's format ---- */

static np_status open_npy(np_values *v)
{
    v->text = (np_text){.name = v->path, .line = NP_TEXT_NO_LINE};
    np_status st = np_npy_open(&v->npy, &v->text, v->data, v->length);
    if (st)
        return st;
    if (!v->real && v->npy.kind == 'f')
        return np_text_raise(&v->text, NP_ERROR_INPUT,
                             "reals in a .npy file, where whole numbers are read: declare the input 'of real'");
    v->rows = v->npy.rows;
    v->columns = v->npy.columns;
    v->count = v->rows * v->columns;
    return v->count ? NP_OK : np_text_raise(&v->text, NP_ERROR_INPUT, "a .npy file without items");
}

static np_status read_item(const np_values *v, size_t row, size_t column, int64_t *out)
{
    uint64_t bits = np_npy_bits(&v->npy, row, column);
    if (v->real) {
        double real = np_npy_real(&v->npy, row, column);
        memcpy(out, &real, sizeof real);
        return NP_OK;
    }
    if (v->npy.kind == 'u' && bits > INT64_MAX)
        return np_text_raise(&v->text, NP_ERROR_INPUT,
                             "item [%zu, %zu] is %" PRIu64 ": whole numbers go up to 2^63 - 1", row, column, bits);
    *out = (int64_t)bits;
    return NP_OK;
}

static np_status take_npy(const np_values *v, int64_t *word)
{
    np_status st = NP_OK;
    for (size_t row = 0; row < v->rows; row++)
        for (size_t column = 0; column < v->columns && !st; column++)
            st = read_item(v, row, column, word++);
    return st;
}

/* ---- Both ---- */

np_status np_values_open(np_values *values, const char *path, const char *data, size_t length, bool real)
{
    *values = (np_values){.path = path, .data = data, .length = length, .real = real};
    return np_npy_begins(data, length) ? open_npy(values) : open_text(values);
}

np_status np_values_take(np_values *values, int64_t *word)
{
    return values->npy.item ? take_npy(values, word) : take_text(values, word);
}
