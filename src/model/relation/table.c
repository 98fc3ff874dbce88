/*
 * Tables of distances between all pairs of routers, by a search backwards from each. Which links lead nearer is read
 * off the distances of a router's neighbours, which lie in one row of the table.
 *
 * Legal routes (Schroeder & others 1991, Autonet): the routers are levelled by a search from a root. A link is up if it
 * leads to a lower level, or to a lower number on the same level. A route goes up and then down: so no cycle of
 * channels can arise, since a cycle would have to go up again. The root is the router nearest to all others, by the sum
 * of the distances.
 *
 * Shares: of the routers at one distance from a destination, in proportion to their numbers of shortest paths, the
 * largest 1. So numbers of any size are in range. What is below 2^-126 counts as that.
 */
#include "model/relation/table.h"

#include <float.h>
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "model/network/read_node.h"

/* ---- Distances ---- */

/* The distances of all routers to v: distance, order: [count]. Returns the sum, and how many there are. */
static uint64_t search(const np_routers *g, uint32_t v, uint16_t *distance, uint32_t *order, uint32_t *reached)
{
    uint32_t end = 0;
    uint64_t sum = 0;
    memset(distance, 0xff, g->count * sizeof *distance);
    distance[v] = 0;
    order[end++] = v;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t w = order[i];
        sum += distance[w];
        for (uint32_t j = g->in_row[w]; j < g->in_row[w + 1]; j++) {
            uint32_t u = g->tail[g->in[j]];
            if (distance[u] == NP_NO_WAY) {
                distance[u] = (uint16_t)(distance[w] + 1);
                order[end++] = u;
            }
        }
    }
    *reached = end;
    return sum;
}

static bool is_up(const np_relation_table *t, uint32_t u, uint32_t v) { return t->rank[v] < t->rank[u]; }

/* The same on legal routes, of both states of each router; order: [2 count]. */
static void search_legal(const np_relation_table *t, uint32_t v, uint16_t *distance, uint32_t *order)
{
    const np_routers *g = &t->routers;
    uint32_t end = 0;
    memset(distance, 0xff, 2 * (size_t)g->count * sizeof *distance);
    distance[2 * v] = distance[2 * v + 1] = 0;
    order[end++] = 2 * v;
    order[end++] = 2 * v + 1;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t w = order[i] / 2;
        bool down = order[i] % 2;
        for (uint32_t j = g->in_row[w]; j < g->in_row[w + 1]; j++) {
            uint32_t u = g->tail[g->in[j]];
            if (is_up(t, u, w) == down)
                continue;
            for (uint32_t state = 2 * u; state <= 2 * u + down; state++) /* up leaves only who has gone up */
                if (distance[state] == NP_NO_WAY) {
                    distance[state] = (uint16_t)(distance[order[i]] + 1);
                    order[end++] = state;
                }
        }
    }
}

/* order[0 .. count - 1] is by descending nearness to v. */
static void count_shares(const np_routers *g, const uint16_t *distance, const uint32_t *order, uint32_t reached,
                         float *share)
{
    memset(share, 0, g->count * sizeof *share);
    share[order[0]] = 1;
    for (uint32_t i = 1, end; i < reached; i = end) {
        float most = 0;
        for (end = i; end < reached && distance[order[end]] == distance[order[i]]; end++) {
            uint32_t u = order[end];
            for (uint32_t c = g->row[u]; c < g->row[u + 1]; c++)
                if (distance[g->head[c]] + 1 == distance[u])
                    share[u] += share[g->head[c]];
            most = share[u] > most ? share[u] : most;
        }
        for (uint32_t k = i; k < end; k++)
            share[order[k]] = share[order[k]] / most > FLT_MIN ? share[order[k]] / most : FLT_MIN;
    }
}

/* ---- The levels of legal routes ---- */

/* The router with the least sum of distances, to it and from all. Of those that not all reach, none. */
static uint32_t find_root(const np_relation_table *t, uint16_t *distance, uint32_t *order)
{
    uint64_t least = UINT64_MAX;
    uint32_t root = 0;
    for (uint32_t v = 0; v < t->routers.count; v++) {
        uint32_t reached;
        uint64_t sum = search(&t->routers, v, distance, order, &reached);
        if (reached == t->routers.count && sum < least) {
            least = sum;
            root = v;
        }
    }
    return root;
}

/* t->rank: the places of the routers by levels, within a level by numbers. */
static void level(np_relation_table *t, uint16_t *distance, uint32_t *order)
{
    uint32_t reached, count = t->routers.count, place = 0;
    uint32_t root = find_root(t, distance, order);
    search(&t->routers, root, distance, order, &reached);
    for (uint32_t hops = 0; place < reached; hops++)
        for (uint32_t u = 0; u < count; u++)
            if (distance[u] == hops)
                t->rank[u] = place++;
    for (uint32_t u = 0; u < count; u++)
        if (distance[u] == NP_NO_WAY)
            t->rank[u] = place++;
}

/* ---- All of it ---- */

static np_status fill(np_relation_table *t, uint32_t *order)
{
    uint32_t count = t->routers.count, reached;
    if (t->rank)
        level(t, t->distance, order);
    for (uint32_t v = 0; v < count; v++) {
        uint16_t *distance = t->distance + (size_t)v * count * t->states;
        if (t->rank) {
            search_legal(t, v, distance, order);
            continue;
        }
        search(&t->routers, v, distance, order, &reached);
        if (t->share)
            count_shares(&t->routers, distance, order, reached, t->share + (size_t)v * count);
    }
    return NP_OK;
}

static np_status take(np_relation_table *t, np_table_kind kind)
{
    size_t count = t->routers.count, pairs = count * count;
    np_status st;
    if ((st = np_memory_array(&t->distance, pairs, t->states * sizeof *t->distance, "a table of distances")))
        return st;
    if (kind.share && (st = np_memory_array(&t->share, pairs, sizeof *t->share, "a table of shortest paths")))
        return st;
    return kind.legal ? np_memory_array(&t->rank, count, sizeof *t->rank, "the levels of routers") : NP_OK;
}

/* A way leads from every source to every destination, over links between routers. */
static np_status check_ways(const np_relation *r)
{
    const np_relation_table *t = r->table;
    const np_routers *g = &t->routers;
    for (uint32_t v = 0; v < g->count; v++)
        for (uint32_t u = 0; u < g->count && g->ends[v] & NP_ROUTER_OUT; u++)
            if (g->ends[u] & NP_ROUTER_IN && t->distance[((size_t)v * g->count + u) * t->states] == NP_NO_WAY)
                return NP_RAISE(NP_ERROR_APPLY, "paths '%s' do not apply to %s: no way%s leads from %.80s to %.80s",
                                r->rule->info.name, np_network_spec(r->network), t->rank ? " up and then down" : "",
                                NP_NODE_NAME(r->network, g->node[u]), NP_NODE_NAME(r->network, g->node[v]));
    return NP_OK;
}

np_status np_relation_tabulate(np_relation *r, np_table_kind kind)
{
    np_relation_table *t;
    uint32_t *order = NULL;
    np_status st = np_memory_zeroed(&r->table, 1, sizeof *r->table, "a table of routes");
    if (st)
        return st;
    t = r->table;
    t->states = kind.legal ? 2 : 1;
    if ((st = np_routers_init(&t->routers, r->network)))
        return st;
    uint64_t pairs = (uint64_t)t->routers.count * t->routers.count;
    if ((st = np_account_allow(pairs * (t->states * sizeof *t->distance + (kind.share ? sizeof *t->share : 0)),
                               "a smaller network", "tables of paths '%s' on %s", r->rule->info.name,
                               np_network_spec(r->network))) ||
        (st = take(t, kind)))
        return st;
    if (t->routers.count >= NP_NO_WAY / 2)
        return NP_RAISE(NP_ERROR_LIMIT, "paths '%s' take tables of at most %d routers: %s has %u", r->rule->info.name,
                        NP_NO_WAY / 2 - 1, np_network_spec(r->network), t->routers.count);
    if (!(st = np_memory_array(&order, t->states * (size_t)t->routers.count, sizeof *order, "a search")) &&
        !(st = fill(t, order)))
        st = check_ways(r);
    np_memory_free(order);
    return st;
}

void np_relation_table_free(np_relation_table *t)
{
    if (!t)
        return;
    np_routers_clear(&t->routers);
    np_memory_free(t->distance);
    np_memory_free(t->share);
    np_memory_free(t->rank);
    np_memory_free(t);
}

unsigned np_table_nearer(const np_relation_table *t, np_node at, np_node to, unsigned class_, np_candidate *out,
                         unsigned count)
{
    const np_routers *g = &t->routers;
    const uint16_t *distance = np_table_to(t, to);
    uint32_t u = g->number[at];
    for (uint32_t c = g->row[u]; c < g->row[u + 1] && count < NP_CANDIDATES; c++)
        if (distance[g->head[c]] + 1 == distance[u])
            out[count++] = (np_candidate){
                .port = g->port[c], .class_ = (uint8_t)class_, .state = (uint64_t)g->head[c] << NP_COURSE_BITS};
    return count;
}

unsigned np_table_legal(const np_relation_table *t, np_node at, np_node to, bool down, np_candidate *out,
                        unsigned count)
{
    const np_routers *g = &t->routers;
    const uint16_t *distance = np_table_to(t, to);
    uint32_t u = g->number[at];
    for (uint32_t c = g->row[u]; c < g->row[u + 1] && count < NP_CANDIDATES; c++) {
        uint32_t v = g->head[c];
        bool falls = !is_up(t, u, v);
        if (falls >= down && distance[2 * v + falls] + 1 == distance[2 * u + down])
            out[count++] = (np_candidate){.port = g->port[c], .state = falls};
    }
    return count;
}
