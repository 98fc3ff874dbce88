/* Numbers from files. Text is gone through twice: to count, and to read. */
#include "base/values.h"

#include <inttypes.h>
#include <string.h>

#include "base/decimal.h"

static const char magic[] = "\x93NUMPY";
enum {
    MAGIC = sizeof magic - 1,
    HEADER_MAX = 1024
}; /* ours: NumPy's headers of plain types have 118 bytes and few more */

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

static bool is_npy(const char *data, size_t length) { return length >= MAGIC && !memcmp(data, magic, MAGIC); }

static np_status refuse_npy(const np_values *v, const char *what)
{
    return NP_RAISE(NP_ERROR_INPUT, "%.200s: a file of NumPy %s", v->path, what);
}

/* What follows 'key': in the header. NULL: nothing does. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at || !(at = strchr(at, ':')))
        return NULL;
    do
        at++;
    while (is_blank(*at));
    return at;
}

/* '<f8' */
static np_status read_type(np_values *v, const char *at)
{
    bool is = at && (*at == '\'' || *at == '"') && at[1] && at[2] && at[3] && at[4] == *at;
    if (is) {
        v->order = at[1] == '|' || at[1] == '=' ? '<' : at[1];
        v->kind = at[2];
        v->size = (unsigned)(at[3] - '0');
    }
    bool power = v->size == 1 || v->size == 2 || v->size == 4 || v->size == 8;
    bool known = v->kind == 'f' ? v->size >= 4 : v->kind == 'b' ? v->size == 1 : v->kind == 'i' || v->kind == 'u';
    if (!is || !power || !known || (v->order != '<' && v->order != '>'))
        return refuse_npy(v, "with items that are not read: integers, booleans, and reals of 4 or 8 bytes are");
    if (!v->real && v->kind == 'f')
        return refuse_npy(v, "with reals, where whole numbers are read: declare the input 'of real'");
    return NP_OK;
}

/* (3, 4) or (3,) */
static np_status read_shape(np_values *v, const char *at)
{
    uint64_t side[2] = {1, 1};
    unsigned sides = 0;
    if (!at || *at++ != '(')
        return refuse_npy(v, "without a shape");
    while (*at && *at != ')') {
        uint64_t *to = &side[sides < 2 ? sides : 1];
        if (is_blank(*at) || *at == ',') {
            at++;
            continue;
        }
        if (*at < '0' || *at > '9' || ++sides > 2)
            return refuse_npy(v, "of more than two dimensions, or without a shape");
        for (*to = 0; *at >= '0' && *at <= '9'; at++)
            if (__builtin_mul_overflow(*to, 10, to) || __builtin_add_overflow(*to, (uint64_t)(*at - '0'), to))
                return refuse_npy(v, "with more items than it has");
    }
    uint64_t bytes, left = v->length - (size_t)(v->body - v->data);
    if (__builtin_mul_overflow(side[0], side[1], &bytes) || __builtin_mul_overflow(bytes, v->size, &bytes) ||
        bytes > left)
        return refuse_npy(v, "that ends too early");
    if (bytes && bytes < left)
        return refuse_npy(v, "with bytes behind its items");
    v->rows = side[0];
    v->columns = side[1];
    v->count = side[0] * side[1];
    return v->count ? NP_OK : refuse_npy(v, "without items");
}

static np_status open_npy(np_values *v)
{
    char header[HEADER_MAX];
    const unsigned char *byte = (const unsigned char *)v->data;
    size_t begin = v->length > MAGIC && byte[MAGIC] == 1 ? MAGIC + 4 : MAGIC + 6, length = 0;
    if (v->length < begin || byte[MAGIC] < 1 || byte[MAGIC] > 3)
        return refuse_npy(v, "of no version from 1 to 3");
    for (size_t i = begin; i-- > MAGIC + 2;)
        length = length << 8 | byte[i];
    if (length > v->length - begin || length >= HEADER_MAX)
        return refuse_npy(v, "whose header is too long");
    memcpy(header, v->data + begin, length);
    header[length] = '\0';
    v->body = v->data + begin + length;
    const char *order = value_of(header, "fortran_order");
    v->columns_first = order && *order == 'T';
    np_status st = read_type(v, value_of(header, "descr"));
    return st ? st : read_shape(v, value_of(header, "shape"));
}

static uint64_t bytes_at(const np_values *v, size_t item)
{
    const unsigned char *byte = (const unsigned char *)v->body + item * v->size;
    uint64_t bits = 0;
    for (unsigned i = 0; i < v->size; i++)
        bits = bits << 8 | byte[v->order == '<' ? v->size - 1 - i : i];
    return bits;
}

static double real_of(const np_values *v, uint64_t bits)
{
    double real;
    float single;
    if (v->kind == 'f' && v->size == 8) {
        memcpy(&real, &bits, sizeof real);
        return real;
    }
    if (v->kind == 'f') {
        uint32_t half = (uint32_t)bits;
        memcpy(&single, &half, sizeof single);
        return single;
    }
    return v->kind == 'i' ? (double)(int64_t)bits : (double)bits;
}

static np_status read_item(const np_values *v, size_t item, int64_t *out)
{
    uint64_t bits = bytes_at(v, item);
    if (v->kind == 'i' && v->size < 8 && bits >> (8 * v->size - 1))
        bits |= UINT64_MAX << (8 * v->size); /* the sign */
    if (v->real) {
        double real = real_of(v, bits);
        memcpy(out, &real, sizeof real);
        return NP_OK;
    }
    if (v->kind == 'u' && bits > INT64_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: item %zu is %" PRIu64 ": whole numbers go up to 2^63 - 1", v->path,
                        item, bits);
    *out = (int64_t)bits;
    return NP_OK;
}

static np_status take_npy(const np_values *v, int64_t *word)
{
    np_status st = NP_OK;
    for (size_t row = 0; row < v->rows; row++)
        for (size_t column = 0; column < v->columns && !st; column++)
            st = read_item(v, v->columns_first ? column * v->rows + row : row * v->columns + column, word++);
    return st;
}

/* ---- Both ---- */

np_status np_values_open(np_values *values, const char *path, const char *data, size_t length, bool real)
{
    *values = (np_values){.path = path, .data = data, .length = length, .real = real};
    return is_npy(data, length) ? open_npy(values) : open_text(values);
}

np_status np_values_take(np_values *values, int64_t *word)
{
    return values->body ? take_npy(values, word) : take_text(values, word);
}
