/* See npy.h. */
#include "base/npy.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BEFORE = 10, ALIGNED = 64 }; /* bytes before the header: magic, version, its length */

bool np_npy_is(const char *path) { return np_text_ends(path, ".npy") && strlen(path) > 4; }

static void write_shape(const uint64_t *extent, size_t rank, char *to, size_t room)
{
    int length = 0;
    for (size_t i = 0; i < rank; i++)
        length += snprintf(to + length, room - (size_t)length, "%s%" PRIu64, i ? ", " : "", extent[i]);
    if (rank == 1)
        snprintf(to + length, room - (size_t)length, ",");
}

void np_npy_head(const char *type, const uint64_t *extent, size_t rank, FILE *stream)
{
    char shape[24 * NP_NPY_RANK_MAX] = "", header[sizeof shape + 80];
    write_shape(extent, rank, shape, sizeof shape);
    int length =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    int padded = (length + 1 + BEFORE + ALIGNED - 1) / ALIGNED * ALIGNED - BEFORE;
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    fputc(padded & 255, stream);
    fputc(padded >> 8, stream);
    fprintf(stream, "%s%*s\n", header, padded - 1 - length, "");
}

void np_npy_item(uint64_t bits, FILE *stream)
{
    for (unsigned byte = 0; byte < 8; byte++)
        fputc((int)(bits >> 8 * byte & 255), stream);
}

/* ---- Reading ---- */

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1 };

bool np_npy_begins(const char *data, size_t length) { return length >= MAGIC && !memcmp(data, magic, MAGIC); }

/* What follows 'KEY': in the header; NULL: the key is not there. */
static const char *value_of(np_text_field header, const char *key)
{
    size_t length = strlen(key);
    const char *end = header.at + header.length;
    for (const char *at = header.at; at + length + 2 < end; at++) {
        if ((*at != '\'' && *at != '"') || memcmp(at + 1, key, length) || at[1 + length] != *at)
            continue;
        at += length + 2;
        while (at < end && (*at == ' ' || *at == ':'))
            at++;
        return at < end ? at : NULL;
    }
    return NULL;
}

static bool is_known(const np_npy *npy)
{
    bool power = npy->size == 1 || npy->size == 2 || npy->size == 4 || npy->size == 8;
    return npy->kind == 'b'   ? npy->size == 1
           : npy->kind == 'f' ? power && npy->size > 1
                              : power && (npy->kind == 'i' || npy->kind == 'u');
}

/* '<f8' */
static np_status read_type(np_npy *npy, const np_text *text, const char *at, const char *end)
{
    static const uint16_t one = 1;
    bool high_first = !*(const unsigned char *)&one;
    if (end - at < 5 || (*at != '\'' && *at != '"'))
        return np_text_raise(text, NP_ERROR_INPUT, "this .npy file holds records: write an array of numbers");
    npy->big = at[1] == '>' || (at[1] == '=' && high_first);
    npy->kind = at[2];
    npy->size = (size_t)(at[3] - '0');
    if (at[4] == *at && memchr("<>|=", at[1], 4) && is_known(npy))
        return NP_OK;
    const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));
    return np_text_raise(text, NP_ERROR_INPUT,
                         "items of type '%s' are not read: booleans, whole numbers, or floating-point numbers of up to "
                         "64 bits (array.astype(float))",
                         np_text_show_field((np_text_field){at + 1, close ? (size_t)(close - at - 1) : 0}).text);
}

/* "(3, 4)" or "(3,)" */
static np_status read_shape(np_npy *npy, const np_text *text, const char *at, const char *end)
{
    uint64_t side[2] = {1, 1};
    bool good = *at == '(';
    at += good;
    while (good && at < end && *at != ')') {
        const char *first = at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        good = npy->rank < 2 && np_text_whole((np_text_field){first, (size_t)(at - first)}, &side[npy->rank++]);
        while (at < end && (*at == ',' || *at == ' '))
            at++;
    }
    if (!good || at == end || !npy->rank)
        return np_text_raise(text, NP_ERROR_INPUT, "the array must have one dimension or two");
    npy->rows = side[0];
    npy->columns = side[1];
    return NP_OK;
}

static np_status read_header(np_npy *npy, const np_text *text, np_text_field header)
{
    const char *type = value_of(header, "descr"), *order = value_of(header, "fortran_order");
    const char *shape = value_of(header, "shape"), *end = header.at + header.length;
    if (!type || !order || !shape)
        return np_text_raise(text, NP_ERROR_INPUT, "the header of the .npy file lacks its type, order or shape");
    npy->columns_first = *order == 'T';
    np_status st = read_type(npy, text, type, end);
    return st ? st : read_shape(npy, text, shape, end);
}

np_status np_npy_open(np_npy *npy, const np_text *text, const char *data, size_t length)
{
    const unsigned char *byte = (const unsigned char *)data;
    size_t at = length > MAGIC && byte[MAGIC] > 1 ? 12 : BEFORE, header = 0;
    uint64_t bytes;
    *npy = (np_npy){.rank = 0};
    if (length < at || byte[MAGIC] < 1 || byte[MAGIC] > 3)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "a .npy file of versions 1 to 3 is read: this one is cut short, or newer");
    for (size_t i = at; i-- > MAGIC + 2;)
        header = header << 8 | byte[i];
    if (header > length - at)
        return np_text_raise(text, NP_ERROR_INPUT, "the header of the .npy file is cut short");
    np_status st = read_header(npy, text, (np_text_field){data + at, header});
    if (st)
        return st;
    npy->item = byte + at + header;
    size_t left = length - at - header;
    bool countable =
        !__builtin_mul_overflow(npy->rows, npy->columns, &bytes) && !__builtin_mul_overflow(bytes, npy->size, &bytes);
    if (countable && bytes == left)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT, "%llu rows and %llu columns are promised, but %zu bytes follow: %s",
                         (unsigned long long)npy->rows, (unsigned long long)npy->columns, left,
                         countable && bytes < left ? "there are bytes behind the items" : "is the file cut short?");
}

uint64_t np_npy_bits(const np_npy *npy, uint64_t row, uint64_t column)
{
    uint64_t place = npy->columns_first ? column * npy->rows + row : row * npy->columns + column, bits = 0;
    const unsigned char *at = npy->item + place * npy->size;
    for (size_t i = 0; i < npy->size; i++)
        bits = bits << 8 | at[npy->big ? i : npy->size - 1 - i];
    if (npy->kind == 'i' && npy->size < 8 && bits >> (8 * npy->size - 1))
        bits |= UINT64_MAX << 8 * npy->size;
    return bits;
}

/* A number of 16 bits: sign, exponent of 5 bits, fraction of 10. */
static double half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023) / 1024, sign = bits >> 15 ? -1 : 1;
    if (exponent == 31)
        return bits & 1023 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14));
}

double np_npy_real(const np_npy *npy, uint64_t row, uint64_t column)
{
    uint64_t bits = np_npy_bits(npy, row, column);
    uint32_t word = (uint32_t)bits;
    float single;
    double real;
    if (npy->kind != 'f')
        return npy->kind == 'i' ? (double)(int64_t)bits : (double)bits;
    if (npy->size == 2)
        return half(bits);
    memcpy(&single, &word, sizeof single);
    memcpy(&real, &bits, sizeof real);
    return npy->size == 4 ? (double)single : real;
}
