/*
 * Broadcast and gather on a tree of shortest paths to the root, with all links of a node at once: on any network.
 *
 * Broadcast in f flits: flit i reaches depth h after i + h rounds (i from 0): f + D_root - 1.
 * Gather: a node sends a packet to its parent in every round as long as it has any. It always has, until the last of
 * its subtree: the subtree below a child sends on without a gap as well. So it takes as many rounds as the largest
 * branch of the root has nodes. Nodes therefore choose among the parents that are nearer to the root the one whose
 * branch has fewest so far: at the corner of a mesh two branches share its nodes evenly.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "collective/collective.h"
#include "network/search.h"

typedef struct tree {
    uint32_t *depth;  /* [nodes] */
    np_link *link;    /* [nodes] between parent and node: downwards to broadcast, upwards to gather */
    uint32_t *branch; /* [nodes] the child of the root above the node */
    uint32_t *size;   /* [nodes] of the branch, at the child of the root */
    uint32_t *queue;  /* [nodes] the first packet that waits, NP_NONE; after, of a packet, the one behind it */
    uint32_t *last, *behind;
    uint64_t round;
} tree;

static void clear(tree *t)
{
    np_memory_free(t->depth);
    np_memory_free(t->link);
    np_memory_free(t->branch);
    np_memory_free(t->size);
    np_memory_free(t->queue);
    np_memory_free(t->last);
    np_memory_free(t->behind);
}

/* The parent of v with the smallest branch, among the nodes one nearer to the root, by the link between them. */
static void adopt(const np_search *search, const np_collective_job *job, tree *t, np_node v)
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
        t->branch[v] = branch;
    }
    t->size[t->branch[v]]++;
}

static np_status build(const np_collective_job *job, tree *t)
{
    size_t nodes = job->network->nodes;
    np_search search = {0};
    np_status st;
    if ((st = np_memory_array(&t->depth, nodes, sizeof *t->depth, "a tree")) ||
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
    for (np_node i = 1; i < nodes; i++)
        adopt(&search, job, t, search.order[i]);
out:
    np_search_clear(&search);
    return st;
}

static void wait_at(tree *t, np_node u, uint32_t packet)
{
    t->behind[packet] = NP_NONE;
    if (t->queue[u] == NP_NONE)
        t->queue[u] = packet;
    else
        t->behind[t->last[u]] = packet;
    t->last[u] = packet;
}

static np_status begin(np_collective_job *job)
{
    size_t nodes = job->network->nodes;
    tree *t;
    np_status st = np_memory_zeroed(&t, 1, sizeof *t, "a schedule");
    if (st)
        return st;
    job->own = t;
    if ((st = build(job, t)) || job->ops->kind == NP_BROADCAST)
        return st;
    if ((st = np_memory_array(&t->queue, nodes, sizeof *t->queue, "a tree")) ||
        (st = np_memory_array(&t->last, nodes, sizeof *t->last, "a tree")) ||
        (st = np_memory_array(&t->behind, nodes, sizeof *t->behind, "a tree")))
        return st;
    for (np_node u = 0; u < nodes; u++) {
        t->queue[u] = NP_NONE;
        wait_at(t, u, u);
    }
    return NP_OK;
}

static void end(np_collective_job *job)
{
    if (job->own)
        clear(job->own);
    np_memory_free(job->own);
    job->own = NULL;
}

static np_status next_broadcast(np_collective_job *job)
{
    tree *t = job->own;
    uint64_t round = ++t->round;
    np_status st = NP_OK;
    for (np_node v = 0; v < job->network->nodes && !st; v++)
        if (v != job->options.root && t->depth[v] <= round && round - t->depth[v] < job->pieces)
            st = np_round_add(&job->round, t->link[v], (uint32_t)(round - t->depth[v]));
    return st;
}

static np_status next_gather(np_collective_job *job)
{
    tree *t = job->own;
    np_round *round = &job->round;
    for (np_node v = 0; v < job->network->nodes; v++) {
        uint32_t packet = t->queue[v];
        if (v == job->options.root || packet == NP_NONE)
            continue;
        np_status st = np_round_add(round, t->link[v], packet);
        if (st)
            return st;
        t->queue[v] = t->behind[packet];
    }
    for (size_t i = 0; i < round->count; i++)
        wait_at(t, np_network_link_head(job->network, round->link[i]), round->piece[i]);
    return NP_OK;
}

static np_status formula(const np_collective_job *job, bool *known, np_collective_figure *out)
{
    bool broadcast = job->ops->kind == NP_BROADCAST;
    uint32_t deepest = 0, largest = 0;
    tree t = {0};
    np_status st = build(job, &t);
    for (np_node v = 0; !st && v < job->network->nodes; v++) {
        deepest = t.depth[v] > deepest ? t.depth[v] : deepest;
        largest = v != job->options.root && t.size[v] > largest ? t.size[v] : largest;
    }
    clear(&t);
    if (st)
        return st;
    out->rounds = out->steps = broadcast ? job->pieces + deepest - 1 : largest;
    snprintf(out->text, sizeof out->text, "%s",
             broadcast ? "f + D - 1, D the distance of the farthest node" : "nodes in the largest branch of the root");
    *known = true;
    return NP_OK;
}

static const char *refuses(const np_network *network)
{
    return np_network_all_terminals(network) && network->nodes > 1 ? NULL : "not all nodes send and receive";
}

const np_collective_ops np_tree_broadcast = {
    .info = {"broadcast", "tree", "all", "full-port", "flits down a tree of shortest paths: f + D - 1",
             "after Sibeyn, lecture notes", true},
    .kind = NP_BROADCAST,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .begin = begin,
    .next = next_broadcast,
    .end = end,
    .formula = formula,
};

const np_collective_ops np_tree_gather = {
    .info = {"gather", "tree", "all", "full-port", "up a balanced tree of shortest paths: the largest branch",
             "after Sibeyn, lecture notes", false},
    .kind = NP_GATHER,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .begin = begin,
    .next = next_gather,
    .end = end,
    .formula = formula,
};
