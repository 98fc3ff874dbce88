/*
 * Which rank each record is for, by the splitters, and the records written in the order of these ranks. Records stay in
 * their order within what is for one rank.
 *
 * A record (key, origin) is for rank r if just r splitters are at or below it. Origins are places of this rank plus a
 * constant, so a splitter becomes (key, from): records of the splitter's key are above it from place `from` on, and in
 * a block of records below and above that place one comparison of keys decides. For few ranks all splitters are
 * compared, without a branch on the outcome; for many a binary search finds the rank.
 */
#include <string.h>

#include "base/hot.h"
#include "mpi/sort/sort.h"

/* Ranks: as many as are compared with every key, and as many as a block of keys is filtered for. */
enum { FEW = 16, FILTERED = 4 };

static const uint64_t SIGN = UINT64_C(1) << 63;

/* Numbers become keys by an exclusive or; the bits of doubles below zero are all inverted. */
static uint64_t key_of(np_mpi_keys keys, uint64_t bits)
{
    if (keys == NP_MPI_KEYS_DOUBLE)
        return bits ^ ((bits & SIGN ? UINT64_MAX : 0) | SIGN);
    return keys == NP_MPI_KEYS_INT64 ? bits ^ SIGN : bits;
}

uint64_t np_mpi_sort_key(const np_mpi_sorting *sorting, const void *record)
{
    const np_mpi_sort_options *o = &sorting->options;
    uint64_t bits;
    if (o->keys == NP_MPI_KEYS_CALL)
        return o->key(record, o->context);
    memcpy(&bits, record, sizeof bits);
    return key_of(o->keys, bits);
}

const uint64_t *np_mpi_sort_keys(const np_mpi_sorting *sorting, const unsigned char *records, size_t count,
                                 uint64_t *buffer)
{
    const np_mpi_sort_options *o = &sorting->options;
    if (o->keys == NP_MPI_KEYS_UINT64 && !((uintptr_t)records % sizeof(uint64_t)))
        return (const uint64_t *)(const void *)records;
    for (size_t i = 0; i < count; i++)
        buffer[i] = np_mpi_sort_key(sorting, records + i * o->record);
    return buffer;
}

void np_mpi_sort_numbers(const np_mpi_sorting *sorting, uint64_t *keys, uint64_t count)
{
    np_mpi_keys kind = sorting->options.keys;
    if (kind == NP_MPI_KEYS_INT64)
        for (uint64_t i = 0; i < count; i++)
            keys[i] ^= SIGN;
    if (kind == NP_MPI_KEYS_DOUBLE)
        for (uint64_t i = 0; i < count; i++)
            keys[i] ^= (keys[i] & SIGN ? 0 : UINT64_MAX) | SIGN;
}

/* Of the records first .. first + count-1, how many come before place `from`. */
static size_t places_below(uint64_t from, uint64_t first, size_t count)
{
    if (from <= first)
        return 0;
    return from - first < count ? (size_t)(from - first) : count;
}

/* The place from which on records of the splitter's key are above it. */
static uint64_t place_from(const np_mpi_sorting *s, int r)
{
    uint64_t origin = s->splitter[r].place;
    return origin > s->before ? origin - s->before : 0;
}

/* rank[i] of each record of a block, for few ranks, and holds[r] = how many of them are for rank r. */
NP_HOT static void compare_all(const np_mpi_sorting *s, uint64_t first, size_t count, const uint64_t *keys,
                               uint64_t *rank, uint64_t *holds)
{
    memset(rank, 0, count * sizeof *rank);
    holds[0] = count;
    for (int r = 0; r < s->mpi->size - 1; r++) {
        uint64_t splitter = s->splitter[r].key, above = 0;
        size_t below = places_below(place_from(s, r), first, count);
        for (size_t i = 0; i < below; i++) {
            uint64_t is = keys[i] > splitter;
            rank[i] += is;
            above += is;
        }
        for (size_t i = below; i < count; i++) {
            uint64_t is = keys[i] >= splitter;
            rank[i] += is;
            above += is;
        }
        holds[r] -= above;
        holds[r + 1] = above;
    }
}

/* The rank that a record is for: how many splitters are at or below it. */
static uint64_t search(const np_mpi_sorting *s, uint64_t key, uint64_t origin)
{
    const np_mpi_keyed *base = s->splitter;
    for (size_t left = (size_t)s->mpi->size - 1, half; left; left -= half) {
        half = (left + 1) / 2;
        const np_mpi_keyed *at = base + half - 1;
        base += ((at->key < key) | ((at->key == key) & (at->place <= origin))) ? half : 0;
    }
    return (uint64_t)(base - s->splitter);
}

void np_mpi_sort_count(np_mpi_sorting *s)
{
    uint64_t buffer[NP_SORT_BLOCK], rank[NP_SORT_BLOCK], holds[FEW];
    memset(s->bucket, 0, (size_t)s->mpi->size * sizeof *s->bucket);
    for (uint64_t first = 0; first < s->count; first += NP_SORT_BLOCK) {
        size_t count = s->count - first < NP_SORT_BLOCK ? (size_t)(s->count - first) : NP_SORT_BLOCK;
        const uint64_t *keys = np_mpi_sort_keys(s, s->records + first * s->options.record, count, buffer);
        if (s->mpi->size > FEW)
            for (size_t i = 0; i < count; i++)
                s->bucket[search(s, keys[i], s->before + first + i)]++;
        else {
            compare_all(s, first, count, keys, rank, holds);
            for (int r = 0; r < s->mpi->size; r++)
                s->bucket[r] += holds[r];
        }
    }
}

/* One pass for each rank, without a branch. */
NP_HOT static void filter(const np_mpi_sorting *s, size_t count, const uint64_t *keys, const uint64_t *rank,
                          const uint64_t *holds)
{
    uint64_t chosen[NP_SORT_BLOCK];
    for (uint64_t r = 0; r < (uint64_t)s->mpi->size; r++) {
        size_t n = 0, bytes = holds[r] * sizeof *keys;
        if (holds[r] == count)
            memcpy(s->to[r], keys, bytes);
        else if (bytes) {
            for (size_t i = 0; i < count; i++) {
                chosen[n] = keys[i];
                n += rank[i] == r;
            }
            memcpy(s->to[r], chosen, bytes);
        }
        s->to[r] += bytes;
    }
}

/* Items are records or, where they are keys, the keys. */
NP_INLINE void scatter(unsigned char **to, size_t count, const unsigned char *item, size_t size, const uint64_t *rank)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to[rank[i]], item + i * size, size);
        to[rank[i]] += size;
    }
}

void np_mpi_sort_partition(np_mpi_sorting *s)
{
    uint64_t buffer[NP_SORT_BLOCK], rank[NP_SORT_BLOCK], holds[FEW];
    bool whole = s->options.keys != NP_MPI_KEYS_CALL;
    for (uint64_t first = 0; first < s->count; first += NP_SORT_BLOCK) {
        size_t count = s->count - first < NP_SORT_BLOCK ? (size_t)(s->count - first) : NP_SORT_BLOCK;
        const unsigned char *records = s->records + first * s->options.record;
        const uint64_t *keys = np_mpi_sort_keys(s, records, count, buffer);
        if (s->mpi->size > FEW)
            for (size_t i = 0; i < count; i++)
                rank[i] = search(s, keys[i], s->before + first + i);
        else
            compare_all(s, first, count, keys, rank, holds);
        if (whole && s->mpi->size <= FILTERED)
            filter(s, count, keys, rank, holds);
        else if (whole) /* of a size that the compiler knows */
            scatter(s->to, count, (const unsigned char *)keys, sizeof *keys, rank);
        else
            scatter(s->to, count, records, s->options.record, rank);
    }
}
