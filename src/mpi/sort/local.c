/*
 * A rank's own keys, sorted: by Highway's vectorized quicksort where it was found at build time, else by radix sort.
 * Records are sorted as pairs of a key and a place, always by radix sort, because it is stable.
 *
 * The radix sort is the one that begins with the least significant digit, of 8 bits. All digits are counted in one
 * pass; a digit that all keys have in common takes no other.
 */
#include <string.h>

#include "base/hot.h"
#include "mpi/sort/sort.h"

enum { DIGIT = 8, VALUES = 1 << DIGIT, DIGITS = 64 / DIGIT };

/* Items are `words` words, of which the first is the key. */
NP_INLINE void count_digits(const uint64_t *item, uint64_t count, size_t words, uint64_t place[DIGITS][VALUES])
{
    memset(place, 0, sizeof(uint64_t[DIGITS][VALUES]));
    for (uint64_t i = 0; i < count; i++)
        for (int d = 0; d < DIGITS; d++)
            place[d][item[i * words] >> d * DIGIT & (VALUES - 1)]++;
}

NP_INLINE void move(const uint64_t *from, uint64_t *to, uint64_t count, size_t words, int digit, uint64_t *place)
{
    uint64_t sum = 0;
    for (int v = 0; v < VALUES; v++) {
        uint64_t here = place[v];
        place[v] = sum;
        sum += here;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *item = from + i * words;
        uint64_t *place_of = to + place[*item >> digit * DIGIT & (VALUES - 1)]++ * words;
        for (size_t w = 0; w < words; w++)
            place_of[w] = item[w];
    }
}

NP_INLINE void radix_sort(uint64_t *item, uint64_t count, uint64_t *scratch, size_t words)
{
    uint64_t place[DIGITS][VALUES], *from = item, *to = scratch;
    count_digits(item, count, words, place);
    for (int d = 0; d < DIGITS && count; d++) {
        if (place[d][*from >> d * DIGIT & (VALUES - 1)] == count)
            continue;
        move(from, to, count, words, d, place[d]);
        uint64_t *moved = to;
        to = from;
        from = moved;
    }
    if (from != item)
        memcpy(item, from, count * words * sizeof *item);
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
        radix_sort(keys, count, scratch, 1);
}
#endif

void np_mpi_sort_keyed(np_mpi_keyed *keyed, uint64_t count, np_mpi_keyed *scratch)
{
    radix_sort(&keyed->key, count, &scratch->key, 2);
}

void np_mpi_sort_records(const np_mpi_sorting *sorting, const unsigned char *from, uint64_t count, unsigned char *to)
{
    np_mpi_keyed *keyed = sorting->mpi->buffer[NP_MPI_BUFFER_SORT_KEYED].data;
    uint64_t size = sorting->options.record;
    for (uint64_t i = 0; i < count; i++)
        keyed[i] = (np_mpi_keyed){np_mpi_sort_key(sorting, from + i * size), i};
    np_mpi_sort_keyed(keyed, count, keyed + count);
    for (uint64_t i = 0; i < count; i++)
        memcpy(to + i * size, from + keyed[i].place * size, size);
}
