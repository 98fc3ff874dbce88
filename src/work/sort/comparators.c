/*
 * Comparator networks by formula, a stage at a time.
 *
 * Bitonic (Batcher 1968): merge k = 1 .. n makes runs of 2^k out of pairs of runs of 2^(k-1). One run of a pair goes up
 * and the other goes down. So merge k compares wires that differ in bit j, j = k-1 .. 0. The next merge needs the run
 * to go down where bit k of the wire is 1.
 *
 * Odd-even merge (Batcher 1968; Knuth, section 5.3.4): all runs go up. Merge k compares x with x + 2^(k-1) in the lower
 * half of each run of 2^k. Then, for j = k-2 .. 0, it compares x with x + 2^j where bit j of x is 1 and both are in the
 * same run. Merge k has (k-1) 2^(k-1) + 1 comparators in each of 2^(n-k) runs: (n^2 - n + 4) 2^(n-2) - 1 in all.
 *
 * Transposition compares neighbours; the pairs with an even lower wire come first.
 *
 * n = log2 of the wires; stage s of the first two is (k, j) in the order above.
 */
#include "work/sort/comparators.h"

#include "work/sort/sorter.h"

static const char *refuses_but_powers(uint32_t wires)
{
    return wires && !(wires & (wires - 1)) ? NULL : "it needs a power of two of wires";
}

static const char *refuses_none(uint32_t wires) { return wires ? NULL : "it needs a wire"; }

/* The wires' bits: wires is a power of two. */
static uint32_t bits_of(uint32_t wires) { return np_log2_up(wires); }

/* n merges, of 1, 2, .. n stages. */
static uint32_t stages_of_merges(uint32_t wires)
{
    uint32_t n = bits_of(wires);
    return n * (n + 1) / 2;
}

/* Finds the merge *k of stage s; returns the j of the stage. */
static uint32_t locate(uint32_t s, uint32_t *k)
{
    for (*k = 1; s >= *k; (*k)++)
        s -= *k;
    return *k - 1 - s;
}

static uint64_t count_bitonic(uint32_t wires) { return (uint64_t)stages_of_merges(wires) * wires / 2; }

static uint32_t stage_bitonic(uint32_t wires, uint32_t s, uint32_t *low, uint32_t *high)
{
    uint32_t k, j = locate(s, &k), count = 0;
    for (uint32_t x = 0; x < wires; x++) {
        if (x >> j & 1)
            continue;
        uint32_t down = (x >> k & 1) << j; /* bit k of the last merge is 0 */
        low[count] = x ^ down;
        high[count++] = x ^ down ^ UINT32_C(1) << j;
    }
    return count;
}

static uint64_t count_odd_even_merge(uint32_t wires)
{
    uint64_t n = bits_of(wires);
    return (n * n - n + 4) * wires / 4 - 1; /* 1 wire: 4/4 - 1; 2: 8/4 - 1 */
}

static uint32_t stage_odd_even_merge(uint32_t wires, uint32_t s, uint32_t *low, uint32_t *high)
{
    uint32_t k, j = locate(s, &k), count = 0;
    for (uint32_t x = 0; x < wires; x++) {
        uint32_t y = x + (UINT32_C(1) << j);
        bool first = j + 1 == k;
        if ((x >> j & 1) == (first ? 1 : 0) || x >> k != y >> k)
            continue;
        low[count] = x;
        high[count++] = y;
    }
    return count;
}

static uint32_t stages_transposition(uint32_t wires) { return wires; }

/* N odd: (N-1)/2 in each of the N stages; N even: N/2 and N/2 - 1 in turn. */
static uint64_t count_transposition(uint32_t wires) { return (uint64_t)wires * (wires - 1) / 2; }

static uint32_t stage_transposition(uint32_t wires, uint32_t s, uint32_t *low, uint32_t *high)
{
    uint32_t count = 0;
    for (uint32_t x = s % 2; x + 1 < wires; x += 2) {
        low[count] = x;
        high[count++] = x + 1;
    }
    return count;
}

const np_comparators np_comparators_bitonic = {
    .name = "bitonic",
    .source = "Batcher 1968",
    .refuses = refuses_but_powers,
    .stages = stages_of_merges,
    .count = count_bitonic,
    .stage = stage_bitonic,
};

const np_comparators np_comparators_odd_even_merge = {
    .name = "odd-even-merge",
    .source = "Batcher 1968",
    .refuses = refuses_but_powers,
    .stages = stages_of_merges,
    .count = count_odd_even_merge,
    .stage = stage_odd_even_merge,
};

const np_comparators np_comparators_transposition = {
    .name = "odd-even-transposition",
    .source = "Knuth 1973, section 5.3.4",
    .refuses = refuses_none,
    .stages = stages_transposition,
    .count = count_transposition,
    .stage = stage_transposition,
};
