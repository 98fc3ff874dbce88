/*
 * Keys that are made: in orders that programs meet, and in some that are bad for one
 * algorithm or another. n is the number of keys, i a key's place.
 */
#include <string.h>

#include "base/parse.h"
#include "base/random.h"
#include "base/status.h"
#include "netpram/keys.h"

enum { FEW = 8, NEAR = 8 };

typedef struct key_order {
    np_keys_order_info info;
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

/* Half of the keys, in random places, are one and the same. */
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

/* Written into a square by rows, the keys are sorted by columns: sorting columns or rows alone does nothing. */
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

static const key_order orders[] = {
    {{"random", "uniform in 0..2^64-1"}, make_random},
    {{"random-distinct", "0 to n-1 in random order"}, make_distinct},
    {{"sorted", "0 to n-1 in order"}, make_sorted},
    {{"reversed", "n-1 down to 0"}, make_reversed},
    {{"constant", "all alike"}, make_constant},
    {{"few-distinct", "uniform in 0..7"}, make_few},
    {{"zero-one", "0 or 1, each with probability 1/2"}, make_zero_one},
    {{"half-equal",
      "about half of them alike, the others uniform in 0..n-1: bad for splitters that take no heed of ties"},
     make_half_equal},
    {{"organ-pipe", "up to the middle, then down"}, make_organ_pipe},
    {{"nearly-sorted", "the i-th is i + uniform in 0..7"}, make_nearly},
    {{"least-last", "1 to n-1, then 0: bad for odd-even transposition"}, make_least_last},
    {{"interleaved", "the even numbers, then the odd ones: bad for merging"}, make_interleaved},
    {{"transposed", "a square sorted by columns, given by rows: bad for shearsort and Columnsort"}, make_transposed},
    {{"bit-reversed", "the i-th is i with its bits reversed: bad for routing without randomness"}, make_bit_reversed},
};

enum { ORDERS = sizeof orders / sizeof *orders };

const np_keys_order_info *np_keys_order(size_t i) { return i < ORDERS ? &orders[i].info : NULL; }

np_status np_keys_make(const char *order, size_t count, uint64_t seed, uint32_t run, uint64_t *key)
{
    const np_draws draws = {.seed = seed, .run = run, .purpose = NP_RANDOM_KEY};
    const char *names[ORDERS];
    for (size_t i = 0; i < ORDERS; i++) {
        names[i] = orders[i].info.name;
        if (strcmp(names[i], order))
            continue;
        if (count)
            orders[i].make(&draws, count, key);
        return NP_OK;
    }
    return NP_RAISE(NP_ERROR_INPUT, "no order of keys '%s': did you mean '%s'?", order,
                    np_parse_nearest(order, names, ORDERS));
}
