/*
 * Paths on the cube-connected cycles (Valiant & Brebner 1981, section 7, CCC).
 *
 * At (w, p), destination (w', p'): if w and w' differ in the bit that position p
 * owns, the next hop goes across the cube. Else, if they differ in another bit, it
 * goes clockwise to p + 1. Else it goes along the target cycle to p' by the shorter
 * way, clockwise if both ways are equally long. So the dimensions are crossed in
 * ascending cyclic order from p on, and at most s - 1 cycle edges are crossed before
 * the last dimension (the paper: "a total of s is always sufficient").
 *
 * Ticket: low half w ^ w' without the bits that have been crossed; high half p'.
 */
#include "model/family/cycles.h"
#include "model/path/path.h"

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    uint32_t s = path->network->dimensions;
    np_divider by_s = path->network->by_side[0];
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++) {
        uint32_t w = np_divide(to[i], by_s);
        ticket[i] = (uint64_t)(to[i] - w * s) << 32 | (np_divide(at[i], by_s) ^ w);
    }
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t s = path->network->dimensions;
    for (size_t i = 0; i < count; i++) {
        uint32_t mask = (uint32_t)ticket[i], target = (uint32_t)(ticket[i] >> 32);
        uint32_t p = np_modulo(at[i], path->network->by_side[0]);
        uint32_t own = mask & UINT32_C(1) << (s - 1 - p), ahead = np_cycles_clockwise(s, p, target);
        if (own)
            port[i] = NP_CYCLES_ACROSS;
        else if (mask || (ahead && ahead <= s - ahead))
            port[i] = NP_CYCLES_CLOCKWISE;
        else
            port[i] = ahead ? NP_CYCLES_COUNTER_CLOCKWISE : NP_NONE;
        ticket[i] ^= own;
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    uint32_t s = path->network->dimensions;
    for (size_t i = 0; i < count; i++) {
        uint32_t mask = (uint32_t)ticket[i], target = (uint32_t)(ticket[i] >> 32);
        uint32_t p = np_modulo(at[i], path->network->by_side[0]), round = 0;
        if (mask) {
            /* After this rotation p owns the top bit, and the last dimension to be crossed is the lowest bit. */
            uint32_t turned = (mask << p | mask >> (s - p)) & ((UINT32_C(1) << s) - 1);
            round = s - 1 - (uint32_t)__builtin_ctz(turned);
        }
        uint32_t last = p + round < s ? p + round : p + round - s;
        uint32_t ahead = np_cycles_clockwise(s, last, target);
        hops[i] = (uint32_t)__builtin_popcount(mask) + round + (ahead <= s - ahead ? ahead : s - ahead);
    }
}

const np_path_rule np_path_clockwise = {
    .info = {"clockwise", "clockwise over the dimensions that differ, then the shorter way to the position",
             "Valiant & Brebner 1981, section 7 (CCC)", .networks = "ccc"},
    .only = &(const np_only){NP_KIND_CCC, "it goes round cube-connected cycles"},
    .start = start,
    .next = next,
    .remaining = remaining,
    .memoryless = true,
};
