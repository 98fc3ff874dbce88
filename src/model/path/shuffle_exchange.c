/*
 * Paths on the shuffle/exchange (Valiant & Brebner 1981, section 7,
 * SHUFFLE/EXCHANGE).
 *
 * k shuffles take u to u rotated left by k; exchanges between them flip the
 * bit that is last at the time. The bit that is last when l shuffles are left
 * ends as bit l mod n of the destination. So let D be (u rotated by k) ^ v: at
 * a node with l shuffles left, the next hop is an exchange if l < n and bit l
 * of D is set, else a shuffle.
 *   stages           k = n: n stages of a shuffle and then, if needed, an
 *                    exchange, even from a node to itself;
 *   shortest-stages  the k of 0 .. 2n-1 with the fewest hops, k + |D|; the least
 *                    such k if there are several. For k < n-1 only bits 0 .. k
 *                    of D can be set. An exchange may come before the first
 *                    shuffle. No other path is shorter: a shortest path has no
 *                    exchange that a later exchange of the same bit undoes, and
 *                    k >= 2n-1 shuffles are never fewer hops than n-1 shuffles
 *                    and n exchanges.
 *
 * Ticket: low half D, without the bits done; high half l.
 */
#include "model/path/path.h"

enum { SHUFFLE = 0, EXCHANGE = 1 }; /* ports */

static const np_only only = {NP_KIND_SHUFFLE_EXCHANGE, "its hops are shuffles and exchanges"};

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t n = path->network->dimensions;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        uint32_t difference = (uint32_t)ticket[i], left = (uint32_t)(ticket[i] >> 32);
        uint32_t bit = left < n ? difference & UINT32_C(1) << left : 0;
        bool shuffle = !bit && left;
        port[i] = bit ? EXCHANGE : left ? SHUFFLE : NP_NONE;
        ticket[i] = (uint64_t)(left - shuffle) << 32 | (difference ^ bit);
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)(ticket[i] >> 32) + (uint32_t)__builtin_popcount((uint32_t)ticket[i]);
}

static void start_stages(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                         const np_node *at, const np_node *to, np_ticket *ticket)
{
    uint64_t n = path->network->dimensions;
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = n << 32 | (at[i] ^ to[i]);
}

const np_path_rule np_path_stages = {
    .info = {"stages", "N stages, each a shuffle and, if needed, an exchange",
             "Valiant & Brebner 1981, section 7 (SHUFFLE/EXCHANGE)", .networks = "shuffle-exchange"},
    .only = &only,
    .start = start_stages,
    .next = next,
    .remaining = remaining,
};

static np_ticket shortest_ticket(const np_network *network, np_node u, np_node v)
{
    uint32_t n = network->dimensions, all = network->nodes - 1, least = UINT32_MAX;
    np_ticket best = 0;
    for (uint32_t k = 0; k < 2 * n && k < least; k++) {
        uint32_t difference = u ^ v;
        uint32_t hops = k + (uint32_t)__builtin_popcount(difference);
        bool possible = k >= n || !(difference >> (k + 1));
        if (possible && hops < least) {
            least = hops;
            best = (uint64_t)k << 32 | difference;
        }
        u = (u << 1 & all) | u >> (n - 1);
    }
    return best;
}

static void start_shortest(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                           const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = shortest_ticket(path->network, at[i], to[i]);
}

const np_path_rule np_path_shortest_stages = {
    .info = {"shortest-stages", "as few shuffles and exchanges as lead there", "", .networks = "shuffle-exchange"},
    .shortest = true,
    .only = &only,
    .start = start_shortest,
    .next = next,
    .remaining = remaining,
};
