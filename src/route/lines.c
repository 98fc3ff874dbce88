/*
 * Routing on grids in phases along lines, with one dimension a phase and
 * packet (Sibeyn, lecture notes, on routing and using randomization). At
 * (x_0, .., x_(d-1)), with colour c, a packet goes in phase p along dimension
 * (c + p) mod d; phases wait for one another, so that each line is a linear array by
 * itself, and of the packets that want a link the one with the farthest to go goes first.
 *
 *   xy              one colour, d phases: each corrects its dimension. A permutation of n x n takes 2n - 2 steps at
 * most. overlay         d colours, so that packets use all dimensions at once: the sum of the coordinates of both ends
 * modulo d. In two dimensions xy or yx, by its parity (a chess board). random-overlay  the same with colours drawn at
 * random. k-k             random colours, 2d phases: d to a random node, d to the destination. With k packets from and
 * to each node of n x n about kn/8 want to cross the middle of a line one way in a phase: in all max{4n, kn/2} + o(kn)
 * steps with high probability.
 *
 * The colour must be known in every phase. If drawn it is a function of the packet's number. That of `overlay` is a
 * function of the source, which a packet has left behind after phase 0.
 *
 * Symbols: d dimensions, p phase, c colour, n side.
 *
 * Beyond the notes: d colours of d dimensions ("not limited to two-dimensional meshes", they say), where k-k
 * takes max{2dn, kn/2} + o(kn) by the same reasoning (kn/4d a phase); sides that differ; tori, where each packet goes
 * the shorter way round.
 */
#include "route/scheme.h"

#include <stdio.h>
#include <string.h>

enum { DRAW_COLOUR, DRAW_COORDINATE }; /* of dimension 0; the next are of the next dimensions */

static const char *refuses(const np_network *network)
{
    static const char *const grids[] = {"mesh", "torus", "array", "ring"};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        if (!strcmp(np_network_family_name(network), grids[i]))
            return NULL;
    return "it is for meshes and tori";
}

static unsigned once(const np_network *network) { return network->dimensions; }

static unsigned twice(const np_network *network) { return 2 * network->dimensions; }

/* The number of the dimension in the colour's order, from 1. */
static void name_once(const np_network *network, unsigned phase, char text[8])
{
    (void)network;
    snprintf(text, 8, "%u", (phase + 1) % 100);
}

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

static void to_xy(const void *context, unsigned phase, const np_draws *draws, size_t count, const np_packet *packet,
                  const np_node *at, const np_node *destination, np_node *to)
{
    const np_network *network = context;
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        to[i] = along(network, at[i], phase, np_network_coordinate(network, destination[i], phase));
}

static void to_overlay(const void *context, unsigned phase, size_t count, const np_node *source, const np_node *at,
                       const np_node *destination, np_node *to)
{
    const np_network *network = context;
    for (size_t i = 0; i < count; i++) {
        uint32_t colour = coordinate_sum(network, source[i]) + coordinate_sum(network, destination[i]);
        unsigned dimension = (colour + phase) % network->dimensions;
        to[i] = along(network, at[i], dimension, np_network_coordinate(network, destination[i], dimension));
    }
}

static void to_random_overlay(const void *context, unsigned phase, const np_draws *draws, size_t count,
                              const np_packet *packet, const np_node *at, const np_node *destination, np_node *to)
{
    const np_network *network = context;
    np_draws same = of_packet(draws);
    unsigned d = network->dimensions;
    for (size_t i = 0; i < count; i++) {
        unsigned dimension = (np_random_below(&same, packet[i], DRAW_COLOUR, d) + phase) % d;
        to[i] = along(network, at[i], dimension, np_network_coordinate(network, destination[i], dimension));
    }
}

static void to_k_k(const void *context, unsigned phase, const np_draws *draws, size_t count, const np_packet *packet,
                   const np_node *at, const np_node *destination, np_node *to)
{
    const np_network *network = context;
    np_draws same = of_packet(draws);
    unsigned d = network->dimensions;
    if (phase >= d) {
        to_random_overlay(context, phase, draws, count, packet, at, destination, to);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned dimension = (np_random_below(&same, packet[i], DRAW_COLOUR, d) + phase) % d;
        uint32_t x = np_random_below(&same, packet[i], DRAW_COORDINATE + dimension, network->side[dimension]);
        to[i] = along(network, at[i], dimension, x);
    }
}

#define ALONG_LINES .paths = "dimension-order", .queue = "farthest-first"

const np_scheme_ops np_scheme_xy = {
    .info = {"xy", "greedy in phases: each corrects one dimension, farthest first", "Sibeyn, lecture notes, routing",
             .networks = "mesh, torus, array, ring"},
    .refuses = refuses,
    .phases = once,
    .name = name_once,
    .targets = to_xy,
    ALONG_LINES,
};

const np_scheme_ops np_scheme_overlay = {
    .info = {"overlay", "as xy, but one of d packets begins with each dimension: half xy, half yx, as on a chess board",
             "Sibeyn, lecture notes, routing", .networks = "mesh, torus, array, ring"},
    .refuses = refuses,
    .phases = once,
    .name = name_once,
    .targets_from = to_overlay,
    ALONG_LINES,
};

const np_scheme_ops np_scheme_random_overlay = {
    .info = {"random-overlay", "as xy, but each packet begins with a random dimension and goes on cyclically",
             "Sibeyn, lecture notes, using randomization", .networks = "mesh, torus, array, ring"},
    .refuses = refuses,
    .phases = once,
    .name = name_once,
    .targets = to_random_overlay,
    ALONG_LINES,
};

const np_scheme_ops np_scheme_k_k = {
    .info = {"k-k", "as random-overlay to a random node, then to the destination: max{4n, kn/2} steps on n x n",
             "Sibeyn, lecture notes, using randomization", .networks = "mesh, torus, array, ring"},
    .refuses = refuses,
    .phases = twice,
    .name = name_twice,
    .targets = to_k_k,
    ALONG_LINES,
};
