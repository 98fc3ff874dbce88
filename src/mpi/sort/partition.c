/*
 * Which rank each record is for, by the splitters, and the records written in the order of these ranks. Records stay in
 * their order within what is for one rank.
 *
 * A record (key, origin) is for rank r if just r splitters are at or below it. Origins are places of this rank plus a
 * constant, so a splitter becomes (key, from): records of the splitter's key are above it from place `from` on, and in
 * a block of records below and above that place one comparison of keys decides. For few ranks all splitters are
 * compared; for many a search in a tree of them finds the rank. Neither has a branch on the outcome.
 */
#include <string.h>

#include "base/hot.h"
#include "mpi/sort/sort.h"

enum { FEW = 16 /* ranks whose splitters are all compared with each key */ };

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

/*
 * The same for many: all records of the block go down a tree of splitters, a level at a time. Node t has the splitter
 * s->tree[t] and the children 2t and 2t + 1; below the leaves come the ranks.
 */
NP_HOT static void search_all(const np_mpi_sorting *s, uint64_t first, size_t count, const uint64_t *keys,
                              uint64_t *rank)
{
    uint64_t ranks = 1, origin = s->before + first;
    for (size_t i = 0; i < count; i++)
        rank[i] = 1;
    for (; ranks < (uint64_t)s->mpi->size; ranks *= 2)
        for (size_t i = 0; i < count; i++) {
            np_mpi_keyed node = s->tree[rank[i]];
            uint64_t is = (node.key < keys[i]) | ((node.key == keys[i]) & (node.place <= origin + i));
            rank[i] = 2 * rank[i] + is;
        }
    for (size_t i = 0; i < count; i++)
        rank[i] -= ranks;
}

/* Lays the splitters out as the tree: node 2^d + i is the (2i + 1)-th of 2^(d + 1) parts of them. */
static void plant(np_mpi_sorting *s)
{
    uint64_t ranks = (uint64_t)s->mpi->size, leaves = 1;
    while (leaves < ranks)
        leaves *= 2;
    for (uint64_t level = 1; level < leaves; level *= 2)
        for (uint64_t i = 0; i < level; i++) {
            uint64_t at = (2 * i + 1) * (leaves / level / 2) - 1;
            s->tree[level + i] = at < ranks - 1 ? s->splitter[at] : (np_mpi_keyed){UINT64_MAX, UINT64_MAX};
        }
}

void np_mpi_sort_count(np_mpi_sorting *s)
{
    uint64_t buffer[NP_SORT_BLOCK], rank[NP_SORT_BLOCK], holds[FEW];
    memset(s->bucket, 0, (size_t)s->mpi->size * sizeof *s->bucket);
    plant(s);
    for (uint64_t first = 0; first < s->count; first += NP_SORT_BLOCK) {
        size_t count = s->count - first < NP_SORT_BLOCK ? (size_t)(s->count - first) : NP_SORT_BLOCK;
        const uint64_t *keys = np_mpi_sort_keys(s, s->records + first * s->options.record, count, buffer);
        if (s->mpi->size > FEW) {
            search_all(s, first, count, keys, rank);
            for (size_t i = 0; i < count; i++)
                s->bucket[rank[i]]++;
        } else {
            compare_all(s, first, count, keys, rank, holds);
            for (int r = 0; r < s->mpi->size; r++)
                s->bucket[r] += holds[r];
        }
    }
}

/* Keys for two ranks: both places are written, and one of them goes on. */
NP_INLINE void split(uint64_t *to[2], size_t count, const uint64_t *keys, uint64_t splitter, bool equal_is_above)
{
    uint64_t *low = to[0], *high = to[1];
    for (size_t i = 0; i < count; i++) {
        uint64_t key = keys[i], above = (key > splitter) | (equal_is_above & (key == splitter));
        *low = *high = key;
        low += !above;
        high += above;
    }
    to[0] = low;
    to[1] = high;
}

static void split_block(const np_mpi_sorting *s, uint64_t first, size_t count, const uint64_t *keys)
{
    size_t below = places_below(place_from(s, 0), first, count);
    uint64_t *to[2] = {(void *)s->to[0], (void *)s->to[1]};
    split(to, below, keys, s->splitter->key, false);
    split(to, count - below, keys + below, s->splitter->key, true);
    s->to[0] = (void *)to[0];
    s->to[1] = (void *)to[1];
}

/* Items are records or, where they are keys, the keys. */
NP_INLINE void scatter(unsigned char **to, size_t count, const unsigned char *item, size_t size, const uint64_t *rank)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to[rank[i]], item + i * size, size);
        to[rank[i]] += size;
    }
}

static void partition_block(const np_mpi_sorting *s, uint64_t first, size_t count)
{
    uint64_t buffer[NP_SORT_BLOCK], rank[NP_SORT_BLOCK], holds[FEW] = {0};
    const unsigned char *records = s->records + first * s->options.record;
    const uint64_t *keys = np_mpi_sort_keys(s, records, count, buffer);
    bool whole = s->options.keys != NP_MPI_KEYS_CALL;
    if (whole && s->mpi->size == 2) {
        split_block(s, first, count, keys);
        return;
    }
    if (s->mpi->size > FEW)
        search_all(s, first, count, keys, rank);
    else
        compare_all(s, first, count, keys, rank, holds);
    size_t size = s->options.record;
    if (holds[*rank % FEW] == count) { /* sorted or equal keys */
        memcpy(s->to[*rank], whole ? (const void *)keys : records, count * size);
        s->to[*rank] += count * size;
    } else if (whole) /* of a size that the compiler knows */
        scatter(s->to, count, (const unsigned char *)keys, sizeof *keys, rank);
    else
        scatter(s->to, count, records, size, rank);
}

void np_mpi_sort_partition(np_mpi_sorting *s)
{
    for (uint64_t first = 0; first < s->count; first += NP_SORT_BLOCK)
        partition_block(s, first, s->count - first < NP_SORT_BLOCK ? (size_t)(s->count - first) : NP_SORT_BLOCK);
}
