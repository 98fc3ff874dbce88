/*
 * Shares of rules that draw at every hop among the links of shortest paths, by chances that depend on the node and the
 * destination alone: all links that lead nearer alike (spray, ecmp, a random order of the dimensions of a cube), or all
 * shortest paths alike (shortest: a link's chance is in proportion to the paths behind it).
 *
 * The chance that a packet from s takes the link from a to b is 0, unless b is nearer to the destination than a. At a
 * it is the link's own chance, and at nodes that are farther the sum over their links of link's chance times the chance
 * at its end. So one pass from a outward gives all sources.
 *
 * Where links have costs (np_graph.cost), a link leads nearer if its end is one hop nearer and less dear by its cost.
 */
#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/path/routes.h"
#include "verdict/worst/shares.h"

static const uint64_t *link_costs(const np_shares *s) { return s->path->graph ? s->path->graph->cost : NULL; }

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
    if (!link_costs(s))
        return;
    np_arena_array(arena, &s->cost, s->to.sets * nodes, sizeof *s->cost, what);
    s->seeker.graph = s->path->graph;
    np_seeker_layout(&s->seeker, s->network->nodes, s->network->link_numbers, arena);
}

/* What is known of a destination, by nodes. */
typedef struct column {
    uint16_t *distance;
    uint64_t *cost; /* NULL: links cost nothing */
    double *weight;
} column;

static column column_of(const np_shares *s, uint32_t number)
{
    size_t first = (size_t)number * s->network->nodes;
    return (column){s->distance + first, s->cost ? s->cost + first : NULL, s->weight + first};
}

/* Does the link from u to v lead nearer? */
static bool leads_nearer(const np_shares *s, const column *c, np_node u, np_node v, np_link link)
{
    return c->distance[v] + 1 == c->distance[u] && (!c->cost || c->cost[v] + link_costs(s)[link] == c->cost[u]);
}

/* The links that lead from u to a node that is one hop nearer, or the paths behind them. */
static double weigh(const np_shares *s, const column *c, np_node u)
{
    double sum = 0;
    for (np_link link = np_network_first_link(s->network, u); link < np_network_first_link(s->network, u + 1); link++) {
        np_node v = s->search.head[link];
        if (v != NP_NONE && leads_nearer(s, c, u, v, link))
            sum += s->even ? 1 : c->weight[v];
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

/* Distances by costs: their hops, and what they cost. Returns how many nodes reach the target; order: the nearest
 * first. */
static np_node measure_costs(np_shares *s, const column *c, np_node target, uint32_t *hops)
{
    np_seek_begin(&s->seeker, target);
    bool all = np_seek_back(&s->seeker, target);
    for (np_node u = 0; all && u < s->network->nodes; u++) {
        hops[u] = s->seeker.mark[u] - 1; /* NP_NONE of those that do not */
        c->cost[u] = s->seeker.cost[u];
    }
    np_seek_end(&s->seeker);
    return s->seeker.backs;
}

/* Distances to the destination of the column, and weights. hops: [nodes] */
static np_status measure(np_shares *s, uint32_t number, uint32_t *hops)
{
    np_node target = s->to.node[number], reached;
    column c = column_of(s, number);
    if (c.cost)
        reached = measure_costs(s, &c, target, hops);
    else {
        np_search_distances(&s->search, target, true, hops);
        reached = s->search.reached;
    }
    const np_node *order = c.cost ? s->seeker.back : s->search.order;
    for (uint32_t i = 0; i < s->from.sets; i++)
        if (hops[s->from.node[i]] == NP_NONE)
            return refuse(s, s->from.node[i], target, NP_NONE);
    for (np_node u = 0; u < s->network->nodes; u++)
        c.distance[u] = (uint16_t)(hops[u] < UINT16_MAX - 1 ? hops[u] : UINT16_MAX - 1);
    c.weight[target] = 1;
    for (np_node k = 1; k < reached; k++) {
        np_node u = order[k];
        c.weight[u] = weigh(s, &c, u);
        if (hops[u] >= UINT16_MAX - 1 || !(c.weight[u] < (double)INFINITY))
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
    for (uint32_t number = 0; number < s->to.sets && !st; number++)
        if (!(st = np_watch_share(watch, "paths", (double)number / s->to.sets)))
            st = measure(s, number, hops);
out:
    np_memory_free(hops);
    return st;
}

/* The chance at v reaches the nodes before it. */
static void pass_back(np_shares *s, const column *c, np_node v, uint32_t *queued)
{
    double part = s->chance[v] * (s->even ? 1 : c->weight[v]);
    for (uint32_t k = s->search.in_row[v]; k < s->search.in_row[v + 1]; k++) {
        np_node u = s->tail[k];
        if (!leads_nearer(s, c, u, v, s->search.in[k]))
            continue;
        if (s->stamp[u] != s->stamps) {
            s->stamp[u] = s->stamps;
            s->chance[u] = 0;
            s->queue[(*queued)++] = u;
        }
        s->chance[u] += part / c->weight[u];
    }
}

static np_status emit(np_shares *s, np_node u, uint32_t number)
{
    double exact = s->chance[u] * (double)NP_SHARES_UNIT, whole = nearbyint(exact);
    s->rounded |= fabs(exact - whole) > 0.01;
    return whole > 0 ? np_shares_add(s, s->row_of[u], number, (int64_t)whole) : NP_OK;
}

static np_status spread_to(np_shares *s, uint32_t number, np_link link, np_node a, np_node b)
{
    const column c = column_of(s, number);
    uint32_t queued = 1;
    np_status st = NP_OK;
    if (!leads_nearer(s, &c, a, b, link) || c.distance[a] == UINT16_MAX - 1)
        return NP_OK;
    s->stamps++;
    s->queue[0] = a;
    s->stamp[a] = s->stamps;
    s->chance[a] = (s->even ? 1 : c.weight[b]) / c.weight[a];
    for (uint32_t k = 0; k < queued && !st; k++) {
        np_node v = s->queue[k];
        if (s->row_of[v] != NP_NONE)
            st = emit(s, v, number);
        pass_back(s, &c, v, &queued);
    }
    return st;
}

np_status np_spread_find(np_shares *s, np_link link)
{
    np_node a = np_network_link_tail(s->network, link), b = np_network_link_head(s->network, link);
    np_status st = NP_OK;
    for (uint32_t number = 0; number < s->to.sets && !st; number++)
        st = spread_to(s, number, link, a, b);
    return st;
}
