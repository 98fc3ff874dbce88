/*
 * NumPy arrays (the .npy format, versions 1 to 3: numpy.lib.format): a magic
 * text, the version, the length of the header, the header, the items.
 *
 *   \x93NUMPY 1 0 HH {'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }
 *
 * Item (i,j) is what terminal i sends to terminal j. All types of whole numbers
 * and of IEEE numbers of 16, 32 and 64 bits are read, in both orders of bytes
 * and of dimensions.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/exact.h"
#include "base/text.h"
#include "traffic/amounts.h"

typedef struct array {
    const unsigned char *item;
    uint64_t rows, columns;
    size_t size; /* bytes of an item */
    char kind;   /* 'i', 'u', 'f' or 'b' */
    bool big;    /* the most significant byte comes first */
    bool fortran;
} array;

static const char magic[] = "\x93NUMPY";

bool np_npy_recognizes(const char *data, size_t length) { return length >= 6 && !memcmp(data, magic, 6); }

/* What follows 'KEY': in the header; NULL: the key is not there. */
static const char *value_of(const char *header, size_t length, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i + n + 2 < length; i++) {
        if ((header[i] != '\'' && header[i] != '"') || memcmp(header + i + 1, key, n) || header[i + 1 + n] != header[i])
            continue;
        for (i += n + 2; i < length && (header[i] == ' ' || header[i] == ':'); i++)
            ;
        return i < length ? header + i : NULL;
    }
    return NULL;
}

static np_status read_type(const np_text *text, const char *at, const char *end, array *a)
{
    static const uint16_t little = 1;
    char shown[8] = "";
    bool swapped;
    if (end - at < 5 || *at != '\'')
        return np_text_raise(text, NP_ERROR_INPUT, "this .npy file holds records: write an array of numbers");
    memcpy(shown, at + 1, 4);
    shown[strcspn(shown, "'")] = 0;
    swapped = *(const unsigned char *)&little == 0;
    a->big = at[1] == '>' || (at[1] == '=' && swapped);
    a->kind = at[2];
    a->size = (size_t)(at[3] - '0');
    bool known = memchr("<>|=", at[1], 4) && at[4] == '\'';
    if (a->kind == 'b')
        known &= a->size == 1;
    else if (a->kind == 'f')
        known &= a->size == 2 || a->size == 4 || a->size == 8;
    else
        known &= (a->kind == 'i' || a->kind == 'u') && (a->size == 1 || a->size == 2 || a->size == 4 || a->size == 8);
    if (known)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT,
                         "items of type '%s' are not read: whole numbers, or floating-point numbers of up to 64 bits "
                         "(array.astype(float))",
                         np_text_show_field((np_text_field){shown, strlen(shown)}).text);
}

/* "(3, 4)" */
static np_status read_shape(const np_text *text, const char *at, const char *end, array *a)
{
    uint64_t side[3] = {0};
    size_t sides = 0;
    if (at < end && *at == '(')
        at++;
    while (at < end && *at != ')' && sides < 3) {
        const char *first = at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (!np_text_whole((np_text_field){first, (size_t)(at - first)}, &side[sides++]))
            sides = 3; /* no shape */
        while (at < end && (*at == ',' || *at == ' '))
            at++;
    }
    if (sides != 2 || at == end)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "the array must have two dimensions: a row for each source, a column "
                             "for each destination");
    a->rows = side[0];
    a->columns = side[1];
    return NP_OK;
}

static np_status read_header(const np_text *text, const char *data, size_t length, array *a)
{
    const unsigned char *byte = (const unsigned char *)data;
    size_t at = length > 6 && byte[6] > 1 ? 12 : 10, n = 0;
    uint64_t bytes;
    np_status st;
    if (length < at || byte[6] < 1 || byte[6] > 3)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "a .npy file of versions 1 to 3 is read: this one is cut short, or newer");
    for (size_t i = at; i-- > 8;)
        n = n << 8 | byte[i];
    if (n > length - at)
        return np_text_raise(text, NP_ERROR_INPUT, "the header of the .npy file is cut short");
    const char *header = data + at, *end = header + n;
    const char *type = value_of(header, n, "descr"), *order = value_of(header, n, "fortran_order");
    const char *shape = value_of(header, n, "shape");
    if (!type || !order || !shape)
        return np_text_raise(text, NP_ERROR_INPUT, "the header of the .npy file lacks its type, order or shape");
    if ((st = read_type(text, type, end, a)) || (st = read_shape(text, shape, end, a)))
        return st;
    a->fortran = *order == 'T';
    a->item = byte + at + n;
    if (__builtin_mul_overflow(a->rows, a->columns, &bytes) || __builtin_mul_overflow(bytes, a->size, &bytes) ||
        bytes != length - at - n)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "%llu rows and %llu columns are promised, but %zu bytes follow: is "
                             "the file cut short?",
                             (unsigned long long)a->rows, (unsigned long long)a->columns, length - at - n);
    return NP_OK;
}

/* An IEEE number of 16 bits. */
static double half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023) / 1024, sign = bits >> 15 ? -1 : 1;
    if (exponent == 31)
        return bits & 1023 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14));
}

static uint64_t bits_of(const array *a, uint64_t i, uint64_t j)
{
    const unsigned char *at = a->item + (a->fortran ? j * a->rows + i : i * a->columns + j) * a->size;
    uint64_t bits = 0;
    for (size_t k = 0; k < a->size; k++)
        bits |= (uint64_t)at[a->big ? a->size - 1 - k : k] << 8 * k;
    return bits;
}

/* Negative whole numbers are all -1: they are refused. */
static double value_of_bits(const array *a, uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float single;
    double value;
    if (a->kind == 'i' && bits >> (8 * a->size - 1) & 1)
        return -1;
    if (a->kind != 'f')
        return (double)bits;
    if (a->size == 2)
        return half(bits);
    memcpy(&single, &word, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return a->size == 4 ? (double)single : value;
}

static np_status read_item(const np_amounts *demands, const np_text *text, const array *a, uint64_t i, uint64_t j,
                           uint64_t *packets)
{
    uint64_t bits = bits_of(a, i, j);
    double amount = value_of_bits(a, bits);
    if (!(amount >= 0 && amount <= DBL_MAX))
        return np_text_raise(text, NP_ERROR_INPUT, "item [%llu, %llu] is %s: it must be 0 or more",
                             (unsigned long long)i, (unsigned long long)j, NP_REAL(amount, 6));
    np_decimal exact = a->kind == 'f' ? np_exact_of(amount, 8 * (unsigned)a->size) : np_exact_whole(bits);
    return np_amounts_packets_of(demands, text, &exact, NP_REAL(amount, 6), packets);
}

static np_status read_row(np_amounts *demands, const np_text *text, const array *a, uint64_t size, uint64_t i)
{
    np_node source, destination;
    uint64_t packets;
    np_status st = np_amounts_place(demands, text, size, i, &source);
    for (uint64_t j = 0; !st && j < a->columns; j++) {
        if ((st = read_item(demands, text, a, i, j, &packets)) ||
            (st = np_amounts_place(demands, text, size, j, &destination)))
            return st;
        if (packets && (source == NP_NONE || destination == NP_NONE))
            return np_text_raise(text, NP_ERROR_INPUT,
                                 "item [%llu, %llu]: packets go from host to host, and this is a switch",
                                 (unsigned long long)i, (unsigned long long)j);
        if (packets)
            st = np_amounts_add(demands, text, source, destination, packets, 0);
    }
    return st;
}

np_status np_npy_read(np_amounts *demands, const np_text *text, const char *data, size_t length)
{
    array a = {0};
    np_status st = read_header(text, data, length, &a);
    uint64_t size = a.rows > a.columns ? a.rows : a.columns;
    for (uint64_t i = 0; !st && i < a.rows; i++)
        st = read_row(demands, text, &a, size, i);
    return st;
}
