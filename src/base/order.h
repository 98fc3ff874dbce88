/* Orders for qsort, from the least up, and what is looked for in what they have sorted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Below 0, 0 or above 0, as a is less than b, equal or greater. */
static inline int np_order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* The first keys of a and b decide, and of equal ones the second. */
static inline int np_order_pair(uint64_t a, uint64_t b, uint64_t a_then, uint64_t b_then)
{
    return a != b ? np_order(a, b) : np_order(a_then, b_then);
}

/* Of uint32_t, uint64_t and double. */
static inline int np_order_numbers(const void *a, const void *b)
{
    return np_order(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline int np_order_words(const void *a, const void *b)
{
    return np_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

static inline int np_order_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* An item by its key. */
typedef struct np_keyed {
    uint64_t key;
    size_t item;
} np_keyed;

/* Of np_keyed: the keys decide, and of equal ones the items. */
static inline int np_order_keyed(const void *a, const void *b)
{
    const np_keyed *x = a, *y = b;
    return np_order_pair(x->key, y->key, x->item, y->item);
}

/* A key by which reals ascend; 0 and -0 have the same. */
static inline uint64_t np_order_key(double real)
{
    uint64_t bits;
    real += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &real, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/*
 * A counting sort of 0 .. count - 1 by their keys, each below `rows`. Those of key k are item[i], ascending, where
 * row[k] <= i < row[k + 1]. row: [rows + 1].
 */
static inline void np_order_rows(size_t rows, uint32_t count, const uint32_t *key, uint32_t *row, uint32_t *item)
{
    memset(row, 0, (rows + 1) * sizeof *row);
    for (uint32_t i = 0; i < count; i++)
        row[key[i]]++;
    for (size_t k = 0; k < rows; k++)
        row[k + 1] += row[k];
    for (uint32_t i = count; i-- > 0;)
        item[--row[key[i]]] = i;
}

/* Of ascending records of `size` bytes, each of which begins with its key: how many keys are below this one. */
static inline size_t np_order_search(size_t count, const void *records, size_t size, bool words, uint64_t than)
{
    size_t low = 0;
    for (size_t high = count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const void *key = (const char *)records + middle * size;
        if ((words ? *(const uint64_t *)key : *(const uint32_t *)key) < than)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline size_t np_order_below(size_t count, const uint32_t *number, uint32_t than)
{
    return np_order_search(count, number, sizeof *number, false, than);
}

/* Keys are uint64_t. */
static inline size_t np_order_keys_below(size_t count, const void *records, size_t size, uint64_t than)
{
    return np_order_search(count, records, size, true, than);
}

/* The first of those with the key, and how many there are; NULL: none. */
static inline const void *np_order_find(size_t count, const void *records, size_t size, uint64_t key, size_t *found)
{
    const char *first = (const char *)records + size * np_order_keys_below(count, records, size, key);
    const char *end = (const char *)records + size * count, *next = first;
    while (next < end && *(const uint64_t *)next == key)
        next += size;
    *found = (size_t)(next - first) / size;
    return *found ? first : NULL;
}

/* A round of a radix sort: into to[], by the eight bits from `shift` on; equal ones keep their order. */
static inline void np_order_by_digit(size_t count, const uint64_t *from, uint64_t *to, unsigned shift)
{
    uint32_t begin[256] = {0};
    for (size_t i = 0; i < count; i++)
        begin[from[i] >> shift & 255]++;
    for (uint32_t d = 0, sum = 0, here; d < 256; d++, sum += here) {
        here = begin[d];
        begin[d] = sum;
    }
    for (size_t i = 0; i < count; i++)
        to[begin[from[i] >> shift & 255]++] = from[i];
}
