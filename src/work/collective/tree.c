/*
 * Broadcast and gather on a tree of shortest paths to the root, with all links of a node at once, on any network.
 *
 * Broadcast in f flits: flit i reaches depth h after i + h rounds (i from 0). f + D_root - 1 rounds in all.
 *
 * Gather: a node sends a packet to its parent in every round as long as it has one. It has one in every round until it
 * has sent the last packet of its subtree, because the subtrees below its children send without a gap too. So gather
 * takes as many rounds as the largest branch of the root has nodes. Therefore a node chooses, among the possible
 * parents nearer to the root, the one whose branch has the fewest nodes so far. If the root is the corner of a mesh,
 * two branches share the nodes evenly.
 */
#include <stdio.h>

#include "work/collective/tree.h"

typedef struct tree {
    np_tree shape;
    uint32_t *queue; /* [nodes] the first packet that waits, or NP_NONE; behind: of a packet, the one behind it */
    uint32_t *last, *behind;
    uint64_t round;
} tree;

static void wait_at(tree *t, np_node u, uint32_t packet)
{
    t->behind[packet] = NP_NONE;
    if (t->queue[u] == NP_NONE)
        t->queue[u] = packet;
    else
        t->behind[t->last[u]] = packet;
    t->last[u] = packet;
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    size_t nodes = job->network->nodes;
    tree counted, *t = np_collective_own(job, arena, &counted, sizeof *t);
    np_tree_layout(&t->shape, job, arena);
    if (job->ops->kind == NP_BROADCAST)
        return;
    NP_ARENA_WORDS(arena, nodes, "a tree", &t->queue, &t->last, &t->behind);
}

static np_status begin(np_collective_job *job)
{
    tree *t = job->own;
    np_status st = np_tree_fill(&t->shape, job);
    if (st || job->ops->kind == NP_BROADCAST)
        return st;
    for (np_node u = 0; u < job->network->nodes; u++) {
        t->queue[u] = NP_NONE;
        wait_at(t, u, u);
    }
    return NP_OK;
}

static np_status next_broadcast(np_collective_job *job)
{
    tree *t = job->own;
    const uint32_t *depth = t->shape.depth;
    uint64_t round = ++t->round;
    np_status st = NP_OK;
    for (np_node v = 0; v < job->network->nodes && !st; v++)
        if (v != job->options.root && depth[v] <= round && round - depth[v] < job->pieces)
            st = np_round_add(&job->round, t->shape.link[v], (uint32_t)(round - depth[v]));
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
        np_status st = np_round_add(round, t->shape.link[v], packet);
        if (st)
            return st;
        t->queue[v] = t->behind[packet];
    }
    for (size_t i = 0; i < round->count; i++)
        wait_at(t, np_network_link_head(job->network, round->link[i]), round->piece[i]);
    return NP_OK;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    bool broadcast = job->ops->kind == NP_BROADCAST;
    uint32_t deepest = 0, largest = 0;
    np_tree t;
    np_status st = np_tree_init(&t, job);
    for (np_node v = 0; !st && v < job->network->nodes; v++) {
        deepest = t.depth[v] > deepest ? t.depth[v] : deepest;
        largest = v != job->options.root && t.size[v] > largest ? t.size[v] : largest;
    }
    np_tree_clear(&t);
    if (st)
        return st;
    out->rounds = out->steps = broadcast ? job->pieces + deepest - 1 : largest;
    snprintf(out->text, sizeof out->text, "%s",
             broadcast ? "f + D - 1, D the distance of the farthest node" : "nodes in the largest branch of the root");
    return NP_OK;
}

const np_collective_ops np_tree_broadcast = {
    .info = {"tree", "flits down a tree of shortest paths: f + D - 1", "after Sibeyn, lecture notes",
             .operation = "broadcast", .networks = "all", .ports = "full-port"},
    .flits = true,
    .kind = NP_BROADCAST,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = np_collective_but_terminals,
    .own = layout,
    .begin = begin,
    .next = next_broadcast,
    .formula = formula,
};

const np_collective_ops np_tree_gather = {
    .info = {"tree", "up a balanced tree of shortest paths: the largest branch", "after Sibeyn, lecture notes",
             .operation = "gather", .networks = "all", .ports = "full-port"},
    .kind = NP_GATHER,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = np_collective_but_terminals,
    .own = layout,
    .begin = begin,
    .next = next_gather,
    .formula = formula,
};
