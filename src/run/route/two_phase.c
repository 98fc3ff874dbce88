/*
 * Two-phase randomized routing (Valiant & Brebner 1981, sections 4, 6 and 7):
 * phase A sends each packet to a node chosen uniformly at random, phase B
 * sends it on to its destination. The schemes differ in the paths.
 *
 * The paper prepares phase-A tickets by picking each element at random (a
 * coin for every dimension, a digit for every stage). Each of these ways picks
 * each target with probability 1/N, independently. The path is a function of the
 * target (and, for BASIC and CUBESS, of the ticket's own draws). So here the
 * target is drawn, and the path rule makes the ticket. On networks that tell hosts
 * from switches, the options say from which of them (queueing.c).
 */
#include <string.h>

#include "base/hot.h"
#include "run/route/queueing.h"
#include "verdict/bound/bound.h"

NP_HOT static void targets(const np_aim *aim, np_node *to)
{
    if (aim->phase == 1) {
        memcpy(to, aim->destination, aim->count * sizeof *to);
        return;
    }
    for (size_t i = 0; i < aim->count; i++)
        to[i] = np_random_below(aim->draws, aim->packet[i], 0, aim->via.count);
    for (size_t i = 0; aim->via.node && i < aim->count; i++)
        to[i] = aim->via.node[to[i]];
}

static const np_only only_cubes = {NP_KIND_HYPERCUBE, "it crosses the dimensions of a hypercube"};

static const np_only only_shuffles = {NP_KIND_SHUFFLE, "it shifts digits through a d-way shuffle"};

static const char *refuses_one_way(const np_network *network)
{
    return np_network_all_terminals(network) || network->host
               ? NULL
               : "packets go from inputs to outputs only, not by way of any node";
}

/* Phases A and B by a path rule; NULL: the caller's choice. */
#define TWO_PHASES(rule)                                                                                               \
    .queueing = &(const np_queueing)                                                                                   \
    {                                                                                                                  \
        .paths = (rule), .queue = "fifo", .uniform = true, .names = NP_NAMES("A", "B"), .targets = targets             \
    }

const np_scheme np_scheme_cubes = {
    .info = {"cubes", "CUBES: random node, then destination, dimensions ascending", "Valiant & Brebner 1981, section 4",
             .networks = "hypercube"},
    .preferred = true,
    .only = &only_cubes,
    .bound = np_bound_cubes,
    TWO_PHASES("dimension-order"),
};

const np_scheme np_scheme_basic = {
    .info = {"basic", "BASIC: as cubes, dimensions in a random order for each packet",
             "Valiant & Brebner 1981, section 7", .networks = "hypercube"},
    .only = &only_cubes,
    .unproved = "random orders of the dimensions can share a link, part and meet again: not nonrepeating",
    TWO_PHASES("random-order"),
};

const np_scheme np_scheme_cubess = {
    .info = {"cubess", "CUBESS: as cubes, dimensions cyclic from a random one on", "Valiant & Brebner 1981, section 7",
             .networks = "hypercube"},
    .only = &only_cubes,
    .bound = np_bound_cubess,
    TWO_PHASES("cyclic-order"),
};

const np_scheme np_scheme_shuffle = {
    .info = {"shuffle", "d-SHUFFLE: random node, then destination, n shifts each", "Valiant & Brebner 1981, section 6",
             .networks = "shuffle"},
    .only = &only_shuffles,
    .unproved = "the unmodified scheme repeats links and is not symmetric (section 6); mshuffle has Theorem 2",
    TWO_PHASES("full-shift"),
};

const np_scheme np_scheme_mshuffle = {
    .info = {"mshuffle", "d-MSHUFFLE: as shuffle, each phase by the shortest route",
             "Valiant & Brebner 1981, section 6 (the modified scheme)", .networks = "shuffle"},
    .preferred = true,
    .only = &only_shuffles,
    .bound = np_bound_mshuffle,
    TWO_PHASES("shortest-shift"),
};

const np_scheme np_scheme_ccc = {
    .info = {"ccc", "CCC: clockwise round the cycle across the cube links wanted, then to the target",
             "Valiant & Brebner 1981, section 7", .networks = "ccc"},
    .preferred = true,
    .only = &(const np_only){NP_KIND_CCC, "it goes round the cycles of a ccc"},
    .unproved = "the paper proves nothing about cube-connected cycles",
    TWO_PHASES("clockwise"),
};

const np_scheme np_scheme_shuffle_exchange = {
    .info = {"shuffle-exchange", "SHUFFLE/EXCHANGE: n stages of a shuffle and, if wanted, an exchange",
             "Valiant & Brebner 1981, section 7", .networks = "shuffle-exchange"},
    .preferred = true,
    .only = &(const np_only){NP_KIND_SHUFFLE_EXCHANGE, "its stages are a shuffle and an exchange"},
    .unproved = "the paper proves nothing about the shuffle/exchange graph",
    TWO_PHASES("stages"),
};

const np_scheme np_scheme_valiant = {
    .info = {"valiant", "random node, then destination, each by --paths (default greedy)",
             "Valiant & Brebner 1981, section 4", .networks = "any"},
    .preferred = true,
    .refuses = refuses_one_way,
    .heeds = NP_NAMES("queue", "overlap", "phase_time", "fallback", "steps", "trace", "paths", "via"),
    .bound = np_bound_valiant,
    TWO_PHASES(NULL),
};
