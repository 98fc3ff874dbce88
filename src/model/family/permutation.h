/*
 * Permutations of n <= 11 symbols by their numbers. The number is the rank in
 * lexicographic order, so 0 is the identity. at[i] is the symbol at position i.
 */
#pragma once

#include "model/network/network.h"

enum { NP_PERMUTATION_MAX = 11 }; /* 11! 10 link numbers */

typedef struct np_permutation {
    uint8_t at[NP_PERMUTATION_MAX + 1];
} np_permutation;

np_permutation np_permutation_of(uint32_t n, uint32_t rank);
uint32_t np_permutation_rank(uint32_t n, const np_permutation *permutation);

/*
 * np_network_family.relative of graphs whose links only change positions:
 * v after the renaming of symbols that makes u the identity.
 */
np_node np_permutation_relative(const np_network *network, np_node u, np_node v);

/* Reads n of a family with n! nodes of degree n - 1. */
np_status np_permutation_create(np_network *network, const char *parameters) NP_CHECKED;
