/*
 * Ranks of permutations in lexicographic order: digit i of the rank, in base n -
 * i, is how many of the symbols not yet used are below the one at position i.
 *
 * The symbols not yet used are kept in a word, four bits each, in ascending
 * order: two shifts take out the d-th symbol.
 */
#include "model/family/permutation.h"

#include "model/family/parameter.h"

/* n! */
static uint32_t factorial(uint32_t n)
{
    uint32_t count = 1;
    for (uint32_t i = 2; i <= n; i++)
        count *= i;
    return count;
}

np_permutation np_permutation_of(uint32_t n, uint32_t rank)
{
    uint64_t left = UINT64_C(0xba9876543210);
    np_permutation x;
    for (uint32_t i = n; i--; rank /= n - i)
        x.at[i] = (uint8_t)(rank % (n - i)); /* the digits */
    for (uint32_t i = 0; i < n; i++) {
        unsigned shift = 4u * x.at[i];
        uint64_t below = left & ((UINT64_C(1) << shift) - 1);
        x.at[i] = (uint8_t)(left >> shift & 15);
        left = below | left >> 4 >> shift << shift;
    }
    return x;
}

uint32_t np_permutation_rank(uint32_t n, const np_permutation *permutation)
{
    uint64_t below = UINT64_C(0xba9876543210); /* of each symbol, four bits: the unused ones below it */
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++) {
        unsigned shift = 4u * permutation->at[i];
        rank = rank * (n - i) + (uint32_t)(below >> shift & 15);
        below -= UINT64_C(0x1111111111110) << shift; /* no borrow: a symbol has no more uses below it than it counts */
    }
    return rank;
}

np_node np_permutation_relative(const np_network *network, np_node u, np_node v)
{
    uint32_t n = network->dimensions;
    np_permutation from = np_permutation_of(n, u), to = np_permutation_of(n, v), name, image;
    for (uint32_t i = 0; i < n; i++)
        name.at[from.at[i]] = (uint8_t)i;
    for (uint32_t i = 0; i < n; i++)
        image.at[i] = name.at[to.at[i]];
    return np_permutation_rank(n, &image);
}

np_status np_permutation_create(np_network *network, const char *parameters)
{
    uint32_t n;
    np_status st = np_parameter_whole(network, "the number of symbols", parameters, 2, NP_PERMUTATION_MAX, &n);
    if (st)
        return st;
    network->dimensions = n;
    network->nodes = factorial(n);
    network->ports = n - 1;
    return NP_OK;
}
