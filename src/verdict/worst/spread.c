/*
 * Shares of rules that draw at every hop among the links of shortest paths, by chances that depend on the node and the
 * destination alone: all links that lead nearer alike (spray, ecmp, a random order of the dimensions of a cube), or all
 * shortest paths alike (shortest: a link's chance is in proportion to the paths behind it).
 *
 * The chance that a packet from s takes the link from a to b is 0, unless b is nearer to the destination than a. At a
 * it is the link's own chance, and at nodes that are farther the sum over their links of link's chance times the chance
 * at its end. So one pass from a outward gives all sources.
 */
#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/path/routes.h"
#include "verdict/worst/shares.h"

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the shares of links";
    np_shares *s = object;
    size_t nodes = s->network->nodes;
    np_arena_array(arena, &s->tail, s->network->links, sizeof *s->tail, what);
    np_arena_array(arena, &s->distance, s->to.sets * nodes, sizeof *s->distance, what);
    np_arena_array(arena, &s->weight, s->to.sets * nodes, sizeof *s->weight, what);
    np_arena_array(arena, &s->row_of, nodes, sizeof *s->row_of, what);
    np_arena_array(arena, &s->chance, nodes, sizeof *s->chance, what);
    np_arena_zeroed(arena, &s->stamp, nodes, sizeof *s->stamp, what);
    np_arena_array(arena, &s->queue, nodes, sizeof *s->queue, what);
}

/* The links that lead from u to a node that is one hop nearer, or the paths behind them. */
static double weigh(const np_shares *s, const uint16_t *distance, const double *weight, np_node u)
{
    double sum = 0;
    for (np_link link = np_network_first_link(s->network, u); link < np_network_first_link(s->network, u + 1); link++) {
        np_node v = s->search.head[link];
        if (v != NP_NONE && distance[v] + 1 == distance[u])
            sum += s->even ? 1 : weight[v];
    }
    return sum;
}

static np_status refuse(const np_shares *s, np_node u, np_node target, uint32_t hops)
{
    if (hops == NP_NONE)
        return np_path_refuse_pair(s->path, u, target);
    return NP_RAISE(NP_ERROR_LIMIT, "paths '%.80s': too many hops, or too many paths, from %s to %s on %s",
                    np_path_name(s->path), NP_NODE_NAME(s->network, u), NP_NODE_NAME(s->network, target),
                    np_network_spec(s->network));
}

/* Distances to the destination of the column, and weights. hops: [nodes] */
static np_status measure(np_shares *s, uint32_t column, uint32_t *hops)
{
    np_node target = s->to.node[column];
    uint16_t *distance = s->distance + (size_t)column * s->network->nodes;
    double *weight = s->weight + (size_t)column * s->network->nodes;
    np_search_distances(&s->search, target, true, hops);
    for (uint32_t i = 0; i < s->from.sets; i++)
        if (hops[s->from.node[i]] == NP_NONE)
            return refuse(s, s->from.node[i], target, NP_NONE);
    for (np_node u = 0; u < s->network->nodes; u++)
        distance[u] = (uint16_t)(hops[u] < UINT16_MAX - 1 ? hops[u] : UINT16_MAX - 1);
    weight[target] = 1;
    for (np_node k = 1; k < s->search.reached; k++) {
        np_node u = s->search.order[k];
        weight[u] = weigh(s, distance, weight, u);
        if (hops[u] >= UINT16_MAX - 1 || !(weight[u] < (double)INFINITY))
            return refuse(s, u, target, hops[u]);
    }
    return NP_OK;
}

np_status np_spread_init(np_shares *s, const np_watch *watch)
{
    uint32_t *hops = NULL;
    np_status st;
    if ((st = np_search_init(&s->search, s->network)) ||
        (st = np_arena_place(s, layout, "the shares of links", &s->block)) ||
        (st = np_memory_array(&hops, s->network->nodes, sizeof *hops, "distances")))
        goto out;
    np_network_tails(s->network, s->network->links, s->search.in, s->tail);
    for (np_node u = 0; u < s->network->nodes; u++)
        s->row_of[u] = NP_NONE;
    for (uint32_t i = 0; i < s->from.sets; i++)
        s->row_of[s->from.node[i]] = i;
    for (uint32_t column = 0; column < s->to.sets && !st; column++)
        if (!(st = np_watch_share(watch, "paths", (double)column / s->to.sets)))
            st = measure(s, column, hops);
out:
    np_memory_free(hops);
    return st;
}

/* The chance at v reaches the nodes before it. */
static void pass_back(np_shares *s, const uint16_t *distance, const double *weight, np_node v, uint32_t *queued)
{
    double part = s->chance[v] * (s->even ? 1 : weight[v]);
    for (uint32_t k = s->search.in_row[v]; k < s->search.in_row[v + 1]; k++) {
        np_node u = s->tail[k];
        if (distance[u] != distance[v] + 1)
            continue;
        if (s->stamp[u] != s->stamps) {
            s->stamp[u] = s->stamps;
            s->chance[u] = 0;
            s->queue[(*queued)++] = u;
        }
        s->chance[u] += part / weight[u];
    }
}

static np_status emit(np_shares *s, np_node u, uint32_t column)
{
    double exact = s->chance[u] * (double)NP_SHARES_UNIT, whole = nearbyint(exact);
    s->rounded |= fabs(exact - whole) > 0.01;
    return whole > 0 ? np_shares_add(s, s->row_of[u], column, (int64_t)whole) : NP_OK;
}

static np_status spread_to(np_shares *s, uint32_t column, np_node a, np_node b)
{
    const uint16_t *distance = s->distance + (size_t)column * s->network->nodes;
    const double *weight = s->weight + (size_t)column * s->network->nodes;
    uint32_t queued = 1;
    np_status st = NP_OK;
    if (distance[b] + 1 != distance[a] || distance[a] == UINT16_MAX - 1)
        return NP_OK;
    s->stamps++;
    s->queue[0] = a;
    s->stamp[a] = s->stamps;
    s->chance[a] = (s->even ? 1 : weight[b]) / weight[a];
    for (uint32_t k = 0; k < queued && !st; k++) {
        np_node v = s->queue[k];
        if (s->row_of[v] != NP_NONE)
            st = emit(s, v, column);
        pass_back(s, distance, weight, v, &queued);
    }
    return st;
}

np_status np_spread_find(np_shares *s, np_link link)
{
    np_node a = np_network_link_tail(s->network, link), b = np_network_link_head(s->network, link);
    np_status st = NP_OK;
    for (uint32_t column = 0; column < s->to.sets && !st; column++)
        st = spread_to(s, column, a, b);
    return st;
}
