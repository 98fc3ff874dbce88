/*
 * near-worst: a permutation that is hard for the best routing of all, found by steps of exchange on prices.
 *
 * It begins with the longest matching. The search for its throughput (verdict/throughput) ends with lengths of links
 * that prove an upper bound: sum of width x length over sum of distance. These are the prices of the links that bind.
 * The permutation with the largest sum of distances at these lengths, a heaviest assignment, has the same links and no
 * smaller sum: so the same lengths prove for it a bound that is no higher. It takes the place of the former one, and so
 * on, until the sum does not grow, or for STEPS steps. The one whose bound is least is the traffic.
 *
 * Nothing says that no permutation is worse: to find the worst one is hard (Namyar et al. 2021).
 */
#include <string.h>

#include "base/arena.h"
#include "base/assignment.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "model/network/siblings.h"
#include "verdict/throughput/concurrent.h"

/* Ours: steps, and how near each search comes. */
enum { STEPS = 8, ITERATIONS = 1000 };
static const double GAP = 0.03;

typedef struct near_search {
    const np_network *network;
    np_siblings from, to;
    np_node *source, *destination, *best; /* [terminals] nodes; `best`: terminals, as `next` */
    np_node *next;                        /* [terminals] */
    uint32_t *row_of;                     /* [nodes] the set of outputs whose first node it is; NP_NONE: none */
    uint32_t *second_of;                  /* [nodes] the set of outputs whose second node it is */
    int64_t *weight;                      /* [from.sets * to.sets] */
    double high, first_high;              /* of the best, of the longest matching */
    uint32_t steps;
    void *block;
} near_search;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "a permutation near the worst";
    near_search *n = object;
    size_t terminals = n->network->terminals, nodes = n->network->nodes;
    NP_ARENA_WORDS(arena, terminals, what, &n->source, &n->destination, &n->best, &n->next);
    NP_ARENA_WORDS(arena, nodes, what, &n->row_of, &n->second_of);
    np_arena_array(arena, &n->weight, (size_t)n->from.sets * n->to.sets, sizeof *n->weight, what);
}

/* ---- Distances at the lengths ---- */

/* What is known of the destination that is lane i: the column of its set, or the pairs within a set. */
static void take_lane(near_search *n, const np_lanes *lanes, np_node target, uint32_t i)
{
    uint32_t column = n->row_of[target], within = n->second_of[target];
    for (uint32_t row = 0; row < n->from.sets; row++) {
        np_node u = n->from.node[row];
        int64_t distance = lanes->distance[u][i];
        if (column != NP_NONE && u != target)
            n->weight[(size_t)row * n->to.sets + column] = distance;
        if (within != NP_NONE && u == n->to.node[within])
            n->weight[(size_t)row * n->to.sets + within] = distance;
    }
}

static void weigh(near_search *n, np_concurrent *s)
{
    const np_problem *p = s->problem;
    memset(n->weight, 0, (size_t)n->from.sets * n->to.sets * sizeof *n->weight);
    for (uint32_t first = 0; first < p->targets; first += NP_LANES) {
        np_lanes_distances(p, s->best_length, first, &s->lanes[0]);
        for (uint32_t i = 0; i < np_lanes_count(p, first); i++)
            take_lane(n, &s->lanes[0], p->target[first + i], i);
    }
}

/* n->next = the heaviest assignment at the lengths. *grows: it is heavier than what was there. */
static np_status exchange(near_search *n, np_concurrent *s, bool *grows)
{
    np_assignment a = {
        .rows = n->from.sets, .columns = n->to.sets, .supply = n->from.size, .demand = n->to.size, .wide = n->weight};
    weigh(n, s);
    np_status st = np_assignment_solve(&a);
    *grows = !st && (uint64_t)a.value > s->high_bottom;
    if (*grows)
        st = np_siblings_send(&n->from, &n->to, &a, n->next);
    np_assignment_clear(&a);
    return st;
}

/* ---- Steps ---- */

/* The bound of n->next, which may be the best; then the exchange. */
static np_status bound(near_search *n, np_concurrent *s, bool *grows)
{
    np_throughput_bounds bounds;
    np_pass first;
    np_status st = np_concurrent_bounds(s, &bounds, &first);
    if (st)
        return st;
    np_concurrent_begin(s, &first);
    if ((st = np_concurrent_run(s)))
        return st;
    n->first_high = n->steps ? n->first_high : s->high;
    if (!n->steps || s->high < n->high) {
        n->high = s->high;
        memcpy(n->best, n->next, n->network->terminals * sizeof *n->best);
    }
    return exchange(n, s, grows);
}

static np_status step(near_search *n, const np_throughput_options *options, bool *grows)
{
    np_traffic *traffic = NULL;
    np_problem problem = {0};
    np_concurrent s = {0};
    np_node terminals = n->network->terminals;
    for (np_node i = 0; i < terminals; i++)
        n->destination[i] = np_network_output(n->network, n->next[i]);
    np_status st = np_traffic_from_arrays(n->network, terminals, n->source, n->destination, NULL, &traffic);
    if (!st && !(st = np_problem_init(&problem, n->network, traffic)) &&
        !(st = np_concurrent_init(&s, &problem, options)))
        st = bound(n, &s, grows);
    np_concurrent_clear(&s);
    np_problem_clear(&problem);
    np_traffic_free(traffic);
    return st;
}

/* The longest matching, as terminals. */
static np_status begin(near_search *n)
{
    np_traffic *traffic;
    np_status st = np_traffic_create("longest-matching", n->network, 0, 0, &traffic);
    if (st)
        return st;
    for (np_node i = 0; i < n->network->terminals; i++) {
        np_node at = np_traffic_destinations(traffic)[i];
        n->source[i] = np_traffic_sources(traffic)[i];
        n->next[i] = n->network->host ? n->network->host_number[at] : at - n->network->output_first;
        n->best[i] = n->next[i];
    }
    for (np_node u = 0; u < n->network->nodes; u++)
        n->row_of[u] = n->second_of[u] = NP_NONE;
    for (uint32_t k = 0; k < n->to.sets; k++) {
        n->row_of[n->to.node[k]] = k;
        if (n->to.second[k] != NP_NONE)
            n->second_of[n->to.second[k]] = k;
    }
    np_traffic_free(traffic);
    return NP_OK;
}

static np_status find(near_search *n)
{
    np_throughput_options options;
    bool grows = n->network->terminals > 1;
    np_throughput_options_init(&options);
    options.gap = GAP;
    options.iterations = ITERATIONS;
    np_status st = begin(n);
    for (; !st && grows && n->steps < STEPS; n->steps++)
        st = step(n, &options, &grows);
    return st;
}

static np_status note(const near_search *n, np_traffic *traffic)
{
    char text[200];
    if (!n->steps)
        return NP_OK;
    snprintf(text, sizeof text,
             "near-worst: at most %s of all packets a step can be carried, at most %s of the longest matching; "
             "exchanges: %u",
             NP_FIXED(n->high, 6), NP_FIXED(n->first_high, 6), n->steps - 1);
    traffic->note = np_memory_text(text);
    return traffic->note ? NP_OK : np_status_last();
}

static np_status build(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic)
{
    near_search n = {.network = plan->network};
    np_status st;
    (void)draws;
    if ((st = np_traffic_allocate(traffic, plan->terminals, false)) ||
        (st = np_siblings_init(&n.from, n.network, false)) || (st = np_siblings_init(&n.to, n.network, true)) ||
        (st = np_arena_place(&n, layout, "a permutation near the worst", &n.block)) || (st = find(&n)))
        goto out;
    for (np_node i = 0; i < plan->terminals; i++) {
        traffic->source[i] = i;
        traffic->destination[i] = n.best[i];
    }
    st = note(&n, traffic);
out:
    np_memory_free(n.block);
    np_siblings_clear(&n.from);
    np_siblings_clear(&n.to);
    return st;
}

const np_traffic_generator np_traffic_near_worst = {
    .info = {"near-worst", "a permutation of which little can be carried, by exchanges on the prices of links", "",
             .parameters = ""},
    .build = build,
    .notes = true,
};
