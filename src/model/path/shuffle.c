/*
 * Paths on the d-way shuffle (Valiant & Brebner 1981, sections 6 and 7).
 *
 * At x = x^1 .. x^n, destination v = v^1 .. v^n, the next hop inserts a digit
 * before x^1 and drops x^n. The digit that is inserted first ends up least
 * significant, so k hops that insert the k first digits of v, last of them
 * first, lead to v iff the other n-k digits are there already: iff
 * floor(u / d^k) = v mod d^(n-k). There is one path of each such length.
 *   full-shift      k = n always, even from a node to itself (d-SHUFFLE);
 *   shortest-shift  the least k (d-MSHUFFLE).
 *
 * The paper initialises phase B by T_X[i] := v^i. With "transmit to z with z^1
 * = T_X[i]" for i = 1 .. n this leads to the reversal of v's digits: the text
 * means T_X[i] := v^(n+1-i). In phase A, n random digits are a random
 * node's digits, and the order does not matter.
 *
 * Ticket: low half the digits to insert, as the number floor(v / d^(n-k))
 * whose last digit comes next; high half the hops left.
 */
#include "model/path/path.h"

static const np_only only = {NP_KIND_SHUFFLE, "it inserts digits as the d-way shuffle does"};

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    uint32_t d = path->network->ports;
    np_divider by_d = path->network->by_ports;
    (void)at;
    for (size_t i = 0; i < count; i++) {
        uint32_t digits = (uint32_t)ticket[i], hops = (uint32_t)(ticket[i] >> 32);
        uint32_t rest = np_divide(digits, by_d);
        port[i] = hops ? digits - rest * d : NP_NONE;
        ticket[i] = hops ? (uint64_t)(hops - 1) << 32 | rest : 0;
    }
}

static void start_full(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                       const np_node *at, const np_node *to, np_ticket *ticket)
{
    uint64_t n = path->network->dimensions;
    (void)draws, (void)packet, (void)at;
    for (size_t i = 0; i < count; i++)
        ticket[i] = n << 32 | to[i];
}

const np_path_rule np_path_full_shift = {
    .info = {"full-shift", "all N digits of the destination, least significant first",
             "Valiant & Brebner 1981, section 6 (d-SHUFFLE)", .networks = "shuffle"},
    .only = &only,
    .start = start_full,
    .next = next,
    .remaining = np_path_remaining_counted,
};

/* "Found easily by trying k = 0, 1, .., n-1"; stride[k-1] = d^(n-k), and k = n always leads there. */
static np_ticket shortest_ticket(const np_network *network, np_node u, np_node v)
{
    uint32_t n = network->dimensions;
    if (u == v)
        return 0;
    for (uint32_t k = 1; k < n; k++) {
        u = np_divide(u, network->by_ports);
        uint32_t digits = np_divide(v, network->by_stride[k - 1]);
        if (u == v - digits * network->stride[k - 1])
            return (uint64_t)k << 32 | digits;
    }
    return (uint64_t)n << 32 | v;
}

static void start_shortest(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                           const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)draws, (void)packet;
    for (size_t i = 0; i < count; i++)
        ticket[i] = shortest_ticket(path->network, at[i], to[i]);
}

const np_path_rule np_path_shortest_shift = {
    .info = {"shortest-shift", "as few digits as lead there", "Valiant & Brebner 1981, section 6 (d-MSHUFFLE)",
             .networks = "shuffle"},
    .shortest = true,
    .only = &only,
    .start = start_shortest,
    .next = next,
    .remaining = np_path_remaining_counted,
};
