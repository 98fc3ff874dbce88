/*
 * np_problem_contract: a problem without the hosts that hang on one switch.
 *
 * A node with one neighbour, there and back, carries on its links what it sends and receives, whatever the routing is.
 * So its demands can start and end at its neighbour: the largest factor is the smaller one of that of the rest, and of
 * width / amount over these links. Demands between hosts of one switch then rest, and parallel ones become one: with p
 * hosts a switch, an iteration of the search has p times fewer destinations, and fewer nodes and arcs for each.
 */
#include <math.h>
#include <string.h>

#include "base/exact.h"
#include "base/memory.h"
#include "verdict/throughput/problem.h"

typedef struct contraction {
    const np_problem *whole;
    np_problem *out;
    np_node *neighbour; /* [nodes] the only one; NP_NONE: there are several, or none yet */
    np_node *at;        /* [nodes] the number of the node, or of its neighbour, in `out` */
    uint64_t *sent;     /* [2 nodes] packets that it sends; that it receives */
    uint32_t *amount;   /* [nodes of out] to the destination that is looked at */
    uint32_t *next;     /* [targets] another destination at the same node; NP_NONE: there is none */
    uint32_t *begin;    /* [nodes of out] the first one */
    bool *meets, *hangs;
} contraction;

static np_status allocate(contraction *c)
{
    static const char what[] = "a problem without hosts";
    const np_problem *whole = c->whole;
    np_problem *p = c->out;
    np_status st;
    if ((st = np_memory_array(&c->neighbour, whole->nodes, sizeof *c->neighbour, what)) ||
        (st = np_memory_array(&c->at, whole->nodes, sizeof *c->at, what)) ||
        (st = np_memory_zeroed(&c->sent, 2 * (size_t)whole->nodes, sizeof *c->sent, what)) ||
        (st = np_memory_zeroed(&c->amount, whole->nodes, sizeof *c->amount, what)) ||
        (st = np_memory_array(&c->next, whole->targets, sizeof *c->next, what)) ||
        (st = np_memory_array(&c->begin, whole->nodes, sizeof *c->begin, what)) ||
        (st = np_memory_zeroed(&c->meets, whole->nodes, sizeof *c->meets, what)) ||
        (st = np_memory_zeroed(&c->hangs, whole->nodes, sizeof *c->hangs, what)) ||
        (st = np_memory_zeroed(&p->row, (size_t)whole->nodes + 1, sizeof *p->row, what)) ||
        (st = np_memory_array(&p->head, whole->arcs, sizeof *p->head, what)) ||
        (st = np_memory_array(&p->tail, whole->arcs, sizeof *p->tail, what)) ||
        (st = np_memory_array(&p->width, whole->arcs, sizeof *p->width, what)) ||
        (st = np_memory_array(&p->target, whole->nodes, sizeof *p->target, what)) ||
        (st = np_memory_zeroed(&p->first, (size_t)whole->nodes + 1, sizeof *p->first, what)) ||
        (st = np_memory_array(&p->source, whole->demands, sizeof *p->source, what)))
        return st;
    return np_memory_array(&p->amount, whole->demands, sizeof *p->amount, what);
}

static void clear(contraction *c)
{
    NP_MEMORY_FREE(c->neighbour, c->at, c->sent, c->amount, c->next, c->begin, c->meets, c->hangs);
}

/* ---- Nodes ---- */

static void meet(contraction *c, np_node u, np_node v)
{
    c->neighbour[u] = !c->meets[u] || c->neighbour[u] == v ? v : NP_NONE;
    c->meets[u] = true;
}

/* Two nodes that hang on each other both stay. */
static void number(contraction *c)
{
    const np_problem *whole = c->whole;
    np_node *only = c->neighbour, nodes = 0;
    memset(only, 0xff, whole->nodes * sizeof *only);
    for (uint32_t a = 0; a < whole->arcs; a++) {
        meet(c, whole->tail[a], whole->head[a]);
        meet(c, whole->head[a], whole->tail[a]);
    }
    for (np_node u = 0; u < whole->nodes; u++) {
        c->hangs[u] = only[u] != NP_NONE && only[only[u]] == NP_NONE;
        c->at[u] = nodes;
        nodes += !c->hangs[u];
    }
    for (np_node u = 0; u < whole->nodes; u++)
        c->at[u] = c->hangs[u] ? c->at[only[u]] : c->at[u];
    c->out->nodes = nodes;
}

/* ---- Arcs ---- */

static void add_arc(np_problem *p, np_node tail, np_node head, uint32_t width)
{
    p->tail[p->arcs] = tail;
    p->head[p->arcs] = head;
    p->width[p->arcs++] = width;
    p->row[tail + 1]++;
}

static void keep_arcs(contraction *c)
{
    const np_problem *whole = c->whole;
    np_problem *p = c->out;
    for (uint32_t a = 0; a < whole->arcs; a++)
        if (!c->hangs[whole->tail[a]] && !c->hangs[whole->head[a]])
            add_arc(p, c->at[whole->tail[a]], c->at[whole->head[a]], whole->width[a]);
    for (np_node u = 0; u < p->nodes; u++)
        p->row[u + 1] += p->row[u];
}

/* What the links of hosts leave to the factor: INFINITY, if they carry nothing. */
static double bound_by_hosts(const contraction *c, bool up)
{
    const np_problem *whole = c->whole;
    double least = INFINITY;
    for (uint32_t a = 0; a < whole->arcs; a++) {
        np_node u = whole->tail[a], v = whole->head[a];
        uint64_t packets = c->hangs[u] ? c->sent[u] : c->hangs[v] ? c->sent[whole->nodes + v] : 0;
        double bound = packets ? np_exact_ratio(whole->width[a], packets, up) : least;
        least = bound < least ? bound : least;
    }
    return least;
}

/* ---- Demands ---- */

/* What nodes send and receive, and the destinations at each node of `out`. */
static void list_targets(contraction *c)
{
    const np_problem *whole = c->whole;
    memset(c->begin, 0xff, whole->nodes * sizeof *c->begin);
    for (uint32_t t = whole->targets; t--;) {
        np_node v = whole->target[t];
        c->next[t] = c->begin[c->at[v]];
        c->begin[c->at[v]] = t;
        for (size_t d = whole->first[t]; d < whole->first[t + 1]; d++) {
            c->sent[whole->source[d]] += whole->amount[d];
            c->sent[whole->nodes + v] += whole->amount[d];
        }
    }
}

/* The demands for all destinations at t, in the order of their sources. */
static void merge_demands(contraction *c, np_node t)
{
    const np_problem *whole = c->whole;
    np_problem *p = c->out;
    for (uint32_t k = c->begin[t]; k != NP_NONE; k = c->next[k])
        for (size_t d = whole->first[k]; d < whole->first[k + 1]; d++)
            c->amount[c->at[whole->source[d]]] += whole->amount[d];
    p->first[p->targets] = p->demands;
    for (np_node u = 0; u < p->nodes; u++) {
        if (c->amount[u] && u != t) {
            p->source[p->demands] = u;
            p->amount[p->demands++] = c->amount[u];
            p->packets += c->amount[u];
        }
        c->amount[u] = 0;
    }
    if (p->demands > p->first[p->targets])
        p->target[p->targets++] = t;
}

np_status np_problem_contract(const np_problem *whole, np_problem *p, double *low, double *high)
{
    contraction c = {.whole = whole, .out = p};
    *p = (np_problem){.network = whole->network};
    np_status st = allocate(&c);
    if (!st) {
        number(&c);
        keep_arcs(&c);
        list_targets(&c);
        for (np_node t = 0; t < p->nodes; t++)
            merge_demands(&c, t);
        p->first[p->targets] = p->demands;
        p->resting = whole->resting + whole->packets - p->packets;
        st = np_problem_find_degree(p);
        *low = bound_by_hosts(&c, false);
        *high = bound_by_hosts(&c, true);
    }
    clear(&c);
    return st;
}
