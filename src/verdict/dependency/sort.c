/*
 * Orders the nodes of a graph of dependencies, taking away again and again the nodes into which no arc is left (Kahn
 * 1962). The levels are those of the longest chains. If nodes are left, there are cycles among them. The shortest one
 * is sought by searches from one node after another, as far as they could better the best one so far; after some effort
 * the best one does.
 */
#include <string.h>

#include "base/memory.h"
#include "verdict/dependency/dependency.h"

static const uint64_t EFFORT = 200000000; /* arcs that the search for a shorter cycle looks at: ours */

enum { TRIMS = 64 }; /* rounds that take away nodes without arcs to others: ours, any number will do */

typedef struct sorter {
    const np_dependency *d;
    uint32_t *degree; /* [nodes] arcs into the node that are left; then, in searches, 1 + the distance */
    uint32_t *level;  /* [nodes] then the node before */
    uint32_t *queue;  /* [nodes] */
    uint8_t *left;    /* [nodes] */
    uint32_t met;     /* nodes in the queue of the last search: the others have degree 0 */
    uint64_t effort;
} sorter;

#define EACH_ARC(d, u, v)                                                                                              \
    for (uint32_t v = np_dependency_next(d, u, 0); v != NP_NONE; v = np_dependency_next(d, u, v + 1))

/* How many nodes are used; the arcs into each of them. */
static uint64_t count_arcs(sorter *s, np_dependency_order *out)
{
    const np_dependency *d = s->d;
    for (uint32_t u = 0; u < d->nodes; u++) {
        if (!np_dependency_used(d, u))
            continue;
        out->nodes++;
        s->left[u] = 1;
        EACH_ARC(d, u, v)
        {
            out->arcs++;
            s->degree[v]++;
        }
    }
    return out->nodes;
}

/* Takes nodes away. Returns how many are left. */
static uint64_t take_away(sorter *s, uint64_t left, uint32_t *levels)
{
    const np_dependency *d = s->d;
    uint32_t end = 0;
    for (uint32_t u = 0; u < d->nodes; u++)
        if (s->left[u] && !s->degree[u])
            s->queue[end++] = u;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t u = s->queue[i], above = s->level[u] + 1;
        s->left[u] = 0;
        *levels = above > *levels ? above : *levels;
        EACH_ARC(d, u, v)
        {
            s->level[v] = above > s->level[v] ? above : s->level[v];
            if (!--s->degree[v])
                s->queue[end++] = v;
        }
    }
    return left - end;
}

/* ---- Cycles among the nodes that are left ---- */

static bool leads_on(const sorter *s, uint32_t u)
{
    EACH_ARC(s->d, u, v)
    {
        if (s->left[v])
            return true;
    }
    return false;
}

static void trim(sorter *s)
{
    bool changed = true;
    for (int round = 0; round < TRIMS && changed; round++) {
        changed = false;
        for (uint32_t u = 0; u < s->d->nodes; u++)
            if (s->left[u] && !leads_on(s, u)) {
                s->left[u] = 0;
                changed = true;
            }
    }
}

/* The last node before `from` on a cycle through it that is shorter than `best`; NP_NONE: there is none. */
static uint32_t find_return(sorter *s, uint32_t from, size_t best)
{
    const np_dependency *d = s->d;
    while (s->met > 0)
        s->degree[s->queue[--s->met]] = 0;
    s->degree[from] = 1;
    s->queue[s->met++] = from;
    for (uint32_t i = 0; i < s->met; i++) {
        uint32_t u = s->queue[i];
        if (s->degree[u] >= best)
            return NP_NONE;
        EACH_ARC(d, u, v)
        {
            s->effort++;
            if (v == from)
                return u;
            if (!s->left[v] || s->degree[v])
                continue;
            s->degree[v] = s->degree[u] + 1;
            s->level[v] = u;
            s->queue[s->met++] = v;
        }
    }
    return NP_NONE;
}

static void keep(const sorter *s, uint32_t from, uint32_t last, np_dependency_order *out)
{
    out->length = s->degree[last];
    for (size_t i = out->length; i > 0; i--, last = s->level[last])
        out->cycle[i - 1] = last;
    out->cycle[0] = from;
}

static np_status find_cycle(sorter *s, np_dependency_order *out)
{
    uint32_t nodes = s->d->nodes;
    np_status st = np_memory_array(&out->cycle, nodes, sizeof *out->cycle, "a cycle of channels");
    if (st)
        return st;
    trim(s);
    memset(s->degree, 0, nodes * sizeof *s->degree);
    out->length = (size_t)nodes + 1;
    for (uint32_t u = 0; u < nodes && (s->effort < EFFORT || out->length > nodes); u++) {
        uint32_t last = s->left[u] ? find_return(s, u, out->length) : NP_NONE;
        if (last != NP_NONE)
            keep(s, u, last, out);
    }
    return NP_OK;
}

np_status np_dependency_sort(const np_dependency *d, np_dependency_order *out)
{
    sorter s = {.d = d};
    np_status st;
    *out = (np_dependency_order){0};
    if (!(st = np_memory_zeroed(&s.degree, d->nodes, sizeof *s.degree, "an order of channels")) &&
        !(st = np_memory_zeroed(&s.level, d->nodes, sizeof *s.level, "an order of channels")) &&
        !(st = np_memory_array(&s.queue, d->nodes, sizeof *s.queue, "an order of channels")) &&
        !(st = np_memory_zeroed(&s.left, d->nodes, 1, "an order of channels")) &&
        take_away(&s, count_arcs(&s, out), &out->levels)) {
        out->levels = 0;
        st = find_cycle(&s, out);
    }
    NP_MEMORY_FREE(s.degree, s.level, s.queue, s.left);
    return st;
}
