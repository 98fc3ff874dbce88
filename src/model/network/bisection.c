/*
 * Bisection width by search.
 *
 * Small networks: every way to divide the nodes into two halves that differ
 * by at most one node, the half with node 0 first. The halves of k nodes are
 * the masks with k bits, in ascending order (Gosper's next mask, HAKMEM item
 * 175). Between one mask and the next a few nodes change sides, and the cut is
 * kept up to date: when node x leaves S, its links into the rest of S are added
 * to the cut, and its links out of S are subtracted.
 *
 * Undirected links: their number between u and v is the larger of the number of
 * links u -> v and the number of links v -> u. plane[b][u] is the mask of the v
 * for which bit b of this number is set, so that popcount counts the links into
 * a set.
 *
 * Large networks: two halves by METIS, whose cut is an upper bound.
 */
#include "model/network/facts.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/partition.h"

enum { CUT_NODES_MAX = 63, PLANES = 32 };
enum { TELL = 1 << 20 }; /* pairs of halves between reports of progress: ours, some hundredths of a second */
enum { VISITS_A_TRIAL = 64, TRIALS_MAX = 16 }; /* ours: METIS takes about that long for each link */

static const char by_every_cut[] = "by trying every pair of halves";
static const char by_metis[] = "at most: two halves by METIS";
static const char cuts_too_many[] = "not measured: more than the effort allowed, to try all halves or for METIS";
static const char too_large[] = "not measured: more halves to try than the effort allowed, and too large for METIS";
static const char no_memory[] = "not measured: METIS needs more memory than is allowed";
static const char no_metis[] = "not measured: more halves to try than the effort allowed, and built without METIS";

typedef struct cutter {
    const np_search *search;
    uint64_t done, all; /* pairs of halves */
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
static uint64_t least_cut(cutter *cut, unsigned k)
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
        if (++cut->done % TELL == 0)
            np_search_tell(cut->search, "the bisection, by all pairs of halves", (double)cut->done / (double)cut->all);
    }
    return (uint64_t)least;
}

/* n over k, at most `limit` + 1. n <= CUT_NODES_MAX. */
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

/* All pairs of halves of `large` and `small` nodes. 2 <= nodes <= CUT_NODES_MAX */
static np_status try_every_cut(const np_search *search, uint64_t pairs, np_figure *bisection)
{
    uint32_t nodes = search->network->nodes;
    unsigned small = nodes / 2, large = nodes - small;
    cutter *cut;
    np_status st = np_memory_zeroed(&cut, 1, sizeof *cut, "the links of a small network");
    if (st)
        return st;
    cut->search = search;
    cut->all = pairs;
    cut->nodes = nodes;
    fill_planes(cut, search);
    bisection->measured = least_cut(cut, large);
    if (small != large) {
        uint64_t other = least_cut(cut, small);
        bisection->measured = other < bisection->measured ? other : bisection->measured;
    }
    np_memory_free(cut);
    return NP_OK;
}

/* The network without directions, as np_partition_graph wants it. */
typedef struct undirected {
    size_t nodes, ends; /* ends: twice the links, at most */
    void *block;
    uint32_t *row, *neighbour, *weight;
    uint32_t *there, *back, *met; /* scratch, [nodes]: links to and from a node, and which have any */
    uint8_t *side;
} undirected;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "a network without directions";
    undirected *g = object;
    np_arena_array(arena, &g->row, g->nodes + 1, sizeof *g->row, what);
    NP_ARENA_WORDS(arena, g->ends, what, &g->neighbour, &g->weight);
    np_arena_zeroed(arena, &g->there, g->nodes, sizeof *g->there, what);
    np_arena_zeroed(arena, &g->back, g->nodes, sizeof *g->back, what);
    np_arena_array(arena, &g->met, g->nodes, sizeof *g->met, what);
    np_arena_array(arena, &g->side, g->nodes, sizeof *g->side, what);
}

/* The neighbours of u, each with the larger of the links there and the links back. Returns where the list ends. */
static uint32_t fill_row(const np_search *search, undirected *g, np_node u, uint32_t end)
{
    const np_network *network = search->network;
    uint32_t met = 0;
    np_link last = np_network_first_link(network, u + 1);
    for (np_link link = np_network_first_link(network, u); link < last; link++) {
        np_node v = search->head[link];
        if (v != NP_NONE && v != u && !g->there[v]++)
            g->met[met++] = v;
    }
    for (uint32_t j = search->in_row[u]; j < search->in_row[u + 1]; j++) {
        np_node v = np_network_link_tail(network, search->in[j]);
        if (v != u && !g->back[v]++ && !g->there[v])
            g->met[met++] = v;
    }
    for (uint32_t j = 0; j < met; j++) {
        np_node v = g->met[j];
        g->neighbour[end] = v;
        g->weight[end++] = g->there[v] > g->back[v] ? g->there[v] : g->back[v];
        g->there[v] = g->back[v] = 0;
    }
    return end;
}

static np_status part_by_metis(const np_search *search, unsigned trials, np_figure *bisection)
{
    uint32_t nodes = search->network->nodes, end = 0;
    undirected g = {.nodes = nodes, .ends = 2 * (size_t)search->network->links};
    np_status st = np_arena_place(&g, layout, "a network without directions", &g.block);
    if (st)
        return st;
    for (np_node u = 0; u < nodes; u++) {
        g.row[u] = end;
        end = fill_row(search, &g, u, end);
    }
    g.row[nodes] = end;
    const np_partition_graph graph = {nodes, g.row, g.neighbour, g.weight};
    if ((st = np_partition_halves(&graph, nodes / 2, trials, g.side, &bisection->measured)))
        goto out;
    bisection->measured_known = bisection->upper_bound = true;
    bisection->note = by_metis;
out:
    np_memory_free(g.block);
    return st;
}

np_status np_bisection_measure(const np_search *search, uint64_t effort, np_network_facts *facts)
{
    uint32_t nodes = search->network->nodes, odd = nodes % 2;
    np_figure *bisection = &facts->bisection;
    /* Both sizes of the half of node 0 count; an odd N has two. */
    uint64_t pairs = nodes <= CUT_NODES_MAX ? choices(nodes - !odd, nodes / 2 - !odd, effort) : UINT64_MAX;
    if (nodes <= CUT_NODES_MAX && pairs <= effort) {
        bisection->measured_known = true;
        bisection->note = by_every_cut;
        return nodes > 1 ? try_every_cut(search, pairs, bisection) : NP_OK; /* of one node one half is empty */
    }
    uint64_t trial = VISITS_A_TRIAL * (search->network->links + 1), trials = effort / trial;
    bisection->note = !np_partition_available() ? no_metis : trials ? too_large : cuts_too_many;
    bisection->needs = np_partition_available() && !trials ? trial : 0;
    if (!trials || !np_partition_available() || search->network->links > INT32_MAX / 2)
        return NP_OK;
    np_search_tell(search, "the bisection, by METIS", 0);
    np_status st = part_by_metis(search, trials < TRIALS_MAX ? (unsigned)trials : TRIALS_MAX, bisection);
    if (st != NP_ERROR_LIMIT) /* only this figure is missing then */
        return st;
    bisection->note = no_memory;
    return NP_OK;
}
