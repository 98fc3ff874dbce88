/*
 * What lengths prove, in whole numbers.
 *
 * From above: f <= sum of width x length / sum of amount x distance. For if f times all demands are routed, the packets
 * of a step cross links whose lengths sum up to at least f times the denominator, and the links have room for the
 * numerator.
 *
 * From below: a flow that carries all demands, and whose load is at most 1/f of the width of every arc. Each packet is
 * 2^20 units. The units for a destination move from the farthest node to the nearest one. Let D be distances to the
 * destination. At node u the arc e to v has
 *
 *     slack = length(e) + D(v) - D(u),   q = floor((theta - slack) 2^12 / theta),   w = q^4
 *
 * where D(v) < D(u), slack < theta and 20 q >= 2^12; else w = 0. Of the units of u it takes
 *
 *     floor(units x p / 2^32),   p = floor(w x r / 2^63),   r = floor(2^95 / sum of the w of u)
 *
 * and the first arc without slack takes what is left. So no unit is lost, and every unit arrives, whatever the lengths
 * are. Several such flows have a weighted mean, which carries the demands, too.
 *
 * This is Dijkstra's algorithm with a heap and one destination after the other: slow, and nothing of the search.
 */
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/watch.h"
#include "model/network/read_node.h"
#include "verdict/certificate/certificate.h"

enum { UNITS = NP_CLAIM_UNITS, STEPS = 12, WEIGHT_BITS = 44 }; /* binary logarithms */

#define FAR UINT64_MAX

typedef struct work {
    const np_claim *claim;
    uint64_t *distance; /* [nodes] to the destination */
    np_node *heap;      /* [nodes] by distance; then those that are settled, from the end */
    uint32_t *place;    /* [nodes] in the heap */
    uint64_t *units;    /* [nodes] of the flow to the destination */
    uint64_t *load;     /* [arcs] units of one flow */
    np_wide *total;     /* [arcs] of all flows, by weight */
    np_node *settled;   /* [nodes] in the order of distance */
    uint32_t heaped, count;
    void *block;
} work;

static void layout(void *object, np_arena *arena)
{
    work *w = object;
    size_t nodes = w->claim->nodes, arcs = w->claim->arcs;
    np_arena_array(arena, &w->total, arcs, sizeof *w->total, "loads of a certificate");
    np_arena_array(arena, &w->distance, nodes, sizeof *w->distance, "distances");
    np_arena_array(arena, &w->units, nodes, sizeof *w->units, "units at nodes");
    np_arena_array(arena, &w->load, arcs, sizeof *w->load, "loads of a flow");
    np_arena_array(arena, &w->heap, nodes, sizeof *w->heap, "a heap of nodes");
    np_arena_array(arena, &w->place, nodes, sizeof *w->place, "places in the heap");
    np_arena_array(arena, &w->settled, nodes, sizeof *w->settled, "nodes by distance");
}

/* ---- Distances ---- */

static void put(work *w, uint32_t i, np_node u)
{
    w->heap[i] = u;
    w->place[u] = i;
}

static void rise(work *w, np_node u)
{
    uint32_t i = w->place[u];
    for (; i && w->distance[w->heap[(i - 1) / 2]] > w->distance[u]; i = (i - 1) / 2)
        put(w, i, w->heap[(i - 1) / 2]);
    put(w, i, u);
}

static np_node take_nearest(work *w)
{
    np_node nearest = w->heap[0], last = w->heap[--w->heaped];
    uint32_t i = 0;
    for (uint32_t child = 1; child < w->heaped; child = 2 * i + 1) {
        child += child + 1 < w->heaped && w->distance[w->heap[child + 1]] < w->distance[w->heap[child]];
        if (w->distance[w->heap[child]] >= w->distance[last])
            break;
        put(w, i, w->heap[child]);
        i = child;
    }
    if (w->heaped)
        put(w, i, last);
    return nearest;
}

static void find_distances(work *w, np_node target, const int32_t *length)
{
    const np_claim *c = w->claim;
    for (np_node u = 0; u < c->nodes; u++)
        w->distance[u] = FAR;
    w->distance[target] = 0;
    w->heaped = 1;
    w->count = 0;
    put(w, 0, target);
    while (w->heaped) {
        np_node v = take_nearest(w);
        w->settled[w->count++] = v;
        for (uint32_t i = c->into[v]; i < c->into[v + 1]; i++) {
            uint32_t a = c->into_at[i];
            np_node u = (np_node)(c->arc[a] >> 32);
            uint64_t distance = w->distance[v] + (uint64_t)length[a];
            if (distance >= w->distance[u])
                continue;
            if (w->distance[u] == FAR)
                put(w, w->heaped++, u);
            w->distance[u] = distance;
            rise(w, u);
        }
    }
}

/* The demands for one destination: those from *first on; *first becomes the next one. */
static np_node next_target(const np_claim *c, size_t *first, size_t *end)
{
    np_node target = (np_node)(c->pair[*first] >> 32);
    for (*end = *first; *end < c->demands && c->pair[*end] >> 32 == target; ++*end) {
    }
    return target;
}

static np_status refuse_torn(const np_claim *c, np_node from, np_node to)
{
    return NP_RAISE(NP_ERROR_INPUT, "no way leads from %.80s to %.80s", NP_NODE_NAME(c->network, from),
                    NP_NODE_NAME(c->network, to));
}

/* ---- From above ---- */

static np_status bound_above(work *w, np_certificate *proof, const np_watch *watch)
{
    const np_claim *c = w->claim;
    np_status st;
    proof->high_top = proof->high_bottom = 0;
    for (uint32_t a = 0; a < c->arcs; a++)
        proof->high_top += (np_wide)c->width[a] * (uint64_t)proof->length[a];
    for (size_t first = 0, end; first < c->demands; first = end) {
        find_distances(w, next_target(c, &first, &end), proof->length);
        for (size_t d = first; d < end; d++) {
            uint64_t distance = w->distance[(uint32_t)c->pair[d]];
            if (distance == FAR)
                return refuse_torn(c, (np_node)c->pair[d], (np_node)(c->pair[d] >> 32));
            proof->high_bottom += (np_wide)c->amount[d] * distance;
        }
        if ((st = np_watch_share(watch, "the upper bound", (double)end / (double)c->demands)))
            return st;
    }
    return proof->high_bottom ? NP_OK : NP_RAISE(NP_ERROR_INPUT, "the lengths of all ways are 0");
}

/* ---- From below ---- */

/* The weight of an arc from u, and its slack. */
static uint64_t weigh(const work *w, const np_flow_lengths *flow, np_node u, uint32_t a, uint64_t *slack)
{
    uint64_t here = w->distance[u], next = w->distance[(uint32_t)w->claim->arc[a]];
    if (next >= here)
        return 0;
    *slack = (uint64_t)flow->length[a] + next - here;
    if (*slack >= flow->theta)
        return 0;
    uint64_t q = ((flow->theta - *slack) << STEPS) / flow->theta;
    return 20 * q < 1 << STEPS ? 0 : q * q * q * q;
}

/* Passes the units of u on. */
static void split(work *w, const np_flow_lengths *flow, np_node u)
{
    const np_claim *c = w->claim;
    np_wide sum = 0;
    uint64_t left = w->units[u], slack, weight;
    uint32_t tight = NP_NONE;
    for (uint32_t a = c->from[u]; a < c->from[u + 1]; a++)
        if ((weight = weigh(w, flow, u, a, &slack))) {
            sum += weight;
            tight = tight == NP_NONE && !slack ? a : tight;
        }
    uint64_t reciprocal = (uint64_t)(((np_wide)1 << 95) / sum);
    for (uint32_t a = c->from[u]; a < c->from[u + 1]; a++)
        if ((weight = weigh(w, flow, u, a, &slack))) {
            uint64_t part = (uint64_t)((np_wide)weight * reciprocal >> 63);
            uint64_t units = (uint64_t)((np_wide)w->units[u] * part >> 32);
            w->load[a] += units;
            w->units[(uint32_t)c->arc[a]] += units;
            left -= units;
        }
    w->load[tight] += left;
    w->units[(uint32_t)c->arc[tight]] += left;
}

static np_status flow_to(work *w, const np_flow_lengths *flow, np_node target, size_t first, size_t end)
{
    const np_claim *c = w->claim;
    find_distances(w, target, flow->length);
    memset(w->units, 0, c->nodes * sizeof *w->units);
    for (size_t d = first; d < end; d++) {
        np_node from = (np_node)c->pair[d];
        if (w->distance[from] == FAR)
            return refuse_torn(c, from, target);
        w->units[from] += c->amount[d] << UNITS;
    }
    for (uint32_t i = w->count; i-- > 1;) /* the nearest is the destination itself */
        if (w->units[w->settled[i]])
            split(w, flow, w->settled[i]);
    return NP_OK;
}

static np_status add_flow(work *w, const np_flow_lengths *flow, double done, double share, const np_watch *watch)
{
    const np_claim *c = w->claim;
    np_status st;
    memset(w->load, 0, c->arcs * sizeof *w->load);
    for (size_t first = 0, end; first < c->demands; first = end) {
        np_node target = next_target(c, &first, &end);
        if ((st = flow_to(w, flow, target, first, end)) ||
            (st = np_watch_share(watch, "the lower bound", done + share * (double)end / (double)c->demands)))
            return st;
    }
    for (uint32_t a = 0; a < c->arcs; a++)
        w->total[a] += (np_wide)flow->weight * w->load[a];
    return NP_OK;
}

static np_status bound_below(work *w, np_certificate *proof, const np_watch *watch)
{
    const np_claim *c = w->claim;
    uint64_t weights = 0;
    np_status st;
    memset(w->total, 0, c->arcs * sizeof *w->total);
    if (!proof->flows) {
        weights = 1;
        if ((st = np_claim_add_ways(c, proof, w->total)))
            return st;
    }
    for (uint32_t i = 0; i < proof->flows; i++) {
        weights += proof->flow[i].weight;
        if (proof->flow[i].weight >> WEIGHT_BITS || weights >> WEIGHT_BITS)
            return NP_RAISE(NP_ERROR_INPUT, "the weights of the flows exceed 2^%d", WEIGHT_BITS);
        if ((st = add_flow(w, &proof->flow[i], (double)i / proof->flows, 1.0 / proof->flows, watch)))
            return st;
    }
    proof->low_top = proof->low_bottom = 0;
    uint32_t worst = 0; /* the least width / load: below 2^32 x 2^95 */
    for (uint32_t a = 1; a < c->arcs; a++)
        if (c->width[a] * w->total[worst] < c->width[worst] * w->total[a])
            worst = a;
    proof->low_top = (np_wide)c->width[worst] * weights << (proof->flows ? UNITS : proof->way_bits);
    proof->low_bottom = w->total[worst];
    return proof->low_bottom ? NP_OK : NP_RAISE(NP_ERROR_INPUT, "the flows have no weight");
}

np_status np_claim_work_out(const np_claim *claim, np_certificate *certificate, const np_watch *watch)
{
    work w = {.claim = claim};
    np_status st = np_arena_place(&w, layout, "the check of a certificate", &w.block);
    if (!st && !(st = bound_above(&w, certificate, watch)))
        st = bound_below(&w, certificate, watch);
    np_memory_free(w.block);
    return st;
}

/* ---- Destination by destination ---- */

static np_status add_flows_to(work *w, const np_certificate *proof, np_node target, size_t first, size_t end)
{
    memset(w->total, 0, w->claim->arcs * sizeof *w->total);
    for (uint32_t i = 0; i < proof->flows; i++) {
        memset(w->load, 0, w->claim->arcs * sizeof *w->load);
        np_status st = flow_to(w, &proof->flow[i], target, first, end);
        if (st)
            return st;
        for (uint32_t a = 0; a < w->claim->arcs; a++)
            w->total[a] += (np_wide)proof->flow[i].weight * w->load[a];
    }
    return NP_OK;
}

np_status np_claim_each_flow(const np_claim *c, const np_certificate *proof,
                             np_status (*visit)(void *context, size_t first, size_t end, np_wide *flow), void *context,
                             const np_watch *watch)
{
    work w = {.claim = c};
    np_status st = np_arena_place(&w, layout, "the flows of a certificate", &w.block);
    for (size_t first = 0, end; first < c->demands && !st; first = end) {
        np_node target = next_target(c, &first, &end);
        if (!(st = add_flows_to(&w, proof, target, first, end)) && !(st = visit(context, first, end, w.total)))
            st = np_watch_share(watch, "the paths", (double)end / (double)c->demands);
    }
    np_memory_free(w.block);
    return st;
}
