/*
 * longest-matching: the permutation with the largest sum of distances, a heaviest assignment of sources to destinations
 * (Jyothi, Singla, Godfrey & Kolla 2016 take it for the worst traffic of a network: each packet takes as many links as
 * it can be made to).
 *
 * Hosts of one switch are one row and column (siblings.h), whose distance to another one is that of their first
 * members. In a set that sends to itself, member k sends to member k + 1: nobody sends to itself. A node alone in its
 * set weighs less to itself than anything else; so it sends to itself only if there is nobody else. For if u rests and
 * v sends to w, then u to w and v to u have at least the distance of v to w, by the triangle inequality.
 *
 * Exact up to EXACT sets of hosts. Above, the search ends when the permutation is within GAP of the bound by its
 * prices, and the note says how near it is.
 */

#include "base/arena.h"
#include "base/assignment.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/network/search.h"
#include "model/network/siblings.h"
#include "model/traffic/traffic.h"

enum { EXACT = 4096 };
static const double GAP = 0.01;

typedef struct longest {
    const np_network *network;
    np_siblings from, to;
    np_search search;
    uint32_t *distance; /* [nodes] */
    uint16_t *weight;   /* [from.sets * to.sets] 1 + the distance; 0: the same node */
    np_assignment assignment;
    void *block;
} longest;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the distances of hosts";
    longest *l = object;
    np_arena_array(arena, &l->distance, l->network->nodes, sizeof *l->distance, what);
    np_arena_array(arena, &l->weight, (size_t)l->from.sets * l->to.sets, sizeof *l->weight, what);
}

/* Where a packet from set i to set j goes, by a member: not to the node that it comes from, if there is another. */
static np_node aim(const longest *l, uint32_t i, uint32_t j)
{
    return l->to.node[j] == l->from.node[i] && l->to.second[j] != NP_NONE ? l->to.second[j] : l->to.node[j];
}

static np_status refuse(const longest *l, np_node from, np_node to, uint32_t distance)
{
    if (distance == NP_NONE)
        return NP_RAISE(NP_ERROR_APPLY, "no way leads from %.80s to %.80s on %s", NP_NODE_NAME(l->network, from),
                        NP_NODE_NAME(l->network, to), np_network_spec(l->network));
    return NP_RAISE(NP_ERROR_LIMIT, "traffic 'longest-matching': %.80s is %u hops from %.80s, at most %d are counted",
                    NP_NODE_NAME(l->network, to), distance, NP_NODE_NAME(l->network, from), UINT16_MAX - 1);
}

static np_status weigh(longest *l)
{
    for (uint32_t i = 0; i < l->from.sets; i++) {
        np_node u = l->from.node[i];
        np_search_distances(&l->search, u, false, l->distance);
        for (uint32_t j = 0; j < l->to.sets; j++) {
            np_node v = aim(l, i, j);
            if (l->distance[v] >= UINT16_MAX)
                return refuse(l, u, v, l->distance[v]);
            l->weight[(size_t)i * l->to.sets + j] = (uint16_t)(u == v ? 0 : l->distance[v] + 1);
        }
    }
    return NP_OK;
}

static np_status prepare(longest *l)
{
    np_status st;
    if ((st = np_siblings_init(&l->from, l->network, false)) || (st = np_siblings_init(&l->to, l->network, true)) ||
        (st = np_search_init(&l->search, l->network)) ||
        (st = np_arena_place(l, layout, "the distances of hosts", &l->block)) || (st = weigh(l)))
        return st;
    l->assignment = (np_assignment){.rows = l->from.sets,
                                    .columns = l->to.sets,
                                    .supply = l->from.size,
                                    .demand = l->to.size,
                                    .narrow = l->weight,
                                    .gap = l->from.sets > EXACT ? GAP : 0};
    return np_assignment_solve(&l->assignment);
}

static void clear(longest *l)
{
    np_assignment_clear(&l->assignment);
    np_memory_free(l->block);
    np_search_clear(&l->search);
    np_siblings_clear(&l->from);
    np_siblings_clear(&l->to);
}

/* Above EXACT sets: how near it is. */
static np_status note(const longest *l, np_traffic *traffic)
{
    const np_assignment *a = &l->assignment;
    int64_t hops = a->value - (int64_t)traffic->packets, bound = a->bound - (int64_t)traffic->packets;
    char text[200];
    if (!a->gap)
        return NP_OK;
    snprintf(text, sizeof text, "longest-matching: %lld hops in all; no permutation has more than %lld: a gap of %s%%",
             (long long)hops, (long long)bound, NP_FIXED(100 * (double)(bound - hops) / (double)hops, 2));
    traffic->note = np_memory_text(text);
    return traffic->note ? NP_OK : np_status_last();
}

static np_status build(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic)
{
    longest l = {.network = plan->network};
    np_status st;
    (void)draws;
    if ((st = np_traffic_allocate(traffic, plan->terminals, false)) || (st = prepare(&l)))
        goto out;
    for (np_node u = 0; u < plan->terminals; u++)
        traffic->source[u] = u;
    if (!(st = np_siblings_send(&l.from, &l.to, &l.assignment, traffic->destination)))
        st = note(&l, traffic);
out:
    clear(&l);
    return st;
}

const np_traffic_generator np_traffic_longest_matching = {
    .info = {"longest-matching", "the permutation with the largest sum of distances",
             "Jyothi, Singla, Godfrey & Kolla 2016", .parameters = ""},
    .build = build,
    .notes = true,
};
