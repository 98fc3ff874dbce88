/*
 * Keys that are made: in orders that programs meet, and in orders that are bad for some algorithm.
 * n is the number of keys, i the place of a key.
 */
#include <string.h>

#include "base/random.h"
#include "base/registry.h"
#include "netpram/sort.h"

enum { FEW = 8, NEAR = 8 };

typedef struct key_order {
    np_entry info;
    void (*make)(const np_draws *draws, size_t count, uint64_t *key);
} key_order;

static void make_random(const np_draws *draws, size_t count, uint64_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = np_random_u64(draws, (uint32_t)i, 0);
}

/* Fisher & Yates. */
static void make_distinct(const np_draws *draws, size_t count, uint64_t *key)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = np_random_below(draws, (uint32_t)i, 0, (uint32_t)(i + 1));
        key[i] = key[j];
        key[j] = i;
    }
}

static void make_sorted(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    for (size_t i = 0; i < count; i++)
        key[i] = i;
}

static void make_reversed(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    for (size_t i = 0; i < count; i++)
        key[i] = count - 1 - i;
}

static void make_constant(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    memset(key, 0, count * sizeof *key);
}

static void make_few(const np_draws *draws, size_t count, uint64_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = np_random_below(draws, (uint32_t)i, 0, FEW);
}

static void make_zero_one(const np_draws *draws, size_t count, uint64_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = np_random_below(draws, (uint32_t)i, 0, 2);
}

static void make_organ_pipe(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    for (size_t i = 0; i < count; i++)
        key[i] = i < count - 1 - i ? i : count - 1 - i;
}

static void make_nearly(const np_draws *draws, size_t count, uint64_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = i + np_random_below(draws, (uint32_t)i, 0, NEAR);
}

/* About half of the keys, in random places, are equal. */
static void make_half_equal(const np_draws *draws, size_t count, uint64_t *key)
{
    for (size_t i = 0; i < count; i++)
        key[i] = np_random_below(draws, (uint32_t)i, 0, 2) ? count / 2
                                                           : np_random_below(draws, (uint32_t)i, 1, (uint32_t)count);
}

/* On an array the least key has n - 1 links to go. */
static void make_least_last(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    for (size_t i = 0; i < count; i++)
        key[i] = (i + 1) % count;
}

/* Two sorted halves that alternate: merging them moves nearly every key. */
static void make_interleaved(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    size_t half = (count + 1) / 2;
    for (size_t i = 0; i < count; i++)
        key[i] = i < half ? 2 * i : 2 * (i - half) + 1;
}

/* If the keys are written into a square by rows, they are sorted by columns. Sorting only the columns or only the rows
   changes nothing. */
static void make_transposed(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    size_t side = 1;
    while (side * side < count)
        side++;
    for (size_t i = 0; i < count; i++)
        key[i] = i % side * side + i / side;
}

/* Where paths correct bits in order, about sqrt(n) of the keys' paths share a link. */
static void make_bit_reversed(const np_draws *draws, size_t count, uint64_t *key)
{
    (void)draws;
    unsigned bits = 0;
    while (count > (uint64_t)1 << bits)
        bits++;
    for (size_t i = 0; i < count; i++) {
        key[i] = 0;
        for (unsigned b = 0; b < bits; b++)
            key[i] |= (uint64_t)(i >> b & 1) << (bits - 1 - b);
    }
}

static const key_order uniform = {.info = {"random", "uniform in 0..2^64-1", ""}, .make = make_random};
static const key_order random_distinct = {.info = {"random-distinct", "0 to n-1 in random order", ""},
                                          .make = make_distinct};
static const key_order sorted = {.info = {"sorted", "0 to n-1 in order", ""}, .make = make_sorted};
static const key_order reversed = {.info = {"reversed", "n-1 down to 0", ""}, .make = make_reversed};
static const key_order constant = {.info = {"constant", "all alike", ""}, .make = make_constant};
static const key_order few_distinct = {.info = {"few-distinct", "uniform in 0..7", ""}, .make = make_few};
static const key_order zero_one = {.info = {"zero-one", "0 or 1, each with probability 1/2", ""},
                                   .make = make_zero_one};
static const key_order half_equal = {
    .info = {"half-equal",
             "about half of them alike, the others uniform in 0..n-1: bad for splitters that take no heed of ties", ""},
    .make = make_half_equal};
static const key_order organ_pipe = {.info = {"organ-pipe", "up to the middle, then down", ""},
                                     .make = make_organ_pipe};
static const key_order nearly_sorted = {.info = {"nearly-sorted", "the i-th is i + uniform in 0..7", ""},
                                        .make = make_nearly};
static const key_order least_last = {.info = {"least-last", "1 to n-1, then 0: bad for odd-even transposition", ""},
                                     .make = make_least_last};
static const key_order interleaved = {
    .info = {"interleaved", "the even numbers, then the odd ones: bad for merging", ""}, .make = make_interleaved};
static const key_order transposed = {
    .info = {"transposed", "a square sorted by columns, given by rows: bad for shearsort and Columnsort", ""},
    .make = make_transposed};
static const key_order bit_reversed = {
    .info = {"bit-reversed", "the i-th is i with its bits reversed: bad for routing without randomness", ""},
    .make = make_bit_reversed};

const np_registry np_key_orders = {
    .list = "orders",
    .title = "orders of keys that sort makes (--order), n of them",
    .what = "order of keys",
    .built_in = NP_ENTRIES(&uniform.info, &random_distinct.info, &sorted.info, &reversed.info, &constant.info,
                           &few_distinct.info, &zero_one.info, &half_equal.info, &organ_pipe.info, &nearly_sorted.info,
                           &least_last.info, &interleaved.info, &transposed.info, &bit_reversed.info),
};

np_status np_keys_make(const char *order, size_t count, uint64_t seed, uint32_t run, uint64_t *key)
{
    const np_draws draws = {.seed = seed, .run = run, .purpose = NP_RANDOM_KEY};
    const key_order *made;
    np_status st = np_registry_find(&np_key_orders, order, &made);
    if (!st && count)
        made->make(&draws, count, key);
    return st;
}
