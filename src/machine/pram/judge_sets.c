/* Judges of sets of vertices and edges, and of colours: any right answer will do, so what makes it right is checked. */
#include <stdio.h>
#include <stdlib.h>

#include "machine/pram/judge.h"

/* ---- Spanning forests ---- */

typedef struct edge {
    np_word weight;
    uint32_t arc;
} edge;

static int by_weight(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->weight != y->weight ? (x->weight > y->weight) - (x->weight < y->weight)
                                  : (x->arc > y->arc) - (x->arc < y->arc);
}

/* The root of v, with halving of paths. */
static uint32_t find(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* Does the edge join two components? Then they are one. */
static bool join(uint32_t *parent, const np_graph *g, uint32_t arc)
{
    uint32_t u = find(parent, g->tail[arc]), v = find(parent, g->head[arc]);
    parent[u] = v;
    return u != v;
}

static void separate(uint32_t *parent, size_t vertices)
{
    for (size_t v = 0; v < vertices; v++)
        parent[v] = (uint32_t)v;
}

/* The weight of a least forest, edge by edge in the order of weights (Kruskal 1956); *edges: how many it has. */
static np_word least_weight(const np_given *given, edge *sorted, uint32_t *parent, size_t *edges)
{
    const np_graph *g = &given->graph;
    np_word weight = 0;
    size_t count = 0;
    separate(parent, g->vertices);
    for (size_t a = 0; a < g->arcs; a++)
        if (g->tail[a] < g->head[a])
            sorted[count++] = (edge){given->weight[a], (uint32_t)a};
    qsort(sorted, count, sizeof *sorted, by_weight);
    for (size_t i = *edges = 0; i < count; i++)
        if (join(parent, g, sorted[i].arc)) {
            weight += sorted[i].weight;
            ++*edges;
        }
    return weight;
}

/* Both arcs of an edge may be chosen: it counts once, because the second one joins nothing. */
static void judge_arcs(np_case *c, uint32_t *parent, np_word least, size_t edges)
{
    const np_graph *g = &c->given->graph;
    np_word weight = 0;
    size_t chosen = 0;
    separate(parent, g->vertices);
    for (uint32_t a = 0; a < g->arcs; a++) {
        if (c->answer[a] != 0 && c->answer[a] != 1)
            np_case_wrong(c, "word %u of the answer is %lld, and not 0 or 1", a, (long long)c->answer[a]);
        if (c->answer[a] != 1)
            continue;
        if (join(parent, g, a)) {
            weight += c->given->weight[a];
            chosen++;
        } else {
            uint32_t twin = g->first[g->head[a]];
            while (g->head[twin] != g->tail[a])
                twin++;
            if (twin > a || c->answer[twin] != 1)
                np_case_wrong(c, "the edge %u - %u closes a circle", g->tail[a], g->head[a]);
        }
    }
    if (chosen != edges)
        np_case_wrong(c, "the forest has %zu edges, and not %zu", chosen, edges);
    if (weight != least)
        np_case_wrong(c, "the forest weighs %lld, and not %lld", (long long)weight, (long long)least);
    c->count = (uint64_t)least;
    snprintf(c->words, sizeof c->words, "%lld is the weight of %zu edges", (long long)least, edges);
}

static np_status judge_forest(np_case *c)
{
    const np_graph *g = &c->given->graph;
    uint32_t *parent;
    edge *sorted;
    size_t edges;
    np_status st;
    if (!np_case_sized(c, g->arcs))
        return NP_OK;
    if ((st = np_workspace_array(c->work, &parent, g->vertices, sizeof *parent)) ||
        (st = np_workspace_array(c->work, &sorted, g->arcs / 2, sizeof *sorted)))
        return st;
    np_word least = least_weight(c->given, sorted, parent, &edges);
    judge_arcs(c, parent, least, edges);
    return NP_OK;
}

const np_judge np_judge_spanning_forest = {
    .entry = {"spanning-forest", "for each arc 1 if its edge is in a minimum spanning forest, at one of its two arcs",
              "", .takes = "graph"},
    .judge = judge_forest};

/* ---- Independent sets ---- */

static np_status judge_independent(np_case *c)
{
    const np_graph *g = &c->given->graph;
    size_t members = 0;
    if (!np_case_sized(c, g->vertices))
        return NP_OK;
    for (size_t v = 0; v < g->vertices; v++) {
        bool near = false;
        for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
            near |= c->answer[g->head[a]] == 1;
            if (c->answer[v] == 1 && c->answer[g->head[a]] == 1)
                np_case_wrong(c, "vertices %zu and %u are neighbours, and both in the set", v, g->head[a]);
        }
        if (c->answer[v] != 0 && c->answer[v] != 1)
            np_case_wrong(c, "word %zu of the answer is %lld, and not 0 or 1", v, (long long)c->answer[v]);
        else if (c->answer[v] == 0 && !near)
            np_case_wrong(c, "vertex %zu could join the set: none of its neighbours is in it", v);
        members += c->answer[v] == 1;
    }
    c->count = members;
    snprintf(c->words, sizeof c->words, "%zu of %zu vertices", members, g->vertices);
    return NP_OK;
}

const np_judge np_judge_independent_set = {.entry = {"independent-set",
                                                     "for each vertex 1 if it is in a maximal independent set, else 0",
                                                     "", .takes = "graph"},
                                           .judge = judge_independent};

/* ---- Colours ---- */

static np_status judge_colouring(np_case *c)
{
    const np_given *g = c->given;
    if (!np_case_sized(c, g->count))
        return NP_OK;
    for (size_t i = 0; i < g->count; i++) {
        size_t next = (size_t)g->word[i];
        if (c->answer[i] < 0 || c->answer[i] > 2)
            np_case_wrong(c, "item %zu has the colour %lld, and not one of 0 to 2", i, (long long)c->answer[i]);
        else if (next != i && c->answer[next] == c->answer[i])
            np_case_wrong(c, "items %zu and %zu, which is next, have the same colour", i, next);
    }
    return NP_OK;
}

const np_judge np_judge_list_colouring = {
    .entry = {"list-colouring", "for each item of a list a colour 0, 1 or 2, not that of the next item", "",
              .takes = "list"},
    .judge = judge_colouring};
