/*
 * The wrapped butterfly: n levels of 2^n rows, N = n 2^n nodes of degree 4.
 * Between level l and level l+1 mod n every row has a straight edge, and a
 * cross edge to the row that differs in the (l+1)-st most significant bit.
 * Every edge is directed both ways.
 *
 * Node w n + l is row w at level l. Ports: 0 straight up, to (w, l+1); 1 cross
 * up, to (w with the bit of l flipped, l+1); 2 straight down, to (w, l-1); 3
 * cross down, to (w with the bit of l-1 flipped, l-1). Levels are mod n. One level
 * would have self-loops, and two levels parallel links: n >= 3.
 *
 * Diameter floor(3n/2). Bisection 2^n (Bornstein, Litman, Maggs, Sitaraman &
 * Yatzkar 2001: with wraparound, as many links as rows).
 */
#include "model/family/cycles.h"

static np_status create(np_network *network, const char *parameters)
{
    return np_cycles_create(network, "the number of levels", parameters, 4);
}

/* At (w, l), up: the edge from l to l+1 flips bit n-1-l; down: the edge from l-1. */
static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    uint32_t n = network->dimensions;
    np_divider by_n = network->by_side[0];
    for (size_t i = 0; i < count; i++) {
        np_node x = link[i] >> 2;
        uint32_t w = np_divide(x, by_n), l = x - w * n;
        uint32_t above = l + 1 == n ? 0 : l + 1, below = l ? l - 1 : n - 1;
        bool down = link[i] & 2, cross = link[i] & 1;
        uint32_t flip = UINT32_C(1) << (n - 1 - (down ? below : l));
        head[i] = (w ^ (cross ? flip : 0)) * n + (down ? below : above);
    }
}

static bool bisection(const np_network *network, uint64_t *out)
{
    *out = UINT64_C(1) << network->dimensions;
    return true;
}

const np_network_family np_butterfly = {
    .info = {"butterfly", "wrapped butterfly of N levels, N 2^N nodes of degree 4", "Leighton 1992, section 3.2",
             .parameters = "N", .example = "butterfly:10", .takes = "N 3..25"},
    .kind = NP_KIND_BUTTERFLY,
    .regular = true,
    .node_symmetric = true,
    .create = create,
    .heads = heads,
    .linear = &(const np_linear){3, 0, 2},
    .bisection = bisection,
    .relative = np_cycles_relative,
};
