/*
 * The input of PRAM programs: graphs drawn from the seed, and graphs made of links in any order, whose
 * directions, loops and repetitions are ignored. src/machine/script/input.c draws and reads all else.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "machine/pram/program.h"

/* ---- Memory that lasts as long as the program ---- */

np_status np_workspace_array(np_workspace *work, void *out, size_t count, size_t size)
{
    void *block = NULL;
    np_status st = NP_OK;
    if (work->blocks == NP_WORKSPACE_BLOCKS)
        st = NP_RAISE(NP_ERROR_INTERNAL, "a PRAM program with more than %d arrays", NP_WORKSPACE_BLOCKS);
    if (!st && !(st = np_memory_array(&block, count, size, "the arrays of a PRAM program")))
        work->block[work->blocks++] = block;
    memcpy(out, &block, sizeof block); /* out points to a pointer of some type */
    return st;
}

np_status np_workspace_take(np_workspace *work, void *out, size_t count, size_t size)
{
    np_status st = np_workspace_array(work, out, count, size);
    if (!st)
        np_team_clear(work->team, work->block[work->blocks - 1], count * size);
    return st;
}

void np_workspace_clear(np_workspace *work)
{
    while (work->blocks)
        np_memory_free(work->block[--work->blocks]);
}

/* ---- Numbers ---- */

static int by_value(const void *a, const void *b)
{
    np_word x = *(const np_word *)a, y = *(const np_word *)b;
    return (x > y) - (x < y);
}

void np_sort_words(size_t count, np_word *word) { qsort(word, count, sizeof *word, by_value); }

/* ---- Graphs ---- */

/*
 * Arcs as words tail * 2^32 + head, sorted, once each: the links as they are, or both directions of those that are no
 * loops. Returns how many.
 */
static size_t sort_arcs(size_t count, const uint32_t *from, const uint32_t *to, bool directed, uint64_t *arc)
{
    size_t all = 0, arcs = 0;
    for (size_t i = 0; i < count; i++)
        if (directed || from[i] != to[i]) {
            arc[all++] = (uint64_t)from[i] << 32 | to[i];
            if (!directed)
                arc[all++] = (uint64_t)to[i] << 32 | from[i];
        }
    qsort(arc, all, sizeof *arc, np_order_words);
    for (size_t i = 0; i < all; i++)
        if (!arcs || arc[i] != arc[arcs - 1])
            arc[arcs++] = arc[i];
    return arcs;
}

np_status np_graph_make(np_workspace *work, size_t vertices, size_t count, const uint32_t *from, const uint32_t *to,
                        bool directed, np_graph *out)
{
    uint64_t *arc;
    np_status st;
    *out = (np_graph){.vertices = vertices};
    if ((st = np_workspace_take(work, &arc, 2 * count, sizeof *arc)))
        return st;
    out->arcs = sort_arcs(count, from, to, directed, arc);
    if ((st = np_workspace_take(work, &out->tail, out->arcs, sizeof *out->tail)) ||
        (st = np_workspace_take(work, &out->head, out->arcs, sizeof *out->head)) ||
        (st = np_workspace_take(work, &out->first, vertices + 1, sizeof *out->first)))
        return st;
    for (size_t i = 0; i < out->arcs; i++) {
        out->tail[i] = (uint32_t)(arc[i] >> 32);
        out->head[i] = (uint32_t)arc[i];
        out->first[out->tail[i] + 1]++;
    }
    for (size_t v = 0; v < vertices; v++)
        out->first[v + 1] += out->first[v];
    return NP_OK;
}

np_status np_draw_graph(np_problem *problem, bool directed)
{
    size_t edges = problem->options.edges;
    uint32_t *from, *to;
    np_status st;
    if ((st = np_workspace_take(&problem->work, &from, edges, sizeof *from)) ||
        (st = np_workspace_take(&problem->work, &to, edges, sizeof *to)))
        return st;
    for (size_t i = 0; i < edges; i++) {
        from[i] = np_random_below(&problem->draws, (uint32_t)i, 0, (uint32_t)problem->n);
        to[i] = np_random_below(&problem->draws, (uint32_t)i, 1, (uint32_t)problem->n);
    }
    return np_graph_make(&problem->work, problem->n, edges, from, to, directed, &problem->graph);
}
