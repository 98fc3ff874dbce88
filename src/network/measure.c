/*
 * Degree, diameter and bisection of a network by search, beside the family's
 * formulas.
 *
 * Bisection: every way to divide the nodes into two halves that differ by at
 * most one node, the half with node 0 first. The halves of k nodes are the
 * masks with k bits, in ascending order (Gosper's next mask, HAKMEM item
 * 175); from one to the next a few nodes change sides, and the cut is kept
 * up to date: node x that leaves S adds its links into the rest of S and
 * takes away those out of it.
 *
 * Undirected links: u and v are joined by as many as the larger of the links
 * u -> v and the links v -> u. plane[b][u] is the mask of the v for which bit
 * b of that number is set, so that links into a set are counted by popcount.
 */
#include "network/search.h"

#include "base/memory.h"

enum { CUT_NODES_MAX = 63, PLANES = 32 };

static const char by_every_node[] = "by breadth-first search from every node";
static const char by_one_node[] = "by breadth-first search from node 0 (the network is node-symmetric)";
static const char no_way[] = "infinite: some node cannot be reached from some other";
static const char search_too_long[] = "not measured: more link visits than the effort allowed";
static const char cuts_too_many[] = "not measured: more halves to try than the effort allowed";
static const char by_every_cut[] = "by trying every pair of halves";

static void formulas(const np_network *network, np_network_facts *facts)
{
    const np_network_family_ops *family = network->family;
    facts->nodes = network->nodes;
    facts->links = network->links;
    if (!network->row) {
        facts->degree.has_formula = true;
        facts->degree.formula = network->ports;
    }
    if (family->diameter)
        facts->diameter.has_formula = family->diameter(network, &facts->diameter.formula);
    if (family->bisection)
        facts->bisection.has_formula = family->bisection(network, &facts->bisection.formula);
    facts->regular = family->regular;
    facts->strongly_connected = !network->row && !network->family->one_way;
}

static uint32_t out_degree(const np_search *search, np_node u)
{
    uint32_t degree = 0;
    np_link end = np_network_first_link(search->network, u + 1);
    for (np_link link = np_network_first_link(search->network, u); link < end; link++)
        degree += search->head[link] != NP_NONE;
    return degree;
}

static void measure_degree(const np_search *search, np_network_facts *facts)
{
    uint32_t most = 0, nodes = search->network->nodes;
    for (np_node u = 0; u < nodes; u++) {
        uint32_t degree = out_degree(search, u);
        most = degree > most ? degree : most;
    }
    facts->regular = true;
    for (np_node u = 0; u < nodes && facts->regular; u++)
        facts->regular = out_degree(search, u) == most && search->in_row[u + 1] - search->in_row[u] == most;
    facts->degree.measured_known = true;
    facts->degree.measured = most;
}

/* From node 0 everywhere and back. distance: [nodes], scratch. */
static void measure_connection(np_search *search, uint32_t *distance, np_network_facts *facts)
{
    np_search_distances(search, 0, true, distance);
    facts->strongly_connected = search->reached == search->network->nodes;
    np_search_distances(search, 0, false, distance);
    facts->strongly_connected &= search->reached == search->network->nodes;
}

static void measure_diameter(np_search *search, uint64_t effort, uint32_t *distance, np_network_facts *facts)
{
    const np_network *network = search->network;
    np_node from_nodes = network->family->node_symmetric ? 1 : network->nodes;
    if (!facts->strongly_connected) {
        facts->diameter.note = no_way;
        return;
    }
    if (from_nodes > effort / (network->links ? network->links : 1)) {
        facts->diameter.note = search_too_long;
        return;
    }
    for (np_node u = 0; u < from_nodes; u++) {
        np_search_distances(search, u, false, distance);
        uint32_t farthest = distance[search->order[search->reached - 1]];
        if (farthest > facts->diameter.measured)
            facts->diameter.measured = farthest;
    }
    facts->diameter.measured_known = true;
    facts->diameter.note = network->family->node_symmetric ? by_one_node : by_every_node;
}

typedef struct cutter {
    uint32_t nodes;
    unsigned planes;
    uint64_t plane[PLANES][CUT_NODES_MAX];
} cutter;

static uint32_t count_links(const np_search *search, np_node from, np_node to)
{
    uint32_t count = 0;
    np_link end = np_network_first_link(search->network, from + 1);
    for (np_link link = np_network_first_link(search->network, from); link < end; link++)
        count += search->head[link] == to;
    return count;
}

static void fill_planes(cutter *cut, const np_search *search)
{
    for (np_node u = 0; u < cut->nodes; u++)
        for (np_node v = 0; v < cut->nodes; v++) {
            uint32_t there = count_links(search, u, v), back = count_links(search, v, u);
            uint32_t joined = u == v ? 0 : there > back ? there : back;
            for (unsigned b = 0; joined >> b; b++)
                if (joined >> b & 1) {
                    cut->plane[b][u] |= UINT64_C(1) << v;
                    cut->planes = b + 1 > cut->planes ? b + 1 : cut->planes;
                }
        }
}

/* Undirected links between x and the nodes of the mask. */
static inline int64_t links_into(const cutter *cut, unsigned x, uint64_t mask)
{
    int64_t count = 0;
    for (unsigned b = 0; b < cut->planes; b++)
        count += (int64_t)__builtin_popcountll(cut->plane[b][x] & mask) << b;
    return count;
}

/* The change of the cut of S when x, which is in neither S nor T, joins S and not T. */
static inline int64_t joins(const cutter *cut, unsigned x, uint64_t s, uint64_t t)
{
    return links_into(cut, x, t) - links_into(cut, x, s);
}

/* The next mask with as many bits. */
static inline uint64_t next_mask(uint64_t mask)
{
    uint64_t lowest = mask & -mask, ripple = mask + lowest;
    return ripple | (((mask ^ ripple) >> 2) / lowest);
}

/* The least cut between k nodes, among them node 0, and the others. 1 <= k < nodes. */
static uint64_t least_cut(const cutter *cut, unsigned k)
{
    uint64_t all = (UINT64_C(1) << cut->nodes) - 1, s = 1;
    int64_t links = links_into(cut, 0, all), least;
    for (unsigned x = 1; x < k; x++, s |= UINT64_C(1) << (x - 1))
        links += joins(cut, x, s, all & ~s & ~(UINT64_C(1) << x));
    least = links;
    if (k == 1)
        return (uint64_t)least;
    for (uint64_t rest = next_mask(s >> 1); !(rest >> (cut->nodes - 1)); rest = next_mask(rest)) {
        uint64_t next = rest << 1 | 1;
        for (uint64_t leave = s & ~next; leave; leave &= leave - 1) {
            unsigned x = (unsigned)__builtin_ctzll(leave);
            s &= ~(UINT64_C(1) << x);
            links -= joins(cut, x, s, all & ~s & ~(UINT64_C(1) << x));
        }
        for (uint64_t enter = next & ~s; enter; enter &= enter - 1) {
            unsigned x = (unsigned)__builtin_ctzll(enter);
            links += joins(cut, x, s, all & ~s & ~(UINT64_C(1) << x));
            s |= UINT64_C(1) << x;
        }
        least = links < least ? links : least;
    }
    return (uint64_t)least;
}

/* n over k, at most `limit` + 1. n <= 62. */
static uint64_t choices(uint64_t n, uint64_t k, uint64_t limit)
{
    uint64_t count = 1;
    for (uint64_t i = 1; i <= k; i++) {
        count = (uint64_t)((unsigned __int128)count * (n - k + i) / i);
        if (count > limit)
            return limit + 1;
    }
    return count;
}

static np_status measure_bisection(const np_search *search, uint64_t effort, np_network_facts *facts)
{
    uint32_t nodes = search->network->nodes;
    unsigned small = nodes / 2, large = nodes - small;
    np_figure *bisection = &facts->bisection;
    /* Both sizes of the half of node 0 count; an odd N has two. */
    if (nodes > CUT_NODES_MAX || choices(nodes - (nodes % 2 ? 0 : 1), small - (nodes % 2 ? 0 : 1), effort) > effort) {
        bisection->note = cuts_too_many;
        return NP_OK;
    }
    bisection->measured_known = true;
    bisection->note = by_every_cut;
    if (nodes == 1)
        return NP_OK; /* one half is empty */
    cutter *cut;
    np_status st = np_memory_zeroed(&cut, 1, sizeof *cut, "the links of a small network");
    if (st)
        return st;
    cut->nodes = nodes;
    fill_planes(cut, search);
    uint64_t least = least_cut(cut, large);
    if (small != large) {
        uint64_t other = least_cut(cut, small);
        least = other < least ? other : least;
    }
    bisection->measured = least;
    np_memory_free(cut);
    return NP_OK;
}

np_status np_network_measure(const np_network *network, uint64_t effort, np_network_facts *facts)
{
    np_search search = {0};
    uint32_t *distance = NULL;
    np_status st;
    *facts = (np_network_facts){0};
    formulas(network, facts);
    if (!effort || 2 * network->links > effort || 2 * (uint64_t)network->link_numbers > effort) {
        if (effort)
            facts->diameter.note = facts->degree.note = search_too_long, facts->bisection.note = cuts_too_many;
        return NP_OK;
    }
    if ((st = np_search_init(&search, network)) ||
        (st = np_memory_array(&distance, network->nodes, sizeof *distance, "distances")))
        goto out;
    measure_degree(&search, facts);
    measure_connection(&search, distance, facts);
    measure_diameter(&search, effort, distance, facts);
    st = measure_bisection(&search, effort, facts);
out:
    np_search_clear(&search);
    np_memory_free(distance);
    return st;
}
