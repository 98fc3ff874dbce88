/*
 * Routing in grids (Valiant & Brebner 1981, section 8).
 *
 * In two dimensions a packet is at (i, j) and its destination is (l, m):
 *   phase A  along the column to (k, j), for a random k
 *   phase Z  along the row to (k, m)
 *   phase B  along the column to (l, m)
 * In k dimensions, procedure Route(n, k, m) sends along dimension m at random
 * (A), routes in m - 1 dimensions, and corrects dimension m (B). Route(n, k, 1)
 * corrects dimension 1. Unrolled, the phases are A_k ... A_2, Z, B_2 ... B_k: in
 * all 2k - 1 phases.
 *
 * The paper's dimension m is our coordinate k - m, so that in two dimensions
 * phase A randomizes i. Sides may differ: the phases are the same, but the
 * theorems speak of equal sides.
 *
 * In phases Z and B, packets that have moved in the phase go before packets that
 * have not. This is the scheme's own discipline, "moved-first".
 */
#include "run/route/queueing.h"

#include <stdio.h>
#include <string.h>

#include "run/route/theorem.h"
#include "verdict/bound/bound.h"

static unsigned phases(const np_network *network) { return 2 * network->dimensions - 1; }

/* The paper's dimension of a phase: k, ..., 2, 1, 2, ..., k. */
static unsigned dimension(unsigned k, unsigned phase) { return phase < k ? k - phase : phase - k + 2; }

static void name(const np_network *network, unsigned phase, char text[8])
{
    unsigned k = network->dimensions, m = dimension(k, phase);
    char letter = phase + 1 < k ? 'A' : phase + 1 == k ? 'Z' : 'B';
    if (k <= 2 || letter == 'Z')
        snprintf(text, 8, "%c", letter);
    else
        snprintf(text, 8, "%c%u", letter, m % 100);
}

static void targets(const np_aim *aim, np_node *to)
{
    const np_network *network = aim->network;
    unsigned k = network->dimensions, i = k - dimension(k, aim->phase);
    for (size_t p = 0; p < aim->count; p++) {
        uint32_t here = np_network_coordinate(network, aim->at[p], i);
        uint32_t there = aim->phase + 1 < k ? np_random_below(aim->draws, aim->packet[p], 0, network->side[i])
                                            : np_network_coordinate(network, aim->destination[p], i);
        to[p] = aim->at[p] + (there - here) * network->stride[i]; /* modulo 2^32: exact */
    }
}

/* ---- With a fixed time for each phase ---- */

static bool fixed_times(const np_theorem_run *of)
{
    return !of->result->overlap && !strcmp(of->result->queue, "moved-first") &&
           !strcmp(of->result->paths, "dimension-order");
}

static np_status timed_values(const np_theorem_run *of)
{
    uint32_t k = of->network->dimensions, side[NP_MAX_DIMENSIONS];
    np_packet packets = of->traffic ? np_traffic_packets(of->traffic) : of->result->packets;
    for (uint32_t m = 1; m <= k; m++)
        side[m - 1] = of->network->side[k - m];
    of->value[of->result->phases] = np_bound_theorem4_timed(k, side, of->relation, packets, -1).expected;
    return NP_OK;
}

static const np_claim timed = {
    NP_CLAIM_AT_MOST, "Theorem 4, expected steps with a fallback",
    "(2k-1)(n + g) + F P[some phase is late], F = sum of n - 1 + T - 1, for the least g at which "
    "the fallback adds one step",
    "Valiant & Brebner 1981, section 8"};

const np_scheme np_scheme_grid = {
    .info = {"grid", "2k-1 phases: random along each dimension but one, then correct each",
             "Valiant & Brebner 1981, section 8", .networks = "mesh, array"},
    .preferred = true,
    .only = &(const np_only){NP_KIND_OPEN_GRIDS, "it is for grids without wrap-around"},
    .queueing =
        &(const np_queueing){
            .paths = "dimension-order", .queue = "moved-first", .phases = phases, .name = name, .targets = targets},
    .bound = np_bound_grid,
    .theorems = NP_THEOREMS({.speaks = fixed_times, .values = timed_values, .total = &timed}),
};
