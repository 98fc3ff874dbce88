#include "collective/tree.h"

#include <string.h>

#include "base/memory.h"
#include "network/search.h"

void np_tree_clear(np_tree *tree)
{
    np_memory_free(tree->depth);
    np_memory_free(tree->order);
    np_memory_free(tree->parent);
    np_memory_free(tree->link);
    np_memory_free(tree->branch);
    np_memory_free(tree->size);
    *tree = (np_tree){0};
}

/* The parent of v with the smallest branch, among the nodes one nearer to the root, by the link between them. */
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

np_status np_tree_init(np_tree *tree, const np_collective_job *job)
{
    np_tree *t = tree;
    size_t nodes = job->network->nodes;
    np_search search = {0};
    np_status st;
    *t = (np_tree){0};
    if ((st = np_memory_array(&t->depth, nodes, sizeof *t->depth, "a tree")) ||
        (st = np_memory_array(&t->order, nodes, sizeof *t->order, "a tree")) ||
        (st = np_memory_zeroed(&t->parent, nodes, sizeof *t->parent, "a tree")) ||
        (st = np_memory_zeroed(&t->link, nodes, sizeof *t->link, "a tree")) ||
        (st = np_memory_zeroed(&t->branch, nodes, sizeof *t->branch, "a tree")) ||
        (st = np_memory_zeroed(&t->size, nodes, sizeof *t->size, "a tree")) ||
        (st = np_search_init(&search, job->network)))
        goto out;
    np_search_distances(&search, job->options.root, job->ops->kind == NP_GATHER, t->depth);
    if (search.reached < nodes) {
        st = NP_RAISE(NP_ERROR_APPLY, "%s is not connected: %u of its %zu nodes are linked with root %u",
                      np_network_spec(job->network), search.reached, nodes, job->options.root);
        goto out;
    }
    memcpy(t->order, search.order, nodes * sizeof *t->order);
    for (np_node i = 1; i < nodes; i++)
        adopt(&search, job, t, t->order[i]);
out:
    np_search_clear(&search);
    return st;
}
