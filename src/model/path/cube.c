/*
 * Paths on the Boolean n-cube (Valiant & Brebner 1981, sections 4 and 7).
 *
 * At x, destination y, the dimensions left are the set bits of x ^ y; the
 * next hop crosses one of them. The rules differ in the order:
 *   dimension-order  ascending (CUBES; most significant bit first);
 *   cyclic-order     ascending from a random k on, cyclically (CUBESS);
 *   random-order     a random order (BASIC).
 *
 * Ticket: low half the dimensions left, as the bits of x ^ y; high half k
 * (CUBESS) or 32 random bits (BASIC). The paper's vector T_X is the set of the
 * dimensions left, in the order of the rule: "Pack" only removes the zeros.
 *
 * For BASIC the paper permutes the nonzero elements at the start. Here each
 * hop picks one of the c dimensions left by a hash of the packet's random
 * bits and c: the same distribution of orders, and still oblivious.
 */
#include "base/hot.h"
#include "model/path/path.h"

static const np_only only = {NP_KIND_HYPERCUBE, "its dimensions are those of the n-cube"};

static inline uint32_t left(np_ticket ticket) { return (uint32_t)ticket; }

NP_HOT static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                             uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)__builtin_popcount(left(ticket[i]));
}

static void start_ascending(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                            const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = at[i] ^ to[i];
}

NP_HOT static void next_ascending(const np_path *path, size_t count, const np_node *at, np_ticket *restrict ticket,
                                  np_port *restrict port)
{
    uint32_t unused_bits = 32 - path->network->dimensions;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        uint32_t mask = left(ticket[i]);
        /* For mask 0 the shift result is dropped below; | 1 keeps clz defined. */
        uint32_t zeros = (uint32_t)__builtin_clz(mask | 1);
        port[i] = mask ? zeros - unused_bits : NP_NONE;
        ticket[i] = mask & ~(UINT32_C(0x80000000) >> zeros);
    }
}

const np_path_rule np_path_dimension_order_cube = {
    .info = {"dimension-order", "ascending dimensions, most significant bit first", "Valiant & Brebner 1981, section 4",
             .networks = "hypercube"},
    .shortest = true,
    .ascending_dimensions = true,
    .only = &only,
    .start = start_ascending,
    .next = next_ascending,
    .remaining = remaining,
    .memoryless = true,
};

static void start_cyclic(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                         const np_node *at, const np_node *to, np_ticket *ticket)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t k = np_random_below(draws, packet[i], 0, path->network->dimensions);
        ticket[i] = k << 32 | (at[i] ^ to[i]);
    }
}

/*
 * "Shift T_X cyclically to the right by k": element i moves to place i + k,
 * so the order begins with dimension n - k + 1, that is with bit k - 1 (bit
 * n - 1 for k = 0): first the bits below k from the top down, then the rest.
 */
NP_HOT static void next_cyclic(const np_path *path, size_t count, const np_node *at, np_ticket *restrict ticket,
                               np_port *restrict port)
{
    uint32_t n = path->network->dimensions;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        uint32_t mask = left(ticket[i]), k = (uint32_t)(ticket[i] >> 32);
        uint32_t early = mask & ((UINT32_C(1) << k) - 1);
        uint32_t choice = early ? early : mask;
        uint32_t zeros = (uint32_t)__builtin_clz(choice | 1), bit = UINT32_C(0x80000000) >> zeros;
        port[i] = choice ? n - 32 + zeros : NP_NONE;
        ticket[i] &= ~(np_ticket)bit;
    }
}

static uint32_t ways_cyclic(const np_path *path, np_node at, np_node to, uint32_t way, np_ticket *ticket)
{
    *ticket = (np_ticket)way << 32 | (at ^ to);
    return path->network->dimensions;
}

const np_path_rule np_path_cyclic_order = {
    .info = {"cyclic-order", "ascending dimensions from a random one on, cyclically",
             "Valiant & Brebner 1981, section 7 (CUBESS)", .networks = "hypercube"},
    .shortest = true,
    .randomized = true,
    .only = &only,
    .start = start_cyclic,
    .next = next_cyclic,
    .remaining = remaining,
    .ways = ways_cyclic,
};

NP_HOT static void start_random(const np_path *path, const np_draws *draws, size_t count,
                                const np_packet *restrict packet, const np_node *restrict at,
                                const np_node *restrict to, np_ticket *restrict ticket)
{
    const np_draws these = *draws;
    (void)path;
    for (size_t i = 0; i < count; i++)
        ticket[i] = np_random_u64(&these, packet[i], 0) << 32 | (at[i] ^ to[i]);
}

/* One step of halving: if rank >= count, the set bit wanted is in the upper half. */
static inline void descend(uint32_t count, uint32_t width, uint32_t *rank, uint32_t *bit)
{
    uint32_t above = *rank >= count;
    *rank -= above ? count : 0;
    *bit += above ? width : 0;
}

/*
 * The place of the rank-th set bit of the mask, from 0 and the lowest on, found by the numbers of set bits in halves of
 * halves. Without branches and tables: the loop over packets vectorises.
 */
static inline uint32_t set_bit_of_rank(uint32_t mask, uint32_t rank)
{
    uint32_t pairs = mask - (mask >> 1 & UINT32_C(0x55555555));
    uint32_t fours = (pairs & UINT32_C(0x33333333)) + (pairs >> 2 & UINT32_C(0x33333333));
    uint32_t bytes = (fours + (fours >> 4)) & UINT32_C(0x0f0f0f0f);
    uint32_t halves = bytes + (bytes >> 8), bit = 0;
    descend(halves & 0xff, 16, &rank, &bit);
    descend(bytes >> bit & 0xff, 8, &rank, &bit);
    descend(fours >> bit & 0xf, 4, &rank, &bit);
    descend(pairs >> bit & 3, 2, &rank, &bit);
    descend(mask >> bit & 1, 1, &rank, &bit);
    return bit;
}

/* The number of set bits; it vectorises where the processor's instruction does not. */
static inline uint32_t set_bits(uint32_t mask)
{
    uint32_t pairs = mask - (mask >> 1 & UINT32_C(0x55555555));
    uint32_t fours = (pairs & UINT32_C(0x33333333)) + (pairs >> 2 & UINT32_C(0x33333333));
    return ((fours + (fours >> 4)) & UINT32_C(0x0f0f0f0f)) * UINT32_C(0x01010101) >> 24;
}

/* Simple loops, each of which vectorises; one of 32-bit and one of 64-bit numbers do not mix well. */
NP_HOT static void next_random(const np_path *path, size_t count, const np_node *at, np_ticket *restrict ticket,
                               np_port *restrict port)
{
    uint32_t n = path->network->dimensions, rank[NP_PATH_BATCH], dimensions[NP_PATH_BATCH];
    (void)at;
    for (size_t done = 0, some; done < count; done += some) {
        some = count - done < NP_PATH_BATCH ? count - done : NP_PATH_BATCH;
        np_ticket *restrict t = ticket + done;
        for (size_t i = 0; i < some; i++)
            dimensions[i] = set_bits(left(t[i]));
        for (size_t i = 0; i < some; i++) {
            uint64_t c = dimensions[i];
            uint64_t hash = np_random_mix((t[i] >> 32) + (c << 32)) >> 32;
            rank[i] = (uint32_t)(hash * c >> 32);
        }
        for (size_t i = 0; i < some; i++) {
            uint32_t mask = left(t[i]), bit = set_bit_of_rank(mask, rank[i]);
            port[done + i] = mask ? n - 1 - bit : NP_NONE;
            t[i] = (t[i] & ~UINT64_C(0xffffffff)) | (mask & ~(UINT32_C(1) << (bit & 31)));
        }
    }
}

const np_path_rule np_path_random_order = {
    .info = {"random-order", "dimensions in a random order", "Valiant & Brebner 1981, section 7 (BASIC)",
             .networks = "hypercube"},
    .shortest = true,
    .randomized = true,
    .even = true,
    .only = &only,
    .start = start_random,
    .next = next_random,
    .remaining = remaining,
};
