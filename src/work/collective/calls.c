/*
 * Broadcast and gather by telephone on a tree of shortest paths, on any network: a node calls one neighbour at a time.
 *
 * Broadcast: a node that knows the packet calls its children one after the other, the child that has most to do first.
 * The broadcast below v takes t(v) = max over its children, in falling order of their own t, of i + t(child i), i from
 * 1. No order on the tree is faster (Slater, Cockayne & Hedetniemi 1981).
 *
 * Gather: in every round, from the root outwards, each node that is not called yet is called by one of its children:
 * the one that has a packet and still has most to bring. The root is idle only while no neighbour has a packet. Between
 * two branches it takes turns, so that P - 1 rounds, or few more, are enough where neither branch has more than half of
 * the nodes. At the end of an array a packet comes every other round: 2n - 3 rounds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "work/collective/tree.h"

typedef struct calls {
    np_tree tree;
    uint32_t *time;  /* [nodes] to broadcast: t(v), later the round in which v is called; to gather: packets to bring */
    uint32_t *place; /* [nodes + 2] to broadcast: nodes by their time; to gather: first child in `child` */
    np_node *child;  /* [nodes] in the order of their parents; to broadcast: by round */
    uint32_t *queue; /* [nodes] to gather: the first packet that waits, NP_NONE */
    uint32_t *behind; /* [nodes] of a packet: the packet that waits behind it */
    uint8_t *busy;    /* [nodes] in this round */
    uint32_t rounds, round;
} calls;

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    size_t nodes = job->network->nodes;
    calls counted, *c = np_collective_own(job, arena, &counted, sizeof *c);
    np_tree_layout(&c->tree, job, arena);
    np_arena_zeroed(arena, &c->time, nodes, sizeof *c->time, "the nodes' times");
    np_arena_zeroed(arena, &c->place, nodes + 2, sizeof *c->place, "a tree's nodes");
    np_arena_array(arena, &c->child, nodes, sizeof *c->child, "the nodes' children");
    if (job->ops->kind != NP_GATHER)
        return;
    np_arena_array(arena, &c->queue, nodes, sizeof *c->queue, "the nodes' packets");
    np_arena_array(arena, &c->behind, nodes, sizeof *c->behind, "the packets that wait");
    np_arena_array(arena, &c->busy, nodes, sizeof *c->busy, "a round");
}

typedef struct sibling {
    np_node parent, node;
    uint32_t time;
} sibling;

static int by_parent(const void *a, const void *b)
{
    const sibling *s = a, *t = b;
    return s->parent != t->parent ? np_order(s->parent, t->parent) : np_order_pair(t->time, s->time, s->node, t->node);
}

/* Finds t(v) of all nodes, from the deepest nodes up. All siblings at one depth are sorted together. list: [nodes] */
static void find_times(const np_tree *tree, uint32_t nodes, sibling *list, uint32_t *time)
{
    for (uint32_t end = nodes, first; end > 1; end = first) {
        for (first = end; first > 1 && tree->depth[tree->order[first - 1]] == tree->depth[tree->order[end - 1]];)
            first--;
        for (uint32_t i = first; i < end; i++) {
            np_node v = tree->order[i];
            list[i] = (sibling){tree->parent[v], v, time[v]};
        }
        qsort(list + first, end - first, sizeof *list, by_parent);
        for (uint32_t i = first, rank = 1; i < end; i++, rank++) {
            np_node parent = list[i].parent;
            rank = i > first && list[i - 1].parent == parent ? rank : 1;
            time[parent] = time[parent] > rank + list[i].time ? time[parent] : rank + list[i].time;
        }
    }
}

/* The round in which each node is called: the round of its parent plus its rank among its siblings. The root's is 0. */
static void find_rounds(uint32_t nodes, np_node root, const sibling *list, uint32_t *round)
{
    round[root] = 0;
    for (uint32_t i = 1, rank = 1; i < nodes; i++, rank++) {
        rank = i > 1 && list[i - 1].parent == list[i].parent ? rank : 1;
        round[list[i].node] = round[list[i].parent] + rank;
    }
}

/* The rounds of a broadcast. time, if it is not NULL, receives the round in which each node is called. */
static np_status plan(const np_collective_job *job, const np_tree *tree, uint32_t *time, uint32_t *rounds)
{
    uint32_t nodes = job->network->nodes, *own = NULL;
    sibling *list = NULL;
    np_status st;
    if (!(st = np_memory_zeroed(&own, nodes, sizeof *own, "a tree's times")) &&
        !(st = np_memory_array(&list, nodes, sizeof *list, "a tree's times"))) {
        find_times(tree, nodes, list, own);
        *rounds = own[job->options.root];
        if (time)
            find_rounds(nodes, job->options.root, list, time);
    }
    NP_MEMORY_FREE(own, list);
    return st;
}

/* Counting sort by key, which is below keys: place[k] .. place[k + 1] - 1 are the nodes of key k. At most `nodes`
   keys. */
static void sort_nodes(calls *c, uint32_t nodes, uint32_t keys, const uint32_t *key, np_node skip)
{
    for (np_node v = 0; v < nodes; v++)
        c->place[key[v] + 2] += v != skip;
    for (uint32_t k = 0; k < keys; k++)
        c->place[k + 2] += c->place[k + 1];
    for (np_node v = 0; v < nodes; v++)
        if (v != skip)
            c->child[c->place[key[v] + 1]++] = v;
}

static void begin_gather(const np_collective_job *job, calls *c)
{
    uint32_t nodes = job->network->nodes;
    sort_nodes(c, nodes, nodes, c->tree.parent, job->options.root);
    for (uint32_t i = nodes; i--;) {
        np_node v = c->tree.order[i];
        c->queue[v] = v;
        c->behind[v] = NP_NONE;
        c->time[v]++;
        if (i)
            c->time[c->tree.parent[v]] += c->time[v];
    }
}

static np_status begin(np_collective_job *job)
{
    calls *c = job->own;
    np_status st = np_tree_fill(&c->tree, job);
    if (st)
        return st;
    if (job->ops->kind == NP_GATHER)
        begin_gather(job, c);
    else if (!(st = plan(job, &c->tree, c->time, &c->rounds)))
        sort_nodes(c, job->network->nodes, c->rounds + 1, c->time, job->options.root);
    return st;
}

static np_status next_broadcast(np_collective_job *job)
{
    calls *c = job->own;
    uint32_t round = ++c->round;
    np_status st = NP_OK;
    for (uint32_t i = c->place[round]; round <= c->rounds && i < c->place[round + 1] && !st; i++)
        st = np_round_add(&job->round, c->tree.link[c->child[i]], 0);
    return st;
}

/* The child of u that has a packet, is not busy, and has most to bring; NP_NONE if there is none. */
static np_node best_child(const calls *c, np_node u)
{
    np_node best = NP_NONE;
    for (uint32_t i = c->place[u]; i < c->place[u + 1]; i++) {
        np_node v = c->child[i];
        if (!c->busy[v] && c->queue[v] != NP_NONE && (best == NP_NONE || c->time[v] > c->time[best]))
            best = v;
    }
    return best;
}

static np_status next_gather(np_collective_job *job)
{
    calls *c = job->own;
    uint32_t nodes = job->network->nodes;
    np_round *round = &job->round;
    np_status st = NP_OK;
    for (np_node v = 0; v < nodes; v++)
        c->busy[v] = false;
    for (uint32_t i = 0; i < nodes && !st; i++) {
        np_node u = c->tree.order[i], v = c->busy[u] ? NP_NONE : best_child(c, u);
        if (v == NP_NONE)
            continue;
        uint32_t packet = c->queue[v];
        st = np_round_add(round, c->tree.link[v], packet);
        c->busy[u] = c->busy[v] = true;
        c->queue[v] = c->behind[packet];
        c->time[v]--;
        c->behind[packet] = c->queue[u]; /* no node sends and receives in one round: the packet may go first */
        c->queue[u] = packet;
    }
    return st;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_tree tree;
    uint32_t rounds = 0;
    np_status st = np_tree_init(&tree, job);
    if (!st)
        st = plan(job, &tree, NULL, &rounds);
    np_tree_clear(&tree);
    out->rounds = out->steps = rounds;
    snprintf(out->text, sizeof out->text, "t(root), with t(v) = max of i + t(child i), children with falling t");
    return st;
}

static const char *refuses(const np_network *network)
{
    if (np_collective_complete(network))
        return "its tree is a star";
    return np_collective_but_terminals(network);
}

const np_collective_ops np_calls_broadcast = {
    .info = {"calls", "down a tree of shortest paths, one call a node and round",
             "after Slater, Cockayne & Hedetniemi 1981", .operation = "broadcast", .networks = "all but complete",
             .ports = "telephone"},
    .kind = NP_BROADCAST,
    .ports = NP_TELEPHONE,
    .single = true,
    .refuses = refuses,
    .own = layout,
    .begin = begin,
    .next = next_broadcast,
    .formula = formula,
};

const np_collective_ops np_calls_gather = {
    .info = {"calls", "up a tree of shortest paths, one call a node and round", "", .operation = "gather",
             .networks = "all but complete", .ports = "telephone"},
    .kind = NP_GATHER,
    .ports = NP_TELEPHONE,
    .single = true,
    .refuses = refuses,
    .own = layout,
    .begin = begin,
    .next = next_gather,
};
