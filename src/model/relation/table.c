/*
 * Tables of the links that lead nearer, from all routers to all others, by a search backwards from each: a mask of a
 * bit a link, so that a table of a network whose routers have up to 16 links takes 2 bytes a pair.
 *
 * Legal routes (Schroeder & others 1991, Autonet): the routers are levelled by a search from a root. A link is up if it
 * leads to a lower level, or to a lower number on the same level. A route goes up and then down: so no cycle of
 * channels can arise, since a cycle would have to go up again. The root is the router nearest to all others, by the sum
 * of the distances. Planes that no link joins have a root each.
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
#include "model/relation/cables.h"

#define NO_WAY UINT16_MAX /* a distance */

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
            if (distance[u] == NO_WAY) {
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
                if (distance[state] == NO_WAY) {
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

/* Of the routers without a rank, one that most of all reach, with the least sum of their distances to it. */
static uint32_t find_root(const np_relation_table *t, uint16_t *distance, uint32_t *order)
{
    uint64_t least = UINT64_MAX;
    uint32_t root = NP_NONE, most = 0;
    for (uint32_t v = 0; v < t->routers.count; v++) {
        uint32_t reached;
        if (t->rank[v] != NP_NONE)
            continue;
        uint64_t sum = search(&t->routers, v, distance, order, &reached);
        if (reached > most || (reached == most && sum < least)) {
            most = reached;
            least = sum;
            root = v;
        }
    }
    return root;
}

/*
 * t->rank: the places of the routers by levels, within a level by numbers. What does not reach the first root, as
 * another plane, is levelled from a root of its own.
 */
static void level(np_relation_table *t, uint16_t *distance, uint32_t *order)
{
    uint32_t count = t->routers.count, place = 0;
    memset(t->rank, 0xff, count * sizeof *t->rank);
    while (place < count) {
        uint32_t reached, farthest = 0;
        search(&t->routers, find_root(t, distance, order), distance, order, &reached);
        farthest = distance[order[reached - 1]];
        for (uint32_t hops = 0; hops <= farthest; hops++)
            for (uint32_t u = 0; u < count; u++)
                if (distance[u] == hops && t->rank[u] == NP_NONE)
                    t->rank[u] = place++;
    }
}

/* ---- Masks ---- */

static void set_bit(np_relation_table *t, size_t place, uint32_t i)
{
    switch (t->bytes) {
    case 1:
        ((uint8_t *)t->mask)[place] |= (uint8_t)(1U << i);
        break;
    case 2:
        ((uint16_t *)t->mask)[place] |= (uint16_t)(1U << i);
        break;
    case 4:
        ((uint32_t *)t->mask)[place] |= UINT32_C(1) << i;
        break;
    default:
        ((uint64_t *)t->mask)[place * (t->bytes / 8) + i / 64] |= UINT64_C(1) << i % 64;
    }
}

/* The masks of all routers for router v, by the distances to it. */
static void fill_masks(np_relation_table *t, uint32_t v, const uint16_t *distance)
{
    const np_routers *g = &t->routers;
    for (uint32_t u = 0; u < g->count; u++)
        for (uint32_t state = 0; state < t->states; state++)
            for (uint32_t c = g->row[u]; c < g->row[u + 1]; c++) {
                bool falls = t->rank && !is_up(t, u, g->head[c]);
                if (falls >= state && distance[g->head[c] * t->states + falls] + 1 == distance[u * t->states + state])
                    set_bit(t, np_table_place(t, u, v, state), c - g->row[u]);
            }
}

/* ---- All of it ---- */

/* A way leads to router v from every source, over links between routers: unless np_cables_measure looks at that. */
static np_status check_ways(const np_relation *r, uint32_t v, const uint16_t *distance)
{
    const np_relation_table *t = r->table;
    const np_routers *g = &t->routers;
    for (uint32_t u = 0; u < g->count && g->ends[v] & NP_ROUTER_OUT && !r->cables->several; u++)
        if (g->ends[u] & NP_ROUTER_IN && distance[u * t->states] == NO_WAY)
            return NP_RAISE(NP_ERROR_APPLY, "paths '%s' do not apply to %s: no way%s leads from %.80s to %.80s",
                            r->rule->info.name, np_network_spec(r->network), t->rank ? " up and then down" : "",
                            NP_NODE_NAME(r->network, g->node[u]), NP_NODE_NAME(r->network, g->node[v]));
    return NP_OK;
}

/* order, distance: [states * routers], for searches. */
static np_status fill(np_relation *r, uint32_t *order, uint16_t *distance)
{
    np_relation_table *t = r->table;
    uint32_t count = t->routers.count, reached;
    np_status st = NP_OK;
    if (t->rank)
        level(t, distance, order);
    for (uint32_t v = 0; v < count && !st; v++) {
        if (t->rank)
            search_legal(t, v, distance, order);
        else
            search(&t->routers, v, distance, order, &reached);
        if (t->share)
            count_shares(&t->routers, distance, order, reached, t->share + (size_t)v * count);
        fill_masks(t, v, distance);
        st = check_ways(r, v, distance);
    }
    return st;
}

static uint32_t bytes_of_masks(const np_routers *g)
{
    uint32_t most = 1, bytes = 1;
    for (uint32_t u = 0; u < g->count; u++)
        most = g->row[u + 1] - g->row[u] > most ? g->row[u + 1] - g->row[u] : most;
    while (bytes < 8 && 8 * bytes < most)
        bytes *= 2;
    return bytes < 8 ? bytes : (most + 63) / 64 * 8;
}

static np_status take(np_relation_table *t, np_table_kind kind, const np_relation *r)
{
    size_t count = t->routers.count, pairs = count * count;
    np_status st;
    if ((st =
             np_account_allow(pairs * (t->states * t->bytes + (kind.share ? sizeof *t->share : 0)), "a smaller network",
                              "tables of paths '%s' on %s", r->rule->info.name, np_network_spec(r->network))) ||
        (st = np_memory_zeroed(&t->mask, pairs, t->states * t->bytes, "a table of routes")))
        return st;
    if (kind.share && (st = np_memory_array(&t->share, pairs, sizeof *t->share, "a table of shortest paths")))
        return st;
    return kind.legal ? np_memory_array(&t->rank, count, sizeof *t->rank, "the levels of routers") : NP_OK;
}

np_status np_relation_tabulate(np_relation *r, np_table_kind kind)
{
    np_relation_table *t;
    uint32_t *order = NULL;
    uint16_t *distance = NULL;
    np_status st = np_memory_zeroed(&r->table, 1, sizeof *r->table, "a table of routes");
    if (st || (st = np_routers_init(&r->table->routers, r->network)))
        return st;
    t = r->table;
    t->states = kind.legal ? 2 : 1;
    t->bytes = bytes_of_masks(&t->routers);
    if (t->routers.count >= NO_WAY / 2)
        return NP_RAISE(NP_ERROR_LIMIT, "paths '%s' take tables of at most %d routers: %s has %u", r->rule->info.name,
                        NO_WAY / 2 - 1, np_network_spec(r->network), t->routers.count);
    size_t states = t->states * (size_t)t->routers.count;
    if (!(st = take(t, kind, r)) && !(st = np_memory_array(&order, states, sizeof *order, "a search")) &&
        !(st = np_memory_array(&distance, states, sizeof *distance, "a search")))
        st = fill(r, order, distance);
    NP_MEMORY_FREE(order, distance);
    return st;
}

void np_relation_table_free(np_relation_table *t)
{
    if (!t)
        return;
    np_routers_clear(&t->routers);
    NP_MEMORY_FREE(t->mask, t->share, t->rank, t);
}

/* ---- Ways ---- */

unsigned np_table_nearer(const np_relation_table *t, np_node at, np_node to, unsigned class_, np_candidate *out)
{
    const np_routers *g = &t->routers;
    uint32_t u = g->number[at], v = g->number[to];
    unsigned count = 0;
    for (uint32_t k = 0; 8 * k < t->bytes; k++)
        for (uint64_t word = np_table_mask(t, u, v, 0, k); word && count < NP_CANDIDATES; word &= word - 1) {
            uint32_t c = g->row[u] + 64 * k + (uint32_t)__builtin_ctzll(word);
            out[count++] = (np_candidate){
                .port = g->port[c], .class_ = (uint8_t)class_, .state = (uint64_t)g->head[c] << NP_COURSE_BITS};
        }
    return count;
}

unsigned np_table_ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    (void)course;
    return np_table_nearer(r->table, at, to, 0, out);
}

unsigned np_table_legal(const np_relation_table *t, np_node at, np_node to, bool down, np_candidate *out,
                        unsigned count)
{
    const np_routers *g = &t->routers;
    uint32_t u = g->number[at], v = g->number[to];
    for (uint32_t k = 0; 8 * k < t->bytes; k++)
        for (uint64_t word = np_table_mask(t, u, v, down, k); word && count < NP_CANDIDATES; word &= word - 1) {
            uint32_t c = g->row[u] + 64 * k + (uint32_t)__builtin_ctzll(word);
            out[count++] = (np_candidate){.port = g->port[c], .state = !is_up(t, u, g->head[c])};
        }
    return count;
}

unsigned np_table_take(const np_relation *r, np_node at, np_node to, uint64_t state, np_candidate *out)
{
    const np_relation_table *t = r->table;
    const np_routers *g = &t->routers;
    uint32_t u = g->number[at];
    uint64_t word = np_table_mask(t, u, g->number[to], 0, 0);
    if (!word)
        return 0;
    for (unsigned pick = np_relation_pick(at, state, (unsigned)__builtin_popcountll(word)); pick; pick--)
        word &= word - 1;
    out[0] = (np_candidate){.port = g->port[g->row[u] + (uint32_t)__builtin_ctzll(word)]};
    return 1;
}
