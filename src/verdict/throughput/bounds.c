/*
 * Upper bounds that are found at once: by distances (all lengths 1), by links between switches (Namyar et al. 2021), by
 * single nodes, by cuts; and who has no way to where it sends.
 */
#include <math.h>

#include "base/memory.h"
#include "model/network/read_node.h"
#include "verdict/throughput/concurrent.h"

/* NP_ERROR_APPLY: the first demand, by destination, that has no way. */
static np_status refuse_torn(np_concurrent *s)
{
    const np_problem *p = s->problem;
    for (uint32_t first = 0; first < p->targets; first += NP_LANES) {
        np_lanes_distances(p, s->length, first, &s->lanes[0]);
        for (uint32_t i = 0; i < np_lanes_count(p, first); i++)
            for (size_t d = p->first[first + i]; d < p->first[first + i + 1]; d++)
                if (s->lanes[0].distance[p->source[d]][i] == NP_LANES_FAR)
                    return NP_RAISE(NP_ERROR_APPLY, "no way leads from %.80s to %.80s on %s",
                                    NP_NODE_NAME(p->network, p->source[d]),
                                    NP_NODE_NAME(p->network, p->target[first + i]), np_network_spec(p->network));
    }
    return NP_RAISE(NP_ERROR_INTERNAL, "a demand without a way");
}

/* *bound = sum of width x length / sum of amount x distance, rounded up; the search begins with the best lengths. */
static np_status bound_by(np_concurrent *s, const int32_t *length, np_pass *found, double *bound)
{
    uint64_t top = 0;
    np_status st = np_concurrent_pass(s, length, 0, found);
    if (st)
        return st;
    for (uint32_t a = 0; a < s->problem->arcs; a++)
        top += (uint64_t)s->problem->width[a] * (uint64_t)length[a];
    *bound = found->distance ? np_exact_ratio(top, found->distance, true) : INFINITY;
    if (found->far < NP_LANES_FAR)
        np_concurrent_improve(s, length, found);
    return NP_OK;
}

/* other = 0 for the links of nodes that have one neighbour, else 1. Are there both? */
static np_status mark_switches(np_concurrent *s, bool *both)
{
    const np_problem *p = s->problem;
    uint32_t *in, leaves = 0;
    np_status st = np_memory_zeroed(&in, p->nodes, sizeof *in, "the arcs into nodes");
    if (st)
        return st;
    for (uint32_t a = 0; a < p->arcs; a++)
        in[p->head[a]]++;
    for (uint32_t a = 0; a < p->arcs; a++) {
        np_node u = p->tail[a], v = p->head[a];
        bool leaf = (in[u] == 1 && p->row[u + 1] - p->row[u] == 1) || (in[v] == 1 && p->row[v + 1] - p->row[v] == 1);
        s->other[a] = !leaf;
        leaves += leaf;
    }
    *both = leaves && leaves < p->arcs;
    np_memory_free(in);
    return NP_OK;
}

/* By what each node sends and receives. *node: that with the least, by what goes out or in. */
static np_status bound_by_hosts(const np_problem *p, double *bound, np_node *node)
{
    uint64_t *links; /* [4 nodes] out, in, sent, received */
    np_status st = np_memory_zeroed(&links, 4 * (size_t)p->nodes, sizeof *links, "the links of nodes");
    if (st)
        return st;
    uint64_t *sent = links + 2 * (size_t)p->nodes;
    for (uint32_t a = 0; a < p->arcs; a++) {
        links[p->tail[a]] += p->width[a];
        links[p->nodes + p->head[a]] += p->width[a];
    }
    for (uint32_t t = 0; t < p->targets; t++)
        for (size_t d = p->first[t]; d < p->first[t + 1]; d++) {
            sent[p->source[d]] += p->amount[d];
            sent[p->nodes + p->target[t]] += p->amount[d];
        }
    *bound = INFINITY;
    for (size_t i = 0; i < 2 * (size_t)p->nodes; i++)
        if (sent[i]) {
            double x = np_exact_ratio(links[i], sent[i], true);
            if (x >= *bound)
                continue;
            *bound = x;
            *node = (np_node)(i % p->nodes);
        }
    np_memory_free(links);
    return NP_OK;
}

/* The search may begin with lengths of 1 for the links that cross the border of a set, outwards or inwards. */
static np_status offer_cut(np_concurrent *s, const bool *inside)
{
    const np_problem *p = s->problem;
    np_pass found;
    double bound;
    np_status st = NP_OK;
    for (int out = 0; out < 2 && !st; out++) {
        for (uint32_t a = 0; a < p->arcs; a++)
            s->other[a] = inside[p->tail[a]] != inside[p->head[a]] && inside[p->tail[a]] == out;
        st = bound_by(s, s->other, &found, &bound);
    }
    return st;
}

static np_status bound_by_cuts(np_concurrent *s, np_throughput_bounds *bounds)
{
    np_node node = 0;
    np_status st = np_memory_zeroed(&s->cut, s->problem->nodes, sizeof *s->cut, "the nodes of a cut");
    if (st || (st = bound_by_hosts(s->problem, &bounds->hosts, &node)))
        return st;
    s->cut[node] = true;
    if ((st = offer_cut(s, s->cut)))
        return st;
    s->cut[node] = false;
    st = np_concurrent_cut(s->problem, s->cut, &bounds->cut);
    return st ? st : offer_cut(s, s->cut);
}

np_status np_concurrent_bounds(np_concurrent *s, np_throughput_bounds *bounds, np_pass *first)
{
    np_pass found;
    bool both;
    np_status st;
    for (uint32_t a = 0; a < s->problem->arcs; a++)
        s->length[a] = 1;
    if ((st = bound_by(s, s->length, first, &bounds->distance)))
        return st;
    if (first->far >= NP_LANES_FAR)
        return refuse_torn(s);
    bounds->switches = INFINITY;
    if ((st = mark_switches(s, &both)) || (both && (st = bound_by(s, s->other, &found, &bounds->switches))))
        return st;
    return bound_by_cuts(s, bounds);
}
