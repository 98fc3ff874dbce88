/*
 * stencil:GRID:P: every terminal sends a packet to each of its neighbours in a grid of all terminals, as programs do
 * that exchange the borders of their parts of a grid.
 *
 * GRID: mesh:AxB.. or torus:AxB.., whose lines close to rings. Terminals have their numbers row by row, the last
 * coordinate varies fastest, as on the networks of these names. Without GRID it is that of the network, if this is a
 * mesh, torus, array or ring; where hosts hang on every switch, host k of a switch sends to hosts k of the next ones.
 *
 * P: points of the stencil, the sender counted. 2d + 1 in d dimensions, the default: neighbours along one dimension (5
 * on a plane, 7 in space). 3^d: those that differ by at most 1 in every dimension (9, 27).
 *
 * Each neighbour gets one packet: on a ring of two nodes the next node to the left is that to the right.
 */
#include <string.h>

#include "model/traffic/traffic.h"

typedef struct grid {
    size_t dimensions;
    uint64_t side[NP_MAX_DIMENSIONS];
    bool closed, full; /* full: 3^d points */
    uint64_t nodes;    /* of the grid: terminals, or switches of `each` terminals */
    uint32_t each;
} grid;

static np_status refuse(const np_traffic_plan *plan)
{
    return NP_RAISE(NP_ERROR_INPUT,
                    "traffic 'stencil:%.100s': write a grid of all %u %s and, if you like, the points, as in "
                    "stencil:mesh:8x8 or stencil:torus:8x8:9",
                    plan->parameters, plan->terminals, plan->ends);
}

static np_status take_own(const np_traffic_plan *plan, grid *g)
{
    const np_network *network = np_traffic_grid(plan);
    if (!np_network_is(network, NP_KIND_GRIDS))
        return NP_RAISE(NP_ERROR_APPLY,
                        "traffic 'stencil': %s is no grid: write one of its %u %s, as in stencil:torus:%u",
                        np_network_spec(plan->network), plan->terminals, plan->ends, plan->terminals);
    g->dimensions = network->dimensions;
    for (size_t i = 0; i < g->dimensions; i++)
        g->side[i] = network->side[i];
    g->closed = np_network_wraps(network);
    g->each = plan->network->switches ? plan->network->per_switch : 1;
    return NP_OK;
}

/* "mesh:8x8", "torus:4x4x4:27" */
static np_status read(const np_traffic_plan *plan, grid *g, uint64_t *points)
{
    const char *text = plan->parameters;
    char sides[256];
    g->closed = !strncmp(text, "torus:", 6);
    if (!g->closed && strncmp(text, "mesh:", 5))
        return refuse(plan);
    text += g->closed ? 6 : 5;
    size_t length = strcspn(text, ":");
    if (length >= sizeof sides)
        return refuse(plan);
    memcpy(sides, text, length);
    sides[length] = '\0';
    if (!(g->dimensions = np_parse_sides(sides, NP_MAX_DIMENSIONS, g->side)))
        return refuse(plan);
    return !text[length] || np_parse_whole(text + length + 1, 1, UINT64_MAX, points) ? NP_OK : refuse(plan);
}

static np_status check_points(const np_traffic_plan *plan, uint64_t points, grid *g)
{
    uint64_t star = 2 * g->dimensions + 1, full = 1;
    for (size_t i = 0; i < g->dimensions; i++)
        full *= 3;
    g->full = points == full && full > star;
    if (!points || points == star || points == full)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT,
                    "traffic 'stencil:%s': a stencil of %llu points: in %zu dimensions it has %llu or %llu",
                    plan->parameters, (unsigned long long)points, g->dimensions, (unsigned long long)star,
                    (unsigned long long)full);
}

static np_status find_grid(const np_traffic_plan *plan, grid *g)
{
    uint64_t points = 0;
    np_status st;
    *g = (grid){.each = 1, .nodes = 1};
    if ((st = plan->parameters ? read(plan, g, &points) : take_own(plan, g)))
        return st;
    for (size_t i = 0; i < g->dimensions; i++) {
        if (g->side[i] < 2 || g->side[i] > plan->terminals) /* so the product stays below 2^64 */
            return refuse(plan);
        if ((g->nodes *= g->side[i]) > plan->terminals)
            break;
    }
    if (g->nodes * g->each != plan->terminals)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'stencil:%s': the grid has %s%llu places, and %s has %u %s",
                        plan->parameters, g->nodes > plan->terminals ? "more than " : "",
                        (unsigned long long)(g->nodes > plan->terminals ? plan->terminals : g->nodes),
                        np_network_spec(plan->network), plan->terminals, plan->ends);
    return check_points(plan, points, g);
}

/* Pairs of places of a line, a place and itself included, that differ by at most 1. */
static uint64_t pairs(const grid *g, uint64_t side) { return g->closed && side > 2 ? 3 * side : 3 * side - 2; }

static np_status plan_stencil(np_traffic_plan *plan)
{
    grid g;
    np_status st = find_grid(plan, &g);
    if (st)
        return st;
    double all = g.each; /* 3^d packets a node may be more than 2^64 */
    uint64_t star = 0;
    for (size_t i = 0; i < g.dimensions; i++) {
        all *= (double)pairs(&g, g.side[i]);
        star += g.nodes / g.side[i] * (pairs(&g, g.side[i]) - g.side[i]) * g.each;
    }
    if (g.full && all - plan->terminals > NP_PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "traffic 'stencil:%s' has more than %d packets, which is all that can be routed",
                        plan->parameters, NP_PACKETS_MAX);
    plan->packets = g.full ? (uint64_t)all - plan->terminals : star;
    return NP_OK;
}

/* The places of a line that differ from x by at most 1, x included. */
typedef struct reach {
    uint64_t stride, place[3];
    unsigned places, at; /* at: the one that is chosen */
} reach;

static reach reach_of(const grid *g, size_t i, uint64_t stride, uint64_t x)
{
    reach r = {.stride = stride};
    uint64_t side = g->side[i];
    bool wraps = g->closed && side > 2; /* on a ring of two both ways lead to the same place */
    if (x || wraps)
        r.place[r.places++] = x ? x - 1 : side - 1;
    r.place[r.places++] = x;
    if (x + 1 < side || wraps)
        r.place[r.places++] = x + 1 < side ? x + 1 : 0;
    return r;
}

/* The next choice of places in all dimensions, the last one varying fastest. false: there is none. */
static bool next_choice(reach *r, size_t dimensions)
{
    while (dimensions-- > 0) {
        if (++r[dimensions].at < r[dimensions].places)
            return true;
        r[dimensions].at = 0;
    }
    return false;
}

/* All combinations but for u itself. */
static np_node list_full(const grid *g, np_node u, reach *r, np_node *to)
{
    np_node count = 0;
    do {
        uint64_t v = 0;
        for (size_t i = 0; i < g->dimensions; i++)
            v += r[i].place[r[i].at] * r[i].stride;
        if (v != u)
            to[count++] = (np_node)v;
    } while (next_choice(r, g->dimensions));
    return count;
}

/* The neighbours of u. */
static np_node list(const grid *g, np_node u, np_node *to)
{
    reach r[NP_MAX_DIMENSIONS];
    uint64_t stride = 1;
    np_node count = 0;
    for (size_t i = g->dimensions; i-- > 0; stride *= g->side[i])
        r[i] = reach_of(g, i, stride, u / stride % g->side[i]);
    if (g->full)
        return list_full(g, u, r, to);
    for (size_t i = 0; i < g->dimensions; i++) {
        uint64_t x = u / r[i].stride % g->side[i];
        for (unsigned k = 0; k < r[i].places; k++)
            if (r[i].place[k] != x)
                to[count++] = (np_node)(u + (r[i].place[k] - x) * r[i].stride); /* modulo 2^64 */
    }
    return count;
}

static np_status make_stencil(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination)
{
    grid g;
    np_status st = find_grid(plan, &g);
    uint64_t made = 0;
    (void)draws;
    for (np_node u = 0; u < plan->terminals && !st; u++) {
        np_node count = list(&g, u / g.each, destination + made);
        for (np_node i = 0; i < count; i++, made++) {
            source[made] = u;
            destination[made] = destination[made] * g.each + u % g.each;
        }
    }
    return st;
}

const np_traffic_generator np_traffic_stencil = {
    .info = {"stencil", "every node sends to its neighbours in a grid of all nodes, mesh:AxB or torus:AxB, by P points",
             "", .parameters = "[:GRID[:P]]"},
    .plan = plan_stencil,
    .make = make_stencil,
};
