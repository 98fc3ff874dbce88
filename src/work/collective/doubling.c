/*
 * Collectives that double what is known in every round, along the dimensions of a hypercube, or of a hypercube that a
 * complete network imitates (Sibeyn). Node i of the cube, counted from the root, is node i xor root of a hypercube, and
 * node i + root modulo P of a complete network.
 *
 * Broadcast goes down a binomial tree, in log P rounds: c_v l log P + c_a log P.
 *
 * Gather goes up the same tree, with messages that grow. It takes 1 + 2 + 4 + .. = P - 1 steps, as many as the packets
 * that the root must receive: c_v l (P - 1) + c_a log P.
 *
 * Gossip: all nodes exchange all that they know.
 *
 * On a complete network broadcast and gather work for any P, with log P rounded up. For gossip, nodes of a complete
 * network do not exchange: each tells the node 2^t before it on the ring of their numbers (Bruck et al. 1997). This
 * needs one port to send and one to receive.
 */
#include <stdio.h>

#include "work/collective/collective.h"

/* The only state is the number of the round, job->count. */
static uint32_t rounds_of(const np_collective_job *job) { return np_log2_up(job->network->nodes); }

static np_node node_of(const np_collective_job *job, uint32_t i)
{
    if (job->axes.cube)
        return i ^ job->options.root;
    return (np_node)(((uint64_t)i + job->options.root) % job->network->nodes);
}

static np_link link_of(const np_collective_job *job, uint32_t from, uint32_t to)
{
    return np_collective_link(job->network, node_of(job, from), node_of(job, to));
}

/* All nodes below 2^t send to the nodes with bit t. */
static np_status next_broadcast(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes, t = job->count++;
    np_status st = NP_OK;
    for (uint32_t i = 0; t < rounds_of(job) && i < UINT32_C(1) << t && !st; i++)
        if (i + (UINT32_C(1) << t) < nodes)
            st = np_round_add(&job->round, link_of(job, i, i + (UINT32_C(1) << t)), 0);
    return st;
}

/* Each node that has bit t and no lower bit sends the packets from its own up to the next multiple of 2^t. */
static np_status next_gather(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes, t = job->count++;
    np_status st = NP_OK;
    if (t >= rounds_of(job))
        return NP_OK;
    for (uint64_t i = UINT64_C(1) << t; i < nodes && !st; i += UINT64_C(2) << t) {
        np_link link = link_of(job, (uint32_t)i, (uint32_t)i - (UINT32_C(1) << t));
        for (uint64_t j = i; j < i + (UINT64_C(1) << t) && j < nodes && !st; j++)
            st = np_round_add(&job->round, link, node_of(job, (uint32_t)j));
    }
    return st;
}

static np_status next_gossip(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes, t = job->count++;
    np_status st = NP_OK;
    for (uint32_t i = 0; t < rounds_of(job) && i < nodes; i++) {
        np_link link = link_of(job, i, i ^ UINT32_C(1) << t);
        for (uint32_t j = i >> t << t; j < (i >> t << t) + (UINT32_C(1) << t) && !st; j++)
            st = np_round_add(&job->round, link, node_of(job, j));
        if (st)
            return st;
    }
    return NP_OK;
}

/* Node i knows 2^t packets, from i on, and tells the node 2^t before it as many as this node lacks. */
static np_status next_dissemination(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes, t = job->count++;
    np_status st = NP_OK;
    for (uint32_t i = 0; t < rounds_of(job) && i < nodes; i++) {
        uint32_t known = UINT32_C(1) << t, lacks = nodes - known, news = known < lacks ? known : lacks;
        np_link link = np_collective_link(job->network, i, (i + nodes - known) % nodes);
        for (uint32_t j = 0; j < news && !st; j++)
            st = np_round_add(&job->round, link, (uint32_t)(((uint64_t)i + j) % nodes));
        if (st)
            return st;
    }
    return NP_OK;
}

/* In the last round but one, or in the last, most is told. */
static size_t transfers_dissemination(const np_collective_job *job)
{
    size_t nodes = job->network->nodes, most = 1;
    for (size_t known = 1; known < nodes; known *= 2) {
        size_t news = known < nodes - known ? known : nodes - known;
        most = news > most ? news : most;
    }
    return nodes * most;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    bool broadcast = job->ops->kind == NP_BROADCAST;
    out->rounds = rounds_of(job);
    out->steps = broadcast ? out->rounds : job->network->nodes - 1;
    snprintf(out->text, sizeof out->text, "%s", broadcast ? "c_v l log P + c_a log P" : "c_v l (P - 1) + c_a log P");
    return NP_OK;
}

static const char *refuses(const np_network *network)
{
    return np_axes_of(network).cube || np_collective_complete(network) ? NULL
                                                                       : "it is neither a hypercube nor complete";
}

static const char *refuses_gossip(const np_network *network)
{
    return network->nodes & (network->nodes - 1) ? "its number of nodes is no power of two" : refuses(network);
}

const np_collective_ops np_doubling_broadcast = {
    .info = {"hypercube", "down a binomial tree: log P", "Sibeyn, lecture notes", .aliases = "binomial",
             .operation = "broadcast", .networks = "hypercube, complete", .ports = "telephone"},
    .kind = NP_BROADCAST,
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .single = true,
    .refuses = refuses,
    .next = next_broadcast,
    .formula = formula,
};

const np_collective_ops np_doubling_gather = {
    .info = {"hypercube", "up a binomial tree: log P rounds, P - 1 steps", "Sibeyn, lecture notes",
             .aliases = "binomial", .operation = "gather", .networks = "hypercube, complete", .ports = "telephone"},
    .kind = NP_GATHER,
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .refuses = refuses,
    .next = next_gather,
    .formula = formula,
};

const np_collective_ops np_doubling_gossip = {
    .info = {"hypercube", "all exchange all they know: log P rounds, P - 1 steps", "Sibeyn, lecture notes",
             .aliases = "recursive-doubling halving-doubling", .operation = "gossip",
             .networks = "hypercube, complete with 2^k nodes", .ports = "telephone"},
    .kind = NP_GOSSIP,
    .ports = NP_TELEPHONE,
    .uni_axial = true,
    .refuses = refuses_gossip,
    .transfers = transfers_dissemination, /* as many */
    .next = next_gossip,
    .formula = formula,
};

const np_collective_ops np_doubling_dissemination = {
    .info = {"dissemination", "all tell the node 2^t before them: log P rounds, P - 1 steps, any P",
             "Bruck et al. 1997", .operation = "gossip", .networks = "complete", .ports = "one-port"},
    .kind = NP_GOSSIP,
    .ports = NP_ONE_PORT,
    .refuses = np_collective_but_complete,
    .transfers = transfers_dissemination,
    .next = next_dissemination,
    .formula = formula,
};
