#include "work/collective/tree.h"

#include <string.h>

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/network/search.h"

void np_tree_clear(np_tree *tree)
{
    np_memory_free(tree->block);
    *tree = (np_tree){0};
}

void np_tree_layout(np_tree *tree, const np_collective_job *job, np_arena *arena)
{
    size_t nodes = job->network->nodes;
    np_tree *t = tree;
    np_arena_array(arena, &t->depth, nodes, sizeof *t->depth, "the depths");
    np_arena_array(arena, &t->order, nodes, sizeof *t->order, "the order");
    np_arena_zeroed(arena, &t->parent, nodes, sizeof *t->parent, "the parents");
    np_arena_zeroed(arena, &t->link, nodes, sizeof *t->link, "the links");
    np_arena_zeroed(arena, &t->branch, nodes, sizeof *t->branch, "the branches");
    np_arena_zeroed(arena, &t->size, nodes, sizeof *t->size, "the branches' sizes");
}

/*
 * Chooses the parent of v, among its neighbours that are one hop nearer to the root: the one with the smallest branch.
 */
static void adopt(const np_search *search, const np_collective_job *job, np_tree *t, np_node v)
{
    const np_network *network = job->network;
    bool gather = job->ops->kind == NP_GATHER;
    np_link first = gather ? np_network_first_link(network, v) : search->in_row[v];
    np_link end = gather ? np_network_first_link(network, v + 1) : search->in_row[v + 1];
    uint32_t least = NP_NONE;
    for (np_link i = first; i < end; i++) {
        np_link link = gather ? i : search->in[i];
        np_node parent = gather ? search->head[link] : np_network_link_tail(network, link);
        if (parent == NP_NONE || t->depth[parent] + 1 != t->depth[v])
            continue;
        uint32_t branch = t->depth[v] == 1 ? v : t->branch[parent];
        if (t->size[branch] >= least)
            continue;
        least = t->size[branch];
        t->link[v] = link;
        t->parent[v] = parent;
        t->branch[v] = branch;
    }
    t->size[t->branch[v]]++;
}

np_status np_tree_fill(np_tree *tree, const np_collective_job *job)
{
    size_t nodes = job->network->nodes;
    np_search search;
    np_status st = np_search_init(&search, job->network);
    if (st)
        goto out;
    np_search_distances(&search, job->options.root, job->ops->kind == NP_GATHER, tree->depth);
    if (search.reached < nodes) {
        st = NP_RAISE(NP_ERROR_APPLY, "%s is not connected: %u of its %zu nodes are linked with root %.80s",
                      np_network_spec(job->network), search.reached, nodes,
                      NP_NODE_NAME(job->network, job->options.root));
        goto out;
    }
    memcpy(tree->order, search.order, nodes * sizeof *tree->order);
    for (np_node i = 1; i < nodes; i++)
        adopt(&search, job, tree, tree->order[i]);
out:
    np_search_clear(&search);
    return st;
}

/* A tree that is in nobody's own, and its job. */
typedef struct alone {
    np_tree *tree;
    const np_collective_job *job;
} alone;

static void layout(void *object, np_arena *arena)
{
    const alone *a = object;
    np_tree_layout(a->tree, a->job, arena);
}

np_status np_tree_init(np_tree *tree, const np_collective_job *job)
{
    alone a = {tree, job};
    np_status st = np_arena_place(&a, layout, "a tree", &tree->block);
    return st ? st : np_tree_fill(tree, job);
}
