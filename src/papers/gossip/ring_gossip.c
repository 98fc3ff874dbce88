/*
 * Gossip round a Hamiltonian cycle with one port: every node sends its own packet first, and then sends on what came
 * last. After P - 1 rounds of single packets all nodes know all; fewer steps are impossible. The cycle comes from the
 * embedding of a ring (embed layer). Every torus has one; on a hypercube it is the Gray code; on a mesh with an even
 * side it runs to and fro and then back.
 */
#include <stdio.h>
#include <string.h>

#include "work/collective/collective.h"
#include "netpram/embed.h"

typedef struct cycle {
    np_node *node; /* [nodes] in the order of the cycle */
    np_link *link; /* [nodes] from each node to the next */
} cycle;

static np_status embed(const np_network *network, np_node *node)
{
    np_network *ring = NULL;
    np_embedding *embedding = NULL;
    np_status st = np_network_make(&ring, "ring:%u", network->nodes);
    if (!st && !(st = np_embedding_create(NULL, ring, network, 0, &embedding)))
        memcpy(node, np_embedding_map(embedding), network->nodes * sizeof *node);
    np_embedding_free(embedding);
    np_network_free(ring);
    return st;
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    cycle counted, *c = np_collective_own(job, arena, &counted, sizeof *c);
    NP_ARENA_WORDS(arena, job->network->nodes, "a cycle", &c->node, &c->link);
}

static np_status begin(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes;
    cycle *c = job->own;
    np_status st;
    for (np_node u = 0; u < nodes; u++)
        c->node[u] = u;
    if (!np_collective_complete(job->network) && (st = embed(job->network, c->node)))
        return st;
    for (uint32_t i = 0; i < nodes; i++)
        c->link[i] = np_collective_link(job->network, c->node[i], c->node[i + 1 < nodes ? i + 1 : 0]);
    return NP_OK;
}

/* In round t node i sends on the packet that began t - 1 nodes before it. */
static np_status next(np_collective_job *job)
{
    cycle *c = job->own;
    uint32_t nodes = job->network->nodes, t = ++job->count;
    np_status st = NP_OK;
    for (uint32_t i = 0; t < nodes && i < nodes && !st; i++)
        st = np_round_add(&job->round, c->link[i], c->node[i + 1 >= t ? i + 1 - t : i + 1 + nodes - t]);
    return st;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    out->rounds = out->steps = job->network->nodes - 1;
    snprintf(out->text, sizeof out->text, "c_v l (P - 1) + c_a (P - 1)");
    return NP_OK;
}

static const char *refuses(const np_network *network)
{
    np_axes axes = np_axes_of(network);
    bool even = false;
    if (network->nodes < 3)
        return "it has fewer than 3 nodes";
    if (np_collective_complete(network))
        return NULL;
    for (uint32_t a = 0; a < axes.count; a++)
        even |= axes.side[a] % 2 == 0;
    if (axes.wrap || (axes.count > 1 && even))
        return NULL;
    return axes.count ? "it has no Hamiltonian cycle" : "no cycle through all its nodes is known";
}

const np_collective_ops np_ring_gossip = {
    .info = {"ring", "round a cycle through all nodes: P - 1", "after Sibeyn, lecture notes", .operation = "gossip",
             .networks = "ring, mesh with an even side, torus, hypercube, complete", .ports = "one-port"},
    .kind = NP_GOSSIP,
    .ports = NP_ONE_PORT,
    .single = true,
    .refuses = refuses,
    .own = layout,
    .begin = begin,
    .next = next,
    .formula = formula,
};
