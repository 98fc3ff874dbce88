/*
 * Routing on grids in phases along lines, one dimension a phase for each
 * packet (Sibeyn, lecture notes, on routing and using randomization). A packet
 * of colour c goes in phase p along dimension (c + p) mod d. Phases wait for
 * one another, so that each line is a linear array by itself. Of the packets
 * that want a link, the one that has the farthest way left goes first.
 *
 *   scheme          colours                                phases
 *   xy              one                                    d: each corrects its dimension
 *   overlay         d: the sum of the coordinates of both  d
 *                   ends, modulo d
 *   random-overlay  d: drawn at random                     d
 *   k-k             d: drawn at random                     2d: d to a random node, d to the destination
 *   k-k-short       d: drawn at random                     2d - 1: d - 1 to random coordinates, d to the destination
 *
 * xy takes at most 2n - 2 steps for a permutation of n x n. With d colours,
 * packets use all dimensions at once. In two dimensions overlay is xy or yx by
 * the parity of the sum (a chess board). k-k, with k packets from and to each
 * node of n x n: in a phase about kn/8 packets want to cross the middle of a
 * line one way; all phases take max{4n, kn/2} + o(kn) steps with high
 * probability.
 *
 * k-k-short is for k = 4, where the notes say 3n + o(n) and no more. It leaves
 * the last random coordinate of k-k out. On n x n the phases are: to a random
 * place of the line, across, to the destination. In phase 1 a packet goes to j
 * or behind with probability (n-j)/n, so r(i,j) is about (k/2) (i+1) (n-j) / n;
 * phase 3 is the mirror image. In phase 2 each line has 1/n of all packets of
 * its colour, whatever the traffic, so r(i,j) is at most about
 * (k/2) min(i+1, n-j). By the lemma the phases take max{n, kn/8}, max{n, kn/4}
 * and max{n, kn/8}, and o(kn): 3n for k <= 4, kn/2 for k >= 8, and never more
 * than k-k. For k <= 2 random-overlay takes 2n + o(n): r(i,j) is about
 * (k/2) (i+1) at most in phase 1, and (k/2) (n-j) in phase 2.
 *
 * The colour must be known in every phase. A drawn colour is a function of the
 * packet's number. The colour of overlay is a function of the source.
 *
 * Symbols: d dimensions, p phase, c colour, n side.
 *
 * Beyond the notes: d colours of d dimensions (the notes say "not limited to
 * two-dimensional meshes"), where k-k takes max{2dn, kn/2} + o(kn) steps by the
 * same reasoning (kn/4d a phase); sides that differ; tori, where each packet
 * goes the shorter way round.
 */
#include "run/route/queueing.h"

#include <stdio.h>

#include "run/route/theorem.h"
#include "verdict/bound/bound.h"

/* lines_theorem.c */
extern const np_theorem np_xy_theorems[], np_overlay_theorems[], np_k_k_theorems[], np_k_k_short_theorems[];

enum { DRAW_COLOUR, DRAW_COORDINATE }; /* of dimension 0; the next draws are of the next dimensions */

static unsigned once(const np_network *network) { return network->dimensions; }

static unsigned twice(const np_network *network) { return 2 * network->dimensions; }

/* The number of the dimension in the colour's order, from 1. */
static void name_once(const np_network *network, unsigned phase, char text[8])
{
    (void)network;
    snprintf(text, 8, "%u", (phase + 1) % 100);
}

static unsigned twice_less_one(const np_network *network) { return 2 * network->dimensions - 1; }

static void name_twice(const np_network *network, unsigned phase, char text[8])
{
    unsigned d = network->dimensions;
    snprintf(text, 8, "%c%u", phase < d ? 'A' : 'B', (phase % d + 1) % 100);
}

static uint32_t coordinate_sum(const np_network *network, np_node u)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < network->dimensions; i++)
        sum += np_network_coordinate(network, u, i);
    return sum;
}

/* A packet's draws are the same in every phase. */
static np_draws of_packet(const np_draws *draws)
{
    np_draws same = *draws;
    same.phase = 0;
    return same;
}

/* From u to the node of its line in dimension i that has coordinate x: modulo 2^32, exact. */
static np_node along(const np_network *network, np_node u, unsigned i, uint32_t x)
{
    return u + (x - np_network_coordinate(network, u, i)) * network->stride[i];
}

/* From u to its destination's coordinate in the dimension. */
static np_node correct(const np_network *network, np_node u, np_node destination, unsigned dimension)
{
    return along(network, u, dimension, np_network_coordinate(network, destination, dimension));
}

static void to_xy(const np_aim *aim, np_node *to)
{
    const np_network *network = aim->network;
    const np_node *at = aim->at, *destination = aim->destination;
    size_t count = aim->count;
    unsigned phase = aim->phase;
    for (size_t i = 0; i < count; i++)
        to[i] = correct(network, at[i], destination[i], phase);
}

static void to_overlay(const np_aim *aim, np_node *to)
{
    const np_network *network = aim->network;
    for (size_t i = 0; i < aim->count; i++) {
        np_node source = aim->source[aim->packet[i]], destination = aim->destination[i];
        uint32_t colour = coordinate_sum(network, source) + coordinate_sum(network, destination);
        to[i] = correct(network, aim->at[i], destination, (colour + aim->phase) % network->dimensions);
    }
}

static void to_random_overlay(const np_aim *aim, np_node *to)
{
    const np_network *network = aim->network;
    np_draws same = of_packet(aim->draws);
    unsigned d = network->dimensions;
    for (size_t i = 0; i < aim->count; i++) {
        unsigned dimension = (np_random_below(&same, aim->packet[i], DRAW_COLOUR, d) + aim->phase) % d;
        to[i] = correct(network, aim->at[i], aim->destination[i], dimension);
    }
}

/* The first phases go to random coordinates. */
static void to_random_first(const np_aim *aim, unsigned random, np_node *to)
{
    const np_network *network = aim->network;
    np_draws same = of_packet(aim->draws);
    unsigned d = network->dimensions;
    if (aim->phase >= random) {
        to_random_overlay(aim, to);
        return;
    }
    for (size_t i = 0; i < aim->count; i++) {
        unsigned dimension = (np_random_below(&same, aim->packet[i], DRAW_COLOUR, d) + aim->phase) % d;
        uint32_t x = np_random_below(&same, aim->packet[i], DRAW_COORDINATE + dimension, network->side[dimension]);
        to[i] = along(network, aim->at[i], dimension, x);
    }
}

static void to_k_k(const np_aim *aim, np_node *to) { to_random_first(aim, aim->network->dimensions, to); }

static void to_k_k_short(const np_aim *aim, np_node *to) { to_random_first(aim, aim->network->dimensions - 1, to); }

#define ALONG_LINES(times, by, called)                                                                                 \
    .only = &(const np_only){NP_KIND_GRIDS, "it is for meshes and tori"}, .queueing = &(const np_queueing)             \
    {                                                                                                                  \
        .paths = "dimension-order", .queue = "farthest-first", .phases = (times), .name = (called), .targets = (by)    \
    }

const np_scheme np_scheme_xy = {
    .info = {"xy", "greedy in phases: each corrects one dimension, farthest first", "Sibeyn, lecture notes, routing",
             .networks = "mesh, torus, array, ring"},
    ALONG_LINES(once, to_xy, name_once),
    .theorems = np_xy_theorems,
};

const np_scheme np_scheme_overlay = {
    .info = {"overlay", "as xy, but one of d packets begins with each dimension: half xy, half yx, as on a chess board",
             "Sibeyn, lecture notes, routing", .networks = "mesh, torus, array, ring"},
    ALONG_LINES(once, to_overlay, name_once),
    .theorems = np_overlay_theorems,
};

const np_scheme np_scheme_random_overlay = {
    .info = {"random-overlay", "as xy, but each packet begins with a random dimension and goes on cyclically",
             "Sibeyn, lecture notes, using randomization", .networks = "mesh, torus, array, ring"},
    ALONG_LINES(once, to_random_overlay, name_once),
    .theorems = np_overlay_theorems,
};

const np_scheme np_scheme_k_k = {
    .info = {"k-k", "as random-overlay to a random node, then to the destination: max{4n, kn/2} steps on n x n",
             "Sibeyn, lecture notes, using randomization", .networks = "mesh, torus, array, ring"},
    ALONG_LINES(twice, to_k_k, name_twice),
    .bound = np_bound_k_k_for,
    .theorems = np_k_k_theorems,
};

const np_scheme np_scheme_k_k_short = {
    .info = {"k-k-short", "as k-k, without the last random coordinate: 3n + o(n) steps on n x n for k <= 4",
             "after Sibeyn, lecture notes, using randomization", .networks = "mesh, torus, array, ring"},
    ALONG_LINES(twice_less_one, to_k_k_short, name_once),
    .theorems = np_k_k_short_theorems,
};
