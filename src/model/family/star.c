/*
 * The star graph (Akers, Harel & Krishnamurthy 1987): the n! permutations of n
 * symbols. A link exchanges the first symbol with another. It is the Cayley graph
 * of the permutations (0 i). Node = rank; port p exchanges positions 0 and p + 1.
 *
 * Diameter floor(3(n-1)/2), by the same paper: a symbol in its place costs no
 * exchange; a cycle of m >= 2 symbols costs m + 1 exchanges, or m - 1 if the first
 * position is on it.
 */
#include "model/family/permutation.h"

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t n = network->dimensions;
    for (size_t i = 0; i < count; i++) {
        np_node u = np_divide(link[i], network->by_ports);
        uint32_t other = link[i] - u * network->ports + 1;
        np_permutation x = np_permutation_of(n, u);
        uint8_t first = x.at[0];
        x.at[0] = x.at[other];
        x.at[other] = first;
        head[i] = np_permutation_rank(n, &x);
    }
}

const np_network_family np_star = {
    .info = {"star", "star graph: N! permutations, the first symbol exchanged with any other",
             "Akers, Harel & Krishnamurthy 1987", .parameters = "N", .example = "star:6", .takes = "N 2..11"},
    .regular = true,
    .node_symmetric = true,
    .create = np_permutation_create,
    .heads = heads,
    .linear = &(const np_linear){3, -3, 2},
    .relative = np_permutation_relative,
};
