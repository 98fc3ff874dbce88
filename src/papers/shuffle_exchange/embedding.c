/* See embedding.h. */
#include "papers/shuffle_exchange/embedding.h"

#include "base/arena.h"
#include "base/memory.h"
#include "work/sort/columnsort.h"

static uint32_t common_divisor(uint32_t a, uint32_t b) { return b ? common_divisor(b, a % b) : a; }

/* A string is g letters of Q bits. Of all strings, those that repeat a string of d letters, d | g and d < g, have fewer
   than g rotations. */
uint32_t np_shuffle_embedding_strings(uint32_t bits, uint32_t string_bits)
{
    uint64_t whole[32]; /* strings of d letters with d rotations */
    uint32_t g = common_divisor(bits, string_bits);
    for (uint32_t k = 1; k <= g; k++) {
        whole[k] = UINT64_C(1) << (k * (string_bits / g));
        for (uint32_t d = 1; d < k; d++)
            whole[k] -= k % d ? 0 : whole[d];
    }
    return (uint32_t)(whole[g] / g);
}

uint32_t np_shuffle_embedding_columns(uint32_t bits, uint32_t string_bits)
{
    uint32_t strings = np_shuffle_embedding_strings(bits, string_bits), column = bits << bits, columns = 1;
    uint32_t most = (uint32_t)((UINT64_C(1) << (bits + string_bits)) / column);
    for (uint32_t s = 2; s <= strings && s <= most; s++)
        if (np_columnsort_sorts(column, s, column / 2))
            columns = s;
    return columns;
}

/* x of `bits` bits, rotated left. */
static uint32_t rotate(uint32_t x, uint32_t bits, uint32_t by)
{
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    by %= bits;
    return by ? (x << by & mask) | x >> (bits - by) : x;
}

/* Finds the least of the rotations of each string that differs from all of them. */
static void find_strings(np_shuffle_embedding *e)
{
    uint32_t m = e->string_bits, letter = m / e->periods;
    for (uint32_t x = 0; x < UINT32_C(1) << m; x++) {
        bool full = true;
        for (uint32_t by = letter; by < m && full; by += letter)
            full = rotate(x, m, by) > x;
        if (full)
            e->string[e->strings++] = x;
    }
}

static void layout(void *object, np_arena *arena)
{
    np_shuffle_embedding *e = object;
    np_arena_zeroed(arena, &e->string, np_shuffle_embedding_strings(e->bits, e->string_bits), sizeof *e->string,
                    "the strings");
}

static np_status check(uint32_t bits, uint32_t string_bits)
{
    const uint32_t low = NP_SHUFFLE_EMBEDDING_BITS_MIN, high = NP_SHUFFLE_EMBEDDING_BITS_MAX;
    if (bits < low || bits > high)
        return NP_RAISE(NP_ERROR_INPUT, "butterflies of 2^%u rows in a shuffle-exchange graph: from 2^%u to 2^%u", bits,
                        low, high);
    if (string_bits < low || string_bits > high || bits + string_bits < 4)
        return NP_RAISE(NP_ERROR_INPUT, "butterflies of 2^%u rows on strings of %u bits: from %u to %u bits", bits,
                        string_bits, bits < 4 - low ? 4 - bits : low, high);
    return NP_OK;
}

np_status np_shuffle_embedding_create(uint32_t bits, uint32_t string_bits, uint32_t butterflies, uint32_t per_string,
                                      np_shuffle_embedding **out)
{
    np_status st = check(bits, string_bits);
    *out = NULL;
    if (st)
        return st;
    if (per_string < 1 || per_string > 2)
        return NP_RAISE(NP_ERROR_INPUT, "%u butterflies a string: 1 or 2", per_string);
    uint32_t strings = np_shuffle_embedding_strings(bits, string_bits);
    if (butterflies > strings * per_string)
        return NP_RAISE(NP_ERROR_INPUT, "%u butterflies of 2^%u rows: %u strings of %u have room for %u", butterflies,
                        bits, strings, per_string, strings * per_string);
    np_shuffle_embedding e = {.bits = bits,
                              .string_bits = string_bits,
                              .periods = common_divisor(bits, string_bits),
                              .rows = UINT32_C(1) << bits,
                              .butterflies = butterflies,
                              .per_string = per_string};
    if (!(st = np_arena_create(&e, sizeof e, layout, "the strings of the butterflies", out)))
        find_strings(*out);
    return st;
}

void np_shuffle_embedding_free(np_shuffle_embedding *embedding) { np_memory_free(embedding); }

/* The g periods of r and w end with w_(m-1). Rotated by the place of r_l, and once more, they end with r_l. */
np_node np_shuffle_embedding_node(const np_shuffle_embedding *embedding, uint32_t butterfly, uint32_t level,
                                  uint32_t row)
{
    uint32_t g = embedding->periods, p = embedding->bits / g, q = embedding->string_bits / g, x = 0;
    uint32_t w = embedding->string[butterfly / embedding->per_string];
    for (uint32_t i = g; i-- > 0;) {
        x = x << p | (row >> i * p & ((UINT32_C(1) << p) - 1));
        x = x << q | (w >> i * q & ((UINT32_C(1) << q) - 1));
    }
    return rotate(x, g * (p + q), level / p * (p + q) + level % p + 1);
}

uint32_t np_shuffle_embedding_slot(const np_shuffle_embedding *embedding)
{
    return 2 * (embedding->bits + embedding->string_bits) / embedding->periods;
}

uint32_t np_shuffle_embedding_shuffles(const np_shuffle_embedding *embedding, uint32_t level)
{
    uint32_t g = embedding->periods, p = embedding->bits / g;
    return level % p < p - 1 ? 1 : embedding->string_bits / g + 1;
}

uint32_t np_shuffle_embedding_walk(const np_shuffle_embedding *embedding, uint32_t level, bool down, bool cross,
                                   np_shuffle_embedding_hop *hop)
{
    uint32_t p = embedding->bits / embedding->periods, turn = 2 * (level % p), hops = 0;
    uint32_t d = np_shuffle_embedding_shuffles(embedding, level), first = turn + (cross == down ? 0 : d);
    if (cross && !down)
        hop[hops++] = (np_shuffle_embedding_hop){turn, NP_SHUFFLE_EXCHANGE};
    for (uint32_t i = 0; i < d; i++)
        hop[hops++] = (np_shuffle_embedding_hop){first + i, down ? NP_SHUFFLE_RIGHT : NP_SHUFFLE_LEFT};
    if (cross && down)
        hop[hops++] = (np_shuffle_embedding_hop){turn + 2 * d - 1, NP_SHUFFLE_EXCHANGE};
    return hops;
}
