/*
 * Two phases on the hypercube with the shorter of two detours (Sibeyn,
 * lecture notes, using randomization): draw x; if the route s -> x -> d is
 * longer than n, go by the complement of x instead. No packet then travels
 * more than n links: the two detours' lengths sum to 2n.
 */
#include "route/scheme.h"

static const char *refuses(const np_network *network)
{
    return np_scheme_needs(network, "hypercube", "it complements the bits of a hypercube's node");
}

static void targets(const void *context, unsigned phase, const np_draws *draws, size_t count, const np_packet *packet,
                    const np_node *at, const np_node *destination, np_node *to)
{
    np_node nodes = np_network_nodes(context), all = nodes - 1;
    int n = __builtin_popcount(all);
    for (size_t i = 0; i < count; i++) {
        if (phase == 1) {
            to[i] = destination[i];
            continue;
        }
        np_node x = np_random_below(draws, packet[i], 0, nodes);
        int length = __builtin_popcount(at[i] ^ x) + __builtin_popcount(x ^ destination[i]);
        to[i] = length > n ? x ^ all : x;
    }
}

const np_scheme_ops np_scheme_complement = {
    .info = {"complement", "as cubes, but by the complement of the random node when the detour exceeds n",
             "Sibeyn, lecture notes, using randomization", .networks = "hypercube"},
    .paths = "dimension-order",
    .queue = "fifo",
    .refuses = refuses,
    .phases = np_scheme_two_phases,
    .name = np_scheme_name_two,
    .targets = targets,
};
