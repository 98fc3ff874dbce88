/*
 * Constrained randomization on cube-connected cycles (Ranade 1987a, section 1), by the transformation that makes them
 * of the hypercube (Preparata & Vuillemin 1979): node (w, p) does what node w of the cube does in dimension p.
 *
 * The messages of position j of all cycles are one permutation each, and j is its number. Those of number j go through
 * the dimensions from j on, clockwise:
 *
 *   A  The Randomizer: for each j, each pair of cycles that differ in one dimension draws a bit, and exchanges its two
 *      messages or not. The messages go on to position j - 1, the last on their way round.
 *   B  The Router: back through the dimensions from j - 1 to j, counter-clockwise, and then the shorter way to the
 *      position of the destination.
 *
 * A link across the cube carries at most one message of each number in phase A: n. Messages do not keep step, so those
 * of different numbers may meet on the cycles, and wait, in phase A too.
 *
 * Symbols: n dimensions and positions, w, p, j as above.
 */
#include "papers/constrained/constrained.h"

#include "base/random.h"
#include "model/family/cycles.h"
#include "model/network/network.h"
#include "model/path/path.h"

/* A ticket: the low half has the dimensions that are left, as bits of w; then the position where it ends; a flag. */
static const np_ticket BACK = UINT64_C(1) << 63;

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    uint32_t n = path->network->dimensions;
    np_divider by_n = path->network->by_side[0];
    (void)packet;
    for (size_t i = 0; i < count; i++) {
        uint32_t w = np_divide(to[i], by_n);
        ticket[i] = (draws->phase ? BACK : 0) | (uint64_t)(to[i] - w * n) << 32 | (np_divide(at[i], by_n) ^ w);
    }
}

static uint32_t end_of(np_ticket ticket) { return (uint32_t)(ticket >> 32) & 0xff; }

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t n = path->network->dimensions;
    for (size_t i = 0; i < count; i++) {
        uint32_t left = (uint32_t)ticket[i], p = np_modulo(at[i], path->network->by_side[0]);
        uint32_t own = left & UINT32_C(1) << (n - 1 - p), ahead = np_cycles_clockwise(n, p, end_of(ticket[i]));
        if (own)
            port[i] = NP_CYCLES_ACROSS;
        else if (left)
            port[i] = ticket[i] & BACK ? NP_CYCLES_COUNTER_CLOCKWISE : NP_CYCLES_CLOCKWISE;
        else if (ahead)
            port[i] = ahead <= n - ahead ? NP_CYCLES_CLOCKWISE : NP_CYCLES_COUNTER_CLOCKWISE;
        else
            port[i] = NP_NONE;
        ticket[i] ^= own;
    }
}

/* Hops along the cycle from position p to the last dimension that is left. */
static uint32_t hops_round(uint32_t n, uint32_t left, uint32_t p, bool back)
{
    uint32_t all = (UINT32_C(1) << n) - 1;
    if (!left)
        return 0;
    if (back) /* p gets bit 0, the position before it bit 1 */
        return 31 - (uint32_t)__builtin_clz((left >> (n - 1 - p) | left << (p + 1)) & all);
    return n - 1 - (uint32_t)__builtin_ctz((left << p | left >> (n - p)) & all); /* p gets the highest bit */
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    uint32_t n = path->network->dimensions;
    for (size_t i = 0; i < count; i++) {
        uint32_t left = (uint32_t)ticket[i], p = np_modulo(at[i], path->network->by_side[0]);
        bool back = ticket[i] & BACK;
        uint32_t round = hops_round(n, left, p, back), last = (back ? p + n - round : p + round) % n;
        uint32_t ahead = np_cycles_clockwise(n, last, end_of(ticket[i]));
        hops[i] = (uint32_t)__builtin_popcount(left) + round + (ahead <= n - ahead ? ahead : n - ahead);
    }
}

const np_path_rule np_path_there_and_back_ccc = {
    .info = {"there-and-back", "clockwise over the dimensions that differ in the first phase, else the other way round",
             "Ranade 1987a, sections 2.1 and 2.2", .networks = "ccc"},
    .only = &(const np_only){NP_KIND_CCC, "it is for cube-connected cycles"},
    .start = start,
    .next = next,
    .remaining = remaining,
};

/* Through the switches of all dimensions, from the message's own on. */
void np_constrained_ccc_to_switches(const np_aim *aim, const np_draws *draws, np_node *to)
{
    uint32_t n = aim->network->dimensions;
    for (size_t i = 0; i < aim->count; i++) {
        uint32_t w = np_divide(aim->at[i], aim->network->by_side[0]), j = aim->at[i] - w * n;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t bit = n - 1 - (j + k) % n, pair = w & ~(UINT32_C(1) << bit);
            w ^= np_random_below(draws, pair * n + j, bit, 2) << bit;
        }
        to[i] = w * n + (j + n - 1) % n;
    }
}
