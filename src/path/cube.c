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
 * (CUBESS) or 32 random bits (BASIC). The paper's vector T_X is that set in
 * that order: "Pack" only removes the zeros.
 *
 * For BASIC the paper permutes the nonzero elements at the start. Here each
 * hop picks one of the c dimensions left by a hash of the packet's random
 * bits and c: the same distribution of orders, and still oblivious.
 */
#include <string.h>

#include "base/hot.h"
#include "path/path.h"

static const char *refuses(const np_network *network)
{
    return strcmp(np_network_family_name(network), "hypercube") ? "its dimensions are those of the n-cube" : NULL;
}

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

NP_HOT static void next_ascending(const np_path *path, size_t count, const np_node *at, np_ticket *ticket,
                                  np_port *port)
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

/*
 * Heads, next and link numbers of the cube in one: see network/hypercube.c for
 * the numbering. The division is done in doubles, which vectorise: (link +
 * 1/2) / n is at least 1 / (2 n) away from a whole number, n <= 27, and the
 * product's relative error of 2^-51 moves a quotient below 2^32 by less.
 */
NP_HOT static void hop_ascending(const np_path *path, size_t count, const np_link *restrict link,
                                 np_ticket *restrict ticket, np_node *restrict from, np_node *restrict at,
                                 np_link *restrict onward)
{
    uint32_t n = path->network->dimensions, top = UINT32_C(1) << (n - 1), unused_bits = 32 - n;
    double inverse = 1.0 / n;
    for (size_t i = 0; i < count; i++) {
        np_node x = (np_node)(((double)link[i] + 0.5) * inverse);
        np_node y = x ^ top >> (link[i] - x * n);
        uint32_t mask = left(ticket[i]), zeros = (uint32_t)__builtin_clz(mask | 1);
        from[i] = x;
        at[i] = y;
        onward[i] = mask ? y * n + zeros - unused_bits : NP_NONE;
        ticket[i] = mask & ~(UINT32_C(0x80000000) >> zeros);
    }
}

const np_path_rule_ops np_path_dimension_order_cube = {
    .info = {"dimension-order", "hypercube", "ascending dimensions, most significant bit first",
             "Valiant & Brebner 1981, section 4"},
    .shortest = true,
    .ascending_dimensions = true,
    .refuses = refuses,
    .start = start_ascending,
    .next = next_ascending,
    .hop = hop_ascending,
    .remaining = remaining,
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
static void next_cyclic(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t n = path->network->dimensions;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        uint32_t mask = left(ticket[i]), k = (uint32_t)(ticket[i] >> 32);
        uint32_t early = mask & ((UINT32_C(1) << k) - 1);
        uint32_t choice = early ? early : mask;
        if (!choice) {
            port[i] = NP_NONE;
            continue;
        }
        uint32_t bit = 31 - (uint32_t)__builtin_clz(choice);
        port[i] = n - 1 - bit;
        ticket[i] ^= UINT32_C(1) << bit;
    }
}

const np_path_rule_ops np_path_cyclic_order = {
    .info = {"cyclic-order", "hypercube", "ascending dimensions from a random one on, cyclically",
             "Valiant & Brebner 1981, section 7 (CUBESS)"},
    .shortest = true,
    .randomized = true,
    .refuses = refuses,
    .start = start_cyclic,
    .next = next_cyclic,
    .remaining = remaining,
};

static void start_random(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                         const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path;
    for (size_t i = 0; i < count; i++)
        ticket[i] = np_random_u64(draws, packet[i], 0) << 32 | (at[i] ^ to[i]);
}

static void next_random(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t n = path->network->dimensions;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        uint32_t mask = left(ticket[i]);
        if (!mask) {
            port[i] = NP_NONE;
            continue;
        }
        uint64_t c = (uint64_t)__builtin_popcount(mask);
        uint64_t hash = np_random_mix((ticket[i] >> 32) + (c << 32)) >> 32;
        uint32_t rest = mask;
        for (uint64_t skip = hash * c >> 32; skip; skip--)
            rest &= rest - 1;
        uint32_t bit = (uint32_t)__builtin_ctz(rest);
        port[i] = n - 1 - bit;
        ticket[i] ^= UINT32_C(1) << bit;
    }
}

const np_path_rule_ops np_path_random_order = {
    .info = {"random-order", "hypercube", "dimensions in a random order", "Valiant & Brebner 1981, section 7 (BASIC)"},
    .shortest = true,
    .randomized = true,
    .refuses = refuses,
    .start = start_random,
    .next = next_random,
    .remaining = remaining,
};
