/* Lists, trees and numbers in order: drawn, and checked if they come from files. */
#include "machine/script/data.h"

#include <inttypes.h>

/* ---- Lists and parents ---- */

static np_status check_numbers(const char *path, size_t count, const np_word *to)
{
    for (size_t i = 0; i < count; i++)
        if (to[i] < 0 || (uint64_t)to[i] >= count)
            return NP_RAISE(NP_ERROR_INPUT, "%.200s: item %zu has %" PRId64 ": the items are 0..%zu", path, i, to[i],
                            count - 1);
    return NP_OK;
}

/* before[i]: the number of the item before item i, plus 1; 0: there is none. */
static np_status find_before(const char *path, size_t count, const np_word *next, uint32_t *before)
{
    for (size_t i = 0; i < count; i++) {
        if ((size_t)next[i] == i)
            continue;
        if (before[next[i]])
            return NP_RAISE(NP_ERROR_INPUT, "%.200s: items %u and %zu have the same successor, %" PRId64, path,
                            before[next[i]] - 1, i, next[i]);
        before[next[i]] = (uint32_t)i + 1;
    }
    return NP_OK;
}

np_status np_check_list(const char *path, size_t count, const np_word *next)
{
    uint32_t *before = NULL;
    size_t reached = 0;
    np_status st = check_numbers(path, count, next);
    if (!st)
        st = np_memory_zeroed(&before, count + 1, sizeof *before, "what is before each item of a list");
    if (!st)
        st = find_before(path, count, next, before);
    for (size_t i = 0; !st && i < count; i++)
        if ((size_t)next[i] == i)
            for (size_t at = i + 1; at; at = before[at - 1])
                reached++;
    np_memory_free(before);
    if (!st && reached < count)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: %zu items go round in circles: the last of a list names itself", path,
                        count - reached);
    return st;
}

/* From each vertex up to one that is known to lead to a root. A second walk says so of all on the way. */
np_status np_check_parents(const char *path, size_t count, const np_word *parent)
{
    uint8_t *state = NULL; /* 1: on this way; 2: leads to a root */
    np_status st = check_numbers(path, count, parent);
    if (!st)
        st = np_memory_zeroed(&state, count + 1, 1, "the vertices of a tree");
    for (size_t i = 0; i < count && !st; i++) {
        size_t at = i;
        for (; !state[at] && (size_t)parent[at] != at; at = (size_t)parent[at])
            state[at] = 1;
        if (state[at] == 1)
            st = NP_RAISE(NP_ERROR_INPUT, "%.200s: from vertex %zu the parents go round in a circle: a root has itself",
                          path, i);
        for (at = i; !st && state[at] != 2; at = (size_t)parent[at])
            state[at] = 2;
    }
    np_memory_free(state);
    return st;
}

/* ---- Order ---- */

np_status np_check_sorted(const char *path, size_t count, const np_word *word)
{
    for (size_t i = 1; i < count; i++)
        if (word[i] < word[i - 1])
            return NP_RAISE(NP_ERROR_INPUT,
                            "%.200s: number %zu is %" PRId64 " after %" PRId64 ": they must be in order", path, i,
                            word[i], word[i - 1]);
    return NP_OK;
}

np_status np_check_truths(const char *path, size_t count, const np_word *word)
{
    for (size_t i = 0; i < count; i++)
        if (word[i] != 0 && word[i] != 1)
            return NP_RAISE(NP_ERROR_INPUT, "%.200s: number %zu is %" PRId64 ": the input is of bool: 0 or 1", path, i,
                            word[i]);
    return NP_OK;
}

/* ---- Trees as graphs ---- */

np_status np_draw_tree_graph(np_problem *p)
{
    uint32_t *from, *to;
    size_t edges = p->n - 1;
    np_status st;
    if ((st = np_workspace_take(&p->work, &from, edges, sizeof *from)) ||
        (st = np_workspace_take(&p->work, &to, edges, sizeof *to)))
        return st;
    for (size_t v = 1; v < p->n; v++) {
        from[v - 1] = np_random_below(&p->draws, (uint32_t)v, 2, (uint32_t)v);
        to[v - 1] = (uint32_t)v;
    }
    return np_graph_make(&p->work, p->n, edges, from, to, false, &p->graph);
}

/* How many vertices are connected with vertex 0. met, stack: [vertices] */
static size_t reach(const np_graph *g, uint8_t *met, uint32_t *stack)
{
    size_t top = 1, reached = 1;
    met[0] = 1;
    stack[0] = 0;
    while (top) {
        uint32_t v = stack[--top];
        for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
            if (!met[g->head[a]]) {
                met[g->head[a]] = 1;
                stack[top++] = g->head[a];
                reached++;
            }
    }
    return reached;
}

np_status np_check_tree_graph(const char *path, const np_graph *g)
{
    uint8_t *met = NULL;
    uint32_t *stack = NULL;
    size_t reached = 0, n = g->vertices;
    np_status st = np_memory_zeroed(&met, n + 1, 1, "the vertices of a tree");
    if (!st)
        st = np_memory_array(&stack, n + 1, sizeof *stack, "the vertices of a tree");
    if (!st)
        reached = reach(g, met, stack);
    NP_MEMORY_FREE(met, stack);
    if (!st && reached < n)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: no tree: only %zu of its %zu nodes are connected with node 0", path,
                        reached, n);
    if (!st && g->arcs != 2 * (n - 1))
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: no tree: %zu edges join its %zu nodes, and not %zu", path, g->arcs / 2,
                        n, n - 1);
    return st;
}
