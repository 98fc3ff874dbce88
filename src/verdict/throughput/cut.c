/*
 * An upper bound by cuts: a set of nodes S has links out of it, and demands that must leave it. Sets that are tried are
 * the beginnings of orders of the nodes: by number (the first dimension of a grid), and by the second eigenvector of
 * the network's random walk, which has the two sides of a sparse cut at its two ends (Fiedler 1973). A local search
 * then moves single nodes to and fro while that makes the bound smaller.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "verdict/certificate/certificate.h"
#include "verdict/throughput/concurrent.h"

enum {
    POWERS = 60,              /* multiplications of the vector by the matrix */
    EFFORT = 20 * 1000 * 1000 /* links and demands that the local search looks at */
};

/* A way across: links, and packets that need them. */
typedef struct side {
    uint64_t links, packets;
} side;

typedef struct cut {
    const np_problem *problem;
    double *x, *next, *weight; /* [nodes] of the eigenvector; links at the node */
    np_node *order, *place;    /* [nodes] */
    int64_t *change;           /* [4][nodes + 1] differences: links out, in; packets out, in */
    bool *inside;              /* [nodes] the best set; the caller's */
    double best;
    void *block;
} cut;

static void layout(void *object, np_arena *arena)
{
    cut *c = object;
    size_t nodes = c->problem->nodes;
    np_arena_array(arena, &c->x, nodes, sizeof *c->x, "a vector of nodes");
    np_arena_array(arena, &c->next, nodes, sizeof *c->next, "a vector of nodes");
    np_arena_zeroed(arena, &c->weight, nodes, sizeof *c->weight, "the links of nodes");
    np_arena_array(arena, &c->order, nodes, sizeof *c->order, "an order of nodes");
    np_arena_array(arena, &c->place, nodes, sizeof *c->place, "the places of nodes");
    np_arena_array(arena, &c->change, 4 * (nodes + 1), sizeof *c->change, "changes of cuts");
}

static double bound_of(side way) { return way.packets ? np_exact_ratio(way.links, way.packets, true) : INFINITY; }

/* ---- Beginnings of an order ---- */

/* What leaves place `from` and ends at `to` crosses all cuts between: outwards, or inwards. */
static void cross(int64_t *out, int64_t *in, np_node from, np_node to, uint32_t amount)
{
    int64_t *way = from < to ? out : in;
    np_node low = from < to ? from : to, high = from < to ? to : from;
    way[low + 1] += amount;
    way[high + 1] -= amount;
}

static void count_crossings(cut *c)
{
    const np_problem *p = c->problem;
    size_t size = (size_t)p->nodes + 1;
    for (size_t i = 0; i < 4 * size; i++)
        c->change[i] = 0;
    for (uint32_t a = 0; a < p->arcs; a++)
        cross(c->change, c->change + size, c->place[p->tail[a]], c->place[p->head[a]], p->width[a]);
    for (uint32_t t = 0; t < p->targets; t++)
        for (size_t d = p->first[t]; d < p->first[t + 1]; d++)
            cross(c->change + 2 * size, c->change + 3 * size, c->place[p->source[d]], c->place[p->target[t]],
                  p->amount[d]);
}

/* The best set among the beginnings of c->order. */
static void try_order(cut *c)
{
    np_node nodes = c->problem->nodes;
    size_t size = (size_t)nodes + 1, best = 0;
    int64_t sum[4] = {0};
    for (np_node i = 0; i < nodes; i++)
        c->place[c->order[i]] = i;
    count_crossings(c);
    for (np_node k = 1; k < nodes; k++) {
        for (int i = 0; i < 4; i++)
            sum[i] += c->change[(size_t)i * size + k];
        double out = bound_of((side){(uint64_t)sum[0], (uint64_t)sum[2]});
        double in = bound_of((side){(uint64_t)sum[1], (uint64_t)sum[3]});
        double bound = out < in ? out : in;
        if (bound < c->best) {
            c->best = bound;
            best = k;
        }
    }
    for (np_node i = 0; best && i < nodes; i++)
        c->inside[c->order[i]] = i < best;
}

/* ---- The eigenvector ---- */

/* Takes the mean, by weight, off the vector, so that it stays apart from the first eigenvector; makes its length 1. */
static void centre(cut *c)
{
    double sum = 0, weight = 0, square = 0;
    for (np_node u = 0; u < c->problem->nodes; u++) {
        sum += c->weight[u] * c->x[u];
        weight += c->weight[u];
    }
    for (np_node u = 0; u < c->problem->nodes; u++) {
        c->x[u] -= weight > 0 ? sum / weight : 0;
        square += c->x[u] * c->x[u];
    }
    for (np_node u = 0; u < c->problem->nodes && square > 0; u++)
        c->x[u] /= sqrt(square);
}

/* A multiplication by the lazy random walk: half of the node, half of its neighbours' mean. */
static void walk(cut *c)
{
    const np_problem *p = c->problem;
    for (np_node u = 0; u < p->nodes; u++)
        c->next[u] = 0;
    for (uint32_t a = 0; a < p->arcs; a++) {
        c->next[p->tail[a]] += p->width[a] * c->x[p->head[a]];
        c->next[p->head[a]] += p->width[a] * c->x[p->tail[a]];
    }
    for (np_node u = 0; u < p->nodes; u++)
        c->x[u] = c->weight[u] > 0 ? (c->x[u] + c->next[u] / c->weight[u]) / 2 : 0;
}

static np_status order_by_eigenvector(cut *c)
{
    const np_problem *p = c->problem;
    np_keyed *all;
    np_status st = np_memory_array(&all, p->nodes, sizeof *all, "an order of nodes");
    if (st)
        return st;
    for (uint32_t a = 0; a < p->arcs; a++) {
        c->weight[p->tail[a]] += p->width[a];
        c->weight[p->head[a]] += p->width[a];
    }
    for (np_node u = 0; u < p->nodes; u++) /* any vector that is not orthogonal to the second one */
        c->x[u] = (double)(u * UINT32_C(2654435769)) / 0x1p32;
    for (int i = 0; i < POWERS; i++) {
        centre(c);
        walk(c);
    }
    for (np_node u = 0; u < p->nodes; u++)
        all[u] = (np_keyed){np_order_key(c->x[u]), u};
    qsort(all, p->nodes, sizeof *all, np_order_keyed);
    for (np_node i = 0; i < p->nodes; i++)
        c->order[i] = (np_node)all[i].item;
    np_memory_free(all);
    return NP_OK;
}

/* ---- The local search ---- */

/* What node u adds if it changes sides, for arcs and demands out of the set: gain[2 u] links, gain[2 u + 1] packets. */
static void count_move(const cut *c, int64_t *gain, np_node from, np_node to, uint32_t amount)
{
    bool a = c->inside[from], b = c->inside[to];
    int64_t crosses = a && !b, moved_from = !a && !b, moved_to = a && b;
    gain[2 * (size_t)from] += (moved_from - crosses) * (int64_t)amount;
    gain[2 * (size_t)to] += (moved_to - crosses) * (int64_t)amount;
}

static side count_moves(const cut *c, int64_t *gain)
{
    const np_problem *p = c->problem;
    side now = {0, 0};
    for (size_t i = 0; i < 2 * (size_t)p->nodes; i++)
        gain[i] = 0;
    for (uint32_t a = 0; a < p->arcs; a++) {
        count_move(c, gain, p->tail[a], p->head[a], p->width[a]);
        now.links += c->inside[p->tail[a]] && !c->inside[p->head[a]] ? p->width[a] : 0;
    }
    for (uint32_t t = 0; t < p->targets; t++)
        for (size_t d = p->first[t]; d < p->first[t + 1]; d++) {
            count_move(c, gain + 1, p->source[d], p->target[t], p->amount[d]);
            now.packets += c->inside[p->source[d]] && !c->inside[p->target[t]] ? p->amount[d] : 0;
        }
    return now;
}

/* Moves the node that makes the bound smallest. False: none makes it smaller. */
static bool move_one(cut *c, int64_t *gain)
{
    np_node best = NP_NONE;
    side now = count_moves(c, gain);
    for (np_node u = 0; u < c->problem->nodes; u++) {
        side then = {now.links + (uint64_t)gain[2 * (size_t)u], now.packets + (uint64_t)gain[2 * (size_t)u + 1]};
        double bound = bound_of(then);
        if (bound < c->best) {
            c->best = bound;
            best = u;
        }
    }
    if (best == NP_NONE)
        return false;
    c->inside[best] = !c->inside[best];
    return true;
}

static np_status search_locally(cut *c)
{
    const np_problem *p = c->problem;
    int64_t *gain;
    uint64_t cost = p->arcs + p->demands + p->nodes, left = EFFORT;
    np_status st = np_memory_array(&gain, 2 * (size_t)p->nodes, sizeof *gain, "moves of nodes");
    if (st)
        return st;
    for (; left >= cost && move_one(c, gain); left -= cost) {
    }
    for (np_node u = 0; u < p->nodes; u++) /* the demands into the set */
        c->inside[u] = !c->inside[u];
    for (; left >= cost && move_one(c, gain); left -= cost) {
    }
    np_memory_free(gain);
    return NP_OK;
}

np_status np_concurrent_cut(const np_problem *problem, bool *inside, double *bound)
{
    cut c = {.problem = problem, .inside = inside, .best = INFINITY};
    np_status st = np_arena_place(&c, layout, "cuts", &c.block);
    if (st)
        return st;
    for (np_node u = 0; u < problem->nodes; u++)
        c.order[u] = u;
    try_order(&c);
    if (!(st = order_by_eigenvector(&c))) {
        try_order(&c);
        st = search_locally(&c);
    }
    *bound = c.best;
    np_memory_free(c.block);
    return st;
}
