/*
 * The shuffle-exchange graph as leveled networks (Leighton, Maggs, Ranade & Rao
 * 1994, section 5). N = 2^n nodes; necklaces, good and bad nodes, positions and
 * z as in necklaces.h. Three phases:
 *
 *   in      packets from bad nodes go to the good nodes that stand for them
 *   route   packets go between good nodes by way of a random good necklace
 *   out     packets for bad nodes go to them
 *
 * "in" and "out" are deterministic (bad_nodes.h). A packet whose source is good
 * is not in "in", one whose destination is good not in "out", one that is
 * already where it is going in none.
 *
 * The host. In the paper links have no direction; the family shuffle-exchange is
 * that of Valiant & Brebner 1981, which has no links for the shuffle back. The
 * host is the paper's graph: N nodes and 3 N links, numbered node * 3 + {0
 * shuffle left, 1 shuffle right, 2 exchange}.
 *
 * The network of "route" is L, A, A^r, A, A^r, L glued together. Each of the six
 * is n levels, the positions of a necklace, upwards or downwards:
 *
 *   L down, A up, A^r down, A up, A^r down, L up
 *   n-1 .. 0 .. n-1 .. 0 .. n-1 .. 0 .. n-1
 *
 * Where two meet they share the level, position 0 or n - 1 of all necklaces. So
 * there are 6 (n-1) + 1 levels of one node for each good necklace; logical node =
 * level * necklaces + necklace. (The paper leaves the gluing open. Its first L
 * has to go down: it leads from any node to position 0.)
 *
 * Edges. Port 0 keeps the necklace: a shuffle. In A, port 1 is the flip edge from
 * position p to p + 1 (necklaces.h), where there is one. In A^r ports 1 and 2,
 * from position p + 1 to p, are flip edges backwards. At most two flip edges lead
 * to a node: before it was set, bit p + 1 was 1 (port 1) or 0 (port 2). If the
 * second is there so is the first, as setting a bit that is not in the leading
 * block only splits other blocks. Degrees are up to 3 in A and out of A^r.
 *
 * Paths in A, from necklace s, whose leading block is of x zeros, to t with y >= x
 * zeros: at each position p from 0 to n - 2, flip if bit p is not that of t.
 * Claim: every flip edge that this needs exists, and at position n - 1 the packet
 * is in t. Let r be the label at position p.
 *   1. The bits of r before p are those of t. Bit p is 1 if the last edge was a
 *      flip, else that of s; later bits are those of s. Bit n - 1 is 1 in s, in t
 *      and after a flip, so it is right without one.
 *   2. p < x: no flip, both bits are 0.
 *      x <= p < y: bit p is 1 in r and 0 in t: flip. r goes from 0^p 1.. to
 *      0^(p+1) 1..; its other blocks are blocks of s or parts of them, shorter
 *      than x. So it remains good.
 *   3. p >= y: r begins with 0^y 1, and p is not in that block. Of the other
 *      blocks of r, one that ends before p is within one of t, shorter than y; one
 *      that begins at p or later is within one of s, shorter than x <= y. In
 *      one from q < p to p or beyond, bit p is 0, so by 1 the last edge was no flip,
 *      and bit p - 1 was 0 when the packet was there; and so on back to q: the
 *      block is as in s, and shorter than x. So r is good.
 * The paper only says that this is possible. To t with y < x zeros a packet goes
 * straight to position n - 1, and then in A^r the path from t to s turned round.
 *
 * Where packets combine, the middle is a function of the destination, and packets
 * of one destination that meet stay together. In A the next edge depends on r, p
 * and t, for those that correct bits; those that go straight have more zeros than
 * t and all labels on the paths of the others, and do not meet them. In A^r the
 * path from t to s up to position p depends on t and bits 0 .. p-1 of s, which are
 * those of r; on it, r = t only if it has been straight so far, as are the
 * packets that have come to t.
 */
#include "leveled/leveling.h"

#include <string.h>

#include "base/memory.h"
#include "leveled/bad_nodes.h"

enum { IN, ROUTE, OUT, BITS_LEAST = 2, BITS_MOST = 28 };

typedef struct table {
    np_necklaces *necklaces;
    np_bad_nodes *bad;
} table;

static const char *refuses(const np_network *network)
{
    if (strcmp(np_network_family_name(network), "shuffle-exchange"))
        return "";
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

/* Of the six networks, the one whose edges leave a level; odd ones go up. */
static uint32_t part_of(uint32_t n, uint32_t level) { return level / (n - 1); }

static uint32_t position_of(uint32_t n, uint32_t level)
{
    uint32_t along = level % (n - 1);
    return part_of(n, level) & 1 ? along : n - 1 - along;
}

/* Edges up from position p of g, at logical node i, to the level that begins at `next`. */
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

/* Adds a flip edge backwards, to position p of the necklace of `source`, if it is one. */
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

/* Edges down to position p of the level that begins at `next`. */
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

static np_status build_route(const np_necklaces *nl, np_leveled **out)
{
    uint32_t n = nl->bits, good = nl->good, depth = 6 * (n - 1);
    np_status st = np_leveled_create(depth, nl->nodes, nl->nodes * NP_SHUFFLE_LINKS, out);
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

static np_status prepare(np_leveling *leveling)
{
    uint32_t bits = leveling->network->dimensions;
    table *t;
    np_status st;
    if (bits > BITS_MOST)
        return NP_RAISE(NP_ERROR_LIMIT, "leveled networks of %s have more than 2^31 edges: try shuffle-exchange:%d",
                        np_network_spec(leveling->network), BITS_MOST);
    if ((st = np_memory_zeroed(&t, 1, sizeof *t, "a leveling")))
        return st;
    leveling->table = t;
    if ((st = np_necklaces_create(bits, &t->necklaces)) ||
        (st = np_bad_nodes_create(t->necklaces, &leveling->owned[IN], &leveling->owned[OUT], &t->bad)) ||
        (st = build_route(t->necklaces, &leveling->owned[ROUTE])))
        return st;
    leveling->phases = 3;
    leveling->phase[IN] = (np_leveling_phase){"in", leveling->owned[IN], true};
    leveling->phase[ROUTE] = (np_leveling_phase){"route", leveling->owned[ROUTE], false};
    leveling->phase[OUT] = (np_leveling_phase){"out", leveling->owned[OUT], true};
    return NP_OK;
}

static void hop_straight(np_courses *courses, uint32_t hops)
{
    for (uint32_t k = 0; k < hops; k++)
        np_courses_hop(courses, 0);
}

/* Up through A from the label r to t, which has as many leading zeros or more. */
static void hop_up(np_courses *courses, uint32_t n, uint32_t r, uint32_t t)
{
    for (uint32_t bit = UINT32_C(1) << (n - 1); bit > 1; bit >>= 1) {
        bool flip = (r ^ t) & bit;
        if (flip)
            r = (r ^ bit) | bit >> 1;
        np_courses_hop(courses, flip);
    }
}

/* The same path backwards, down through A^r from t to r. */
static void hop_down(np_courses *courses, uint32_t n, uint32_t r, uint32_t t)
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
        np_courses_hop(courses, port[--hops]);
}

/* Through A and A^r, from necklace s at position 0 to t there. */
static void hop_across(np_courses *courses, const np_necklaces *nl, uint32_t s, uint32_t t)
{
    uint32_t n = nl->bits, from = nl->representative[s], to = nl->representative[t];
    if (nl->zeros[t] >= nl->zeros[s]) {
        hop_up(courses, n, from, to);
        hop_straight(courses, n - 1);
    } else {
        hop_straight(courses, n - 1);
        hop_down(courses, n, to, from);
    }
}

static void choose(np_courses *courses, const np_necklaces *nl, np_packet packet, np_node from, np_node to,
                   uint32_t target, uint32_t middle)
{
    uint32_t s = nl->of[from], t = nl->of[to], p = nl->position[from];
    np_courses_add(courses, packet, (nl->bits - 1 - p) * nl->good + s, target);
    hop_straight(courses, p);
    hop_across(courses, nl, s, middle);
    hop_across(courses, nl, middle, t);
    hop_straight(courses, nl->position[to]);
}

static np_status select_paths(const np_leveling *leveling, const np_selection *selection, np_courses *courses)
{
    const table *t = leveling->table;
    const np_necklaces *nl = t->necklaces;
    unsigned phase = selection->phase;
    np_packet packets = np_traffic_packets(selection->traffic);
    const np_node *from = np_traffic_sources(selection->traffic), *to = np_traffic_destinations(selection->traffic);
    np_draws draws = np_draws_for(selection->draws, NP_RANDOM_TARGET);
    np_status st = np_courses_reset(courses, packets, (size_t)packets * leveling->phase[phase].leveled->depth);
    if (st)
        return st;
    for (np_packet p = 0; p < packets; p++) {
        np_node source = np_bad_nodes_good(t->bad, from[p]), end = np_bad_nodes_good(t->bad, to[p]);
        if (from[p] == to[p])
            continue;
        if (phase == IN && source != from[p])
            np_bad_nodes_enter(t->bad, courses, p, from[p], to[p]);
        if (phase == ROUTE && source != end)
            choose(courses, nl, p, source, end, to[p],
                   np_random_below(&draws, selection->combine ? to[p] : p, 0, nl->good));
        if (phase == OUT && end != to[p])
            np_bad_nodes_leave(t->bad, courses, p, to[p], to[p]);
    }
    return NP_OK;
}

/* Fewer than 6 n levels of at most N / n necklaces; the other two phases are on at most 2 logical nodes a node each. */
static void size(const np_network *network, uint64_t *nodes, uint64_t *edges)
{
    *nodes = (6 + 4) * (uint64_t)network->nodes;
    *edges = 2 * *nodes;
}

const np_leveling_ops np_leveling_shuffle_exchange = {
    .name = "random-necklace",
    .networks = "shuffle-exchange",
    .source = "Leighton, Maggs, Ranade & Rao 1994, section 5",
    .refuses = refuses,
    .size = size,
    .prepare = prepare,
    .release = release,
    .select = select_paths,
};
