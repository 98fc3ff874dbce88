/* Judges of problems on lists, trees and graphs. */
#include <stdio.h>

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
    for (size_t i = 0; i < g->count && np_case_word(c, i, rank[i]);)
        i++;
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

/* The root of v, with halving of paths. In a union the smaller root comes on top. */
static np_word find(np_word *parent, np_word v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* A name is a vertex of the component, and the same for all its vertices. */
static np_status judge_components(np_case *c)
{
    const np_graph *g = &c->given->graph;
    size_t n = g->vertices, components = 0;
    np_word *parent;
    if (!np_case_sized(c, n))
        return NP_OK;
    np_status st = np_workspace_array(c->work, &parent, n, sizeof *parent);
    if (st)
        return st;
    for (size_t v = 0; v < n; v++)
        parent[v] = (np_word)v;
    for (size_t a = 0; a < g->arcs; a++) {
        np_word u = find(parent, g->tail[a]), v = find(parent, g->head[a]);
        parent[u > v ? u : v] = u > v ? v : u;
    }
    for (size_t v = 0; v < n; v++) {
        np_word name = c->answer[v], least = find(parent, (np_word)v);
        components += least == (np_word)v;
        if (name < 0 || (uint64_t)name >= n || find(parent, name) != least)
            np_case_wrong(c, "vertex %zu has the name %lld, which is no vertex of its component", v, (long long)name);
        else if (name != c->answer[least])
            np_case_wrong(c, "vertices %zu and %lld have the names %lld and %lld", v, (long long)least, (long long)name,
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
