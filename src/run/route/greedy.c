/*
 * One phase straight to the destination: the baseline without randomization.
 *
 * The theorem: a permutation on an n x n mesh, farthest first, takes at most 2n - 2. No packet of a permutation waits
 * in a row, so all packets are in their columns at instant n - 1. src/verdict/bound/array_time.c defines "urgent". Take
 * an unbroken run of urgent packets over a column's link. If it begins at instant n - 1 or before, it ends by n - 1 +
 * r(i,j). If it begins later, its packets have come over the preceding link. So all takes at most n - 1 + max(r(i,j) +
 * j - i - 1) <= 2n - 2.
 */
#include <string.h>

#include "run/route/queueing.h"
#include "run/route/theorem.h"

static bool permutes_mesh(const np_theorem_run *of)
{
    return np_network_is(of->network, NP_KIND_OPEN_GRIDS) && of->network->dimensions <= 2 && of->relation <= 1 &&
           !strcmp(of->result->queue, "farthest-first") && !strcmp(of->result->paths, "dimension-order");
}

static np_status mesh_values(const np_theorem_run *of)
{
    for (uint32_t i = 0; i < of->network->dimensions; i++)
        of->value[of->result->phases] += of->network->side[i] - 1;
    return NP_OK;
}

static const np_claim two_n = {NP_CLAIM_AT_MOST, "greedy routing of permutations", "2n - 2 on n x n",
                               "Sibeyn, lecture notes, routing"};

const np_scheme np_scheme_greedy = {
    .info = {"greedy", "straight to the destination by --paths (default greedy: shortest paths)",
             "Sibeyn, lecture notes, routing on arrays and hypercubes", .networks = "any"},
    .preferred = true, /* the default on networks for which no other scheme is preferred */
    .queueing = &(const np_queueing){.queue = "fifo"},
    .unproved = "without randomization the time depends on the traffic: the theorems need a random phase",
    .theorems = NP_THEOREMS({.speaks = permutes_mesh, .values = mesh_values, .total = &two_n}),
};
