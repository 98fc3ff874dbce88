/*
 * The shuffle-exchange graph as leveled networks (Leighton, Maggs, Ranade & Rao
 * 1994, section 5). N = 2^n nodes; necklaces, good and bad nodes, positions and
 * z as in necklaces.h. Three phases:
 *
 *   in      packets from bad nodes go to the good nodes that stand for them
 *   route   packets go between good nodes by way of a random good necklace
 *   out     packets for bad nodes go to them
 *
 * "in" and "out" are deterministic (bad_nodes.h). A packet with a good source is not in "in", and a
 * packet with a good destination is not in "out". A packet for its own node is in no phase.
 *
 * The host. In the paper links have no direction. Our family shuffle-exchange is the graph of
 * Valiant & Brebner 1981, which has no links for the shuffle back. So the host is the paper's
 * graph: N nodes and 3 N links, numbered node * 3 + {0 shuffle left, 1 shuffle right, 2 exchange}.
 *
 * The network of "route" is L, A, A^r, A, A^r, L glued together. Each of the six
 * is n levels, the positions of a necklace, upwards or downwards:
 *
 *   L down, A up, A^r down, A up, A^r down, L up
 *   n-1 .. 0 .. n-1 .. 0 .. n-1 .. 0 .. n-1
 *
 * Where two networks meet, they share a level: position 0 or n - 1 of all necklaces. So there are
 * 6 (n-1) + 1 levels, each with one node for each good necklace; logical node = level * necklaces +
 * necklace. (The paper leaves the gluing open. Its first L has to go down: it leads from any node
 * to position 0.)
 *
 * Edges. Port 0 is a shuffle and keeps the necklace. In A, port 1 is the flip edge from position p
 * to p + 1 (necklaces.h), if there is one. In A^r ports 1 and 2, from position p + 1 to p, are flip
 * edges backwards. At most two flip edges lead to a node: before the flip set it, bit p + 1 was 1
 * (port 1) or 0 (port 2). If the second edge exists, so does the first, because setting a bit that
 * is not in the leading block only splits other blocks. So up to 3 edges enter a node in A and
 * leave a node in A^r.
 *
 * Paths in A, from necklace s, whose leading block has x zeros, to t, whose leading block has y >=
 * x zeros: at each position p from 0 to n - 2, flip if bit p differs from bit p of t. Claim: every
 * flip edge that the path needs exists, and at position n - 1 the packet is in t. Let r be the
 * label at position p.
 *   1. The bits of r before p are bits of t. Bit p is 1 if the last edge was a
 *      flip, else it is bit p of s; later bits are bits of s. Bit n - 1 is 1 in s,
 *      in t and after a flip, so it is right without a flip.
 *   2. p < x: both bits are 0; no flip.
 *      x <= p < y: bit p is 1 in r and 0 in t: flip. r goes from 0^p 1.. to
 *      0^(p+1) 1..; its other blocks are blocks of s or parts of them, shorter
 *      than x. So r remains good.
 *   3. p >= y: r begins with 0^y 1, and p is not in this block. Take another block of
 *      r. If it ends before p, it is within a block of t that is shorter than y. If
 *      it begins at p or later, it is within a block of s that is shorter than
 *      x <= y. If it begins at q < p and reaches p, bit p is 0. By 1 the last edge
 *      was no flip, so bit p - 1 was 0 when the packet was at position p - 1. The
 *      same argument leads back to q: the block is as in s, and shorter than x. So r
 *      is good.
 * The paper only says that this is possible. If t has y < x zeros, the packet goes straight to
 * position n - 1 in A; then in A^r it takes the path from t to s backwards.
 *
 * If packets combine, the middle is a function of the destination, and packets of one destination
 * that meet stay together. In A, the next edge of a packet that corrects bits depends on r, p and
 * t. A packet that goes straight has more leading zeros than t and than all labels on the paths of
 * packets that correct bits, so it does not meet them. In A^r a packet at position p has yet to
 * take, backwards, the part of the path from t to s up to position p. This part depends on t and on
 * bits 0 .. p-1 of s, which are bits of r. On it r = t only if the part is straight, and the
 * packets that came to t in A also go straight.
 */
#include "model/leveled/leveled_routing.h"

#include "base/memory.h"
#include "papers/shuffle_exchange/bad_nodes.h"

enum { IN, ROUTE, OUT, BITS_LEAST = 2, BITS_MOST = 28 };

typedef struct table {
    np_necklaces *necklaces;
    np_bad_nodes *bad;
} table;

static const char *refuses(const np_network *network)
{
    return network->dimensions < BITS_LEAST ? "with 1 bit there are no good nodes: try shuffle-exchange:2" : NULL;
}

static void release(void *own)
{
    table *t = own;
    if (!t)
        return;
    np_bad_nodes_free(t->bad);
    np_necklaces_free(t->necklaces);
    np_memory_free(t);
}

/* Which of the six networks has the edges that leave a level; the odd ones go up. */
static uint32_t part_of(uint32_t n, uint32_t level) { return level / (n - 1); }

static uint32_t position_of(uint32_t n, uint32_t level)
{
    uint32_t along = level % (n - 1);
    return part_of(n, level) & 1 ? along : n - 1 - along;
}

/* Adds the edges up from logical node i, at position p, to the level that begins at `next`. */
static void add_up(np_leveled *lv, const np_necklaces *nl, uint32_t i, uint32_t next, uint32_t p, bool flips)
{
    uint32_t g = i % nl->good, to = flips ? np_necklaces_flip(nl, g, p) : NP_NONE;
    np_shuffle_walk walk = {.at = lv->host[i]};
    np_necklaces_walk(nl, &walk, NP_SHUFFLE_LEFT);
    np_leveled_add_edge(lv, i, next + g, walk.links, walk.link);
    if (to == NP_NONE)
        return;
    walk = (np_shuffle_walk){.at = lv->host[i]};
    np_necklaces_walk_flip(nl, &walk);
    np_leveled_add_edge(lv, i, next + to, walk.links, walk.link);
}

/* Adds the flip edge from position p of the necklace of `source` backwards, if it exists. */
static void add_flip_back(np_leveled *lv, const np_necklaces *nl, uint32_t i, uint32_t next, uint32_t p,
                          uint32_t source)
{
    uint32_t to = nl->of[source];
    if (to >= nl->good || nl->representative[to] != source || np_necklaces_flip(nl, to, p) != i % nl->good)
        return;
    np_shuffle_walk walk = {.at = lv->host[i]};
    if (!(source & np_necklaces_bit(nl, p + 1)))
        np_necklaces_walk(nl, &walk, NP_SHUFFLE_EXCHANGE);
    np_necklaces_walk(nl, &walk, NP_SHUFFLE_RIGHT);
    np_necklaces_walk(nl, &walk, NP_SHUFFLE_EXCHANGE);
    np_leveled_add_edge(lv, i, next + to, walk.links, walk.link);
}

/* Adds the edges down from logical node i to position p, on the level that begins at `next`. */
static void add_down(np_leveled *lv, const np_necklaces *nl, uint32_t i, uint32_t next, uint32_t p, bool flips)
{
    uint32_t g = i % nl->good, set = np_necklaces_bit(nl, p + 1), source;
    np_shuffle_walk walk = {.at = lv->host[i]};
    np_necklaces_walk(nl, &walk, NP_SHUFFLE_RIGHT);
    np_leveled_add_edge(lv, i, next + g, walk.links, walk.link);
    if (!flips || !(nl->representative[g] & set))
        return;
    source = nl->representative[g] ^ np_necklaces_bit(nl, p);
    add_flip_back(lv, nl, i, next, p, source);
    add_flip_back(lv, nl, i, next, p, source ^ set);
}

/* A shuffle crosses one link, a flip edge at most 3. */
static np_leveled route_sizes(uint32_t n)
{
    uint64_t good = np_necklaces_good(n), flips = 4 * np_necklaces_flips(n);
    uint32_t depth = 6 * (n - 1), nodes = UINT32_C(1) << n;
    return np_leveled_sizes(depth, (depth + 1) * good, depth * good + flips, depth * good + 3 * flips, nodes,
                            nodes * NP_SHUFFLE_LINKS);
}

static np_status build_route(const np_necklaces *nl, np_leveled **out)
{
    uint32_t n = nl->bits, good = nl->good, depth = 6 * (n - 1);
    np_leveled sizes = route_sizes(n);
    np_status st = np_leveled_create(&sizes, out);
    if (st)
        return st;
    for (uint32_t level = 0; level <= depth; level++)
        for (uint32_t g = 0; g < good; g++)
            np_leveled_add_node(*out, level, np_necklaces_at(nl, g, position_of(n, level)));
    for (uint32_t level = 0; level < depth; level++) {
        uint32_t part = part_of(n, level), p = position_of(n, level), next = (level + 1) * good;
        bool flips = part != 0 && part != 5;
        for (uint32_t g = 0; g < good; g++)
            if (part & 1)
                add_up(*out, nl, next - good + g, next, p, flips);
            else
                add_down(*out, nl, next - good + g, next, p - 1, flips);
    }
    return np_leveled_finish(*out);
}

static np_status prepare(np_leveled_routing *routing)
{
    uint32_t bits = routing->network->dimensions;
    table *t;
    np_status st;
    if (bits > BITS_MOST)
        return NP_RAISE(NP_ERROR_LIMIT, "leveled networks of %s have more than 2^31 edges: try shuffle-exchange:%d",
                        np_network_spec(routing->network), BITS_MOST);
    if ((st = np_memory_zeroed(&t, 1, sizeof *t, "a leveled routing")))
        return st;
    routing->table = t;
    if ((st = np_necklaces_create(bits, &t->necklaces)) ||
        (st = np_bad_nodes_create(t->necklaces, &routing->owned[IN], &routing->owned[OUT], &t->bad)) ||
        (st = build_route(t->necklaces, &routing->owned[ROUTE])))
        return st;
    routing->phases = 3;
    routing->phase[IN] = (np_leveled_routing_phase){"in", routing->owned[IN], true};
    routing->phase[ROUTE] = (np_leveled_routing_phase){"route", routing->owned[ROUTE], false};
    routing->phase[OUT] = (np_leveled_routing_phase){"out", routing->owned[OUT], true};
    return NP_OK;
}

static void hop_straight(np_path_set *path_set, uint32_t hops)
{
    for (uint32_t k = 0; k < hops; k++)
        np_path_set_hop(path_set, 0);
}

/* Up through A from the label r to t, which has at least as many leading zeros. */
static void hop_up(np_path_set *path_set, uint32_t n, uint32_t r, uint32_t t)
{
    for (uint32_t bit = UINT32_C(1) << (n - 1); bit > 1; bit >>= 1) {
        bool flip = (r ^ t) & bit;
        if (flip)
            r = (r ^ bit) | bit >> 1;
        np_path_set_hop(path_set, flip);
    }
}

/* The same path backwards, down through A^r from t to r. */
static void hop_down(np_path_set *path_set, uint32_t n, uint32_t r, uint32_t t)
{
    uint8_t port[BITS_MOST];
    uint32_t hops = 0;
    for (uint32_t bit = UINT32_C(1) << (n - 1); bit > 1; bit >>= 1) {
        bool flip = (r ^ t) & bit;
        port[hops++] = (uint8_t)(!flip ? 0 : r & bit >> 1 ? 1 : 2);
        if (flip)
            r = (r ^ bit) | bit >> 1;
    }
    while (hops)
        np_path_set_hop(path_set, port[--hops]);
}

/* Through A and A^r, from necklace s at position 0 to necklace t at position 0. */
static void hop_across(np_path_set *path_set, const np_necklaces *nl, uint32_t s, uint32_t t)
{
    uint32_t n = nl->bits, from = nl->representative[s], to = nl->representative[t];
    if (nl->zeros[t] >= nl->zeros[s]) {
        hop_up(path_set, n, from, to);
        hop_straight(path_set, n - 1);
    } else {
        hop_straight(path_set, n - 1);
        hop_down(path_set, n, to, from);
    }
}

static void choose(np_path_set *path_set, const np_necklaces *nl, np_packet packet, np_node from, np_node to,
                   uint32_t target, uint32_t middle)
{
    uint32_t s = nl->of[from], t = nl->of[to], p = nl->position[from];
    np_path_set_add(path_set, packet, (nl->bits - 1 - p) * nl->good + s, target);
    hop_straight(path_set, p);
    hop_across(path_set, nl, s, middle);
    hop_across(path_set, nl, middle, t);
    hop_straight(path_set, nl->position[to]);
}

static np_status select_paths(const np_leveled_routing *routing, const np_selection *selection, np_path_set *path_set)
{
    const table *t = routing->table;
    const np_necklaces *nl = t->necklaces;
    unsigned phase = selection->phase;
    np_packet packets = np_traffic_packets(selection->traffic);
    const np_node *from = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    np_draws draws = np_draws_for(selection->draws, NP_RANDOM_TARGET);
    np_status st = np_path_set_reset(path_set, packets, (size_t)packets * routing->phase[phase].leveled->depth);
    if (st)
        return st;
    for (np_packet p = 0; p < packets; p++) {
        np_node source = np_bad_nodes_good(t->bad, from[p]), end = np_bad_nodes_good(t->bad, to[p]);
        if (from[p] == to[p])
            continue;
        if (phase == IN && source != from[p])
            np_bad_nodes_enter(t->bad, path_set, p, from[p], to[p]);
        if (phase == ROUTE && source != end)
            choose(path_set, nl, p, source, end, to[p],
                   np_random_below(&draws, selection->combine ? to[p] : p, 0, nl->good));
        if (phase == OUT && end != to[p])
            np_bad_nodes_leave(t->bad, path_set, p, to[p], to[p]);
    }
    return NP_OK;
}

/* A shuffle to the right goes backwards over a link of the network, which has shuffles to the left alone. */
static np_link network_link(const np_leveled_routing *routing, np_link link)
{
    const table *t = routing->table;
    if (link % NP_SHUFFLE_LINKS == NP_SHUFFLE_RIGHT)
        link = np_necklaces_reverse(t->necklaces, link);
    return np_network_link_at(routing->network, link / NP_SHUFFLE_LINKS,
                              link % NP_SHUFFLE_LINKS == NP_SHUFFLE_EXCHANGE);
}

static unsigned sizes(const np_network *network, np_leveled *phase, uint64_t *table_bytes)
{
    uint32_t n = network->dimensions;
    phase[IN] = phase[OUT] = np_bad_nodes_sizes(n);
    phase[ROUTE] = route_sizes(n);
    *table_bytes = sizeof(table) + np_necklaces_bytes(n) + np_bad_nodes_bytes(n);
    return 3;
}

const np_leveled_routing_ops np_leveled_routing_shuffle_exchange = {
    .name = "random-necklace",
    .networks = "shuffle-exchange",
    .source = "Leighton, Maggs, Ranade & Rao 1994, section 5",
    .only = NP_KIND_SHUFFLE_EXCHANGE,
    .refuses = refuses,
    .sizes = sizes,
    .prepare = prepare,
    .network_link = network_link,
    .release = release,
    .select = select_paths,
};
