/*
 * The pancake graph (Akers & Krishnamurthy 1989): the n! permutations of n
 * symbols. A link reverses the first 2, 3, .. or n symbols. Node = rank; port p
 * reverses the first p + 2 symbols.
 *
 * No formula is known for the diameter. The diameters up to n = 11 come from
 * computations (Heydari & Sudborough 1997 list them, and go on to 13). `netpram
 * info pancake:10` finds the 11 of n = 10 again.
 */
#include "model/family/permutation.h"

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t n = network->dimensions;
    for (size_t i = 0; i < count; i++) {
        np_node u = np_divide(link[i], network->by_ports);
        uint32_t length = link[i] - u * network->ports + 2;
        np_permutation x = np_permutation_of(n, u), y = x;
        for (uint32_t j = 0; j < length; j++)
            y.at[j] = x.at[length - 1 - j];
        head[i] = np_permutation_rank(n, &y);
    }
}

static bool diameter(const np_network *network, uint64_t *out)
{
    static const uint8_t known[NP_PERMUTATION_MAX + 1] = {0, 0, 1, 3, 4, 5, 7, 8, 9, 10, 11, 13};
    *out = known[network->dimensions];
    return true;
}

const np_network_family np_pancake = {
    .info = {"pancake", "pancake graph: N! permutations, the first 2, 3, .. N symbols reversed",
             "Akers & Krishnamurthy 1989", .parameters = "N", .example = "pancake:6", .takes = "N 2..11"},
    .regular = true,
    .node_symmetric = true,
    .create = np_permutation_create,
    .heads = heads,
    .diameter = diameter,
    .relative = np_permutation_relative,
};
