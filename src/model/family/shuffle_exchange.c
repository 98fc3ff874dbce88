/*
 * The shuffle/exchange network (Valiant & Brebner 1981, section 7): N = 2^n
 * nodes. Shuffle links (x, y) have y = 2x if x < N/2, else y = 2x + 1 - N: the n
 * bits of x are rotated left by one. Exchange links (x, y) flip the least
 * significant bit of x.
 *
 * Port 0 is the shuffle, port 1 the exchange. The shuffle at 0 and at N-1 is a
 * self-loop. Links are directed: the unshuffle is not a link.
 *
 * Diameter 2n-1. Between two exchanges of different bits there is a shuffle, so
 * the way from 0 to N-1 takes n exchanges and n-1 shuffles. Between any two nodes,
 * n-1 shuffles are enough, with exchanges before, between and after them where
 * needed.
 */
#include "model/family/parameter.h"

enum { DIMENSIONS_MAX = 30 }; /* 2^31 link numbers */

static np_status create(np_network *network, const char *parameters)
{
    np_status st =
        np_parameter_whole(network, "the number of bits", parameters, 1, DIMENSIONS_MAX, &network->dimensions);
    if (st)
        return st;
    network->nodes = UINT32_C(1) << network->dimensions;
    network->ports = 2;
    return NP_OK;
}

/* At x by port 0: to x rotated left; by port 1: to x with its last bit flipped. */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t top = network->dimensions - 1, mask = network->nodes - 1;
    for (size_t i = 0; i < count; i++) {
        np_node x = link[i] >> 1;
        np_node shuffled = (x << 1 & mask) | x >> top;
        head[i] = link[i] & 1 ? x ^ 1 : shuffled;
    }
}

const np_network_family np_shuffle_exchange = {
    .info = {"shuffle-exchange", "shuffle/exchange, 2^N nodes of degree 2, directed",
             "Valiant & Brebner 1981, section 7", .parameters = "N", .example = "shuffle-exchange:12",
             .takes = "N 1..30"},
    .kind = NP_KIND_SHUFFLE_EXCHANGE,
    .regular = true,
    .create = create,
    .heads = heads,
    .linear = &(const np_linear){2, -1, 1},
};
