/*
 * The scheme `constrained-cube`: constrained randomization on hypercubes, and on cube-connected cycles
 * (constrained_ccc.c) (Ranade 1987a, section 1: "it is applicable to other networks like the
 * hypercube ... because of well known transformations"). Stage i of the omega network becomes dimension i of the cube:
 * a switch is a pair of nodes that differ in it, and its two lines are the nodes.
 *
 *   A  The Randomizer: each of the N/2 pairs of each dimension draws a bit, and exchanges its two messages or not. The
 *      messages go through the dimensions in ascending order, so they end as a permutation of the nodes.
 *   B  The Router: to the destinations, through the dimensions in descending order, with queues.
 *
 * On the omega network a message that goes straight crosses a wire, too. On the cube it stays where it is, and goes on
 * with its next dimension at once. In phase A nobody waits all the same: in the order of dimensions exactly one message
 * comes to each node, so a link is crossed by one message at most. Phase A takes n steps at most.
 *
 * Where a message goes in phase A is a function of its node and of the bits of the n pairs that it meets, so it needs
 * no table. With no message from some node (partial permutations) the bits are the same.
 *
 * One permutation at a time: sets of several would have to enter in cycles, as on the omega network.
 */
#include "papers/constrained/constrained.h"

#include <string.h>

#include "base/random.h"
#include "model/path/path.h"
#include "model/traffic/traffic.h"

/* ---- The paths: ascending in phase 0, descending in others ---- */

static const np_ticket DESCENDING = UINT64_C(1) << 32;

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    (void)path, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = (draws->phase ? DESCENDING : 0) | (at[i] ^ to[i]);
}

/* Port p flips bit n - 1 - p. */
static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t n = path->network->dimensions;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        uint32_t left = (uint32_t)ticket[i];
        if (!left) {
            port[i] = NP_NONE;
            continue;
        }
        uint32_t bit = ticket[i] & DESCENDING ? (uint32_t)__builtin_ctz(left) : 31 - (uint32_t)__builtin_clz(left);
        port[i] = n - 1 - bit;
        ticket[i] &= ~(UINT64_C(1) << bit);
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)__builtin_popcount((uint32_t)ticket[i]);
}

const np_path_rule np_path_there_and_back = {
    .info = {"there-and-back", "dimensions in ascending order in the first phase, in descending order in others",
             "Ranade 1987a, sections 2.1 and 2.2", .networks = "hypercube"},
    .shortest = true,
    .only = &(const np_only){NP_KIND_HYPERCUBE, "it is for hypercubes"},
    .start = start,
    .next = next,
    .remaining = remaining,
};

/* ---- The phases ---- */

/* Phase A: through the switches of all dimensions. */
static void to_switches(const np_aim *aim, const np_draws *draws, np_node *to)
{
    for (size_t i = 0; i < aim->count; i++) {
        to[i] = aim->at[i];
        for (uint32_t bit = aim->network->dimensions; bit-- > 0;) {
            np_node pair = to[i] & ~(UINT32_C(1) << bit);
            to[i] ^= np_random_below(draws, pair, bit, 2) << bit;
        }
    }
}

static void targets(const np_aim *aim, np_node *to)
{
    const np_draws draws = np_draws_for(*aim->draws, NP_RANDOM_SWITCH);
    if (aim->phase)
        memcpy(to, aim->destination, aim->count * sizeof *to);
    else if (np_network_is(aim->network, NP_KIND_CCC))
        np_constrained_ccc_to_switches(aim, &draws, to);
    else
        to_switches(aim, &draws, to);
}

static np_status create(const np_network *network, void **out)
{
    *out = (void *)network; /* all that prepare needs */
    return NP_OK;
}

static void free_nothing(void *tables) { (void)tables; }

static uint64_t bytes(const np_network *network, uint64_t packets)
{
    (void)packets;
    return (uint64_t)np_network_nodes(network) * sizeof(uint32_t); /* to count packets a node */
}

static np_status prepare(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at, np_phase_run *out,
                         bool *computed)
{
    uint32_t h;
    np_status st = phase ? NP_OK : np_traffic_relation(traffic, tables, &h);
    (void)at, (void)out, (void)computed;
    if (!st && !phase && h > 1)
        return NP_RAISE(NP_ERROR_APPLY,
                        "scheme 'constrained-cube' routes one permutation on %s, and some node sends or receives "
                        "%u packets: try random",
                        np_network_spec(tables), h);
    return st;
}

static const char *const names[] = {"A", "B", NULL};

const np_scheme np_scheme_constrained_cube = {
    .info = {"constrained-cube", "constrained on cubes: random switches to a random permutation, then back with queues",
             "Ranade 1987a, section 1", .networks = "hypercube, ccc"},
    .only = &(const np_only){NP_KIND_HYPERCUBE | NP_KIND_CCC, "it is for hypercubes and cube-connected cycles"},
    .queueing = &(const np_queueing){.paths = "there-and-back",
                                     .told = "random-switches",
                                     .queue = "fifo",
                                     .names = names,
                                     .targets = targets,
                                     .tables = &(const np_queueing_tables){create, free_nothing, bytes, prepare}},
    .heeds = NP_NAMES("queue", "overlap", "steps", "trace"),
    .unproved = "the bounds of Ranade 1987a are for omega networks, where a message crosses a wire in every stage",
};
