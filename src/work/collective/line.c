/*
 * Collectives along a Hamiltonian path. A node sends to the next node and receives from the node before it; some also
 * use the other direction. The path of a mesh is the snake, the path of a hypercube the Gray code, and the path of a
 * complete network any path (Sibeyn).
 *
 * Broadcast in f flits: flit i leaves the first node in round i, and all flits are everywhere after f + P - 2 rounds.
 *
 * Gather: packets pass on towards the root, one side after the other, so that the root receives one packet a round:
 * P - 1 rounds. With one packet a round, fewer rounds are impossible.
 *
 * Gossip: what came from one side goes on to the other, both ways at once, in P - 1 rounds.
 */
#include <stdio.h>

#include "work/collective/collective.h"
#include "model/network/read_node.h"

typedef struct line {
    uint32_t position;  /* of the root */
    uint64_t round;     /* the present one, from 1 */
    np_node *node;      /* [nodes] in the order of the path */
    np_link *up, *down; /* [nodes] to the next and to the one before; NP_NONE at the ends */
} line;

/* Row-major with every other row backwards, in any number of dimensions; with sides 2 this is the Gray code. */
static np_node snake(const np_axes *axes, uint32_t i)
{
    np_node u = 0;
    bool back = false;
    for (uint32_t a = 0; a < axes->count; a++) {
        uint32_t prefix = i / axes->stride[a], x = prefix % axes->side[a];
        u += (back ? axes->side[a] - 1 - x : x) * axes->stride[a];
        back = prefix & 1; /* rows are numbered along the snake of the dimensions so far */
    }
    return u;
}

/* Translates node u of the path so that the path begins at the root, where node symmetry allows it; else returns u. */
static np_node translate(const np_collective_job *job, np_node u)
{
    const np_axes *axes = &job->axes;
    np_node root = job->options.root, v = u;
    if (!axes->count)
        return (np_node)(((uint64_t)u + root) % job->network->nodes);
    if (!axes->wrap && !axes->cube)
        return u;
    for (uint32_t a = 0; a < axes->count; a++)
        v = np_axes_with(axes, v, a,
                         (np_axes_coordinate(axes, u, a) + np_axes_coordinate(axes, root, a)) % axes->side[a]);
    return v;
}

static np_node path_node(const np_collective_job *job, uint32_t i)
{
    return translate(job, job->axes.count ? snake(&job->axes, i) : i);
}

/* A broadcast begins at the root, which may be the first or the last node of the path. */
static np_status check_broadcast(const np_collective_job *job)
{
    np_node first = path_node(job, 0), last = path_node(job, job->network->nodes - 1), root = job->options.root;
    if (root == first || root == last)
        return NP_OK;
    np_node to_first = root > first ? root - first : first - root, to_last = root > last ? root - last : last - root;
    np_node nearest = to_first < to_last ? first : last;
    return NP_RAISE(
        NP_ERROR_APPLY, "root %.80s: 'linear' begins at an end of the path through %s: the nearest is %.80s",
        NP_NODE_NAME(job->network, root), np_network_spec(job->network), NP_NODE_NAME(job->network, nearest));
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    size_t nodes = job->network->nodes;
    line counted, *l = np_collective_own(job, arena, &counted, sizeof *l);
    NP_ARENA_WORDS(arena, nodes, "a path", &l->node, &l->up, &l->down);
}

static size_t transfers_gossip(const np_collective_job *job) { return 2 * (size_t)job->network->nodes; }

static np_status begin(np_collective_job *job)
{
    size_t nodes = job->network->nodes;
    line *l = job->own;
    bool reversed = job->ops->kind == NP_BROADCAST && path_node(job, 0) != job->options.root;
    for (uint32_t i = 0; i < nodes; i++) {
        l->node[i] = path_node(job, reversed ? (uint32_t)nodes - 1 - i : i);
        if (l->node[i] == job->options.root)
            l->position = i;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        l->up[i] = i + 1 < nodes ? np_collective_link(job->network, l->node[i], l->node[i + 1]) : NP_NONE;
        l->down[i] = i ? np_collective_link(job->network, l->node[i], l->node[i - 1]) : NP_NONE;
    }
    return NP_OK;
}

/* In round t node i sends flit t - i - 1. */
static np_status next_broadcast(np_collective_job *job)
{
    line *l = job->own;
    uint64_t t = ++l->round;
    np_status st = NP_OK;
    for (uint32_t i = 0; i + 1 < job->network->nodes && i < t && !st; i++)
        if (t - i - 1 < job->pieces)
            st = np_round_add(&job->round, l->up[i], (uint32_t)(t - i - 1));
    return st;
}

/* The packets behind the root arrive in rounds 1 .., the nearest first; then the packets before the root. Between the
   root and packet j, which is j hops away, there are j - 1 nodes. They pass it on in the rounds before. */
static np_status next_gather(np_collective_job *job)
{
    line *l = job->own;
    uint32_t root = l->position, behind = job->network->nodes - 1 - root;
    uint64_t t = ++l->round;
    np_status st = NP_OK;
    for (uint32_t hop = 0; hop < behind && t <= behind && !st; hop++) /* from root + hop + 1 */
        if (t + hop <= behind)
            st = np_round_add(&job->round, l->down[root + hop + 1], l->node[root + hop + t]);
    for (uint32_t hop = 0; hop < root && !st; hop++) { /* packet t - behind + hop is hop + 1 away */
        uint64_t packet = t + hop;
        if (packet > behind && packet - behind > hop && packet - behind <= root)
            st = np_round_add(&job->round, l->up[root - hop - 1], l->node[root - (packet - behind)]);
    }
    return st;
}

/* In round t node i sends on the packet that began t - 1 nodes behind it, in both directions. */
static np_status next_gossip(np_collective_job *job)
{
    line *l = job->own;
    uint32_t nodes = job->network->nodes;
    uint64_t t = l->round++;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < nodes && !st; i++) {
        if (i + 1 < nodes && i >= t)
            st = np_round_add(&job->round, l->up[i], l->node[i - t]);
        if (!st && i && i + t < nodes)
            st = np_round_add(&job->round, l->down[i], l->node[i + t]);
    }
    return st;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    bool broadcast = job->ops->kind == NP_BROADCAST;
    out->rounds = job->network->nodes - 1 + (broadcast ? job->pieces - 1 : 0);
    out->steps = out->rounds;
    snprintf(out->text, sizeof out->text, "%s",
             broadcast ? "c_v l/f (f + P - 2) + c_a (f + P - 2)" : "c_v l (P - 1) + c_a (P - 1)");
    return NP_OK;
}

static const char *refuses(const np_network *network)
{
    return np_axes_of(network).count || np_collective_complete(network) ? NULL
                                                                        : "no path through all its nodes is known";
}

#define LINES "array, ring, mesh, torus, hypercube, complete"

const np_collective_ops np_line_broadcast = {
    .info = {"linear", "flits along a path through all nodes: f + P - 2", "Sibeyn, lecture notes",
             .operation = "broadcast", .networks = LINES, .ports = "one-port"},
    .flits = true,
    .kind = NP_BROADCAST,
    .ports = NP_ONE_PORT,
    .single = true,
    .refuses = refuses,
    .check = check_broadcast,
    .own = layout,
    .begin = begin,
    .next = next_broadcast,
    .formula = formula,
};

const np_collective_ops np_line_gather = {
    .info = {"linear", "along a path through all nodes: P - 1", "after Sibeyn, lecture notes", .operation = "gather",
             .networks = LINES, .ports = "one-port"},
    .kind = NP_GATHER,
    .ports = NP_ONE_PORT,
    .single = true,
    .refuses = refuses,
    .own = layout,
    .begin = begin,
    .next = next_gather,
    .formula = formula,
};

const np_collective_ops np_line_gossip = {
    .info = {"linear", "both ways along a path through all nodes: P - 1", "after Sibeyn, lecture notes",
             .operation = "gossip", .networks = LINES, .ports = "full-port"},
    .kind = NP_GOSSIP,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = refuses,
    .own = layout,
    .begin = begin,
    .transfers = transfers_gossip,
    .next = next_gossip,
    .formula = formula,
};
