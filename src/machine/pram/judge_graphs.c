/*
 * Judges of problems on lists, trees and graphs. Of sets of vertices and edges, and of colours, any right answer will
 * do: what makes it right is checked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/plural.h"
#include "machine/pram/judge.h"

/* ---- Lists ---- */

/* The ends first; then each item whose successor is known, backwards along the list. */
static np_status judge_list_ranking(np_case *c)
{
    const np_given *g = c->given;
    np_word *before, *rank;
    np_status st;
    if (!np_case_sized(c, g->count))
        return NP_OK;
    if ((st = np_workspace_array(c->work, &before, g->count, sizeof *before)) ||
        (st = np_workspace_take(c->work, &rank, g->count, sizeof *rank)))
        return st;
    for (size_t i = 0; i < g->count; i++)
        before[i] = -1;
    for (size_t i = 0; i < g->count; i++)
        if (g->word[i] != (np_word)i)
            before[g->word[i]] = (np_word)i;
    for (size_t i = 0; i < g->count; i++)
        for (np_word at = (np_word)i, far = 0; g->word[i] == (np_word)i && at >= 0; at = before[at])
            rank[at] = far++;
    np_case_words(c, g->count, rank);
    return NP_OK;
}

const np_judge np_judge_list_ranking = {
    .entry = {"list-ranking", "how far each item is from the end of its list", "", .takes = "list"},
    .judge = judge_list_ranking};

/* ---- Searches ---- */

/* Distances from the root by breadth-first search, and the vertex from which each was reached; -1: none. */
static np_status search(np_case *c, np_word root, np_word *distance, np_word *parent)
{
    const np_graph *g = &c->given->graph;
    uint32_t *queue;
    size_t first = 0, last = 1;
    np_status st = np_workspace_take(c->work, &queue, g->vertices, sizeof *queue);
    if (st)
        return st;
    for (size_t v = 0; v < g->vertices; v++)
        distance[v] = parent[v] = -1;
    queue[0] = (uint32_t)root;
    distance[root] = 0;
    for (; first < last; first++)
        for (uint32_t a = g->first[queue[first]]; a < g->first[queue[first] + 1]; a++)
            if (distance[g->head[a]] < 0) {
                distance[g->head[a]] = distance[queue[first]] + 1;
                parent[g->head[a]] = queue[first];
                queue[last++] = g->head[a];
            }
    return NP_OK;
}

static np_status search_again(np_case *c, np_word *root, np_word **distance, np_word **parent)
{
    size_t n = c->given->graph.vertices;
    np_status st;
    *root = np_case_option(c, "root", 0);
    if ((st = np_workspace_array(c->work, distance, n, sizeof **distance)) ||
        (st = np_workspace_array(c->work, parent, n, sizeof **parent)))
        return st;
    return search(c, *root, *distance, *parent);
}

static np_status judge_distances(np_case *c)
{
    size_t n = c->given->graph.vertices, reached = 0;
    np_word root, *distance, *parent, farthest = 0;
    if (!np_case_sized(c, n))
        return NP_OK;
    np_status st = search_again(c, &root, &distance, &parent);
    for (size_t v = 0; v < n && !st && np_case_word(c, v, distance[v]); v++) {
        reached += distance[v] >= 0;
        farthest = distance[v] > farthest ? distance[v] : farthest;
    }
    c->count = reached;
    snprintf(c->words, sizeof c->words, "%zu of %zu vertices reached, the farthest over %lld edges", reached, n,
             (long long)farthest);
    return st;
}

const np_judge np_judge_distances = {
    .entry = {"distances", "of all vertices from vertex 0, or that of option root, in edges; -1: not reached", "",
              .takes = "graph"},
    .judge = judge_distances};

static np_status judge_tree(np_case *c)
{
    size_t n = c->given->graph.vertices;
    np_word root, *distance, *parent;
    if (!np_case_sized(c, 2 * n))
        return NP_OK;
    np_status st = search_again(c, &root, &distance, &parent);
    for (size_t v = 0; v < n && !st && np_case_word(c, v, parent[v]) && np_case_word(c, n + v, distance[v]);)
        v++;
    return st;
}

const np_judge np_judge_tree = {.entry = {"tree",
                                          "the parent of every vertex of a tree with root 0 (-1: none), then its depth",
                                          "", .takes = "graph"},
                                .judge = judge_tree};

/* ---- Components ---- */

/* The root of v, with halving of paths. */
static uint32_t find(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* Does the edge join two components? Then they are one, with the smaller root on top. */
static bool join(uint32_t *parent, const np_graph *g, size_t arc)
{
    uint32_t u = find(parent, g->tail[arc]), v = find(parent, g->head[arc]);
    parent[u > v ? u : v] = u > v ? v : u;
    return u != v;
}

static void separate(uint32_t *parent, size_t vertices)
{
    for (size_t v = 0; v < vertices; v++)
        parent[v] = (uint32_t)v;
}

/* A name is a vertex of the component, and the same for all its vertices. */
static np_status judge_components(np_case *c)
{
    const np_graph *g = &c->given->graph;
    size_t n = g->vertices, components = 0;
    uint32_t *parent;
    if (!np_case_sized(c, n))
        return NP_OK;
    np_status st = np_workspace_array(c->work, &parent, n, sizeof *parent);
    if (st)
        return st;
    separate(parent, n);
    for (size_t a = 0; a < g->arcs; a++)
        join(parent, g, a);
    for (size_t v = 0; v < n; v++) {
        const np_word name = c->answer[v];
        const uint32_t least = find(parent, (uint32_t)v);
        components += least == v;
        if (name < 0 || (uint64_t)name >= n || find(parent, (uint32_t)name) != least)
            np_case_wrong(c, "vertex %zu has the name %lld, which is no vertex of its component", v, (long long)name);
        else if (name != c->answer[least])
            np_case_wrong(c, "vertices %zu and %u have the names %lld and %lld", v, least, (long long)name,
                          (long long)c->answer[least]);
    }
    c->count = components;
    snprintf(c->words, sizeof c->words, "%zu component%s of %zu vertices, %zu edges", components, np_plural(components),
             n, g->arcs / 2);
    return NP_OK;
}

const np_judge np_judge_components = {
    .entry = {"components", "for each vertex a vertex of its connected component, the same for all of them", "",
              .takes = "graph"},
    .judge = judge_components};

/* ---- Spanning forests ---- */

/* The weight of a least forest, edge by edge in the order of weights (Kruskal 1956); *edges: how many it has. */
static np_word least_weight(const np_given *given, np_keyed *sorted, uint32_t *parent, size_t *edges)
{
    const np_graph *g = &given->graph;
    np_word weight = 0;
    size_t count = 0;
    separate(parent, g->vertices);
    for (size_t a = 0; a < g->arcs; a++)
        if (g->tail[a] < g->head[a])
            sorted[count++] = (np_keyed){(uint64_t)given->weight[a] ^ UINT64_C(1) << 63, a};
    qsort(sorted, count, sizeof *sorted, np_order_keyed);
    for (size_t i = *edges = 0; i < count; i++)
        if (join(parent, g, (uint32_t)sorted[i].item)) {
            weight += given->weight[sorted[i].item];
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
            np_case_word_wrong(c, a, "0 or 1");
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
    np_keyed *sorted;
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
    .judge = judge_forest,
    .weighs = true};

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
            np_case_word_wrong(c, v, "0 or 1");
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
