/*
 * A rank's own keys, sorted: by Highway's vectorized quicksort where it was found at build time, else by radix sort.
 * Records are sorted as pairs of a key and a place, always by radix sort, because it is stable.
 *
 * The radix sort begins with the most significant digit in which the keys differ, and sorts the items of each digit
 * alike, to and fro between two arrays. Digits have up to 8 bits, fewer where items are few; up to 32 items are sorted
 * by insertion. So random keys take as many digits as tell them apart, and equal bits take none.
 */
#include <string.h>

#include "base/log2.h"
#include "mpi/sort/sort.h"

enum { DIGIT_MOST = 8, FEW = 32 };

/* Items are `words` words, of which the first is the key. */
static void insert_items(uint64_t *item, uint64_t count, size_t words)
{
    for (uint64_t i = 1; i < count; i++) {
        uint64_t key = item[i * words], rest = item[i * words + words - 1], j = i;
        for (; j && item[(j - 1) * words] > key; j--)
            memcpy(item + j * words, item + (j - 1) * words, words * sizeof *item);
        item[j * words + words - 1] = rest;
        item[j * words] = key;
    }
}

/* The bits in which the keys differ. */
static uint64_t differing(const uint64_t *item, uint64_t count, size_t words)
{
    uint64_t bits = 0, first = *item;
    if (words == 1) /* a loop of vectors */
        for (uint64_t i = 0; i < count; i++)
            bits |= item[i] ^ first;
    else
        for (uint64_t i = 0; i < count; i++)
            bits |= item[i * words] ^ first;
    return bits;
}

/* Moves the items by a digit of their keys; end[v] = where the items of digit v end. */
static void move_items(const uint64_t *item, uint64_t *to, uint64_t count, size_t words, uint32_t shift, uint32_t digit,
                       uint64_t *end)
{
    uint64_t sum = 0, mask = (UINT64_C(1) << digit) - 1;
    memset(end, 0, sizeof *end << digit);
    for (uint64_t i = 0; i < count; i++)
        end[item[i * words] >> shift & mask]++;
    for (uint64_t v = 0; v <= mask; v++) {
        uint64_t here = end[v];
        end[v] = sum;
        sum += here;
    }
    for (uint64_t i = 0; i < count; i++, item += words) {
        uint64_t *place = to + end[*item >> shift & mask]++ * words;
        place[0] = item[0];
        place[words - 1] = item[words - 1];
    }
}

/* Sorts the items; they end in `other` if it is asked for, else where they are. Both arrays have [count]. */
static void radix_sort(uint64_t *item, uint64_t *other, uint64_t count, size_t words, bool in_other)
{
    uint64_t end[1 << DIGIT_MOST], bits;
    if (count <= FEW)
        insert_items(item, count, words);
    if (count <= FEW || !(bits = differing(item, count, words))) {
        if (in_other)
            memcpy(other, item, count * words * sizeof *item);
        return;
    }
    uint32_t top = 64 - (uint32_t)__builtin_clzll(bits), digit = np_log2_up(count) - 2;
    digit = digit < DIGIT_MOST ? digit : DIGIT_MOST;
    digit = digit < top ? digit : top;
    move_items(item, other, count, words, top - digit, digit, end);
    for (uint64_t v = 0, begin = 0; v < UINT64_C(1) << digit; begin = end[v++])
        radix_sort(other + begin * words, item + begin * words, end[v] - begin, words, !in_other);
}

static bool is_sorted(const uint64_t *keys, uint64_t count)
{
    uint64_t i = 1;
    while (i < count && keys[i - 1] <= keys[i])
        i++;
    return i >= count;
}

#ifdef NETPRAM_HIGHWAY
bool np_mpi_sort_scratch(void) { return false; }

void np_mpi_sort_words(uint64_t *keys, uint64_t count, uint64_t *scratch)
{
    (void)scratch;
    if (!is_sorted(keys, count))
        np_mpi_sort_vectorized(keys, count);
}
#else
bool np_mpi_sort_scratch(void) { return true; }

void np_mpi_sort_words(uint64_t *keys, uint64_t count, uint64_t *scratch)
{
    if (!is_sorted(keys, count))
        radix_sort(keys, scratch, count, 1, false);
}
#endif

void np_mpi_sort_keyed(np_mpi_keyed *keyed, uint64_t count, np_mpi_keyed *scratch)
{
    radix_sort((void *)keyed, (void *)scratch, count, 2, false);
}

void np_mpi_sort_records(const np_mpi_sorting *sorting, const unsigned char *from, uint64_t count, unsigned char *to,
                         np_mpi_keyed *keyed)
{
    uint64_t size = sorting->options.record;
    for (uint64_t i = 0; i < count; i++)
        keyed[i] = (np_mpi_keyed){np_mpi_sort_key(sorting, from + i * size), i};
    np_mpi_sort_keyed(keyed, count, keyed + count);
    for (uint64_t i = 0; i < count; i++)
        memcpy(to + i * size, from + keyed[i].place * size, size);
}
