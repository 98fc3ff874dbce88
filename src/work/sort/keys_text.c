/*
 * Words for lines of text. The lines are sorted by their bytes, and each line gets the number of different lines before
 * it. The first eight bytes decide most comparisons; they are kept as a number.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "work/sort/keys.h"

typedef struct numbered {
    uint64_t prefix; /* the first 8 bytes, most significant first; zeros past the end */
    np_keys_line line;
    size_t origin;
} numbered;

static int compare(const void *a, const void *b)
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

np_status np_keys_number_lines(size_t count, const np_keys_line *line, uint64_t *word)
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
    qsort(sorted, count, sizeof *sorted, compare);
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        number += i && compare(&sorted[i - 1], &sorted[i]);
        word[sorted[i].origin] = number;
    }
    np_memory_free(sorted);
    return NP_OK;
}
