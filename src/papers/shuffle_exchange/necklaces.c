/* See necklaces.h. */
#include "papers/shuffle_exchange/necklaces.h"

#include "base/arena.h"
#include "base/memory.h"

enum { BITS_MOST = 30 };

static const char *const what = "a table of necklaces";

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Burnside: a rotation by i leaves 2^gcd(i, n) labels as they are. */
static uint32_t count_necklaces(uint32_t bits)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i <= bits; i++)
        sum += UINT64_C(1) << greatest_common_divisor(i, bits);
    return (uint32_t)(sum / bits);
}

/*
 * *longest = the length of the longest block of a representative; the representative begins with
 * this block. Returns true if no other block is as long. The last bit of a representative is 1
 * unless all bits are 0, so no block goes around the end.
 */
static bool measure_block(const np_necklaces *nl, uint32_t representative, uint32_t *longest)
{
    uint32_t begins = nl->nodes - 1; /* the bits at which runs of *longest zeros begin */
    *longest = 0;
    for (uint32_t zeros = ~representative & (nl->nodes - 1); begins & zeros; zeros <<= 1) {
        begins &= zeros;
        ++*longest;
    }
    return !(begins & (begins - 1));
}

/* Gives the necklace of a representative its number, and its nodes their positions. */
static void number(np_necklaces *nl, uint32_t representative, uint32_t *bad)
{
    uint32_t zeros, size = 0, x = representative;
    bool unique = measure_block(nl, representative, &zeros);
    uint32_t necklace = unique && representative && zeros >= nl->block ? nl->good++ : --*bad;
    do {
        nl->of[x] = necklace;
        x = np_necklaces_left(nl, x);
        nl->position[x] = (uint8_t)size++;
    } while (x != representative);
    nl->representative[necklace] = representative;
    nl->zeros[necklace] = (uint8_t)zeros;
    nl->size[necklace] = (uint8_t)size;
}

static void layout(void *object, np_arena *arena)
{
    np_necklaces *nl = object;
    np_arena_array(arena, &nl->of, nl->nodes, sizeof *nl->of, "the nodes");
    np_arena_array(arena, &nl->position, nl->nodes, sizeof *nl->position, "the nodes");
    np_arena_array(arena, &nl->representative, nl->count, sizeof *nl->representative, "the representatives");
    np_arena_array(arena, &nl->zeros, nl->count, sizeof *nl->zeros, "the blocks");
    np_arena_array(arena, &nl->size, nl->count, sizeof *nl->size, "the sizes");
}

uint32_t np_necklaces_block(uint32_t bits) { return 31 - (uint32_t)__builtin_clz(bits); }

static np_necklaces sizes_of(uint32_t bits)
{
    return (np_necklaces){
        .bits = bits, .nodes = UINT32_C(1) << bits, .block = np_necklaces_block(bits), .count = count_necklaces(bits)};
}

uint64_t np_necklaces_bytes(uint32_t bits)
{
    np_necklaces sizes = sizes_of(bits);
    return np_arena_bytes(&sizes, sizeof sizes, layout);
}

/* A string of m bits is all zeros, or it has j zeros, a 1 and a string of m - 1 - j bits. */
uint64_t np_necklaces_strings(uint32_t length, uint32_t run)
{
    uint64_t count[BITS_MOST + 1] = {1};
    for (uint32_t m = 1; m <= length; m++) {
        count[m] = m <= run;
        for (uint32_t j = 0; j <= run && j < m; j++)
            count[m] += count[m - 1 - j];
    }
    return count[length];
}

uint64_t np_necklaces_strings_between(uint32_t length, uint32_t run)
{
    return length < 2 ? length : np_necklaces_strings(length - 2, run);
}

/* A good representative is a block of x >= z zeros and a string with shorter blocks between ones. */
uint64_t np_necklaces_good(uint32_t bits)
{
    uint64_t good = 0;
    for (uint32_t x = np_necklaces_block(bits); x < bits; x++)
        good += np_necklaces_strings_between(bits - x, x - 1);
    return good;
}

/*
 * A flip leaves every position p from x to n - 2, unless it makes a second block of x zeros: bit p is the 1 that ends
 * a block of x - 1 zeros behind another 1. Then the representative is 0^x a 0^(x-1) b, where a and b begin and end
 * with a 1, and b has 2 bits or more.
 */
uint64_t np_necklaces_flips(uint32_t bits)
{
    uint64_t flips = 0;
    for (uint32_t x = np_necklaces_block(bits); x < bits; x++) {
        flips += (bits - 1 - x) * np_necklaces_strings_between(bits - x, x - 1);
        for (uint32_t a = 1; a + 2 * x - 1 + 2 <= bits; a++)
            flips -=
                np_necklaces_strings_between(a, x - 1) * np_necklaces_strings_between(bits - (2 * x - 1) - a, x - 1);
    }
    return flips;
}

np_status np_necklaces_create(uint32_t bits, np_necklaces **out)
{
    np_necklaces *nl, made = sizes_of(bits);
    np_status st = np_arena_create(&made, sizeof made, layout, what, out);
    if (st)
        return st;
    nl = *out;
    for (uint32_t x = 0; x < nl->nodes; x++)
        nl->of[x] = NP_NONE;
    uint32_t bad = nl->count;
    for (uint32_t x = 0; x < nl->nodes; x++)
        if (nl->of[x] == NP_NONE) /* no smaller label rotates into x */
            number(nl, x, &bad);
    return NP_OK;
}

void np_necklaces_free(np_necklaces *nl) { np_memory_free(nl); }

np_necklace_kind np_necklaces_kind(const np_necklaces *nl, uint32_t necklace)
{
    if (necklace < nl->good)
        return NP_NECKLACE_GOOD;
    if (nl->zeros[necklace] < nl->block)
        return NP_NECKLACE_TYPE_1;
    return nl->representative[necklace] ? NP_NECKLACE_TYPE_2 : NP_NECKLACE_TYPE_3;
}

uint32_t np_necklaces_associate(const np_necklaces *nl, np_node node)
{
    uint32_t necklace = nl->of[node], zeros = nl->zeros[necklace], x = nl->representative[necklace];
    switch (np_necklaces_kind(nl, necklace)) {
    case NP_NECKLACE_TYPE_1:
        /*
         * The node's blocks are shorter than z. Its first z bits become 0: this block, perhaps with
         * a part of an old one, is the longest.
         */
        return nl->of[(node & ((nl->nodes - 1) >> nl->block)) | 1];
    case NP_NECKLACE_TYPE_2:
        /* There is another block, and a 1 between: zeros + 1 < n. The first block becomes the only longest one. */
        return nl->of[(x & ~np_necklaces_bit(nl, zeros)) | np_necklaces_bit(nl, zeros + 1)];
    case NP_NECKLACE_TYPE_3:
        return nl->of[1];
    case NP_NECKLACE_GOOD:
        break;
    }
    return necklace;
}

uint32_t np_necklaces_flip(const np_necklaces *nl, uint32_t necklace, uint32_t position)
{
    if (position < nl->zeros[necklace] || position + 1 >= nl->bits)
        return NP_NONE;
    uint32_t x = nl->representative[necklace] ^ np_necklaces_bit(nl, position);
    uint32_t to = nl->of[x | np_necklaces_bit(nl, position + 1)];
    return to < nl->good ? to : NP_NONE;
}
