/*
 * Two phases on the hypercube with the shorter of two detours (Sibeyn,
 * lecture notes, using randomization): draw x; if the route s -> x -> d is
 * longer than n, go by way of the complement of x instead. Then no packet travels
 * more than n links, because the lengths of the two detours sum to 2n.
 */
#include "run/route/queueing.h"

static void targets(const np_aim *aim, np_node *to)
{
    np_node nodes = np_network_nodes(aim->network), all = nodes - 1;
    int n = __builtin_popcount(all);
    for (size_t i = 0; i < aim->count; i++) {
        if (aim->phase == 1) {
            to[i] = aim->destination[i];
            continue;
        }
        np_node x = np_random_below(aim->draws, aim->packet[i], 0, nodes);
        int length = __builtin_popcount(aim->at[i] ^ x) + __builtin_popcount(x ^ aim->destination[i]);
        to[i] = length > n ? x ^ all : x;
    }
}

const np_scheme np_scheme_complement = {
    .info = {"complement", "as cubes, but by the complement of the random node when the detour exceeds n",
             "Sibeyn, lecture notes, using randomization", .networks = "hypercube"},
    .only = &(const np_only){NP_KIND_HYPERCUBE, "it complements the bits of a hypercube's node"},
    .unproved = "its intermediate nodes depend on the destination and are not uniform: Theorem 1 does not cover it",
    .queueing =
        &(const np_queueing){
            .paths = "dimension-order", .queue = "fifo", .names = NP_NAMES("A", "B"), .targets = targets},
};
